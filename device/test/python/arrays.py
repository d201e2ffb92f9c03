# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays in the memory of the GPU, made by cuda-python's bindings: what a front end without torch needs."""
import numpy
from cuda.bindings import driver

NAMES = {"float16": "fp16", "float32": "fp32", "int32": "i32"}


def call(result):
    """The values of a call of the driver, whose error is raised."""
    status, *values = result
    if status != driver.CUresult.CUDA_SUCCESS:
        raise RuntimeError(f"the driver returned {status.name}")
    return values[0] if len(values) == 1 else values


def begin():
    """The primary context of the first GPU is current."""
    call(driver.cuInit(0))
    call(driver.cuCtxSetCurrent(call(driver.cuDevicePrimaryCtxRetain(call(driver.cuDeviceGet(0))))))


class Array:
    """A copy of an array of numpy. Triton takes objects with data_ptr() and dtype."""

    def __init__(self, values):
        self.values = numpy.ascontiguousarray(values)
        self.dtype = NAMES[str(self.values.dtype)]
        self.address = int(call(driver.cuMemAlloc(self.values.nbytes)))
        call(driver.cuMemcpyHtoD(self.address, self.values.ctypes.data, self.values.nbytes))

    def data_ptr(self):
        return self.address

    def get(self):
        """The words that the GPU has now; its memory is freed."""
        found = numpy.empty_like(self.values)
        call(driver.cuMemcpyDtoH(found.ctypes.data, self.address, found.nbytes))
        self.free()
        return found

    def free(self):
        if self.address:
            call(driver.cuMemFree(self.address))
        self.address = 0
