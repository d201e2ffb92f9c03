// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/kernel/transaction_barrier.cuh>
#include <mmm/gpu/data_type.hpp>

#include <cstdint>

//! The instructions of compute capability 9.0a for producers and consumers of tiles: copies of
//! boxes by tensor maps, and wgmma.
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
namespace mmm::detail {

//! Copies the box of a tensor map from an element on to shared memory; its bytes count for the
//! barrier.
__device__ inline void copy_box(std::uint32_t to, void const* map, transaction_barrier full, int x,
                                int y) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
               "[%0], [%1, {%2, %3}], [%4];" ::"r"(to),
               "l"(map), "r"(x), "r"(y), "r"(full.address)
               : "memory");
}
__device__ inline void copy_box(std::uint32_t to, void const* map, transaction_barrier full, int x,
                                int y, int z) {
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
               "[%0], [%1, {%2, %3, %4}], [%5];" ::"r"(to),
               "l"(map), "r"(x), "r"(y), "r"(z), "r"(full.address)
               : "memory");
}

//! The registers of a thread from here on; all warps of a warpgroup execute it.
template <int Registers>
__device__ inline void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Registers));
}
template <int Registers>
__device__ inline void leave_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Registers));
}

//! The fence that precedes the first wgmma that uses registers written by other instructions.
__device__ inline void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void commit_products() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
//! Waits for all groups of products but the latest ones.
template <int Latest>
__device__ inline void await_products() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Latest) : "memory");
}
//! Keeps the compiler from moving uses of sums across this place.
template <int N>
__device__ inline void hold(float (&c)[N]) {
#pragma unroll
  for (int k = 0; k < N; ++k) asm volatile("" : "+f"(c[k])::"memory");
}
template <int N>
__device__ inline void hold(std::int32_t (&c)[N]) {
#pragma unroll
  for (int k = 0; k < N; ++k) asm volatile("" : "+r"(c[k])::"memory");
}

#define MMM_DETAIL_4(letter, i) \
  "+" letter(c[i]), "+" letter(c[i + 1]), "+" letter(c[i + 2]), "+" letter(c[i + 3])
#define MMM_DETAIL_16(letter, i)                                                     \
  MMM_DETAIL_4(letter, i), MMM_DETAIL_4(letter, i + 4), MMM_DETAIL_4(letter, i + 8), \
      MMM_DETAIL_4(letter, i + 12)
#define MMM_DETAIL_64(letter, i)                                                          \
  MMM_DETAIL_16(letter, i), MMM_DETAIL_16(letter, i + 16), MMM_DETAIL_16(letter, i + 32), \
      MMM_DETAIL_16(letter, i + 48)
#define MMM_DETAIL_TEXT_64                                                           \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "          \
  "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, " \
  "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
  "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}"
#define MMM_DETAIL_TEXT_128                                                                      \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "                      \
  "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "             \
  "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "             \
  "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "             \
  "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "             \
  "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "             \
  "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
  "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, "   \
  "%127}"
#define MMM_DETAIL_WGMMA_64(letter, types, after)                                    \
  asm volatile("{ .reg .pred p;\n  setp.ne.b32 p, %66, 0;\n"                         \
               "  wgmma.mma_async.sync.aligned.m64n128" types " " MMM_DETAIL_TEXT_64 \
               ", %64, %65, p" after ";\n}"                                          \
               : MMM_DETAIL_64(letter, 0)                                            \
               : "l"(a), "l"(b), "r"(adds), "n"(TransposedA), "n"(TransposedB))
#define MMM_DETAIL_WGMMA_128(letter, types, after)                                    \
  asm volatile("{ .reg .pred p;\n  setp.ne.b32 p, %130, 0;\n"                         \
               "  wgmma.mma_async.sync.aligned.m64n256" types " " MMM_DETAIL_TEXT_128 \
               ", %128, %129, p" after ";\n}"                                         \
               : MMM_DETAIL_64(letter, 0), MMM_DETAIL_64(letter, 64)                  \
               : "l"(a), "l"(b), "r"(adds), "n"(TransposedA), "n"(TransposedB))
#define MMM_DETAIL_WGMMA(type_a, type_b, letter, types, after_64, after_128) \
  if constexpr (A == type_a && B == type_b && N == 64)                       \
    MMM_DETAIL_WGMMA_64(letter, types, after_64);                            \
  if constexpr (A == type_a && B == type_b && N == 128)                      \
  MMM_DETAIL_WGMMA_128(letter, types, after_128)

//! Begins c = a b, or c += a b if `adds` is 1, for 32 bytes of the inner side: 64 rows of A and 2 N
//! columns of B, given by their descriptors. A thread has N sums. Factors of 16 bits may be
//! transposed: their rows or columns are neighbours.
template <gpu::data_type A, gpu::data_type B, bool TransposedA, bool TransposedB, int N, class Sum>
__device__ inline void multiply_tiles(Sum (&c)[N], std::uint64_t a, std::uint64_t b, int adds) {
  static_assert(N == 64 || N == 128, "mmm: wgmma of 128 or 256 columns");
  using enum gpu::data_type;
#define MMM_DETAIL_SIGNS_64 ", 1, 1, %67, %68"
#define MMM_DETAIL_SIGNS_128 ", 1, 1, %131, %132"
  MMM_DETAIL_WGMMA(f16, f16, "f", "k16.f32.f16.f16", MMM_DETAIL_SIGNS_64, MMM_DETAIL_SIGNS_128);
  MMM_DETAIL_WGMMA(bf16, bf16, "f", "k16.f32.bf16.bf16", MMM_DETAIL_SIGNS_64, MMM_DETAIL_SIGNS_128);
  MMM_DETAIL_WGMMA(tf32, tf32, "f", "k8.f32.tf32.tf32", ", 1, 1", ", 1, 1");
  MMM_DETAIL_WGMMA(s8, s8, "r", "k32.s32.s8.s8", "", "");
  MMM_DETAIL_WGMMA(u8, u8, "r", "k32.s32.u8.u8", "", "");
  MMM_DETAIL_WGMMA(s8, u8, "r", "k32.s32.s8.u8", "", "");
  MMM_DETAIL_WGMMA(u8, s8, "r", "k32.s32.u8.s8", "", "");
}
#undef MMM_DETAIL_4
#undef MMM_DETAIL_16
#undef MMM_DETAIL_64
#undef MMM_DETAIL_TEXT_64
#undef MMM_DETAIL_TEXT_128
#undef MMM_DETAIL_WGMMA_64
#undef MMM_DETAIL_WGMMA_128
#undef MMM_DETAIL_WGMMA
#undef MMM_DETAIL_SIGNS_64
#undef MMM_DETAIL_SIGNS_128

}  // namespace mmm::detail
#endif
