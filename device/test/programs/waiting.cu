// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that wait for each other without barriers: a lock that the lanes of one warp take in
// turn, blocks that pass data by flags, the last block of a grid, tickets.
#include "../checked.cuh"

#include <algorithm>

namespace {

using namespace checked;

//! All lanes of a warp take the same lock, in a loop in which they diverge.
__global__ void one_lock(int* lock, int volatile* counter, int rounds) {
  for (int r = 0; r < rounds; ++r) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *counter = *counter + 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}

//! Each lane waits for the lane before it.
__global__ void in_turn(int volatile* turn, int* order) {
  int const lane = static_cast<int>(threadIdx.x);
  bool done = false;
  while (!done) {
    if (*turn == lane) {
      __threadfence_block();
      order[lane] = 100 - lane;
      __threadfence_block();
      *turn = lane + 1;
      done = true;
    }
  }
}
//! The lanes wait in a spin loop, last lane first. The loop ends only if lanes make progress
//! independently.
__global__ void spin_in_turn(int volatile* turn, int* order) {
  int const lane = static_cast<int>(threadIdx.x);
  while (*turn != 31 - lane) {
  }
  __threadfence_block();
  order[lane] = *turn;
  __threadfence_block();
  *turn = 32 - lane;
}

void check_locks() {
  device_array<int> word(2), order(32);
  for (int threads : {32, 100}) {
    word.fill_bytes(0);
    one_lock<<<3, threads>>>(word.data(), word.data() + 1, 4);
    WAIT();
    EXPECT(word.host()[1] == 3 * threads * 4);
  }
  word.fill_bytes(0);
  in_turn<<<1, 32>>>(word.data(), order.data());
  WAIT();
  auto found = order.host();
  for (int l = 0; l < 32; ++l) EXPECT_AT(l, found[l] == 100 - l);
  word.fill_bytes(0);
  spin_in_turn<<<1, 32>>>(word.data(), order.data());
  WAIT();
  found = order.host();
  for (int l = 0; l < 32; ++l) EXPECT_AT(l, found[l] == 31 - l);
}

constexpr int size = 64;

//! One thread waits on behalf of its block.
__device__ void wait_for(int volatile* flag, int value) {
  if (threadIdx.x == 0) {
    while (*flag != value) {
    }
    __threadfence();
  }
  __syncthreads();
}
//! One thread raises a flag after all threads of its block have done their work.
__device__ void raise(int volatile* flag, int value) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    *flag = value;
  }
}

//! Block 0 passes values to block 1 through a box with one place.
__global__ void pass(int* box, int volatile* full, int* out, int rounds) {
  int const t = static_cast<int>(threadIdx.x);
  for (int r = 0; r < rounds; ++r) {
    if (blockIdx.x == 0) {
      wait_for(full, 0);
      box[t] = r * 1000 + t;
      raise(full, 1);
    } else {
      wait_for(full, 1);
      out[r * size + t] = box[size - 1 - t];
      raise(full, 0);
    }
  }
}

void check_pass() {
  constexpr int rounds = 6;
  device_array<int> box(size), full(1), out(size * rounds);
  full.fill_bytes(0);
  pass<<<2, size>>>(box.data(), full.data(), out.data(), rounds);
  WAIT();
  auto const found = out.host();
  for (int i = 0; i < size * rounds; ++i)
    EXPECT_AT(i, found[i] == i / size * 1000 + size - 1 - i % size);
}

//! Each block sums its part; the last one to finish sums the parts.
__global__ void sum_in_one_launch(int const* in, int n, int* parts, unsigned* finished, int* out) {
  __shared__ int own[128];
  __shared__ bool last;
  int sum = 0;
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += static_cast<int>(gridDim.x * blockDim.x))
    sum += in[i];
  own[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) own[threadIdx.x] += own[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = own[0];
    __threadfence();
    last = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    __threadfence();
    int total = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) total += parts[b];
    *out = total;
  }
}

void check_sum() {
  auto const in = random_vector<int>(10000, 140, 100);
  int expected = 0;
  for (int const x : in) expected += x;
  device_array<int> d(in), parts(20), out(1);
  device_array<unsigned> finished(1);
  finished.fill_bytes(0);
  for (int round = 0; round < 3; ++round) {  // the counter is 0 again after each round
    sum_in_one_launch<<<20, 128>>>(d.data(), 10000, parts.data(), finished.data(), out.data());
    WAIT();
    EXPECT(out.host()[0] == expected);
  }
}

//! Blocks take tickets, and each waits for the block with the ticket before its own.
__global__ void chain(unsigned* tickets, unsigned volatile* sums, unsigned* order) {
  if (threadIdx.x != 0) return;
  unsigned const mine = atomicAdd(tickets, 1u);
  unsigned before = 0;
  if (mine > 0) {
    do {
      before = sums[mine - 1];
    } while (before == 0);
  }
  order[mine] = blockIdx.x;
  sums[mine] = before + blockIdx.x + 1;
}

void check_chain() {
  constexpr unsigned blocks = 300;  // possibly more than are resident at once
  device_array<unsigned> tickets(1), sums(blocks), order(blocks);
  tickets.fill_bytes(0);
  sums.fill_bytes(0);
  chain<<<blocks, 32>>>(tickets.data(), sums.data(), order.data());
  WAIT();
  auto const found = sums.host();
  auto blocks_seen = order.host();
  unsigned sum = 0;
  for (unsigned i = 0; i < blocks; ++i) {
    sum += blocks_seen[i] + 1;
    EXPECT_AT(i, found[i] == sum);
  }
  std::sort(blocks_seen.begin(), blocks_seen.end());
  for (unsigned i = 0; i < blocks; ++i) EXPECT_AT(i, blocks_seen[i] == i);
}

}  // namespace

int main() {
  check_locks();
  check_pass();
  check_sum();
  check_chain();
  return finish(2 + 64 + 384 + 3 + 600);
}
