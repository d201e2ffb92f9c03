# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads one member of many structures by cuda-python, on a machine without a GPU:

  mmm-run --check all python cuda_python_mass.py        (pip install cuda-bindings numpy)

The structures have 16 bytes, so that the masses that a warp reads are in 16 sectors. An array of the masses alone has them in 4.
"""
import ctypes

import numpy
from cuda.bindings import driver, nvrtc

CODE = rb'''#line 15 "cuda_python_mass.py"

struct particle { float x, y, z, mass; };
extern "C" __global__ void of_structures(particle const* in, float* out) {
  int const i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * in[i].mass;
}
extern "C" __global__ void of_array(float const* in, float* out) {
  int const i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * in[i];
}
'''


def call(result):
    """The value of a call of the driver or of NVRTC, which returns its status first."""
    status, *values = result
    if int(status) != 0:
        raise RuntimeError(status.name)
    return values[0] if values else None


call(driver.cuInit(0))
call(driver.cuCtxSetCurrent(call(driver.cuDevicePrimaryCtxRetain(call(driver.cuDeviceGet(0))))))
program = call(nvrtc.nvrtcCreateProgram(CODE, b"mass.cu", 0, [], []))
call(nvrtc.nvrtcCompileProgram(program, 2, [b"--gpu-architecture=compute_90", b"-lineinfo"]))
ptx = b" " * call(nvrtc.nvrtcGetPTXSize(program))
call(nvrtc.nvrtcGetPTX(program, ptx))
module = call(driver.cuModuleLoadData(ptx))

particles = numpy.random.default_rng(1).random((4096, 4), dtype=numpy.float32)
masses = numpy.ascontiguousarray(particles[:, 3])
found = numpy.empty_like(masses)
for name, given in (b"of_structures", particles), (b"of_array", masses):
    kernel = call(driver.cuModuleGetFunction(module, name))
    x, out = call(driver.cuMemAlloc(given.nbytes)), call(driver.cuMemAlloc(masses.nbytes))
    call(driver.cuMemcpyHtoD(x, given.ctypes.data, given.nbytes))
    arguments = (int(x), int(out)), (ctypes.c_void_p, ctypes.c_void_p)
    call(driver.cuLaunchKernel(kernel, 16, 1, 1, 256, 1, 1, 0, 0, arguments, 0))
    call(driver.cuMemcpyDtoH(found.ctypes.data, out, found.nbytes))
    print(name.decode(), numpy.array_equal(found, 2 * masses))
    call(driver.cuMemFree(x)), call(driver.cuMemFree(out))
