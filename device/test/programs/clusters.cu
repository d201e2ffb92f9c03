// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clusters of blocks: ranks, the barrier, shared memory of other blocks by loads, stores, atomics,
// st.async and remote arrivals, and multicast bulk copies.
#include "../checked.cuh"

#include <cooperative_groups.h>

namespace {

namespace cg = cooperative_groups;
using namespace checked;

constexpr int threads = 64;

__device__ unsigned shared_address(void const* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ unsigned address_in(unsigned own, unsigned rank) {
  unsigned there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(own), "r"(rank));
  return there;
}
__device__ void wait_for(unsigned barrier, unsigned parity) {
  asm volatile(
      "{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], "
      "%1;\n@!p bra again;\n}" ::"r"(barrier),
      "r"(parity)
      : "memory");
}

//! Each block stores its place in the cluster.
__global__ void places(int* out) {
  auto const cluster = cg::this_cluster();
  if (threadIdx.x != 0) return;
  auto const block = blockIdx.x + gridDim.x * blockIdx.y;
  out[block * 6 + 0] = static_cast<int>(cluster.block_rank());
  out[block * 6 + 1] = static_cast<int>(cluster.num_blocks());
  out[block * 6 + 2] = static_cast<int>(cluster.block_index().x);
  out[block * 6 + 3] = static_cast<int>(cluster.block_index().y);
  int clusters, number;
  asm("mov.u32 %0, %%nclusterid.x;" : "=r"(clusters));
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(number));
  out[block * 6 + 4] = clusters;
  out[block * 6 + 5] = number;
}

void check_places() {
  device_array<int> out(6 * 8 * 2);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(8, 2);
  config.blockDim = dim3(threads);
  cudaLaunchAttribute size{};
  size.id = cudaLaunchAttributeClusterDimension;
  size.val.clusterDim.x = 4;
  size.val.clusterDim.y = 2;
  size.val.clusterDim.z = 1;
  config.attrs = &size;
  config.numAttrs = 1;
  EXPECT(cudaLaunchKernelEx(&config, places, out.data()) == cudaSuccess);
  WAIT();
  auto const found = out.host();
  for (int x = 0; x < 8; ++x)
    for (int y = 0; y < 2; ++y) {
      int const* const row = &found[static_cast<std::size_t>((x + 8 * y) * 6)];
      int const expected[6] = {x % 4 + 4 * y, 8, x % 4, y, 2, x / 4};
      for (int k = 0; k < 6; ++k) EXPECT_AT(k + 10 * x + 100 * y, row[k] == expected[k]);
    }
  config.gridDim = dim3(6, 2);
  EXPECT(cudaLaunchKernelEx(&config, places, out.data()) == cudaErrorInvalidClusterSize);
  static_cast<void>(cudaGetLastError());
}

//! Each block reads its neighbour's words, adds to a counter of block 0, and stores into the next
//! block's memory.
__global__ void __cluster_dims__(4) neighbours(int* out) {
  auto const cluster = cg::this_cluster();
  __shared__ int words[threads];
  __shared__ int given[threads];
  __shared__ int sum;
  int const t = static_cast<int>(threadIdx.x);
  int const rank = static_cast<int>(cluster.block_rank());
  words[t] = 1000 * static_cast<int>(blockIdx.x) + t;
  if (t == 0) sum = 0;
  cluster.sync();
  int const* const theirs = cluster.map_shared_rank(words, (rank + 1) % 4);
  int const got = theirs[threads - 1 - t];
  cluster.map_shared_rank(given, (rank + 3) % 4)[t] = rank * 100 + t;
  atomicAdd(cluster.map_shared_rank(&sum, 0), rank + 1);
  cluster.sync();
  out[(blockIdx.x * threads + t) * 3] = got;
  out[(blockIdx.x * threads + t) * 3 + 1] = given[t];
  out[(blockIdx.x * threads + t) * 3 + 2] = rank == 0 ? sum : 0;
}

