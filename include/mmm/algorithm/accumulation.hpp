// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>

#include <type_traits>

//! Sums that a body adds to in a loop.
MMM_BODIES_BEGIN
namespace mmm {

//! Where such a sum is kept: in a register, as a CUDA programmer writes it and free of cost, or in memory, as the papers
//! print it.
enum class accumulation { in_register, in_memory };

namespace detail {

//! A sum for every item of a parallel-for: `sums(i) = sums(i) + x`. In registers, item i's is its thread's number i / p.
template <accumulation Where, class Storage>
struct item_sums {
  Storage storage;
  index threads;

  template <class Item>
  [[nodiscard]] MMM_HOST_DEVICE constexpr decltype(auto) operator()(Item const& i) const {
    if constexpr (Where == accumulation::in_register)
      return storage(i, i / threads);
    else
      return storage[i];
  }
};

//! Sums for `items` items, in registers or in the handle's own memory.
template <accumulation Where, class Value, class Threads>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto make_item_sums(Threads& threads, index items) {
  index const p = threads.threads();
  if constexpr (Where == accumulation::in_register) {
    auto const storage = threads.template registers<Value>(ceil_divide(items, p));
    return item_sums<Where, std::remove_const_t<decltype(storage)>>{storage, p};
  } else {
    auto const storage = threads.template allocate<Value>(items);
    return item_sums<Where, std::remove_const_t<decltype(storage)>>{storage, p};
  }
}

}  // namespace detail
}  // namespace mmm
MMM_BODIES_END
