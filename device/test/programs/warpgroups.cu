// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wgmma of sm_90a: types, shapes, swizzles, both directions of 16-bit operands, A in registers,
// scales and signs, compared with plain C++.
#include "../checked.cuh"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstring>
#include <string>

namespace {

using namespace checked;

constexpr int threads = 128;

__device__ unsigned shared_address(void const* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ unsigned long long descriptor(unsigned start, unsigned leading, unsigned stride,
                                         unsigned long long mode) {
  auto const field = [](unsigned bytes) {
    return static_cast<unsigned long long>(bytes >> 4 & 0x3fff);
  };
  return field(start) | field(leading) << 16 | field(stride) << 32 | mode << 62;
}

#define FOUR(d, i) "+r"(d[i]), "+r"(d[i + 1]), "+r"(d[i + 2]), "+r"(d[i + 3])
#define SIXTEEN(d, i) FOUR(d, i), FOUR(d, i + 4), FOUR(d, i + 8), FOUR(d, i + 12)
#define D4 "{%0, %1, %2, %3}"
#define D16 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}"

__device__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void finish_group() {
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
}

//! A kind of multiplication: what follows "m64n8" or "m64n32" in its name, columns, and operands.
enum class kind {
  f16_f32,
  f16_f16,
  bf16,
  tf32,
  e4m3,
  e5m2_f16,
  s8,
  u8_s8,
  f16_n32,
  along_rows,
  negated
};

//! Bytes of a tile of 64 (or 32) rows of 32 bytes each are given as they lie in shared memory.
template <kind Kind>
__global__ void multiply(uint4 const* tile_a, uint4 const* tile_b, unsigned leading,
                         unsigned stride, unsigned long long mode, int scale, unsigned* out) {
  __shared__ __align__(1024) uint4 a[1024];
  __shared__ __align__(1024) uint4 b[1024];
  for (int k = static_cast<int>(threadIdx.x); k < 1024; k += threads) {
    a[k] = tile_a[k];
    b[k] = tile_b[k];
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  unsigned d[16];
  for (unsigned k = 0; k < 16; ++k) {
    float const one = static_cast<float>(threadIdx.x % 5);
    d[k] = Kind == kind::s8 || Kind == kind::u8_s8           ? threadIdx.x % 5
           : Kind == kind::f16_f16 || Kind == kind::e5m2_f16 ? 0
                                                             : __float_as_uint(one);
  }
  auto const da = descriptor(shared_address(a), leading, stride, mode);
  auto const db = descriptor(shared_address(b), leading, stride, mode);
  fence();
  if constexpr (Kind == kind::f16_f32)
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %6, "
                 "0;\nwgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 " D4
                 ", %4, %5, p, 1, 1, 0, 0;\n}"
                 : FOUR(d, 0)
                 : "l"(da), "l"(db), "r"(scale));
  if constexpr (Kind == kind::negated)
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %6, "
                 "0;\nwgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 " D4
                 ", %4, %5, p, -1, 1, 0, 0;\n}"
                 : FOUR(d, 0)
                 : "l"(da), "l"(db), "r"(scale));
  if constexpr (Kind == kind::along_rows)
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %6, "
                 "0;\nwgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 " D4
                 ", %4, %5, p, 1, 1, 1, 0;\n}"
                 : FOUR(d, 0)
                 : "l"(da), "l"(descriptor(shared_address(b), 16, 1024, 1)), "r"(scale));
  if constexpr (Kind == kind::f16_f16)
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %4, "
                 "0;\nwgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 "
                 "{%0, %1}, %2, %3, p, 1, 1, 0, 0;\n}"
                 : "+r"(d[0]), "+r"(d[1])
                 : "l"(da), "l"(db), "r"(scale));
  if constexpr (Kind == kind::bf16)
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %6, "
                 "0;\nwgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 " D4
                 ", %4, %5, p, 1, 1, 0, 0;\n}"
                 : FOUR(d, 0)
                 : "l"(da), "l"(db), "r"(scale));
  if constexpr (Kind == kind::tf32)
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %6, "
                 "0;\nwgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 " D4
                 ", %4, %5, p, 1, 1;\n}"
                 : FOUR(d, 0)
                 : "l"(da), "l"(db), "r"(scale));
  if constexpr (Kind == kind::e4m3)
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %6, "
                 "0;\nwgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 " D4
                 ", %4, %5, p, 1, 1;\n}"
                 : FOUR(d, 0)
                 : "l"(da), "l"(db), "r"(scale));
  if constexpr (Kind == kind::e5m2_f16)
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %4, "
                 "0;\nwgmma.mma_async.sync.aligned.m64n8k32.f16.e5m2.e5m2 "
                 "{%0, %1}, %2, %3, p, 1, 1;\n}"
                 : "+r"(d[0]), "+r"(d[1])
                 : "l"(da), "l"(db), "r"(scale));
  if constexpr (Kind == kind::s8)
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %6, "
                 "0;\nwgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 " D4 ", %4, %5, p;\n}"
                 : FOUR(d, 0)
                 : "l"(da), "l"(db), "r"(scale));
  if constexpr (Kind == kind::u8_s8)
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %6, "
                 "0;\nwgmma.mma_async.sync.aligned.m64n8k32.s32.u8.s8 " D4 ", %4, %5, p;\n}"
                 : FOUR(d, 0)
                 : "l"(da), "l"(db), "r"(scale));
  if constexpr (Kind == kind::f16_n32) {
    // A from registers: row g or g + 8 of the warp's 16, columns 2 q, 2 q + 1 or 8 further.
    unsigned r[4];
    auto const* const halves = reinterpret_cast<unsigned const*>(tile_a);
    for (unsigned k = 0; k < 4; ++k) {
      unsigned const row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 + k % 2 * 8;
      unsigned const pair = threadIdx.x % 4 + k / 2 * 4;
      r[k] = halves[row * 8 + pair];
    }
    fence();
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %21, "
                 "0;\nwgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 " D16
                 ", {%16, %17, %18, %19}, %20, p, 1, 1, 0;\n}"
                 : SIXTEEN(d, 0)
                 : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "l"(db), "r"(scale));
  }
  finish_group();
  for (unsigned k = 0; k < 16; ++k) out[threadIdx.x * 16 + k] = d[k];
}

