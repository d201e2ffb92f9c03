# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cuda-python on the device in software: NVRTC makes PTX, the driver loads and launches it. Run by mmm-run.

  mmm-run [--check all] python cuda_python_test.py
"""
import ctypes

import numpy
from arrays import Array, begin, call
from cuda.bindings import driver, nvrtc

SOURCE = b"""
extern "C" __global__ void scale(float const* x, float* out, float by, int n) {
  int const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = by * x[i];
}
"""


def compiled(source):
    """PTX of a source."""
    def checked(result):
        status, *values = result
        if status != nvrtc.nvrtcResult.NVRTC_SUCCESS:
            raise RuntimeError(f"NVRTC returned {status.name}")
        return values[0] if values else None

    program = checked(nvrtc.nvrtcCreateProgram(source, b"scale.cu", 0, [], []))
    checked(nvrtc.nvrtcCompileProgram(program, 2, [b"--gpu-architecture=compute_90", b"-lineinfo"]))
    text = b" " * checked(nvrtc.nvrtcGetPTXSize(program))
    checked(nvrtc.nvrtcGetPTX(program, text))
    return text


if __name__ == "__main__":
    begin()
    module = call(driver.cuModuleLoadData(compiled(SOURCE)))
    kernel = call(driver.cuModuleGetFunction(module, b"scale"))
    x = numpy.random.default_rng(1).random(10007, dtype=numpy.float32)
    a, b = Array(x), Array(numpy.zeros_like(x))
    types = ctypes.c_void_p, ctypes.c_void_p, ctypes.c_float, ctypes.c_int
    arguments = (a.data_ptr(), b.data_ptr(), 3.0, x.size), types
    call(driver.cuLaunchKernel(kernel, 40, 1, 1, 256, 1, 1, 0, 0, arguments, 0))
    assert (b.get() == numpy.float32(3) * x).all(), "a word is wrong"
    a.free()
    call(driver.cuModuleUnload(module))
    status, *_ = driver.cuModuleLoadData(b".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k() { frob; }\0")
    assert status == driver.CUresult.CUDA_ERROR_INVALID_PTX, f"bad PTX gives {status.name}"
    print("scale is right")
