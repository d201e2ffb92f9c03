// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "groups.cuh"

#include <cooperative_groups.h>

#include <algorithm>

namespace bench {

namespace {

//! Keeps one thread busy for so many clocks.
__global__ void spin(long long clocks, long long* taken) {
  long long const begin = clock64();
  long long now = begin;
  while (now - begin < clocks) now = clock64();
  *taken = now - begin;
}

//! Links `count` words, `pitch` words apart, into a ring that a prefetcher cannot predict: each
//! points to the one an odd number of places further on, modulo a power of 2.
__global__ void make_ring(unsigned* a, unsigned count, unsigned pitch, unsigned step) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    a[std::size_t{i} * pitch] = ((i + step) & (count - 1)) * pitch;
}

//! Clocks for `steps` dependent reads of global memory (a pointer chase), each at the address that
//! the previous one returned, bypassing the level-1 cache.
__global__ void chase_global(unsigned const* a, int steps, unsigned* place, long long* clocks) {
  unsigned at = *place;
  long long const begin = clock64();
#pragma unroll 16
  for (int k = 0; k < steps; ++k) at = __ldcg(a + at);
  *clocks = clock64() - begin;
  *place = at;
}

//! Clocks for `steps` dependent reads of a ring of 1024 words in shared memory.
__global__ void chase_shared(int steps, unsigned* place, long long* clocks) {
  __shared__ unsigned ring[1024];
  for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) ring[i] = (i + 389) & 1023;
  __syncthreads();
  if (threadIdx.x > 0) return;
  unsigned at = *place & 1023;
  long long const begin = clock64();
#pragma unroll 16
  for (int k = 0; k < steps; ++k) at = ring[at];
  *clocks = clock64() - begin;
  *place = at;
}

__global__ void nothing() {}

__global__ void barriers(int count) {
  for (int k = 0; k < count; ++k) cooperative_groups::this_grid().sync();
}

__global__ void block_barriers(int count, long long* clocks) {
  long long const begin = clock64();
  for (int k = 0; k < count; ++k) __syncthreads();
  if (threadIdx.x == 0) *clocks = clock64() - begin;
}

void launched(char const* what) { check(cudaGetLastError(), "a kernel", what); }

//! Clocks per step of a pointer chase through `bytes` of global memory. With `warm`, the whole ring
//! has been read once before.
double global_latency(session& s, index bytes, bool warm) {
  unsigned const pitch = 32;  // a line of 128 bytes
  auto const count = static_cast<unsigned>(bytes / 128);
  buffer<unsigned> ring(bytes / 4);
  buffer<unsigned> place(1);
  buffer<long long> clocks(1);
  auto const step = static_cast<unsigned>(0.6180339887 * count) | 1U;
  make_ring<<<1024, 256, 0, s.stream()>>>(ring.begin(), count, pitch, step);
  launched("a ring of places");
  place.set(0);
  int const steps = static_cast<int>(std::min<index>(count, 1 << 16));
  if (warm) {
    chase_global<<<1, 1, 0, s.stream()>>>(ring.begin(), static_cast<int>(count), place.begin(),
                                          clocks.begin());
    launched("a pointer chase");
  } else {  // evicts the ring from the level-2 cache
    static_cast<void>(s.time([] {}, 0, 1));
  }
  chase_global<<<1, 1, 0, s.stream()>>>(ring.begin(), steps, place.begin(), clocks.begin());
  launched("a pointer chase");
  check(cudaStreamSynchronize(s.stream()), "cudaStreamSynchronize", "a pointer chase");
  return static_cast<double>(clocks.word(0)) / steps;
}

double shared_latency(session& s) {
  buffer<unsigned> place(1);
  buffer<long long> clocks(1);
  place.set(0);
  int const steps = 1 << 14;
  for (int k = 0; k < 2; ++k) {
    chase_shared<<<1, 32, 0, s.stream()>>>(steps, place.begin(), clocks.begin());
    launched("a pointer chase in shared memory");
  }
  check(cudaStreamSynchronize(s.stream()), "cudaStreamSynchronize", "a pointer chase");
  return static_cast<double>(clocks.word(0)) / steps;
}

double clock_hz(session& s) {
  buffer<long long> taken(1);
  auto const spins = [&](long long clocks) {
    spin<<<1, 1, 0, s.stream()>>>(clocks, taken.begin());
    launched("a clock");
  };
  // raises the clock from its idle frequency
  static_cast<void>(s.time([&] { spins(100000000); }, 0, 1));
  double const one = s.time([&] { spins(1000000); }, 0.1).median;
  long long const few = taken.word(0);
  double const two = s.time([&] { spins(20000000); }, 0.3).median;
  return static_cast<double>(taken.word(0) - few) / (two - one) * 1e6;
}

}  // namespace

json_object calibrate(session& s) {
  calibration& c = s.device;
  c.clock_hz = clock_hz(s);
  c.shared_latency = shared_latency(s);
  c.l2_latency = global_latency(s, index{4} << 20, true);
  c.global_latency = global_latency(s, index{512} << 20, false);

  index const n = index{1} << 28;
  {
    buffer<float> from(n);
    buffer<float> to(n);
    fill(from, scattered{1});
    double const us = s.time(
                           [&] {
                             check(cudaMemcpyAsync(to.begin(), from.begin(), from.bytes(),
                                                   cudaMemcpyDeviceToDevice, s.stream()),
                                   "cudaMemcpyAsync", "a copy");
                           },
                           0.3)
                          .median;
    c.copy_bytes_per_s = 2.0 * static_cast<double>(from.bytes()) / us * 1e6;
  }

  auto const blocks = static_cast<unsigned>(c.multiprocessors);
  c.launch_us = s.time([&] { nothing<<<blocks, 1024, 0, s.stream()>>>(); }, 0.1, 20).median;
  auto const grid_barriers = [&](int count) {
    void* list[] = {&count};
    check(cudaLaunchCooperativeKernel(reinterpret_cast<void const*>(&barriers), dim3(blocks),
                                      dim3(1024), list, 0, s.stream()),
          "cudaLaunchCooperativeKernel", "barriers of the whole grid");
  };
  c.cooperative_launch_us = s.time([&] { grid_barriers(0); }, 0.1, 20).median;
  c.grid_barrier_us = (s.time([&] { grid_barriers(101); }, 0.1).median -
                       s.time([&] { grid_barriers(1); }, 0.1).median) /
                      100;
  buffer<long long> clocks(1);
  block_barriers<<<1, 1024, 0, s.stream()>>>(1000, clocks.begin());
  launched("barriers of a block");
  check(cudaStreamSynchronize(s.stream()), "cudaStreamSynchronize", "barriers of a block");
  double const block_barrier = static_cast<double>(clocks.word(0)) / 1000;

  double const ns = 1e9 / c.clock_hz;
  json_object out;
  out.add("clock_hz", c.clock_hz);
  out.add("shared_latency_clocks", c.shared_latency)
      .add("shared_latency_ns", c.shared_latency * ns);
  out.add("l2_latency_clocks", c.l2_latency).add("l2_latency_ns", c.l2_latency * ns);
  out.add("global_latency_clocks", c.global_latency)
      .add("global_latency_ns", c.global_latency * ns);
  out.add("copy_bytes_per_s", c.copy_bytes_per_s).add("ports", c.ports());
  out.add("launch_us", c.launch_us).add("cooperative_launch_us", c.cooperative_launch_us);
  out.add("grid_barrier_us", c.grid_barrier_us).add("block_barrier_clocks", block_barrier);
  out.add("dmms", c.multiprocessors).add("shared_words", c.shared_words);
  return out;
}

}  // namespace bench
