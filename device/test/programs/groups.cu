// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cooperative groups within a block: tiles of all sizes, coalesced and labelled groups, and their
// reductions and scans.
#include "../checked.cuh"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <algorithm>
#include <utility>

namespace {

namespace cg = cooperative_groups;
using namespace checked;

constexpr int threads = 128;
constexpr int columns = 8;

//! Each thread stores its view of its tile.
template <int Size>
__global__ void tiles(int const* in, int* out) {
  auto const block = cg::this_thread_block();
  auto const tile = cg::tiled_partition<Size>(block);
  int const t = static_cast<int>(block.thread_rank());
  int const x = in[t];
  int* const row = out + t * columns;
  row[0] = static_cast<int>(tile.thread_rank());
  row[1] = static_cast<int>(tile.meta_group_rank());
  row[2] = cg::reduce(tile, x, cg::plus<int>());
  row[3] = cg::exclusive_scan(tile, x);
  row[4] = tile.shfl_xor(x, Size / 2);
  row[5] = static_cast<int>(tile.ballot(x % 2 == 1));
  row[6] = cg::reduce(tile, x, cg::greater<int>());
  int down = x;  // a reduction by shuffles: only lane 0 has the sum of all
  for (int step = Size / 2; step > 0; step /= 2) {
    down += tile.shfl_down(down, step);
    tile.sync();
  }
  row[7] = tile.shfl(down, 0);
}

//! The shared memory that the system reserves for tiles of several warps, used by a function that
//! the kernel calls; the kernel itself has no shared memory. It is zero at first.
__device__ __noinline__ int of_next_lane(int x) {
  unsigned begin;
  asm("mov.u32 %0, %%reserved_smem_offset_1;" : "=r"(begin));
  unsigned const lane = threadIdx.x % 32;
  int first, next;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(first) : "r"(begin + 4 * lane) : "memory");
  __syncwarp();
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(begin + 4 * lane), "r"(x) : "memory");
  __syncwarp();
  asm volatile("ld.shared.u32 %0, [%1];"
               : "=r"(next)
               : "r"(begin + 4 * ((lane + 1) % 32))
               : "memory");
  return first + next;
}
__global__ void reserved_memory(int* out) {
  out[threadIdx.x] = of_next_lane(static_cast<int>(threadIdx.x) * 3);
}

void check_reserved_memory() {
  device_array<int> out(32);
  reserved_memory<<<1, 32>>>(out.data());
  WAIT();
  auto const found = out.host();
  for (int t = 0; t < 32; ++t) EXPECT_AT(t, found[t] == (t + 1) % 32 * 3);
}

template <int Size>
void check_tiles() {
  auto const in = random_vector<int>(threads, 60 + Size, 1000);
  device_array<int> d(in), out(threads * columns);
  tiles<Size><<<1, threads>>>(d.data(), out.data());
  WAIT();
  auto const found = out.host();
  for (int t = 0; t < threads; ++t) {
    int const first = t / Size * Size;
    int sum = 0, before = 0, greatest = 0;
    unsigned odd = 0;
    for (int u = first; u < first + Size; ++u) {
      sum += in[u];
      if (u < t) before += in[u];
      greatest = std::max(greatest, in[u]);
      odd |= static_cast<unsigned>(in[u] % 2) << (u - first);
    }
    int const partner = Size == 1 ? t : first + ((t - first) ^ (Size / 2));
    int const expected[columns] = {
        t - first, t / Size, sum, before, in[partner], static_cast<int>(odd), greatest, sum};
    for (int c = 0; c < columns; ++c)
      EXPECT_AT(Size * 1000000 + t * 10 + c, found[t * columns + c] == expected[c]);
  }
}

//! Groups formed by branches and by labels.
__global__ void coalesced(int* out, int* counter) {
  int const t = static_cast<int>(threadIdx.x);
  int* const row = out + t * columns;
  if (t % 3 == 1) {
    auto const active = cg::coalesced_threads();
    row[0] = static_cast<int>(active.size());
    row[1] = static_cast<int>(active.thread_rank());
    row[2] = active.shfl(t, 0);
    int first = 0;
    // one atomic addition for the whole group
    if (active.thread_rank() == 0) first = atomicAdd(counter, static_cast<int>(active.size()));
    row[3] = active.shfl(first, 0) + static_cast<int>(active.thread_rank());
  } else {
    row[0] = row[1] = row[2] = row[3] = -1;
  }
  auto const warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto const labelled = cg::labeled_partition(warp, t % 5);
  row[4] = static_cast<int>(labelled.size());
  row[5] = cg::reduce(labelled, t, cg::plus<int>());
  auto const two = cg::binary_partition(warp, t % 32 < 7);
  row[6] = static_cast<int>(two.size());
  row[7] = cg::inclusive_scan(two, 1);
}

void check_coalesced() {
  device_array<int> out(threads * columns), counter(std::vector<int>{1000});
  coalesced<<<1, threads>>>(out.data(), counter.data());
  WAIT();
  auto const found = out.host();
  std::vector<int> tickets;
  for (int t = 0; t < threads; ++t) {
    int const first = t / 32 * 32;
    int size = 0, rank = 0, leader = -1, same = 0, sum = 0;
    for (int u = first; u < first + 32; ++u) {
      if (u % 3 == 1) {
        if (leader < 0) leader = u;
        ++size;
        rank += u < t;
      }
      if (u % 5 == t % 5) {
        ++same;
        sum += u;
      }
    }
    int const* const row = &found[t * columns];
    bool const in = t % 3 == 1;
    EXPECT_AT(t, row[0] == (in ? size : -1));
    EXPECT_AT(t, row[1] == (in ? rank : -1));
    EXPECT_AT(t, row[2] == (in ? leader : -1));
    if (in) tickets.push_back(row[3]);
    EXPECT_AT(t, row[4] == same);
    EXPECT_AT(t, row[5] == sum);
    EXPECT_AT(t, row[6] == (t % 32 < 7 ? 7 : 25));
    EXPECT_AT(t, row[7] == (t % 32 < 7 ? t % 32 + 1 : t % 32 - 6));
  }
  std::sort(tickets.begin(), tickets.end());
  for (std::size_t i = 0; i < tickets.size(); ++i)
    EXPECT_AT(i, tickets[i] == 1000 + static_cast<int>(i));
  EXPECT(counter.host()[0] == 1000 + static_cast<int>(tickets.size()));
}

//! A tile of several warps, and the members of a block's group.
__global__ void whole_block(int* out) {
  auto const block = cg::this_thread_block();
  __shared__ int word;
  if (block.thread_rank() == 0) word = 0;
  block.sync();
  atomicAdd(&word, static_cast<int>(block.thread_rank()));
  auto token = block.barrier_arrive();
  block.barrier_wait(std::move(token));
  out[blockIdx.x * block.size() + block.thread_rank()] =
      word + static_cast<int>(block.group_index().x);
}

void check_whole_block() {
  device_array<int> out(3 * 90);
  whole_block<<<3, dim3(15, 3, 2)>>>(out.data());
  WAIT();
  auto const found = out.host();
  for (int i = 0; i < 270; ++i) EXPECT_AT(i, found[i] == 90 * 89 / 2 + i / 90);
}

}  // namespace

int main() {
  check_tiles<1>();
  check_tiles<2>();
  check_tiles<4>();
  check_tiles<8>();
  check_tiles<16>();
  check_tiles<32>();
  check_reserved_memory();
  check_coalesced();
  check_whole_block();
  return finish(6 * threads * columns + 7 * threads + 270);
}
