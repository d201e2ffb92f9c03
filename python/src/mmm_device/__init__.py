# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A GPU in software inside of a Python process, which counts what kernels do and checks them.

    import mmm_device

    with mmm_device.counted(gpu="h100", check="all") as c:
        add[40, 256](x, y, out)        # a kernel of Numba, Triton, cuda-python, …
    print(c)                           # a table; in a notebook, `c` as the last line of a cell
    c.kernels["add"].sectors
    c.assert_no_findings()

When it is imported it takes the place of the CUDA driver, libcuda.so.1, and of the CUDA runtime, libcudart.so.13: before
Numba is imported, and before the first call of CUDA. A process has one device, whose settings are those of the first
`counted`, `start` or `array`.
"""
from ._arrays import Array, array, empty, zeros
from ._counted import Findings, Kernels, Lines, counted
from ._figures import Finding, Figures, Kernel, Line, Memory, Requests
from ._start import Unsupported, demand_supported, start

__all__ = ["Array", "Figures", "Finding", "Findings", "Kernel", "Kernels", "Line", "Lines", "Memory", "Requests", "Unsupported", "array",
           "counted", "demand_supported", "empty", "start", "zeros"]