void check_neighbours() {
  device_array<int> out(8 * threads * 3);
  neighbours<<<8, threads>>>(out.data());
  WAIT();
  auto const found = out.host();
  for (int b = 0; b < 8; ++b)
    for (int t = 0; t < threads; ++t) {
      int const* const row = &found[static_cast<std::size_t>((b * threads + t) * 3)];
      int const next = b / 4 * 4 + (b + 1) % 4;
      EXPECT_AT(b * 100 + t, row[0] == 1000 * next + threads - 1 - t);
      EXPECT_AT(b * 100 + t, row[1] == (b + 1) % 4 * 100 + t);
      EXPECT_AT(b * 100 + t, row[2] == (b % 4 == 0 ? threads * 10 : 0));
    }
}

//! A thread of each block sends words to the next block by st.async, and arrives at the barrier of
//! the one after that.
__global__ void __cluster_dims__(4) messages(int* out) {
  __shared__ alignas(16) int inbox[4];
  __shared__ alignas(8) unsigned long long full, ready;
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&full)));
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&ready)));
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 16;" ::"r"(shared_address(&full))
        : "memory");
  }
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
  if (threadIdx.x == 0) {
    unsigned const next = (rank + 1) % 4;
    asm volatile(
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.s32 [%0], {%1, %2, %3, %4}, "
        "[%5];" ::"r"(address_in(shared_address(inbox), next)),
        "r"(10 * rank), "r"(10 * rank + 1), "r"(10 * rank + 2), "r"(10 * rank + 3),
        "r"(address_in(shared_address(&full), next))
        : "memory");
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(
                     address_in(shared_address(&ready), (rank + 2) % 4))
                 : "memory");
  }
  wait_for(shared_address(&full), 0);
  wait_for(shared_address(&ready), 0);
  if (threadIdx.x < 4) out[blockIdx.x * 4 + threadIdx.x] = inbox[threadIdx.x];
  asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

void check_messages() {
  device_array<int> out(16);
  messages<<<4, threads>>>(out.data());
  WAIT();
  auto const found = out.host();
  for (int k = 0; k < 16; ++k) EXPECT_AT(k, found[k] == 10 * ((k / 4 + 3) % 4) + k % 4);
}

//! Block 0 copies words to blocks 0 and 2 by one multicast, block 1 sends its own to block 3.
__global__ void __cluster_dims__(4) several(int const* in, int* out) {
  __shared__ alignas(128) int words[threads];
  __shared__ alignas(128) int own[threads];
  __shared__ alignas(8) unsigned long long full;
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  own[threadIdx.x] = static_cast<int>(7 * threadIdx.x);
  words[threadIdx.x] = -1;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&full)));
    unsigned const bytes = rank == 1 ? 0 : sizeof words;
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&full)),
        "r"(bytes)
        : "memory");
  }
  cg::this_cluster().sync();
  if (threadIdx.x == 0 && rank == 0) {
    unsigned short const blocks = 1 | 4;
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::"
                 "cluster [%0], "
                 "[%1], %2, [%3], %4;" ::"r"(shared_address(words)),
                 "l"(in), "n"(sizeof words), "r"(shared_address(&full)), "h"(blocks)
                 : "memory");
  }
  if (threadIdx.x == 0 && rank == 1)
    asm volatile(
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, "
        "[%3];" ::"r"(address_in(shared_address(words), 3)),
        "r"(shared_address(own)), "n"(sizeof words), "r"(address_in(shared_address(&full), 3))
        : "memory");
  wait_for(shared_address(&full), 0);
  out[blockIdx.x * threads + threadIdx.x] = words[threadIdx.x];
  cg::this_cluster().sync();
}

void check_several() {
  auto const in = random_vector<int>(threads, 7);
  device_array<int> d(in), out(4 * threads);
  several<<<4, threads>>>(d.data(), out.data());
  WAIT();
  auto const found = out.host();
  for (int t = 0; t < threads; ++t) {
    EXPECT_AT(t, found[t] == in[t]);
    EXPECT_AT(t, found[threads + t] == -1);
    EXPECT_AT(t, found[2 * threads + t] == in[t]);
    EXPECT_AT(t, found[3 * threads + t] == 7 * t);
  }
}

}  // namespace

int main() {
  check_places();
  check_neighbours();
  check_messages();
  check_several();
  return finish(1906);
}
