// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../checks/chosen.hpp"

#include <type_traits>

//! Facilities of the programs in which two operations lack an order. `bad` or `good` selects, as in
//! ../checks. A comment `finds: KERNEL` names the kernel of this file in which the race must be
//! found; lines of a program's own kernels end with a comment `finding: race`. The message must
//! contain the TEXT of a comment `says: TEXT`.
constexpr int length = 4096;

__global__ void write_to(int* a, int value) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = value;  // race in write_to
}
__global__ void add_one(int* a) {
  a[blockIdx.x * blockDim.x + threadIdx.x] += 1;  // race in add_one
}

inline cudaStream_t make_stream(unsigned flags = cudaStreamNonBlocking) {
  cudaStream_t made;
  cudaStreamCreateWithFlags(&made, flags);
  return made;
}

inline cudaEvent_t make_event() {
  cudaEvent_t made;
  cudaEventCreate(&made);
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

//! Launches a kernel programmatically: it need not wait for the one before it in the stream.
template <class... Parameters>
void launch_early(cudaStream_t s, void (*kernel)(Parameters...),
                  std::type_identity_t<Parameters>... values) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = length / 256;
  config.blockDim = 256;
  config.stream = s;
  config.attrs = &early;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, kernel, values...);
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