//! How elements of a kind are kept.
template <kind Kind>
struct element {
  static constexpr int bytes = Kind == kind::tf32                          ? 4
                               : Kind >= kind::e4m3 && Kind <= kind::u8_s8 ? 1
                                                                           : 2;
  static constexpr bool halves_out = Kind == kind::f16_f16 || Kind == kind::e5m2_f16;
  static constexpr bool integers = Kind == kind::s8 || Kind == kind::u8_s8;

  static void put(unsigned char* to, int value) {
    if constexpr (Kind == kind::tf32) {
      auto const f = static_cast<float>(value);
      std::memcpy(to, &f, 4);
    } else if constexpr (Kind == kind::bf16) {
      __nv_bfloat16 const f = __float2bfloat16(static_cast<float>(value));
      std::memcpy(to, &f, 2);
    } else if constexpr (Kind == kind::e4m3) {
      __nv_fp8_e4m3 const f(static_cast<float>(value));
      std::memcpy(to, &f, 1);
    } else if constexpr (Kind == kind::e5m2_f16) {
      __nv_fp8_e5m2 const f(static_cast<float>(value));
      std::memcpy(to, &f, 1);
    } else if constexpr (integers) {
      *to = static_cast<unsigned char>(value);
    } else {
      __half const f = __float2half(static_cast<float>(value));
      std::memcpy(to, &f, 2);
    }
  }
};

