# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums floats from Python by a kernel of the library that NVRTC compiles at run time:

  python jit_sum.py        without a GPU: mmm-run --check all python jit_sum.py      (pip install cuda-bindings numpy)

Memory and the stream are cuda-python's. The function is one of C++, which g++ compiles once, without nvcc (CXX and
CUDA_HOME name others).
"""
import ctypes
import os
import pathlib
import subprocess
import tempfile

import numpy
from cuda.bindings import driver

here = pathlib.Path(__file__).resolve().parent


def library(folder):
    """sum_entry.cpp as a shared library."""
    file = pathlib.Path(folder) / "sum_entry.so"
    toolkit = os.environ.get("CUDA_HOME", "/usr/local/cuda")
    subprocess.run([os.environ.get("CXX", "g++"), "-std=c++20", "-shared", "-fPIC", f"-I{here.parents[1]}/include",
                    "-isystem", f"{toolkit}/include", here / "sum_entry.cpp", "-o", file, "-ldl"], check=True)
    return ctypes.CDLL(file)


def call(result):
    """The values of a call of the driver."""
    status, *values = result
    if status != driver.CUresult.CUDA_SUCCESS:
        raise RuntimeError(f"the driver returned {status.name}")
    return values[0] if values else None


call(driver.cuInit(0))
call(driver.cuCtxSetCurrent(call(driver.cuDevicePrimaryCtxRetain(call(driver.cuDeviceGet(0))))))
stream = call(driver.cuStreamCreate(0))
values = numpy.arange(1000, dtype=numpy.float32)
result = numpy.zeros(1, numpy.float32)
words = call(driver.cuMemAlloc(values.nbytes))
out = call(driver.cuMemAlloc(result.nbytes))
call(driver.cuMemcpyHtoDAsync(words, values.ctypes.data, values.nbytes, stream))
with tempfile.TemporaryDirectory() as folder:
    sum_of_floats = library(folder).sum_of_floats
    why = ctypes.create_string_buffer(1000)
    for n in 1000, 10:
        if sum_of_floats(ctypes.c_void_p(int(stream)), ctypes.c_void_p(int(words)), ctypes.c_longlong(n),
                         ctypes.c_void_p(int(out)), why) != 0:
            raise RuntimeError(why.value.decode())
        call(driver.cuMemcpyDtoHAsync(result.ctypes.data, out, result.nbytes, stream))
        call(driver.cuStreamSynchronize(stream))
        print(f"the sum of {n} values is {result[0]:.0f}, and {values[:n].sum():.0f} by NumPy")
    if sum_of_floats(None, None, ctypes.c_longlong(10), ctypes.c_void_p(int(out)), why) == 1:
        print("without memory:", why.value.decode())
call(driver.cuMemFree(words))
call(driver.cuMemFree(out))
call(driver.cuStreamDestroy(stream))
