// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels as one writes them by hand first.
// row transpose: plain_transpose; threads=256
// row copy: plain_copy; threads=256

// 64 x 64 tiles, 256 threads, one column of padding.
__global__ void plain_transpose(float const* a, float* b, int rows, int columns) {
  __shared__ float tile[64][65];
  int const x = threadIdx.x % 64;
  int const y = threadIdx.x / 64;
  int const row = 64 * static_cast<int>(blockIdx.y);
  int const column = 64 * static_cast<int>(blockIdx.x);
  for (int k = y; k < 64; k += 4)
    if (row + k < rows && column + x < columns) tile[k][x] = a[(row + k) * columns + column + x];
  __syncthreads();
  for (int k = y; k < 64; k += 4)
    if (column + k < columns && row + x < rows) b[(column + k) * rows + row + x] = tile[x][k];
}

__global__ void plain_copy(float4 const* a, float4* b, int n) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) b[i] = a[i];
}
