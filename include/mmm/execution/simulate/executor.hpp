// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

namespace mmm {

namespace detail {
//! An executor's function: it calls `task(context, k)` for k = 0 … count - 1, in any order,
//! possibly at the same time.
using executor_function = void (*)(index count, void* context,
                                   void (*task)(void* context, index k));
}  // namespace detail

//! The executor that runs a simulation's DMMs one after the other.
struct sequential_t {
  constexpr operator detail::executor_function() const {
    return [](index count, void* context, void (*task)(void*, index)) {
      for (index k = 0; k < count; ++k) task(context, k);
    };
  }
};
inline constexpr sequential_t sequential{};

}  // namespace mmm
