// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes of grids and blocks, and the special registers of a thread.
#include "../checked.cuh"

namespace {

using namespace checked;

struct place {
  uint3 thread, block;
  dim3 threads, blocks;
  unsigned lane, lanes_below, warps;
};

__device__ unsigned linear_thread() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

__global__ void describe(place* out, unsigned* seen) {
  unsigned const block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  unsigned const i = block * blockDim.x * blockDim.y * blockDim.z + linear_thread();
  place& p = out[i];
  p.thread = threadIdx;
  p.block = blockIdx;
  p.threads = blockDim;
  p.blocks = gridDim;
  asm("mov.u32 %0, %%laneid;" : "=r"(p.lane));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(p.lanes_below));
  asm("mov.u32 %0, %%nwarpid;" : "=r"(p.warps));
  atomicAdd(seen + i, 1u);
}

void check(dim3 grid, dim3 block) {
  unsigned const in_block = block.x * block.y * block.z;
  unsigned const n = grid.x * grid.y * grid.z * in_block;
  device_array<place> out(n);
  device_array<unsigned> seen(n);
  seen.fill_bytes(0);
  describe<<<grid, block>>>(out.data(), seen.data());
  WAIT();
  auto const found = out.host();
  auto const times = seen.host();
  for (unsigned i = 0; i < n; ++i) {
    unsigned const t = i % in_block, b = i / in_block;
    place const& p = found[i];
    EXPECT_AT(i, times[i] == 1);
    EXPECT_AT(i, p.thread.x == t % block.x && p.thread.y == t / block.x % block.y &&
                     p.thread.z == t / block.x / block.y);
    EXPECT_AT(i, p.block.x == b % grid.x && p.block.y == b / grid.x % grid.y &&
                     p.block.z == b / grid.x / grid.y);
    EXPECT_AT(i, p.threads.x == block.x && p.threads.y == block.y && p.threads.z == block.z);
    EXPECT_AT(i, p.blocks.x == grid.x && p.blocks.y == grid.y && p.blocks.z == grid.z);
    EXPECT_AT(i, p.lane == t % 32 && p.lanes_below == (1u << t % 32) - 1);
    EXPECT_AT(i, p.warps >= (in_block + 31) / 32);
  }
}

//! A block whose last warp is not full: it sums by shuffles among the existing threads, then in
//! shared memory.
__global__ void odd_block(int* out) {
  __shared__ int sums[32];
  unsigned const t = linear_thread(), all = blockDim.x * blockDim.y * blockDim.z;
  unsigned const present = __ballot_sync(__activemask(), 1);
  unsigned const lanes = min(32u, all - t / 32 * 32);
  int sum = static_cast<int>(t);
  for (unsigned step = 16; step > 0; step /= 2) {
    int const other = __shfl_down_sync(present, sum, step);
    if (t % 32 + step < lanes) sum += other;
  }
  if (t % 32 == 0) sums[t / 32] = sum;
  __syncthreads();
  if (t == 0) {
    int total = 0;
    for (unsigned w = 0; w < (all + 31) / 32; ++w) total += sums[w];
    out[blockIdx.x] = total;
  }
}

//! Launch bounds, a structure as an argument, and arguments of all sizes.
struct options {
  char c;
  short s;
  double d;
  int table[9];
};
__global__ void __launch_bounds__(64, 2)
    arguments(char a, short b, int c, long long d, float e, double f, options o, int* out, bool g) {
  if (threadIdx.x != 0) return;
  out[0] = a;
  out[1] = b;
  out[2] = c;
  out[3] = static_cast<int>(d >> 32);
  out[4] = static_cast<int>(e * 2);
  out[5] = static_cast<int>(f * 4);
  out[6] = o.c + o.s + static_cast<int>(o.d);
  // an index known only at run time
  int const which = static_cast<int>(threadIdx.x + blockDim.x) % 9;
  out[7] = o.table[which];
  out[8] = g ? 1 : 2;
}

}  // namespace

int main() {
  check(dim3(3), dim3(32));
  check(dim3(2), dim3(45));
  check(dim3(2, 3, 4), dim3(5, 3, 2));
  check(dim3(1, 1, 3), dim3(1, 1, 64));
  check(dim3(1, 7), dim3(33, 2));
  check(dim3(2), dim3(1024));
  check(dim3(70), dim3(1));

  device_array<int> out(9);
  for (dim3 const block : {dim3(1), dim3(31), dim3(33), dim3(7, 11), dim3(10, 10, 10)}) {
    odd_block<<<3, block>>>(out.data());
    WAIT();
    int const n = static_cast<int>(block.x * block.y * block.z);
    auto const found = out.host(3);
    for (int b = 0; b < 3; ++b) EXPECT_AT(n, found[b] == n * (n - 1) / 2);
  }

  options const o{3, 40, 500.5, {10, 11, 12, 13, 14, 15, 16, 17, 18}};
  arguments<<<1, 64>>>(-5, -300, 70000, 5ll << 32, 1.5f, 2.25, o, out.data(), true);
  WAIT();
  SAME(out.host(), (std::vector<int>{-5, -300, 70000, 5, 3, 9, 543, 11, 1}));
  return finish(7 * (96 + 90 + 720 + 192 + 462 + 2048 + 70) + 15 + 1);
}
