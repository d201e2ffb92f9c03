// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hand-written kernel whose use of shared memory is checked for bank conflicts at compile time,
// followed by the library's transpose of the same array as a kernel. Exit status 77 without a GPU.
#include <mmm/mmm.cuh>

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <numeric>

// [kernel]
using shared = mmm::dmm<32, 1>;                // 32 banks: a GPU's shared memory
constexpr auto lane = mmm::item;               // the symbolic index: the lane of a warp
constexpr auto tile = mmm::padded(32, 32, 1);  // one unused word after each row

static_assert(mmm::assert_conflict_free<shared, tile(0, lane)>);  // a warp stores a row of the tile
static_assert(mmm::assert_conflict_free<shared, tile(lane, 0)>);  // and loads a column

//! Writes the transpose of the n x n array `in` to `out`, for n a multiple of 32. The grid has one
//! block of 32 x 32 threads per tile.
__global__ void transpose_tiles(float const* in, float* out, int n) {
  __shared__ float words[tile.words()];
  constexpr auto at = tile;
  int const across = static_cast<int>(threadIdx.x);
  int const down = static_cast<int>(threadIdx.y);
  int const row = static_cast<int>(blockIdx.y) * 32;
  int const column = static_cast<int>(blockIdx.x) * 32;
  words[at(down, across)] = in[(row + down) * n + column + across];
  __syncthreads();
  out[(column + down) * n + row + across] = words[at(across, down)];
}
// [/kernel]

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("no CUDA device: skipped\n");
    return 77;
  }
  try {
    constexpr int n = 1024;
    thrust::host_vector<float> numbers(n * n);
    std::iota(numbers.begin(), numbers.end(), 0.0F);
    thrust::device_vector<float> a = numbers;
    thrust::device_vector<float> transposed(n * n);
    transpose_tiles<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(
        thrust::raw_pointer_cast(a.data()), thrust::raw_pointer_cast(transposed.data()), n);
    mmm::cuda::check(cudaGetLastError(), "a kernel", "transposing tiles");
    // [call]
    using machine = mmm::umm<32, 700>;  // global memory; 1024 threads per multiprocessor
    mmm::transpose_straightforward(mmm::cuda::on<machine>(), a.begin(), n);
    // [/call]
    thrust::host_vector<float> const of_kernel = transposed;
    thrust::host_vector<float> const of_library = a;
    if (!std::equal(of_kernel.begin(), of_kernel.end(), of_library.begin())) {
      std::fprintf(stderr, "tiled_transpose: the two transposes differ\n");
      return 1;
    }
    std::printf("%d x %d floats: the kernel's transpose and the library's are equal\n", n, n);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "tiled_transpose: %s\n", e.what());
    return 1;
  }
  return 0;
}
