// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cooperative launch: the blocks wait for each other several times.
#include "../checked.cuh"

#include <cooperative_groups.h>

#include <numeric>

namespace {

namespace cg = cooperative_groups;
using namespace checked;

//! Prefix sums by doubling: every step reads the words that all blocks wrote in the step before.
__global__ void scan_by_doubling(int* a, int* b, int n) {
  auto const grid = cg::this_grid();
  for (int step = 1; step < n; step *= 2) {
    for (auto i = static_cast<int>(grid.thread_rank()); i < n; i += static_cast<int>(grid.size()))
      b[i] = a[i] + (i >= step ? a[i - step] : 0);
    grid.sync();
    int* const other = a;
    a = b;
    b = other;
  }
}

//! Shared memory keeps its values across a barrier of the grid.
__global__ void ring(int* out) {
  auto const grid = cg::this_grid();
  __shared__ int own;
  if (threadIdx.x == 0) {
    own = static_cast<int>(blockIdx.x);
    out[blockIdx.x] = own * 10;
  }
  grid.sync();
  int const next = out[(blockIdx.x + 1) % gridDim.x];
  grid.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = next + own;
}

void check_scan(int blocks, int threads, int n) {
  auto const v = random_vector<int>(n, 70, 1000);
  device_array<int> a(v), b(n);
  int *first = a.data(), *second = b.data(), size = n;
  void* arguments[] = {&first, &second, &size};
  SUCCEED(cudaLaunchCooperativeKernel(scan_by_doubling, dim3(blocks), dim3(threads), arguments, 0,
                                      nullptr));
  WAIT();
  int steps = 0;
  for (int step = 1; step < n; step *= 2) ++steps;
  std::vector<int> expected(n);
  std::inclusive_scan(v.begin(), v.end(), expected.begin());
  SAME((steps % 2 == 0 ? a : b).host(), expected);
}

void check_ring() {
  device_array<int> out(9);
  int* p = out.data();
  void* arguments[] = {&p};
  SUCCEED(cudaLaunchCooperativeKernel(ring, dim3(9), dim3(40), arguments, 0, nullptr));
  WAIT();
  auto const found = out.host();
  for (int i = 0; i < 9; ++i) EXPECT_AT(i, found[i] == (i + 1) % 9 * 10 + i);
}

}  // namespace

int main() {
  int cooperative = 0;
  SUCCEED(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0));
  EXPECT(cooperative == 1);
  check_scan(4, 64, 1000);
  check_scan(7, 96, 3000);
  check_scan(1, 32, 33);
  check_ring();
  return finish(14);
}
