# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in Numba on the device in software: a sum of vectors, a sum by shared memory and an atomic operation, a
product of matrices by tiles, warp shuffles. Run by mmm-run; compared with numpy.

  mmm-run [--check all] python numba_test.py [NAME ...]
  mmm-run --check all python numba_test.py mistake
"""
import sys
import warnings

import numpy
from numba import cuda, float32
from numba.core.errors import NumbaPerformanceWarning

warnings.simplefilter("ignore", NumbaPerformanceWarning)  # small grids
random = numpy.random.default_rng(1)
TILE = 16


@cuda.jit(lineinfo=True)
def add_kernel(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] + y[i]


def add():
    x, y = random.random((2, 10007), dtype=numpy.float32)
    out = cuda.device_array_like(x)
    add_kernel[40, 256](cuda.to_device(x), cuda.to_device(y), out)
    compare(out.copy_to_host(), x + y, 0)


@cuda.jit(lineinfo=True)
def sum_kernel(x, out):
    part = cuda.shared.array(256, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    part[t] = x[i] if i < x.size else 0
    cuda.syncthreads()
    step = 128
    while step > 0:
        if t < step:
            part[t] += part[t + step]
        cuda.syncthreads()
        step //= 2
    if t == 0:
        cuda.atomic.add(out, 0, part[0])


def total():
    x = random.random(3001, dtype=numpy.float32)
    out = cuda.to_device(numpy.zeros(1, numpy.float32))
    sum_kernel[12, 256](cuda.to_device(x), out)
    compare(out.copy_to_host(), x.sum(), 1e-2)


@cuda.jit(lineinfo=True)
def product_kernel(a, b, c):
    left, right = cuda.shared.array((TILE, TILE), float32), cuda.shared.array((TILE, TILE), float32)
    row, column = cuda.grid(2)
    i, j = cuda.threadIdx.x, cuda.threadIdx.y
    value = float32(0)
    for k in range(0, a.shape[1], TILE):
        left[i, j] = a[row, k + j] if row < a.shape[0] and k + j < a.shape[1] else 0
        right[i, j] = b[k + i, column] if k + i < b.shape[0] and column < b.shape[1] else 0
        cuda.syncthreads()
        for n in range(TILE):
            value += left[i, n] * right[n, j]
        cuda.syncthreads()
    if row < c.shape[0] and column < c.shape[1]:
        c[row, column] = value


def product():
    a = random.random((37, 50), dtype=numpy.float32)
    b = random.random((50, 21), dtype=numpy.float32)
    c = cuda.device_array((37, 21), numpy.float32)
    product_kernel[(3, 2), (TILE, TILE)](cuda.to_device(a), cuda.to_device(b), c)
    compare(c.copy_to_host(), a @ b, 1e-4)


@cuda.jit(lineinfo=True)
def largest_kernel(x, out):
    value = x[cuda.threadIdx.x]
    for step in (16, 8, 4, 2, 1):
        value = max(value, cuda.shfl_xor_sync(0xFFFFFFFF, value, step))
    out[cuda.threadIdx.x] = value


def largest():
    x = random.integers(0, 1000, 32).astype(numpy.int32)
    out = cuda.device_array_like(x)
    largest_kernel[1, 32](cuda.to_device(x), out)
    compare(out.copy_to_host(), x.max(), 0)


@cuda.jit(lineinfo=True)
def sum_without_barrier(x, out):
    part = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    part[t] = x[t]
    cuda.syncthreads()
    if t < 64:
        part[t] += part[t + 64]  # finding: race
    if t < 32:
        out[t] = part[t] + part[t + 32]  # finding: race


def mistake():
    """The first warp reads sums of the second one, which nothing makes it wait for."""
    out = cuda.device_array(32, numpy.float32)
    sum_without_barrier[1, 128](cuda.to_device(random.random(128, dtype=numpy.float32)), out)
    out.copy_to_host()
    sys.exit()


def compare(found, expected, error):
    far = numpy.abs(found - expected).max()
    assert far <= error, f"a word is off by {far}, more than {error}"


if __name__ == "__main__":
    for name in sys.argv[1:] or ("add", "total", "product", "largest"):
        globals()[name]()
        print(name, "is right", flush=True)