//! The byte of element (row, k) of a tile; rows of 32 bytes along k. \param span of the swizzle, or
//! 0.
int byte_of(int row, int byte, int span) {
  if (span == 0) return byte / 16 * 1024 + row * 16 + byte % 16;  // leading 1024, stride 128
  int const plain = row * span + byte;
  return plain ^ (plain >> 7 & (span / 16 - 1)) << 4;
}

template <kind Kind>
void check(int span, int scale) {
  using e = element<Kind>;
  constexpr int depth = 32 / e::bytes;
  constexpr int columns = Kind == kind::f16_n32 ? 32 : 8;
  std::vector<int> a(64 * depth), b(columns * depth);
  random_numbers numbers(span + scale + static_cast<int>(Kind) * 10);
  for (int& x : a) x = numbers.below(7) - (Kind == kind::u8_s8 ? 0 : 3);
  for (int& x : b) x = numbers.below(7) - 3;
  std::vector<unsigned char> tile_a(16384), tile_b(16384);
  for (int r = 0; r < 64; ++r)
    for (int k = 0; k < depth; ++k) {
      int place = byte_of(r, k * e::bytes, span);
      // 64 rows are the 128 bytes of a span; 8 columns a pattern, the next 8 are 1024 bytes
      // further.
      if (Kind == kind::along_rows) place = k / 8 * 1024 + ((k % 8 * 128 + r * 2) ^ (k % 8) << 4);
      if (Kind == kind::f16_n32) place = r * 32 + k * 2;
      e::put(&tile_a[static_cast<std::size_t>(place)], a[static_cast<std::size_t>(r * depth + k)]);
    }
  for (int c = 0; c < columns; ++c)
    for (int k = 0; k < depth; ++k)
      e::put(&tile_b[static_cast<std::size_t>(byte_of(c, k * e::bytes, span))],
             b[static_cast<std::size_t>(c * depth + k)]);
  device_array<unsigned char> on_a(tile_a), on_b(tile_b);
  device_array<unsigned> out(threads * 16);
  unsigned const leading = span == 0 ? 1024 : 16;
  unsigned const stride = span == 0 ? 128 : 8 * static_cast<unsigned>(span);
  unsigned long long const mode = span == 128 ? 1 : span == 64 ? 2 : span == 32 ? 3 : 0;
  multiply<Kind><<<1, threads>>>(reinterpret_cast<uint4 const*>(on_a.data()),
                                 reinterpret_cast<uint4 const*>(on_b.data()), leading, stride, mode,
                                 scale, out.data());
  WAIT();
  auto const found = out.host();
  for (int t = 0; t < threads; ++t)
    for (int k = 0; k < columns / 2; ++k) {
      int const row = t / 32 * 16 + t % 32 / 4 + k / 2 % 2 * 8;
      int const column = t % 4 * 2 + k % 2 + k / 4 * 8;
      int sum = 0;
      for (int l = 0; l < depth; ++l)
        sum += a[static_cast<std::size_t>(row * depth + l)] *
               b[static_cast<std::size_t>(column * depth + l)];
      if (Kind == kind::negated) sum = -sum;
      if (scale != 0 && !e::halves_out) sum += t % 5;
      unsigned const word = found[static_cast<std::size_t>(t * 16 + (e::halves_out ? k / 2 : k))];
      float value = 0;
      if (e::halves_out) {
        auto const bits = static_cast<unsigned short>(word >> 16 * (k % 2));
        __half h;
        std::memcpy(&h, &bits, 2);
        value = __half2float(h);
      } else if (e::integers) {
        value = static_cast<float>(static_cast<int>(word));
      } else {
        std::memcpy(&value, &word, 4);
      }
      EXPECT_AT(static_cast<int>(Kind) * 1000000 + span * 1000 + t,
                value == static_cast<float>(sum));
    }
}

