// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products without tensor cores, 8 x 8 and 16 x 8 results a thread, four stages. The names of their
// kernels are too long for c++filt.
// row matrix product, 128x128x8: MmaMultistageINS1_9GemmShapeILi128E; threads=256; shared=32768
// row matrix product, 256x128x8: MmaMultistageINS1_9GemmShapeILi256E; threads=256; shared=49152
#include <cutlass/gemm/device/gemm.h>

template <class Block, class Warp>
using product = cutlass::gemm::device::Gemm<
    float, cutlass::layout::RowMajor, float, cutlass::layout::RowMajor, float,
    cutlass::layout::RowMajor, float, cutlass::arch::OpClassSimt, cutlass::arch::Sm80, Block, Warp,
    cutlass::gemm::GemmShape<1, 1, 1>,
    cutlass::epilogue::thread::LinearCombination<float, 1, float, float>,
    cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<8>, 4>;

template <class Product>
void run(float* a, float* c, int n) {
  static_cast<void>(Product()({{n, n, n}, {a, n}, {a, n}, {c, n}, {c, n}, {1.0F, 0.0F}}));
}

void products(float* a, float* c, int n) {
  using cutlass::gemm::GemmShape;
  run<product<GemmShape<128, 128, 8>, GemmShape<32, 64, 8>>>(a, c, n);
  run<product<GemmShape<256, 128, 8>, GemmShape<64, 64, 8>>>(a, c, n);
}
