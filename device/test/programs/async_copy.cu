// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies from global to shared memory: pipelines with several stages, of 4, 8 and 16
// bytes, with zero fill; memcpy_async of cooperative groups; named barriers of a part of a block,
// in inline PTX.
#include "../checked.cuh"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

namespace {

namespace cg = cooperative_groups;
using namespace checked;

constexpr int threads = 96;

//! Copies one stage while it sums another. Each thread reads only words that it copied.
template <class Word>
__global__ void own_words(Word const* in, long long* out, int steps) {
  __shared__ Word buffer[2][threads];
  int const t = static_cast<int>(threadIdx.x);
  __pipeline_memcpy_async(&buffer[0][t], in + t, sizeof(Word));
  __pipeline_commit();
  long long sum = 0;
  for (int s = 0; s < steps; ++s) {
    if (s + 1 < steps)
      __pipeline_memcpy_async(&buffer[(s + 1) % 2][t], in + (s + 1) * threads + t, sizeof(Word));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    auto const* const bytes = reinterpret_cast<unsigned char const*>(&buffer[s % 2][t]);
    for (int b = 0; b < static_cast<int>(sizeof(Word)); ++b) sum += bytes[b] * (b + 1 + s);
  }
  out[t] = sum;
}

template <class Word>
void check_own_words() {
  constexpr int steps = 7;
  auto const bytes = random_vector<unsigned char>(steps * threads * sizeof(Word), 150);
  device_array<unsigned char> in(bytes);
  device_array<long long> out(threads);
  own_words<<<1, threads>>>(reinterpret_cast<Word const*>(in.data()), out.data(), steps);
  WAIT();
  auto const found = out.host();
  for (int t = 0; t < threads; ++t) {
    long long sum = 0;
    for (int s = 0; s < steps; ++s)
      for (int b = 0; b < static_cast<int>(sizeof(Word)); ++b)
        sum += bytes[(s * threads + t) * sizeof(Word) + b] * (b + 1 + s);
    EXPECT_AT(t, found[t] == sum);
  }
}

//! Three stages: a thread reads words that other threads copied, and the end is filled with zeros.
__global__ void others_words(int const* in, int n, int* out) {
  __shared__ __align__(16) int4 buffer[3][threads];
  int const t = static_cast<int>(threadIdx.x);
  int const steps = (n + 4 * threads - 1) / (4 * threads);
  auto const fetch = [&](int s) {
    if (s < steps) {
      int const first = (s * threads + t) * 4;
      int const missing = min(16, max(0, (first + 4 - n) * 4));
      __pipeline_memcpy_async(&buffer[s % 3][t], in + (missing == 16 ? 0 : first), 16, missing);
    }
    __pipeline_commit();
  };
  fetch(0);
  fetch(1);
  int sum = 0;
  for (int s = 0; s < steps; ++s) {
    fetch(s + 2);
    __pipeline_wait_prior(2);
    __syncthreads();
    int4 const x = buffer[s % 3][(t + 33) % threads];
    sum += x.x + 2 * x.y + 3 * x.z + 4 * x.w;
    __syncthreads();
  }
  out[t] = sum;
}

void check_others_words() {
  constexpr int n = 5 * threads * 4 - 37;
  auto in = random_vector<int>(n + 64, 151, 1000);
  device_array<int> d(in), out(threads);
  others_words<<<1, threads>>>(d.data(), n, out.data());
  WAIT();
  auto const found = out.host();
  for (int t = 0; t < threads; ++t) {
    int sum = 0;
    for (int s = 0; s < 5; ++s)
      for (int k = 0; k < 4; ++k) {
        int const at = (s * threads + (t + 33) % threads) * 4 + k;
        if (at < n) sum += (k + 1) * in[at];
      }
    EXPECT_AT(t, found[t] == sum);
  }
}

//! The whole block copies an array of any length.
__global__ void by_group(char const* in, int n, char* out) {
  extern __shared__ __align__(16) char own[];
  auto const block = cg::this_thread_block();
  cg::memcpy_async(block, own, in, static_cast<unsigned>(n));
  cg::wait(block);
  for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x))
    out[i] = own[n - 1 - i];
}

void check_by_group() {
  for (int n : {1, 16, 100, 1023}) {
    auto const in = random_vector<char>(n, 152);
    device_array<char> d(in), out(n);
    by_group<<<1, threads, 1024>>>(d.data(), n, out.data());
    WAIT();
    SAME(out.host(), std::vector<char>(in.rbegin(), in.rend()));
  }
}

__device__ void barrier_sync(int name, int members) {
  asm volatile("bar.sync %0, %1;" : : "r"(name), "r"(members) : "memory");
}
__device__ void barrier_arrive(int name, int members) {
  asm volatile("bar.arrive %0, %1;" : : "r"(name), "r"(members) : "memory");
}

//! Warps 0 and 1 fill a buffer for warps 2 and 3, with two barriers for full and two for empty
//! buffers, as in warp-specialized kernels.
__global__ void named(int* out, int rounds) {
  __shared__ int buffer[2][64];
  int const t = static_cast<int>(threadIdx.x);
  if (t < 64) {
    for (int r = 0; r < rounds; ++r) {
      if (r >= 2) barrier_sync(3 + r % 2, 128);  // empty
      buffer[r % 2][t] = r * 100 + t;
      barrier_arrive(1 + r % 2, 128);  // full
    }
  } else {
    int sum = 0;
    for (int r = 0; r < rounds; ++r) {
      barrier_sync(1 + r % 2, 128);
      sum += buffer[r % 2][127 - t];
      if (r + 2 < rounds) barrier_arrive(3 + r % 2, 128);
    }
    out[t - 64] = sum;
  }
}

//! Pairs of warps, each with a barrier of its own, which the pairs use unequally often.
__global__ void pairs_of_warps(int* out) {
  __shared__ int word[256];
  int const t = static_cast<int>(threadIdx.x);
  int const pair = t / 64;
  int value = t;
  for (int r = 0; r <= pair; ++r) {
    word[t] = value;
    barrier_sync(pair + 5, 64);
    value = word[pair * 64 + (t + 1) % 64];
    barrier_sync(pair + 5, 64);
  }
  out[t] = value;
}

void check_named() {
  constexpr int rounds = 9;
  device_array<int> out(256);
  named<<<1, 128>>>(out.data(), rounds);
  WAIT();
  auto found = out.host();
  for (int t = 0; t < 64; ++t)
    EXPECT_AT(t, found[t] == rounds * (rounds - 1) / 2 * 100 + rounds * (63 - t));
  pairs_of_warps<<<1, 256>>>(out.data());
  WAIT();
  found = out.host();
  for (int t = 0; t < 256; ++t) EXPECT_AT(t, found[t] == t / 64 * 64 + (t + 1 + t / 64) % 64);
}

}  // namespace

int main() {
  check_own_words<int>();
  check_own_words<double>();
  check_own_words<int4>();
  check_others_words();
  check_by_group();
  check_named();
  return finish(4 * threads + 4 + 320);
}
