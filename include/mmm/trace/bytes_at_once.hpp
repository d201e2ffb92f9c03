// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

#include <cstddef>

namespace mmm::gpu::detail {

//! The number of bytes that one instruction moves of a value: the largest of 16, 8, 4, 2, 1 that
//! divides its size and its alignment.
template <class T>
[[nodiscard]] MMM_HOST_DEVICE constexpr int bytes_at_once() {
  std::size_t bytes = 16;
  while (sizeof(T) % bytes != 0 || alignof(T) % bytes != 0) bytes /= 2;
  return static_cast<int>(bytes);
}

}  // namespace mmm::gpu::detail
