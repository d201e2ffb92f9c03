// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory allocated and freed in stream order, pools and their attributes.
#include "../checked.cuh"

namespace {

using namespace checked;

__global__ void set(int* a, int n, int x) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) a[i] = x + i;
}
__global__ void add(int* a, int const* b, int n) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) a[i] += b[i];
}

void check_order(cudaStream_t stream) {
  constexpr int n = 1000;
  std::vector<int> out(n);
  for (int round = 0; round < 5; ++round) {
    int *a = nullptr, *b = nullptr;
    SUCCEED(cudaMallocAsync(&a, n * sizeof(int), stream));
    SUCCEED(cudaMallocAsync(&b, n * sizeof(int), stream));
    EXPECT(a != nullptr && b != nullptr && a != b);
    set<<<10, 100, 0, stream>>>(a, n, round);
    set<<<10, 100, 0, stream>>>(b, n, 50);
    add<<<10, 100, 0, stream>>>(a, b, n);
    SUCCEED(cudaFreeAsync(b, stream));
    SUCCEED(cudaMemcpyAsync(out.data(), a, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
    SUCCEED(cudaFreeAsync(a, stream));
    SUCCEED(cudaStreamSynchronize(stream));
    for (int i = 0; i < n; ++i) EXPECT_AT(i, out[i] == round + 50 + 2 * i);
  }
}

void check_pool(cudaStream_t stream) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = 0;
  cudaMemPool_t pool;
  SUCCEED(cudaMemPoolCreate(&pool, &properties));
  std::uint64_t threshold = ~std::uint64_t{0}, used = 1, high = 0, reserved = 0;
  SUCCEED(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  threshold = 0;
  SUCCEED(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  EXPECT(threshold == ~std::uint64_t{0});
  SUCCEED(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  EXPECT(used == 0);
  int* a = nullptr;
  SUCCEED(cudaMallocFromPoolAsync(&a, 4000, pool, stream));
  SUCCEED(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  EXPECT(used >= 4000);
  set<<<1, 1000, 0, stream>>>(a, 1000, 3);
  std::vector<int> out(1000);
  SUCCEED(cudaMemcpyAsync(out.data(), a, 4000, cudaMemcpyDeviceToHost, stream));
  SUCCEED(cudaFreeAsync(a, stream));
  SUCCEED(cudaStreamSynchronize(stream));
  for (int i = 0; i < 1000; ++i) EXPECT_AT(i, out[i] == 3 + i);
  SUCCEED(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  EXPECT(used == 0);
  SUCCEED(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &high));
  EXPECT(high >= 4000);
  SUCCEED(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
  EXPECT(reserved >= used);
  SUCCEED(cudaMemPoolTrimTo(pool, 0));
  SUCCEED(cudaMemPoolDestroy(pool));
}

void check_default_pool() {
  cudaMemPool_t pool = nullptr, current = nullptr;
  SUCCEED(cudaDeviceGetDefaultMemPool(&pool, 0));
  SUCCEED(cudaDeviceGetMemPool(&current, 0));
  EXPECT(pool != nullptr && pool == current);
  int reuse = -1;
  SUCCEED(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseFollowEventDependencies, &reuse));
  EXPECT(reuse == 1);
  int supported = 0;
  SUCCEED(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
  EXPECT(supported == 1);
  // A pointer allocated in stream order may also be freed by cudaFree.
  int* a = nullptr;
  SUCCEED(cudaMallocAsync(&a, 128, nullptr));
  SUCCEED(cudaFree(a));
}

}  // namespace

int main() {
  cudaStream_t stream;
  SUCCEED(cudaStreamCreate(&stream));
  check_order(stream);
  check_order(nullptr);
  check_pool(stream);
  check_default_pool();
  SUCCEED(cudaStreamDestroy(stream));
  return finish(11000);
}
