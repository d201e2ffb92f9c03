// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// alloca: memory that each thread asks for on its stack, of a size known when it runs.
#include "../checked.cuh"

#include <alloca.h>

#include <vector>

namespace {

using namespace checked;

constexpr int threads = 64;

//! The sum of 1 … n, by an array on the stack.
__device__ __noinline__ int sum_by_array(int n) {
  int* const all = static_cast<int*>(alloca(sizeof(int) * static_cast<unsigned>(n)));
  for (int k = 0; k < n; ++k) all[k] = k + 1;
  int sum = 0;
  for (int k = n - 1; k >= 0; --k) sum += all[k];
  return sum;
}

//! Keeps an array while it calls functions with arrays of their own.
__global__ void sums(int* out) {
  int const n = static_cast<int>(threadIdx.x);
  int* const own = static_cast<int*>(alloca(sizeof(int) * (threadIdx.x + 1)));
  for (int k = 0; k <= n; ++k) own[k] = 1000 * n + k;
  int const sum = sum_by_array(n) + sum_by_array(2 * n);
  int wrong = 0;
  for (int k = 0; k <= n; ++k) wrong += own[k] != 1000 * n + k;
  out[blockIdx.x * threads + threadIdx.x] = wrong == 0 ? sum : -1;
}

}  // namespace

int main() {
  constexpr int blocks = 3;
  int* out = nullptr;
  SUCCEED(cudaMalloc(&out, sizeof(int) * blocks * threads));
  sums<<<blocks, threads>>>(out);
  std::vector<int> found(blocks * threads);
  SUCCEED(cudaMemcpy(found.data(), out, sizeof(int) * found.size(), cudaMemcpyDeviceToHost));
  SUCCEED(cudaFree(out));
  for (int b = 0; b < blocks; ++b)
    for (int n = 0; n < threads; ++n)
      EXPECT(found[static_cast<unsigned>(b * threads + n)] == n * (n + 1) / 2 + n * (2 * n + 1));
  return finish(blocks * threads);
}
