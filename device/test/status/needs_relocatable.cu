// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel with an instruction that the device does not support, compiled with -rdc=true and linked
// with needs.cu, which is not: both are listed.
__global__ void store(float* to) {
  asm volatile("multimem.st.weak.global.f32 [%0], %1;" ::"l"(to), "f"(1.0F) : "memory");
}
