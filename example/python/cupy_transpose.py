# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transposes a matrix by two kernels of CuPy, on a machine without a GPU:

  mmm-run --check all python cupy_transpose.py        (pip install cupy-cuda13x numpy)

A warp of the first writes to 32 rows. The second turns a tile in the shared memory, where each row has a word more.
"""
import cupy
import numpy

CODE = r'''#line 12 "cupy_transpose.py"

extern "C" __global__ void plain(float const* in, float* out, int n) {
  int i = blockIdx.x * 32 + threadIdx.x;
  int j = blockIdx.y * 32 + threadIdx.y;
  out[i * n + j] = in[j * n + i];
}

extern "C" __global__ void tiled(float const* in, float* out, int n) {
  __shared__ float tile[32][33];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * 32 + y) * n + blockIdx.x * 32 + x];
  __syncthreads();
  out[(blockIdx.x * 32 + y) * n + blockIdx.y * 32 + x] = tile[x][y];
}
'''
kernels = cupy.RawModule(code=CODE, options=("-lineinfo",))
n = 256
matrix = numpy.arange(n * n, dtype=numpy.float32).reshape(n, n)
turned = cupy.asarray(matrix)
for name in "plain", "tiled":
    out = cupy.empty_like(turned)
    kernels.get_function(name)((n // 32, n // 32), (32, 32), (turned, out, n))
    print(name, numpy.array_equal(out.get(), matrix.T))
