// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/execution/access.hpp>
#include <mmm/execution/atomic.hpp>
#include <mmm/execution/cluster.hpp>

#include <cstddef>
#include <vector>

namespace checks {

using mmm::index;

//! Writes and reads words of peers in all ways that the laws have: k words for each DMM.
struct all_of_a_cluster {
  template <class On, class Out>
  MMM_HOST_DEVICE constexpr void operator()(On& on, index k, Out out) const {
    using value = typename Out::value_type;
    index const c = on.machine().cluster_size();
    on.each_cluster([=](auto& cluster, auto number) {
      auto const a = cluster.template allocate<value>(k);
      auto const b = cluster.template allocate<value>(2 * k);
      cluster.each_dmm([=](auto& block, auto r) {
        auto const own = a.own();
        block.each(k, [=](auto i) { own[i] = number * 10000 + r * 100 + i; });
      });
      cluster.each_dmm([=](auto& block, auto r) {  // scattered over the cluster's DMMs
        auto const spare = block.template allocate<value>(k);
        block.each(k, [=](auto i) { spare[i] = mmm::load(a((i + r) % c, i)); });
        block.each(k, [=](auto i) { b((r + 1) % c, k + i) = mmm::load(spare[i]); });
      });
      cluster.repeat(3, [=, &cluster](auto trip) {
        cluster.each_dmm([=](auto& block, auto r) {
          block.each(k, [=](auto i) { mmm::atomic_add(a((r + trip) % c, i), value(1)); });
        });
      });
      cluster.each_dmm([=](auto& block, auto r) {
        block.each(k, [=](auto i) { mmm::store_if(i < k - 1, b(c - 1 - r, i), mmm::load(a[i])); });
      });
      cluster.each_dmm([=](auto& block, auto r) {
        block.each(k, [=](auto i) {
          auto const first = mmm::load_if(i < k - 1, b(r, i), value(7));
          out[(number * c + r) * k + i] = first * value(1000000) + mmm::load(b[k + i]);
        });
      });
    });
  }

  //! The words that the program must leave.
  [[nodiscard]] static std::vector<index> expected(index clusters, index c, index k) {
    std::vector<index> out;
    for (index number = 0; number < clusters; ++number)
      for (index r = 0; r < c; ++r)
        for (index i = 0; i < k; ++i) {
          auto const a = [&](index rank) { return number * 10000 + rank * 100 + i; };
          index const first = i < k - 1 ? a(c - 1 - r) + 3 : 7;
          out.push_back(first * 1000000 + a((i + (r + c - 1) % c) % c));
        }
    return out;
  }
};

}  // namespace checks
