// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

#include <cstddef>

namespace mmm::gpu::detail {

//! The bytes of one instruction that accesses a value: the largest of 16, 8, 4, 2, 1 of which its
//! size is a multiple and for which it is aligned.
template <class T>
[[nodiscard]] MMM_HOST_DEVICE constexpr int bytes_at_once() {
  std::size_t bytes = 16;
  while (sizeof(T) % bytes != 0 || alignof(T) % bytes != 0) bytes /= 2;
  return static_cast<int>(bytes);
}

}  // namespace mmm::gpu::detail
