# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays in the memory of the GPU, made by cuda-python's bindings: what a front end without torch needs."""
import numpy
from cuda.bindings import driver


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


class Float8:
    """The type of numbers of 8 bits with 5 of the exponent, the upper halves of float16. To numpy they are uint8."""
    itemsize = 1

    def __str__(self):
        return "float8_e5m2"

    @staticmethod
    def of(values):
        """The numbers below these, as bytes."""
        return (values.astype(numpy.float16).view(numpy.uint16) >> 8).astype(numpy.uint8)

    @staticmethod
    def values(octets):
        return (octets.astype(numpy.uint16) << 8).view(numpy.float16)


class Array:
    """A copy of an array of numpy. Triton takes objects with data_ptr() and dtype, and asks a dtype for its name and size."""
    all = []

    def __init__(self, values, dtype=None):
        Array.all.append(self)
        self.values = numpy.ascontiguousarray(values)
        self.dtype = dtype or self.values.dtype
        self.address = int(call(driver.cuMemAlloc(self.values.nbytes)))
        call(driver.cuMemcpyHtoD(self.address, self.values.ctypes.data, self.values.nbytes))

    def data_ptr(self):
        return self.address

    def peek(self):
        """The words that the GPU has now."""
        found = numpy.empty_like(self.values)
        call(driver.cuMemcpyDtoH(found.ctypes.data, self.address, found.nbytes))
        return found

    def get(self):
        """The words that the GPU has now; its memory is freed."""
        found = self.peek()
        self.free()
        return found

    def free(self):
        if self.address:
            call(driver.cuMemFree(self.address))
        self.address = 0

    @staticmethod
    def free_all():
        while Array.all:
            Array.all.pop().free()
