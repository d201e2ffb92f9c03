# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transposes tiles of a matrix by two kernels of Numba, on a machine without a GPU:

  mmm-run --check all python numba_tile.py        (pip install numba-cuda numba cuda-bindings numpy)

A warp reads a column of a tile in the shared memory. With 32 words a row all of the column is in one bank, and the read takes
32 wavefronts. The tile of the second kernel has a word more in each row, and the words of a column are in 32 banks.
"""
import numpy
from numba import cuda, float32


@cuda.jit(lineinfo=True)
def plain(x, out):
    tile = cuda.shared.array((32, 32), float32)
    block, i, j = cuda.blockIdx.x, cuda.threadIdx.y, cuda.threadIdx.x
    tile[i, j] = x[block, i, j]
    cuda.syncthreads()
    out[block, i, j] = tile[j, i]


@cuda.jit(lineinfo=True)
def padded(x, out):
    tile = cuda.shared.array((32, 33), float32)
    block, i, j = cuda.blockIdx.x, cuda.threadIdx.y, cuda.threadIdx.x
    tile[i, j] = x[block, i, j]
    cuda.syncthreads()
    out[block, i, j] = tile[j, i]


tiles = numpy.arange(64 * 1024, dtype=numpy.float32).reshape(64, 32, 32)
for kernel in plain, padded:
    out = cuda.device_array_like(tiles)
    kernel[64, (32, 32)](cuda.to_device(tiles), out)
    print(kernel.py_func.__name__, numpy.array_equal(out.copy_to_host(), tiles.transpose(0, 2, 1)))
