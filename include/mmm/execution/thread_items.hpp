// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

//! Items with registers, whose values last from one parallel-for to the next.
namespace mmm {

//! **Items with registers.** `auto sums = on.registers<T>(items)` allocates a register for each of
//! `rows * columns` items, in the thread that handles the item, zero at first and free of cost.
//! `on.each(items, [=](auto row, auto column, auto own) { sums[own] = … })` is a parallel-for over
//! the items, row by row.
//! \tparam Max the maximum number of registers of a thread in a kernel, known when the kernel is
//! compiled: more items than that are std::length_error before the kernel starts. Simulations and
//! estimates have a register for every item.
template <index Max>
struct thread_items {
  static_assert(Max >= 1, "mmm: a thread keeps something of 1 item or more");
  static constexpr index max_per_thread = Max;
  index rows;
  index columns;
  [[nodiscard]] MMM_HOST_DEVICE constexpr index count() const { return rows * columns; }
};

}  // namespace mmm
