// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda::barrier of a block: separate arrive and wait, several phases, a completion function,
// threads that leave.
#include "../checked.cuh"

#include <cuda/barrier>

#include <utility>

namespace {

using namespace checked;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

//! Each thread writes a word, arrives, does other work, waits, and reads its neighbour's word.
__global__ void phases(int* out, int rounds) {
  __shared__ int word[2][128];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ block_barrier barrier;
  int const t = static_cast<int>(threadIdx.x);
  int const n = static_cast<int>(blockDim.x);
  if (t == 0) init(&barrier, n);
  __syncthreads();
  int value = t, free_work = 0;
  for (int r = 0; r < rounds; ++r) {
    word[r % 2][t] = value;
    auto token = barrier.arrive();
    free_work += r;
    barrier.wait(std::move(token));
    value = word[r % 2][(t + 1) % n] + 1;
  }
  out[blockIdx.x * n + t] = value + free_work * 1000;
}

void check_phases(int threads, int rounds) {
  device_array<int> out(2 * threads);
  phases<<<2, threads>>>(out.data(), rounds);
  WAIT();
  auto const found = out.host();
  for (int i = 0; i < 2 * threads; ++i)
    EXPECT_AT(i, found[i] ==
                     (i % threads + rounds) % threads + rounds + rounds * (rounds - 1) / 2 * 1000);
}

//! The first warp fills halves of a buffer, and the second warp empties them.
__global__ void producer_and_consumer(int* out, int rounds) {
  __shared__ int buffer[2][32];
  __shared__ block_barrier full[2], empty[2];
  int const lane = static_cast<int>(threadIdx.x % 32);
  if (threadIdx.x == 0)
    for (int h = 0; h < 2; ++h) {
      init(&full[h], 64);
      init(&empty[h], 64);
    }
  __syncthreads();
  if (threadIdx.x < 32) {
    for (int r = 0; r < rounds; ++r) {
      if (r >= 2) empty[r % 2].arrive_and_wait();
      buffer[r % 2][lane] = r * 100 + lane;
      static_cast<void>(full[r % 2].arrive());
    }
  } else {
    int sum = 0;
    for (int r = 0; r < rounds; ++r) {
      full[r % 2].arrive_and_wait();
      sum += buffer[r % 2][31 - lane];
      if (r + 2 < rounds) static_cast<void>(empty[r % 2].arrive());
    }
    out[lane] = sum;
  }
}

//! A barrier does not wait for threads that have left it.
__global__ void leaving(int* out) {
  __shared__ block_barrier barrier;
  __shared__ int sum;
  int const t = static_cast<int>(threadIdx.x);
  if (t == 0) {
    init(&barrier, static_cast<int>(blockDim.x));
    sum = 0;
  }
  __syncthreads();
  if (t % 4 == 3) {
    barrier.arrive_and_drop();
    return;
  }
  barrier.arrive_and_wait();
  atomicAdd(&sum, 1);
  barrier.arrive_and_wait();
  if (t == 0) *out = sum;
}

}  // namespace

int main() {
  check_phases(128, 9);
  check_phases(50, 4);
  check_phases(1, 3);
  device_array<int> out(32);
  producer_and_consumer<<<1, 64>>>(out.data(), 10);
  WAIT();
  auto const found = out.host();
  for (int i = 0; i < 32; ++i) EXPECT_AT(i, found[i] == 45 * 100 + 10 * (31 - i));
  leaving<<<1, 96>>>(out.data());
  WAIT();
  EXPECT(out.host()[0] == 72);
  return finish(2 * 179 + 33);
}
