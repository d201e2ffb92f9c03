// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

//! Items of which threads keep something from one parallel-for to the next.
namespace mmm {

//! **Items with registers.** `auto sums = on.registers<T>(items)` is a register for each of
//! `rows * columns` items, of the thread that handles the item, and
//! `on.each(items, [=](auto row, auto column, auto own) { sums[own] = … })` a parallel-for over
//! them, row by row. Zero at first, free of cost.
//! \tparam Max the registers of a thread in a kernel, whose number must be known when it is
//! compiled: items for more are std::length_error before the kernel starts. Simulations and
//! estimates have as many as there are items.
template <index Max>
struct thread_items {
  static_assert(Max >= 1, "mmm: a thread keeps something of 1 item or more");
  static constexpr index max_per_thread = Max;
  index rows;
  index columns;
  [[nodiscard]] MMM_HOST_DEVICE constexpr index count() const { return rows * columns; }
};

}  // namespace mmm
