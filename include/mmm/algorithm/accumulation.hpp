// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>

//! Sums that a body adds to in a loop.
MMM_BODIES_BEGIN
namespace mmm {

//! Where such a sum is kept: in a register, as a CUDA programmer writes it and free of cost, or in memory, as the papers
//! print it.
enum class accumulation { in_register, in_memory };

namespace detail {

//! Room for a sum for every one of `items` items: registers, or an array in the handle's own memory.
template <accumulation Where, class Value, class Threads>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto make_item_sums(Threads& threads, index items) {
  if constexpr (Where == accumulation::in_register)
    return threads.template registers<Value>(ceil_divide(items, threads.threads()));
  else
    return threads.template allocate<Value>(items);
}

//! Item i's sum, of p threads: `item_sum<Where>(sums, i, p) = …`. In registers it is its thread's number i / p.
template <accumulation Where, class Sums, class Item>
[[nodiscard]] MMM_HOST_DEVICE constexpr decltype(auto) item_sum(Sums const& sums, Item const& i, index p) {
  if constexpr (Where == accumulation::in_register)
    return sums(i, i / p);
  else
    return sums[i];
}

}  // namespace detail
}  // namespace mmm
MMM_BODIES_END
