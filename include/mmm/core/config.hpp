// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

//! The version of the library, as `major * 10000 + minor * 100 + patch`.
#define MMM_VERSION 100

//! Marks what a body may use in a kernel as well as on the host. Inline functions only (members and
//! constexpr ones are), never constexpr variables. In a kernel all of it is inlined: a function
//! that is not inlined spills its registers to local memory. A program may define it, and
//! MMM_INLINED, before it includes the library, in all of its files alike: with nvcc's options
//! `-D'MMM_HOST_DEVICE=__host__ __device__' -DMMM_INLINED=` the compiler decides what it inlines.
//! Kernels compile in a third of the time then, and run slower.
#ifndef MMM_HOST_DEVICE
#if defined(__CUDA_ARCH__)
#define MMM_HOST_DEVICE __host__ __device__ __attribute__((always_inline))
#elif defined(__CUDACC__)
#define MMM_HOST_DEVICE __host__ __device__
#else
#define MMM_HOST_DEVICE
#endif
#endif

//! Goes after a lambda's parameter list: forces the lambda to be inlined into a kernel, where the
//! compiler alone would not inline one that long. A program may define it before, as above.
#ifndef MMM_INLINED
#if defined(__CUDA_ARCH__)
#define MMM_INLINED __attribute__((always_inline))
#else
#define MMM_INLINED
#endif
#endif

//! Before a declaration marked MMM_HOST_DEVICE that calls what may exist on the host only: a
//! template whose arguments decide that, or a constructor that throws. Host-only branches must be
//! unreachable on the device.
#if defined(__CUDACC__)
#define MMM_NO_SIDE_CHECK _Pragma("nv_exec_check_disable")
#else
#define MMM_NO_SIDE_CHECK
#endif

//! Around function objects that run on the device as well as in host-only interpretations: nvcc
//! warns of the latter in the same instantiation (20011, 20013 to 20015), though no device code
//! ever uses them.
#if defined(__CUDACC__)
#define MMM_BODIES_BEGIN                                                  \
  _Pragma("nv_diagnostic push") _Pragma("nv_diag_suppress 20011")         \
      _Pragma("nv_diag_suppress 20013") _Pragma("nv_diag_suppress 20014") \
          _Pragma("nv_diag_suppress 20015")
#define MMM_BODIES_END _Pragma("nv_diagnostic pop")
#else
#define MMM_BODIES_BEGIN
#define MMM_BODIES_END
#endif

//! Small functions on the path of every simulated access; the optimizer's own judgement stops too
//! early there. Without optimization they would only make the others large, and slow to compile.
//! MMM_INLINED_HERE is for lambdas, after the parameter list.
#if defined(__OPTIMIZE__) && (defined(__GNUC__) || defined(__clang__))
#define MMM_ALWAYS_INLINE [[gnu::always_inline]] inline
#define MMM_INLINED_HERE __attribute__((always_inline))
#else
#define MMM_ALWAYS_INLINE inline
#define MMM_INLINED_HERE
#endif

namespace mmm {

//! The type of items, addresses, sizes and time units. 64 bits, signed, so that differences are
//! safe.
using index = std::int64_t;

//! A machine's parameter that only its value knows, as `std::dynamic_extent` is for `std::extents`.
inline constexpr index dynamic = -1;

namespace detail {
//! False, known only when a template is instantiated: for a static_assert that explains what was
//! wrong with the call.
template <class...>
inline constexpr bool never = false;
}  // namespace detail

//! No limit: the default capacity of a shared memory.
inline constexpr index unlimited = INT64_MAX;

}  // namespace mmm
