# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums the rows of a matrix in Triton, on a machine without a GPU:

  mmm-run --check all python triton_rows.py        (pip install triton cuda-bindings numpy)

The rows begin at multiples of 1000 words in the first matrix, of 1024 in the second. There Triton gives each thread 4
words in a row, and the mask keeps it from loading them at once: its loads move 4 times the sectors.
"""
import numpy
import triton
import triton.language as tl
from cuda.bindings import driver


@triton.jit
def row_sums(x, out, columns, step, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    words = tl.load(x + row * step + column, mask=column < columns, other=0.0)
    tl.store(out + row, tl.sum(words, axis=0))


class Array:
    """A copy of an array of numpy on the GPU: what Triton takes in place of a tensor."""

    def __init__(self, values):
        self.values, self.dtype = values, "fp32"
        self.address = int(driver.cuMemAlloc(values.nbytes)[1])
        driver.cuMemcpyHtoD(self.address, values.ctypes.data, values.nbytes)

    def data_ptr(self):
        return self.address

    def get(self):
        driver.cuMemcpyDtoH(self.values.ctypes.data, self.address, self.values.nbytes)
        return self.values


driver.cuInit(0)
driver.cuCtxSetCurrent(driver.cuDevicePrimaryCtxRetain(driver.cuDeviceGet(0)[1])[1])
for step in 1000, 1024:
    matrix = numpy.ones((64, step), numpy.float32)
    words, sums = Array(matrix), Array(numpy.zeros(64, numpy.float32))
    row_sums[(64,)](words, sums, 1000, step, BLOCK=1024)
    print(step, "words a row:", sums.get()[:4])
    driver.cuMemFree(words.address)
    driver.cuMemFree(sums.address)
