# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cuda-python on the device in software: NVRTC makes PTX, the driver loads and launches it. Run by mmm-run.

  mmm-run [--check all] python cuda_python_test.py [scale]
  mmm-run --check all python cuda_python_test.py mistake
"""
import ctypes
import sys

import numpy
from arrays import Array, begin, call
from cuda.bindings import driver, nvrtc
from source_lines import from_here

SOURCE = from_here("""
extern "C" __global__ void scale(float const* x, float* out, float by, int n) {
  int const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = by * x[i];
}
extern "C" __global__ void pairs(float const* x, float* out) {
  float2 const v = *reinterpret_cast<float2 const*>(x + threadIdx.x);  // finding: misaligned
  out[threadIdx.x] = v.x + v.y;
}
""").encode()


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


def scale():
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


def mistake():
    """Every other thread loads 8 bytes at an address that is not a multiple of 8, and the device's memory is not to be had any more."""
    kernel = call(driver.cuModuleGetFunction(call(driver.cuModuleLoadData(compiled(SOURCE))), b"pairs"))
    a, b = Array(numpy.zeros(33, numpy.float32)), Array(numpy.zeros(32, numpy.float32))
    call(driver.cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, 0, ((a.data_ptr(), b.data_ptr()), (ctypes.c_void_p, ctypes.c_void_p)), 0))
    b.get()


if __name__ == "__main__":
    begin()
    for name in sys.argv[1:] or ("scale",):
        globals()[name]()
        print(name, "is right", flush=True)
