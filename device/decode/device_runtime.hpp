// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

namespace device::decode {

//! The functions of libcudadevrt by which the threads of a grid wait for each other, in PTX: the
//! library itself is machine code. A barrier's count is in the grid's workspace, whose address is
//! the grid's handle; a launch that is not cooperative has none, and the handle 0. Blocks count
//! themselves in; each waits until the count reaches the next multiple of the number of blocks.
inline constexpr std::string_view device_runtime = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .func (.param .b64 handle) cudaCGGetIntrinsicHandle(.param .b32 scope)
{
  .reg .pred %is_grid;
  .reg .b32 %low, %high, %scope;
  .reg .b64 %handle;
  mov.u32 %high, %envreg1;
  mov.u32 %low, %envreg2;
  mov.b64 %handle, {%low, %high};
  ld.param.b32 %scope, [scope];
  setp.eq.u32 %is_grid, %scope, 1;
  selp.b64 %handle, %handle, 0, %is_grid;
  st.param.b64 [handle], %handle;
  ret;
}
.visible .func (.param .b32 status) cudaCGSynchronize(.param .b64 handle, .param .b32 flags)
{
  .reg .pred %p;
  .reg .b32 %r<4>;
  .reg .b64 %handle, %blocks, %ticket, %goal, %count;
  ld.param.b64 %handle, [handle];
  setp.eq.u64 %p, %handle, 0;
  @%p bra refused;
  barrier.sync 0;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %tid.y;
  mov.u32 %r3, %tid.z;
  or.b32 %r1, %r1, %r2;
  or.b32 %r1, %r1, %r3;
  setp.ne.u32 %p, %r1, 0;
  @%p bra arrived;
  mov.u32 %r1, %nctaid.x;
  mov.u32 %r2, %nctaid.y;
  mov.u32 %r3, %nctaid.z;
  mul.lo.u32 %r2, %r2, %r3;
  mul.wide.u32 %blocks, %r1, %r2;
  atom.add.acq_rel.gpu.u64 %ticket, [%handle+8], 1;
  div.u64 %goal, %ticket, %blocks;
  mad.lo.u64 %goal, %goal, %blocks, %blocks;
again:
  ld.acquire.gpu.u64 %count, [%handle+8];
  setp.lt.u64 %p, %count, %goal;
  @%p bra again;
arrived:
  barrier.sync 0;
  mov.u32 %r1, 0;
  st.param.b32 [status], %r1;
  ret;
refused:
  mov.u32 %r1, 1;
  st.param.b32 [status], %r1;
  ret;
}
)";

}  // namespace device::decode
