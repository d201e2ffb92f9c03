// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp-wide operations: shuffles with all widths and with partial masks, votes, matches,
// reductions.
#include "../checked.cuh"

#include <algorithm>

namespace {

using namespace checked;
using u32 = std::uint32_t;
constexpr u32 everyone = 0xffffffffu;

// --- shuffles ------------------------------------------------------------------------------------

template <class T>
__global__ void shuffles(T const* in, T* out, int width, int by) {
  int const lane = static_cast<int>(threadIdx.x);
  T const x = in[lane];
  out[lane] = __shfl_sync(everyone, x, lane * 5 + by, width);
  out[32 + lane] = __shfl_up_sync(everyone, x, by, width);
  out[64 + lane] = __shfl_down_sync(everyone, x, by, width);
  out[96 + lane] = __shfl_xor_sync(everyone, x, by, width);
}

template <class T>
void check_shuffles() {
  auto const in = random_vector<T>(32, 130);
  device_array<T> d(in), out(128);
  for (int width = 1; width <= 32; width *= 2)
    for (int by = 0; by < 32; by += by < 4 ? 1 : 5) {
      shuffles<T><<<1, 32>>>(d.data(), out.data(), width, by);
      WAIT();
      auto const found = out.host();
      for (int l = 0; l < 32; ++l) {
        int const first = l / width * width;
        auto const where = width * 10000 + by * 100 + l;
        EXPECT_AT(where, found[l] == in[first + (l * 5 + by) % width]);
        EXPECT_AT(where, found[32 + l] == in[l - by < first ? l : l - by]);
        EXPECT_AT(where, found[64 + l] == in[l + by >= first + width ? l : l + by]);
        int const partner = l ^ by;
        EXPECT_AT(where, found[96 + l] == in[partner >= first + width ? l : partner]);
      }
    }
}

//! Two halves of a warp shuffle separately, in different branches.
__global__ void partial(int* out) {
  int const lane = static_cast<int>(threadIdx.x);
  u32 const odd = 0xaaaaaaaau;
  int r;
  if (lane % 2 == 1) {
    r = __shfl_sync(odd, lane * 10, (lane + 2) % 32);
    r += __shfl_xor_sync(odd, lane, 4);
  } else {
    r = __shfl_down_sync(~odd, lane * 7, 2);
    r -= __shfl_up_sync(~odd, lane, 6);
  }
  out[lane] = r;
}

void check_partial() {
  device_array<int> out(32);
  partial<<<1, 32>>>(out.data());
  WAIT();
  auto const found = out.host();
  for (int l = 0; l < 32; ++l) {
    int const expected = l % 2 == 1 ? (l + 2) % 32 * 10 + (l ^ 4)
                                    : (l + 2 > 31 ? l : l + 2) * 7 - (l < 6 ? l : l - 6);
    EXPECT_AT(l, found[l] == expected);
  }
}

// --- votes, matches ------------------------------------------------------------------------------

constexpr int columns = 12;
__global__ void votes(int const* in, u32* out) {
  int const t = static_cast<int>(threadIdx.x);
  int const lane = t % 32;
  int const x = in[t];
  u32* const r = out + t * columns;
  r[0] = __ballot_sync(everyone, x > 1);
  r[1] = static_cast<u32>(__any_sync(everyone, x == 77));
  r[2] = static_cast<u32>(__all_sync(everyone, x < 78));
  r[3] = __match_any_sync(everyone, x);
  int all_same = -1;
  r[4] = __match_all_sync(everyone, x, &all_same);
  r[5] = static_cast<u32>(all_same);
  r[6] = __match_any_sync(everyone, static_cast<long long>(x) << 35 | 1);
  r[7] = __activemask();
  if (lane % 3 == 0) {
    u32 const mask = 0x49249249u;
    r[8] = __ballot_sync(mask, x > 1);
    r[9] = __match_any_sync(mask, x & 1);
    r[10] = __activemask();
  } else {
    r[8] = r[9] = r[10] = 0;
  }
  __syncwarp();
  r[11] = __ballot_sync(everyone, lane < 9);
}

void check_votes() {
  constexpr int threads = 96;
  auto in = random_vector<int>(threads, 131, 4);
  for (int t = 32; t < 64; ++t) in[t] = 5;  // in the second warp all values are equal
  in[70] = 77;
  device_array<int> d(in);
  device_array<u32> out(threads * columns);
  votes<<<1, threads>>>(d.data(), out.data());
  WAIT();
  auto const found = out.host();
  for (int t = 0; t < threads; ++t) {
    int const first = t / 32 * 32;
    u32 more = 0, same = 0, same_bit = 0;
    bool any = false, every = true;
    for (int u = 0; u < 32; ++u) {
      more |= static_cast<u32>(in[first + u] > 1) << u;
      same |= static_cast<u32>(in[first + u] == in[t]) << u;
      if (u % 3 == 0) same_bit |= static_cast<u32>((in[first + u] & 1) == (in[t] & 1)) << u;
      any = any || in[first + u] == 77;
      every = every && in[first + u] < 78;
    }
    u32 const* const r = &found[t * columns];
    EXPECT_AT(t, r[0] == more);
    EXPECT_AT(t, (r[1] != 0) == any);
    EXPECT_AT(t, (r[2] != 0) == every);
    EXPECT_AT(t, r[3] == same);
    EXPECT_AT(t, r[4] == (same == everyone ? everyone : 0));
    EXPECT_AT(t, r[5] == (same == everyone ? 1 : 0));
    EXPECT_AT(t, r[6] == same);
    EXPECT_AT(t, r[7] >> (t % 32) & 1);
    bool const third = t % 32 % 3 == 0;
    EXPECT_AT(t, r[8] == (third ? more & 0x49249249u : 0));
    EXPECT_AT(t, r[9] == (third ? same_bit : 0));
    EXPECT_AT(t, third ? (r[10] >> (t % 32) & 1) && (r[10] & ~0x49249249u) == 0 : r[10] == 0);
    EXPECT_AT(t, r[11] == 511);
  }
}

// --- reductions ----------------------------------------------------------------------------------

__global__ void reductions(u32 const* in, u32* out, u32 const* masks) {
  int const lane = static_cast<int>(threadIdx.x);
  u32 const mask = masks[blockIdx.x];
  u32 const x = in[lane];
  u32* const r = out + (blockIdx.x * 32 + threadIdx.x) * 8;
  for (int k = 0; k < 8; ++k) r[k] = 0;
  bool const in_mask = (mask >> lane & 1) != 0;
  auto const even = static_cast<u32>(__syncthreads_count(in_mask && x % 2 == 0));
  u32 const all_or_first = (__syncthreads_and(!in_mask || x != 0) ? 1 : 0) +
                           (__syncthreads_or(in_mask && lane == 0) ? 2 : 0);
  if (!in_mask) return;
  r[6] = even;
  r[7] = all_or_first;
#if __CUDA_ARCH__ >= 800
  r[0] = __reduce_add_sync(mask, x);
  r[1] = __reduce_min_sync(mask, x);
  r[2] = static_cast<u32>(__reduce_max_sync(mask, static_cast<int>(x)));
  r[3] = __reduce_and_sync(mask, x | 0xff);
  r[4] = __reduce_or_sync(mask, x & 0xff);
  r[5] = __reduce_xor_sync(mask, x);
#endif
}

void check_reductions() {
  auto const in = random_vector<u32>(32, 132);
  std::vector<u32> const masks{everyone, 1, 0x80000000u, 0x0f0f0f0fu, 0x7ffffffeu};
  device_array<u32> d(in), out(masks.size() * 32 * 8), m(masks);
  reductions<<<static_cast<unsigned>(masks.size()), 32>>>(d.data(), out.data(), m.data());
  WAIT();
  auto const found = out.host();
  int major = 0;
  SUCCEED(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  for (std::size_t b = 0; b < masks.size(); ++b) {
    u32 e[8] = {0, everyone, 0x80000000u, everyone, 0, 0, 0, 1};
    for (int l = 0; l < 32; ++l)
      if (masks[b] >> l & 1) {
        e[0] += in[l];
        e[1] = std::min(e[1], in[l]);
        e[2] = static_cast<u32>(std::max(static_cast<int>(e[2]), static_cast<int>(in[l])));
        e[3] &= in[l] | 0xff;
        e[4] |= in[l] & 0xff;
        e[5] ^= in[l];
        e[6] += in[l] % 2 == 0;
        if (l == 0) e[7] = 3;
      }
    for (int l = 0; l < 32; ++l)
      for (int k = major >= 8 ? 0 : 6; k < 8; ++k)
        EXPECT_AT(b * 1000 + l * 10 + k,
                  found[(b * 32 + l) * 8 + k] == (masks[b] >> l & 1 ? e[k] : 0));
  }
}

//! A reduction and a scan in shared memory by one warp, with __syncwarp between the steps.
__global__ void warp_synchronous(int const* in, int* out) {
  __shared__ int sum[32], scan[32];
  int const lane = static_cast<int>(threadIdx.x);
  sum[lane] = scan[lane] = in[lane];
  __syncwarp();
  for (int step = 16; step > 0; step /= 2) {
    if (lane < step) sum[lane] += sum[lane + step];
    __syncwarp();
  }
  for (int step = 1; step < 32; step *= 2) {
    int const other = lane >= step ? scan[lane - step] : 0;
    __syncwarp();
    scan[lane] += other;
    __syncwarp();
  }
  out[lane] = scan[lane];
  if (lane == 0) out[32] = sum[0];
}

void check_warp_synchronous() {
  auto const in = random_vector<int>(32, 133, 1000);
  device_array<int> d(in), out(33);
  warp_synchronous<<<1, 32>>>(d.data(), out.data());
  WAIT();
  auto const found = out.host();
  int sum = 0;
  for (int l = 0; l < 32; ++l) {
    sum += in[l];
    EXPECT_AT(l, found[l] == sum);
  }
  EXPECT(found[32] == sum);
}

}  // namespace

int main() {
  check_shuffles<int>();
  check_shuffles<double>();
  check_shuffles<unsigned char>();
  check_partial();
  check_votes();
  check_reductions();
  check_warp_synchronous();
  return finish(3 * 6 * 10 * 128 + 32 + 96 * 12 + 5 * 64 + 33);
}
