// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../checks/chosen.hpp"

//! Facilities of the programs in which two operations lack an order. `bad` or `good` selects, as in
//! ../checks; lines of kernels at which the race must be found end with a comment `finding: race`.
//! A comment `says: TEXT` is what the message must contain.
constexpr int length = 4096;

inline cudaStream_t make_stream(unsigned flags = cudaStreamNonBlocking) {
  cudaStream_t made;
  cudaStreamCreateWithFlags(&made, flags);
  return made;
}

inline int* make_array() {
  int* made;
  cudaMalloc(&made, length * sizeof(int));
  return made;
}

inline int* make_pinned() {
  int* made;
  cudaMallocHost(&made, length * sizeof(int));
  for (int k = 0; k < length; ++k) made[k] = 1;
  return made;
}

//! True if all elements of an array of the device are `value`, after all work.
inline bool holds(int const* array, int value) {
  static int copy[length];
  cudaDeviceSynchronize();
  cudaMemcpy(copy, array, sizeof copy, cudaMemcpyDefault);
  for (int const n : copy)
    if (n != value) return false;
  return true;
}
