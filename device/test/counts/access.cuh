// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

//! Accesses of a given width to a given memory, one instruction each; they are written in inline
//! PTX, so that the compiler does not split, merge or remove them.
namespace counts {

#define COUNTS_ACCESS(space, bytes, type, suffix, constraint)                                      \
  __device__ inline type load_##space(type, std::uint64_t address) {                               \
    type x;                                                                                        \
    asm volatile("ld." #space "." suffix " %0, [%1];"                                              \
                 : "=" constraint(x)                                                               \
                 : "l"(address)                                                                    \
                 : "memory");                                                                      \
    return x;                                                                                      \
  }                                                                                                \
  __device__ inline void store_##space(type x, std::uint64_t address) {                            \
    asm volatile("st." #space "." suffix " [%0], %1;" : : "l"(address), constraint(x) : "memory"); \
  }
COUNTS_ACCESS(shared, 2, std::uint16_t, "u16", "h")
COUNTS_ACCESS(shared, 4, std::uint32_t, "u32", "r")
COUNTS_ACCESS(shared, 8, std::uint64_t, "u64", "l")
COUNTS_ACCESS(global, 2, std::uint16_t, "u16", "h")
COUNTS_ACCESS(global, 4, std::uint32_t, "u32", "r")
COUNTS_ACCESS(global, 8, std::uint64_t, "u64", "l")
#undef COUNTS_ACCESS

// Single bytes use 16-bit registers; 16 bytes use four registers of 32 bits.
#define COUNTS_ACCESS(space)                                                         \
  __device__ inline std::uint8_t load_##space(std::uint8_t, std::uint64_t address) { \
    std::uint16_t x;                                                                 \
    asm volatile("ld." #space ".u8 %0, [%1];" : "=h"(x) : "l"(address) : "memory");  \
    return static_cast<std::uint8_t>(x);                                             \
  }                                                                                  \
  __device__ inline void store_##space(std::uint8_t x, std::uint64_t address) {      \
    asm volatile("st." #space ".u8 [%0], %1;"                                        \
                 :                                                                   \
                 : "l"(address), "h"(static_cast<std::uint16_t>(x))                  \
                 : "memory");                                                        \
  }                                                                                  \
  __device__ inline uint4 load_##space(uint4, std::uint64_t address) {               \
    uint4 x;                                                                         \
    asm volatile("ld." #space ".v4.u32 {%0, %1, %2, %3}, [%4];"                      \
                 : "=r"(x.x), "=r"(x.y), "=r"(x.z), "=r"(x.w)                        \
                 : "l"(address)                                                      \
                 : "memory");                                                        \
    return x;                                                                        \
  }                                                                                  \
  __device__ inline void store_##space(uint4 x, std::uint64_t address) {             \
    asm volatile("st." #space ".v4.u32 [%0], {%1, %2, %3, %4};"                      \
                 :                                                                   \
                 : "l"(address), "r"(x.x), "r"(x.y), "r"(x.z), "r"(x.w)              \
                 : "memory");                                                        \
  }
COUNTS_ACCESS(shared)
COUNTS_ACCESS(global)
#undef COUNTS_ACCESS

//! The addresses of the lanes: lane t accesses first + t * stride bytes, for lanes `from` to `to -
//! 1` only. With `same` > 1, that many neighbouring lanes share an address.
struct pattern {
  int first, stride, from, to, same;
};

__device__ inline std::uint64_t place(pattern p, std::uint64_t base) {
  return base +
         static_cast<std::uint64_t>(p.first + static_cast<int>(threadIdx.x) / p.same * p.stride);
}
__device__ inline bool takes_part(pattern p) {
  int const t = static_cast<int>(threadIdx.x % 32);
  return t >= p.from && t < p.to;
}

//! The exit status: 0 unless a call has failed.
inline int finish() {
  cudaError_t const result = cudaDeviceSynchronize();
  if (result == cudaSuccess) return 0;
  std::printf("%s\n", cudaGetErrorName(result));
  return 1;
}

}  // namespace counts
