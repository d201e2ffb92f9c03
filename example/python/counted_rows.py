# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums the rows of a matrix in Triton, and counts it in this process, on a machine without a GPU:

  python counted_rows.py        (pip install triton numpy, and the wheel of mmm_device)

The kernel of triton_rows.py, without torch, cuda-python and mmm-run: arrays and figures are those of mmm_device.
"""
import mmm_device
import numpy
import triton
import triton.language as tl


@triton.jit
def row_sums(x, out, columns, step, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    words = tl.load(x + row * step + column, mask=column < columns, other=0.0)
    tl.store(out + row, tl.sum(words, axis=0))


mmm_device.start(gpu="h100", check="all")
for step in 1000, 1024:
    words, sums = mmm_device.array(numpy.ones((64, step), numpy.float32)), mmm_device.zeros(64)
    with mmm_device.counted() as c:
        row_sums[(64,)](words, sums, 1000, step, BLOCK=1024)
    c.assert_no_findings()
    assert (sums.numpy() == 1000).all()
    loads = c.kernels["row_sums"].global_.load
    print(f"{step} words a row: {loads.transfers} sectors are loaded, {loads.ideal} would do")
print(c)
