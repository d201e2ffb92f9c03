// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that return before others reach a barrier or a warp-wide instruction: those wait for the
// ones that have not ended.
#include "../checked.cuh"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace {

namespace cg = cooperative_groups;
using namespace checked;

constexpr int most = 256;

__global__ void reverse(int* out, int n) {
  __shared__ int own[most];
  int const i = static_cast<int>(threadIdx.x);
  if (i >= n) return;
  own[i] = i;
  __syncthreads();
  out[i] = own[n - 1 - i];
}

//! A thread that returns early stores first, as the last statement of the others does.
__global__ void reverse_or_mark(int* out, int n) {
  __shared__ int own[most];
  int const i = static_cast<int>(threadIdx.x);
  if (i >= n) {
    out[i] = -1;
    return;
  }
  own[i] = i;
  __syncthreads();
  out[i] = own[n - 1 - i];
}

//! Fewer threads from round to round.
__global__ void rounds(int* out, int n) {
  __shared__ int own[most];
  int const i = static_cast<int>(threadIdx.x);
  own[i] = 0;
  __syncthreads();
  for (int k = 0; k < 3; ++k) {
    if (i >= n - 5 * k) return;
    own[i] += k + 1;
    __syncthreads();
    out[i] = own[n - 5 * k - 1 - i];
    __syncthreads();
  }
}

__global__ void through_groups(int* out, int n) {
  __shared__ int own[most];
  auto const block = cg::this_thread_block();
  int const i = static_cast<int>(block.thread_rank());
  if (i >= n) return;
  own[i] = i;
  block.sync();
  out[i] = own[n - 1 - i];
}

//! A barrier with a number of threads counts whole warps.
__global__ void counted(int* out, int n) {
  __shared__ int own[most];
  int const i = static_cast<int>(threadIdx.x);
  if (i >= n) return;
  own[i] = i;
  asm volatile("bar.sync 1, %0;" : : "r"((n + 31) / 32 * 32) : "memory");
  out[i] = own[n - 1 - i];
}

//! Full masks name lanes that have ended.
__global__ void warp_wide(int* out, int n) {
  int const i = static_cast<int>(threadIdx.x);
  if (i >= n) return;
  int const votes = __popc(__ballot_sync(0xffffffffu, i >= 0));
  __syncwarp();
  out[i] = votes * 1000 + __shfl_sync(0xffffffffu, i, 3) * 100 +
           static_cast<int>(__reduce_add_sync(0xffffffffu, 1u));
}

__global__ void tile(int* out, int n) {
  int const i = static_cast<int>(threadIdx.x);
  if (i >= n) return;
  auto const active = cg::coalesced_threads();
  out[i] = cg::reduce(active, 1, cg::plus<int>());
}

void check_reversed(std::vector<int> const& found, int n, int rest) {
  for (int i = 0; i < most; ++i) EXPECT_AT(i, found[i] == (i < n ? n - 1 - i : rest));
}

}  // namespace

int main() {
  device_array<int> out(most);
  auto const run = [&](auto kernel, int threads, int n) {
    SUCCEED(cudaMemset(out.data(), 0, most * sizeof(int)));
    kernel<<<1, threads>>>(out.data(), n);
    WAIT();
    return out.host();
  };
  for (int const n : {1, 20, 31, 32, 33, 100, 255, 256}) {
    check_reversed(run(reverse, most, n), n, 0);
    check_reversed(run(reverse_or_mark, most, n), n, -1);
    check_reversed(run(through_groups, most, n), n, 0);
    check_reversed(run(counted, most, n), n, 0);
  }
  for (int const n : {20, 43, 100, 256}) {
    std::vector<int> const found = run(rounds, most, n);
    for (int i = 0; i < most; ++i) {
      // rounds that it took part in
      int const last = i < n - 10 ? 3 : i < n - 5 ? 2 : i < n ? 1 : 0;
      int const partner = n - 5 * (last - 1) - 1 - i;
      int const of_partner = partner < n - 10 ? 3 : partner < n - 5 ? 2 : 1;
      int const sum = (last < of_partner ? last : of_partner) *
                      ((last < of_partner ? last : of_partner) + 1) / 2;
      EXPECT_AT(i, found[i] == (last == 0 ? 0 : sum));
    }
  }
  for (int const n : {4, 20, 31, 32}) {
    std::vector<int> const wide = run(warp_wide, 32, n), tiled = run(tile, 32, n);
    for (int i = 0; i < 32; ++i) {
      EXPECT_AT(i, wide[i] == (i < n ? n * 1000 + 300 + n : 0));
      EXPECT_AT(i, tiled[i] == (i < n ? n : 0));
    }
  }
  return finish(9000);
}
