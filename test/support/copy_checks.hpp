// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/execution/access.hpp>
#include <mmm/execution/copies.hpp>

namespace checks {

using mmm::index;

//! Adds 1 to 2 `pairs` rows of `t` words for each DMM, through two parts of the shared memory with
//! a barrier each: while one is worked on, the next row comes to the other. `first` words precede
//! the rows.
template <bool Waits = true>
struct increments_in_bulk {
  template <class On, class In, class Out>
  MMM_HOST_DEVICE constexpr void operator()(On& on, In a, index first, index t, index pairs,
                                            Out out) const {
    using value = typename Out::value_type;
    index const d = on.dmms();
    on.each_dmm([=](auto& block, auto dmm) {
      auto const s = block.template allocate<value>(2 * t);
      auto const even = block.transaction_barrier();
      auto const odd = block.transaction_barrier();
      auto const work = [=, &block](auto row, index part, auto const& barrier) {
        if constexpr (Waits) block.await_bulk(barrier);
        block.each(t, [=](auto i) { out[row + i] = mmm::load(s[part * t + i]) + value(1); });
        if constexpr (!Waits) block.await_bulk(barrier);
      };
      block.repeat(pairs, [=, &block](auto pair) {
        auto const row = (pair * d + dmm) * (2 * t);
        block.copy_bulk(even, s, a + (first + row), t);
        block.copy_bulk(odd, s + t, a + (first + row + t), t);
        work(row, 0, even);
        work(row + t, 1, odd);
      });
    });
  }
};

}  // namespace checks