//! mma.sp and wgmma.mma_async.sp with A in registers, of which 4 g and 4 g + 3 of each row are
//! stored (metadata 0b1100): lane t holds pairs of row t / 4 and of that 8 further.
__global__ void multiply_sparse(unsigned const* a, uint4 const* tile_b, unsigned const* b,
                                float* out) {
  __shared__ __align__(1024) uint4 shared_b[32];
  if (threadIdx.x < 32) shared_b[threadIdx.x] = tile_b[threadIdx.x];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  unsigned const t = threadIdx.x % 32;
  unsigned r[4], right[4];
  for (unsigned k = 0; k < 4; ++k) {
    r[k] = a[(threadIdx.x / 32 * 16 + t / 4 + k % 2 * 8) * 8 + t % 4 + k / 2 * 4];
    right[k] = b[t / 4 * 16 + t % 4 + k * 4];
  }
  unsigned const metadata = 0xccccccccU;
  float c[4] = {}, d[4] = {};
  asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %10, %11}, {%0, %1, %2, %3}, %12, 1;"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(right[0]), "r"(right[1]),
                 "r"(right[2]), "r"(right[3]), "r"(metadata));
  fence();
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %10, "
               "0;\nwgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 " D4
               ", {%4, %5, %6, %7}, %8, %9, 0, p, 1, 1, 0;\n}"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]),
                 "l"(descriptor(shared_address(shared_b), 16, 512, 2)), "r"(metadata), "r"(1));
  finish_group();
  for (unsigned k = 0; k < 4; ++k) {
    unsigned const row = threadIdx.x / 32 * 16 + t / 4 + k / 2 * 8;
    unsigned const at = row * 8 + t % 4 * 2 + k % 2;
    out[at] = c[k];
    out[512 + at] = d[k];
  }
}

void check_sparse() {
  random_numbers numbers(3);
  std::vector<int> a(64 * 16), b(8 * 32);
  for (int& x : a) x = numbers.below(7) - 3;
  for (int& x : b) x = numbers.below(7) - 3;
  std::vector<__half> in_a(a.size()), in_b(b.size()), in_tile(b.size());
  for (std::size_t i = 0; i < a.size(); ++i) in_a[i] = __float2half(static_cast<float>(a[i]));
  for (int column = 0; column < 8; ++column)
    for (int k = 0; k < 32; ++k) {
      auto const i = static_cast<std::size_t>(column * 32 + k);
      in_b[i] = __float2half(static_cast<float>(b[i]));
      in_tile[static_cast<std::size_t>(byte_of(column, 2 * k, 64) / 2)] = in_b[i];
    }
  device_array<__half> on_a(in_a), on_b(in_b), on_tile(in_tile);
  device_array<float> out(1024);
  multiply_sparse<<<1, threads>>>(reinterpret_cast<unsigned const*>(on_a.data()),
                                  reinterpret_cast<uint4 const*>(on_tile.data()),
                                  reinterpret_cast<unsigned const*>(on_b.data()), out.data());
  WAIT();
  auto const found = out.host();
  for (int i = 0; i < 1024; ++i) {
    int const row = i % 512 / 8;
    int const column = i % 8;
    int sum = 0;
    for (int k = 0; k < 16; ++k)
      sum += a[static_cast<std::size_t>(row * 16 + k)] *
             b[static_cast<std::size_t>(column * 32 + k / 2 * 4 + k % 2 * 3)];
    EXPECT_AT(i, found[static_cast<std::size_t>(i)] == static_cast<float>(sum));
  }
}

}  // namespace

int main() {
  check_sparse();
  for (int const span : {0, 32, 64, 128}) {
    check<kind::f16_f32>(span, 1);
    check<kind::tf32>(span, 1);
    check<kind::s8>(span, 1);
  }
  check<kind::f16_f32>(128, 0);
  check<kind::f16_f16>(64, 0);
  check<kind::bf16>(128, 1);
  check<kind::e4m3>(32, 1);
  check<kind::e5m2_f16>(128, 1);
  check<kind::u8_s8>(128, 0);
  check<kind::f16_n32>(128, 1);
  check<kind::along_rows>(128, 1);
  check<kind::negated>(64, 1);
  return finish(10000);
}
