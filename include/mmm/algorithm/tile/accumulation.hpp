// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/thread_items.hpp>

//! Sums that the body of a parallel-for adds to in a loop.
MMM_BODIES_BEGIN
namespace mmm {

//! The place of such a sum: a register, as a CUDA programmer writes it and free of cost, or memory,
//! as the papers print it.
enum class accumulation { in_register, in_memory };

namespace detail {

//! Allocates a sum for each of `items` items, as many at a time as there are threads: a register
//! each, or an array in the handle's own memory.
template <accumulation Where, class Value, class Threads>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto make_item_sums(Threads& threads, index items) {
  if constexpr (Where == accumulation::in_register)
    return threads.template registers<Value>();
  else
    return threads.template allocate<Value>(items);
}

//! The sum of item `first + i`, which thread i handles.
template <accumulation Where, class Sums, class First, class Item>
[[nodiscard]] MMM_HOST_DEVICE constexpr decltype(auto) item_sum(Sums const& sums,
                                                                First const& first, Item const& i) {
  if constexpr (Where == accumulation::in_register)
    return sums[i];
  else
    return sums[first + i];
}

//! Allocates the sums of all items at once: registers of the threads that handle the items, or an
//! array.
template <accumulation Where, class Value, class Threads, index Max>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto make_item_sums(Threads& threads,
                                                            thread_items<Max> const& items) {
  if constexpr (Where == accumulation::in_register)
    return threads.template registers<Value>(items);
  else
    return threads.template allocate<Value>(items.count());
}

//! A parallel-for over items with sums: `body(row, column, own)` accesses the item's sum as
//! `sums[own]`.
template <accumulation Where, class Threads, index Max, class Body>
MMM_HOST_DEVICE constexpr void each_thread_item(Threads& threads, thread_items<Max> const& items,
                                                Body const& body) {
  if constexpr (Where == accumulation::in_register) {
    threads.each(items, body);
  } else {
    index const columns = items.columns;
    threads.each(items.count(), [=](auto i) { body(i / columns, i % columns, i); });
  }
}

}  // namespace detail
}  // namespace mmm
MMM_BODIES_END
