# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in PTX by the calls of the driver, as front ends make them: the library is found by its name."""
import ctypes

PTX = b"""
.version 8.0
.target sm_90
.address_size 64
.visible .entry scale(.param .u64 x, .param .u64 out, .param .f32 by, .param .u32 n) {
  .reg .b32 %r<6>; .reg .b64 %d<6>; .reg .f32 %f<4>; .reg .pred %p<2>;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r1, %r1, %r2, %r3;
  ld.param.u32 %r4, [n];
  setp.ge.u32 %p1, %r1, %r4;
  @%p1 bra done;
  ld.param.u64 %d1, [x];
  ld.param.u64 %d2, [out];
  mul.wide.u32 %d3, %r1, 4;
  add.u64 %d1, %d1, %d3;
  add.u64 %d2, %d2, %d3;
  ld.global.f32 %f1, [%d1];
  ld.param.f32 %f2, [by];
  mul.f32 %f1, %f1, %f2;
  st.global.f32 [%d2], %f1;
done:
  ret;
}
.visible .entry spread(.param .u64 out) {
  .reg .b32 %r<6>; .reg .b64 %d<4>;
  .shared .align 4 .b32 words[2048];
  mov.u32 %r1, %tid.x;
  shl.b32 %r2, %r1, 7;
  mov.u32 %r3, words;
  add.u32 %r3, %r3, %r2;
  st.shared.u32 [%r3], %r1;
  xor.b32 %r4, %r2, 4096;
  mov.u32 %r5, words;
  add.u32 %r5, %r5, %r4;
  ld.shared.u32 %r5, [%r5];
  ld.param.u64 %d1, [out];
  mul.wide.u32 %d2, %r1, 4;
  add.u64 %d1, %d1, %d2;
  st.global.u32 [%d1], %r5;
  ret;
}
"""


class Driver:
    """The driver's API, with the module loaded."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        context, self.module = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self.call("cuCtxSetCurrent", context)
        self.call("cuModuleLoadData", ctypes.byref(self.module), PTX)

    def call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        assert status == 0, f"{name} gives {status}"

    def launch(self, name, blocks, threads, *arguments):
        kernel = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(kernel), self.module, name.encode())
        addresses = (ctypes.c_void_p * max(1, len(arguments)))(*(ctypes.addressof(a) for a in arguments))
        self.call("cuLaunchKernel", kernel, blocks, 1, 1, threads, 1, 1, 0, None, addresses, None)

    def scale(self, x, out, by):
        """out = by * x"""
        self.launch("scale", -(-x.size // 128), 128, ctypes.c_uint64(x.data_ptr()), ctypes.c_uint64(out.data_ptr()), ctypes.c_float(by),
                    ctypes.c_uint32(x.size))

    def spread(self, out):
        """64 threads write words of shared memory that are in one bank, and read those of the other warp: a race."""
        self.launch("spread", 1, 64, ctypes.c_uint64(out.data_ptr()))
