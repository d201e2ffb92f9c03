// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! CUDA's words for kernels on the host, so that the source of a `__global__` function that is
//! compiled by nvcc is also compiled by a C++ compiler, and traced by mmm::gpu::trace_grid. In the
//! kernel two things change:
//!
//!     float* out                          mmm::gpu::device_pointer<float> out
//!     __shared__ float tile[32][33];      MMM_SHARED(float[32][33], tile);
//!
//! besides `reinterpret_cast<float4*>(p)`, which is `mmm::gpu::reinterpret<float4>(p)`, and
//! `extern __shared__ float s[];`, which is `MMM_DYNAMIC_SHARED(float, s);`. For nvcc these are
//! what they replace. With MMM_RECORD defined, kernels write their requests down on the GPU
//! (mmm::gpu::recording). docs/trace-a-kernel.md leads through an example.
//!
//! A source file that includes this header is one of kernels: on the host the words are macros, and
//! so is `for`, whose rounds a trace has to know. It is to be the last header that is included.
//! `#pragma unroll` needs -Wno-unknown-pragmas there.

#if defined(__CUDACC__)

#if defined(MMM_RECORD)
#include <mmm/trace/recorded.cuh>
#endif

namespace mmm::gpu {

#if defined(MMM_RECORD)
template <class T>
using device_pointer = recorded<T>;
#else
template <class T>
using device_pointer = T*;
#endif

template <class U, class T>
__host__ __device__ U* reinterpret(T* p) {
  return reinterpret_cast<U*>(p);
}
namespace detail {
template <class T>
using same = T;
}  // namespace detail
}  // namespace mmm::gpu

#if defined(MMM_RECORD)
#define MMM_SHARED(type, name)                                   \
  __shared__ ::mmm::gpu::detail::same<type> mmm_words_of_##name; \
  auto const name = ::mmm::gpu::recorded_array(mmm_words_of_##name)
#define MMM_DYNAMIC_SHARED(type, name)          \
  extern __shared__ type mmm_words_of_##name[]; \
  auto const name = ::mmm::gpu::recorded<type>(mmm_words_of_##name)
#else
#define MMM_SHARED(type, name) __shared__ ::mmm::gpu::detail::same<type> name
#define MMM_DYNAMIC_SHARED(type, name) extern __shared__ type name[]
#endif
#define MMM_CONVERGE static_cast<void>(0)

#else

#include <mmm/trace/cuda_words.hpp>
#include <mmm/trace_kernel.hpp>  // so that no header comes behind the macros

#define MMM_SHARED(type, name) \
  auto const name =            \
      ::mmm::gpu::thread(::mmm::gpu::detail::traced_run::inside("MMM_SHARED")).shared<type>()
#define MMM_DYNAMIC_SHARED(type, name) auto const name = ::mmm::gpu::detail::dynamic_shared<type>()
#define MMM_CONVERGE ::mmm::gpu::detail::this_thread("MMM_CONVERGE").converge()

// NOLINTBEGIN: CUDA's names
#define __global__
#define __device__
#define __host__
#define __constant__ static const
#define __shared__ _Pragma("GCC error \"mmm: __shared__ T s[n] is MMM_SHARED(T[n], s) here\"")
#define __forceinline__ inline
#define __launch_bounds__(...)
#define threadIdx (::mmm::gpu::detail::thread_index())
#define blockIdx (::mmm::gpu::detail::block_index())
#define blockDim (::mmm::gpu::detail::block_size())
#define gridDim (::mmm::gpu::detail::grid_size())
#define warpSize 32

// A loop that tells its rounds and its end, where the lanes of a warp meet. Its `else` belongs to
// its own `if`; compilers would warn where the loop stands in another one without braces.
#define MMM_DETAIL_LOOP_OF(name, ...)                      \
  for (::mmm::gpu::detail::loop_scope name; name.enter();) \
    for (__VA_ARGS__)                                      \
      if (name.round(), false) {                           \
      } else
#define MMM_DETAIL_LOOP(number, ...) MMM_DETAIL_LOOP_OF(mmm_loop_##number, __VA_ARGS__)
#define MMM_DETAIL_LOOP_NUMBERED(number, ...) MMM_DETAIL_LOOP(number, __VA_ARGS__)
#pragma GCC diagnostic ignored "-Wdangling-else"
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wkeyword-macro"
#endif
#define for(...) MMM_DETAIL_LOOP_NUMBERED(__COUNTER__, __VA_ARGS__)
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
// NOLINTEND

#endif
