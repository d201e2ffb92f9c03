// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws of clusters (execution/cluster.hpp), and what their accesses cost.
#include <mmm/execution/cluster.hpp>
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/mmm.hpp>

#include "catch.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace {

using mmm::index;
using dynamic_hmm = mmm::hmm<mmm::dynamic, 4, mmm::dynamic, mmm::dynamic>;
using dynamic_clusters = mmm::clustered<dynamic_hmm, mmm::dynamic, mmm::dynamic>;
using four = mmm::clustered<mmm::hmm<4, 4, 2, 9, 64>, 2, 5>;

static_assert(mmm::cluster_handle<mmm::detail::symbolic_cluster<four>>);
static_assert(mmm::cluster_handle<mmm::detail::kernel_cluster<four, mmm::detail::host_team>>);
static_assert(
    mmm::cluster_handle<mmm::detail::kernel_cluster<four, mmm::detail::planning_team<four>>>);
static_assert(mmm::machine_handle<mmm::detail::symbolic_handle<four, true>>);

//! Writes and reads words of peers in all ways that the laws have: k words for each DMM.
struct all_of_the_vocabulary {
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
          block.each(k, [=](auto i) {
            mmm::atomic_add(a((r + trip) % c, i), value(1));
          });
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
};

//! What the words must be.
std::vector<index> expected(index clusters, index c, index k) {
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

struct shape {
  index dmms, cluster, threads, words;
};
constexpr shape shapes[] = {{4, 2, 8, 8}, {4, 4, 4, 4},  {2, 2, 5, 11}, {6, 3, 3, 7},
                            {3, 1, 4, 5}, {4, 2, 12, 3}, {1, 1, 1, 2},  {8, 8, 2, 1}};

template <class M, class Program>
auto on_host_threads(M const& m, index threads, index n, Program const& program) {
  std::vector<index> out(static_cast<std::size_t>(n), -1);
  mmm::host_threads<M> const on(m, mmm::threads(threads));
  mmm::run(on, program, m.dmms() == 0 ? 0 : n / m.dmms(), mmm::writes<index>(out.begin(), n));
  return out;
}

}  // namespace

TEST_CASE("clusters of a simulation, its estimate and its trace agree, and so do host threads") {
  for (shape const& s : shapes)
    for (mmm::index const latency : {1, 6}) {
      CAPTURE(s.dmms, s.cluster, s.threads, s.words, latency);
      dynamic_clusters const m(dynamic_hmm(s.dmms, 2, 9), s.cluster, latency);
      mmm::index const n = s.dmms * s.words;
      auto const p = mmm::threads(s.dmms * s.threads);
      std::vector<mmm::index> out(static_cast<std::size_t>(n), -1);
      auto const run = mmm::simulate(m, p, [&](auto& on) {
        mmm::run(on, all_of_the_vocabulary{}, s.words, mmm::writes<mmm::index>(out.begin(), n));
      });
      CHECK(out == expected(s.dmms / s.cluster, s.cluster, s.words));
      CHECK(run.race_count == 0);
      auto const estimated = mmm::estimate(m, p, [&](auto& on) {
        mmm::run(on, all_of_the_vocabulary{}, s.words, mmm::writes<mmm::index>(mmm::no_data{}, n));
      });
      CHECK(run.cost.rounds == estimated.rounds);
      CHECK(run.cost.stages == estimated.stages);
      CHECK(run.cost.time == estimated.time);
      CHECK(run.cost.time == mmm::recomputed_time(m, run.trace));
      CHECK(run.pipelined_time <= run.cost.time);
      CHECK(on_host_threads(m, p.count, n, all_of_the_vocabulary{}) == out);
    }
}
