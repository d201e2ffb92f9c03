// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

//! Facilities of the programs that test the driver's API: counted checks. A program prints one line
//! for each failure and nothing else.
namespace driver {

inline int checks = 0;
inline int failures = 0;

inline void expect(bool holds, char const* what, int line) {
  ++checks;
  if (holds) return;
  ++failures;
  std::printf("line %d: %s\n", line, what);
}

//! Counts a call whose result has to be this one.
inline void gives(CUresult wanted, CUresult result, char const* what, int line) {
  ++checks;
  if (result == wanted) return;
  ++failures;
  char const* name = nullptr;
  cuGetErrorName(result, &name);
  std::printf("line %d: %s gives %s\n", line, what, name != nullptr ? name : "no error of CUDA's");
  if (wanted == CUDA_SUCCESS) std::exit(1);
}

//! Ends a program that must have made at least `least` checks.
inline int finish(int least) {
  if (checks < least) std::printf("%d checks instead of %d\n", checks, least);
  return failures != 0 || checks < least ? 1 : 0;
}

//! Makes the primary context of device 0 current.
inline CUdevice begin() {
  CUdevice device = 0;
  CUcontext context = nullptr;
  gives(CUDA_SUCCESS, cuInit(0), "cuInit", __LINE__);
  gives(CUDA_SUCCESS, cuDeviceGet(&device, 0), "cuDeviceGet", __LINE__);
  gives(CUDA_SUCCESS, cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain",
        __LINE__);
  gives(CUDA_SUCCESS, cuCtxSetCurrent(context), "cuCtxSetCurrent", __LINE__);
  return device;
}

//! c[i] = a[i] + b[i], i < n.
inline char const* const add_ptx = R"(
.version 8.0
.target sm_75
.address_size 64
.visible .global .align 4 .u32 launches;
.visible .entry add(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u32 pn)
{
  .reg .pred %p<2>;
  .reg .b32 %r<7>;
  .reg .f32 %f<4>;
  .reg .b64 %d<9>;
  ld.param.u64 %d1, [pa];
  ld.param.u64 %d2, [pb];
  ld.param.u64 %d3, [pc];
  ld.param.u32 %r1, [pn];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ne.s32 %p1, %r5, 0;
  @%p1 bra $L;
  atom.global.add.u32 %r6, [launches], 1;
$L:
  setp.ge.s32 %p1, %r5, %r1;
  @%p1 ret;
  mul.wide.s32 %d4, %r5, 4;
  add.s64 %d5, %d1, %d4;
  add.s64 %d6, %d2, %d4;
  add.s64 %d7, %d3, %d4;
  ld.global.f32 %f1, [%d5];
  ld.global.f32 %f2, [%d6];
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%d7], %f3;
  ret;
}
)";

}  // namespace driver

#define EXPECT(condition) driver::expect((condition), #condition, __LINE__)
#define SUCCEED(call) driver::gives(CUDA_SUCCESS, (call), #call, __LINE__)
#define GIVES(wanted, call) driver::gives((wanted), (call), #call, __LINE__)
