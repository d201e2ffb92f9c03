// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bank conflicts of 1 to 32 ways from strides, and transposes through tiles with and without
// padding, of 64 rows and 96 columns. The expected counts are in expected_counts.py.
#include "access.cuh"

namespace {

using namespace counts;

__global__ void strided(int words) {
  __shared__ std::uint32_t own[32 * 34];
  auto const address = __cvta_generic_to_shared(own) + static_cast<std::uint64_t>(threadIdx.x) * 4 *
                                                           static_cast<std::uint64_t>(words);
  load_shared(std::uint32_t{}, address);
}

template <int Pitch>
__global__ void transpose(float const* in, float* out, int rows, int columns) {
  __shared__ float tile[32][Pitch];
  unsigned const x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * 32 + y) * columns + blockIdx.x * 32 + x];
  __syncthreads();
  out[(blockIdx.x * 32 + y) * rows + blockIdx.y * 32 + x] = tile[x][y];
}

}  // namespace

int main() {
  for (int words = 0; words <= 33; ++words) strided<<<1, 32>>>(words);
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 64 * 96 * sizeof(float));
  cudaMalloc(&out, 64 * 96 * sizeof(float));
  cudaMemset(in, 0, 64 * 96 * sizeof(float));
  transpose<32><<<dim3(3, 2), dim3(32, 32)>>>(in, out, 64, 96);
  transpose<33><<<dim3(3, 2), dim3(32, 32)>>>(in, out, 64, 96);
  int const result = finish();
  cudaFree(in);
  cudaFree(out);
  return result;
}
