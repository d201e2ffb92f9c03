// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's atomic functions in global and shared memory, in all widths.
#include "../checked.cuh"

#include <cuda_fp16.h>

#include <algorithm>

namespace {

using namespace checked;

constexpr int blocks = 4;
constexpr int threads = 100;
constexpr int total = blocks * threads;

__device__ void each(unsigned* word, unsigned i) {
  atomicAdd(word + 0, 3u);
  atomicSub(word + 1, 1u);
  atomicMin(word + 2, i + 5);
  atomicMax(word + 3, i * 2);
  atomicAnd(word + 4, ~(1u << (i % 20)));
  atomicOr(word + 5, 1u << (i % 20));
  atomicXor(word + 6, i);
  atomicInc(word + 7, 6u);  // 0 to 6, then 0 again
  atomicDec(word + 8, 9u);  // 9 down to 0, then 9 again
  atomicMin(reinterpret_cast<int*>(word + 9), -static_cast<int>(i));
  atomicAdd_block(word + 10, 1u);
  atomicAdd_system(word + 11, 1u);
}
constexpr int words = 12;
std::vector<unsigned> const first{0, 1000, 4000000000u, 0, ~0u, 0, 0, 0, 0, 0, 0, 0};

std::vector<unsigned> expected(unsigned n) {
  std::vector<unsigned> w = first;
  for (unsigned i = 0; i < n; ++i) {
    w[0] += 3;
    w[1] -= 1;
    w[2] = std::min(w[2], i + 5);
    w[3] = std::max(w[3], i * 2);
    w[4] &= ~(1u << (i % 20));
    w[5] |= 1u << (i % 20);
    w[6] ^= i;
    w[7] = w[7] >= 6 ? 0 : w[7] + 1;
    w[8] = w[8] == 0 || w[8] > 9 ? 9 : w[8] - 1;
    w[9] = static_cast<unsigned>(-static_cast<int>(i));
    ++w[10];
    ++w[11];
  }
  return w;
}

__global__ void in_global(unsigned* word) { each(word, threadIdx.x); }
__global__ void in_shared(unsigned* word, unsigned const* begin) {
  __shared__ unsigned own[words];
  if (threadIdx.x < words) own[threadIdx.x] = begin[threadIdx.x];
  __syncthreads();
  each(own, threadIdx.x);
  __syncthreads();
  if (threadIdx.x < words) word[blockIdx.x * words + threadIdx.x] = own[threadIdx.x];
}

void check_words() {
  device_array<unsigned> word(first), begin(first), many(blocks * words);
  in_global<<<1, threads>>>(word.data());
  in_shared<<<blocks, threads>>>(many.data(), begin.data());
  WAIT();
  auto const want = expected(threads);
  SAME(word.host(), want);
  auto const found = many.host();
  for (int i = 0; i < blocks * words; ++i) EXPECT_AT(i, found[i] == want[i % words]);
}

__global__ void others(unsigned long long* wide, float* single, double* real, __half2* halves,
                       int* old) {
  auto const i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(wide, 1ull << 33);
  atomicMax(wide + 1, 1ull << (i % 60));
  atomicExch(wide + 2, 77ull);
  atomicAdd(single, 0.25f);
  atomicAdd(real, 0.125);
  atomicAdd(halves, __floats2half2_rn(1.0f, 2.0f));
  auto* const bits = wide + 3;  // addition of doubles by a CAS loop
  auto seen = *reinterpret_cast<unsigned long long volatile*>(bits);
  for (;;) {
    auto const next =
        __double_as_longlong(__longlong_as_double(static_cast<long long>(seen)) + 1.0);
    auto const before = atomicCAS(bits, seen, static_cast<unsigned long long>(next));
    if (before == seen) break;
    seen = before;
  }
  old[i] = atomicAdd(reinterpret_cast<int*>(wide + 4), 1);
  // two consecutive 16-bit words
  auto* const small = reinterpret_cast<unsigned short*>(wide + 5);
  auto* const own = small + i % 2;
  auto was = *static_cast<unsigned short volatile*>(own);
  for (;;) {
    auto const before = atomicCAS(own, was, static_cast<unsigned short>(was + 1));
    if (before == was) break;
    was = before;
  }
}

void check_others() {
  device_array<unsigned long long> wide(6);
  device_array<float> single(1);
  device_array<double> real(1);
  device_array<__half2> halves(1);
  device_array<int> old(total);
  wide.fill_bytes(0);
  single.fill_bytes(0);
  real.fill_bytes(0);
  halves.fill_bytes(0);
  others<<<blocks, threads>>>(wide.data(), single.data(), real.data(), halves.data(), old.data());
  WAIT();
  auto const w = wide.host();
  EXPECT(w[0] == static_cast<unsigned long long>(total) << 33);
  EXPECT(w[1] == 1ull << 59);
  EXPECT(w[2] == 77);
  EXPECT(w[3] == 0x4079000000000000ull);  // 400.0
  EXPECT(w[5] == ((total / 2ull) << 16 | total / 2));
  EXPECT(single.host()[0] == total * 0.25f);
  EXPECT(real.host()[0] == total * 0.125);
  auto const h = halves.host()[0];
  EXPECT(__half2float(h.x) == total && __half2float(h.y) == 2.0f * total);
  auto tickets = old.host();
  std::sort(tickets.begin(), tickets.end());
  for (int i = 0; i < total; ++i) EXPECT_AT(i, tickets[i] == i);
}

}  // namespace

int main() {
  check_words();
  check_others();
  return finish(1 + blocks * words + 8 + total);
}
