// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of halves by mma.sync, in three and four stages, added up in floats.
// row product of halves, 128x256: MmaMultistage.*ILi128ELi256ELi64E; threads=256; shared=147456
// row product of halves, 128x128: MmaMultistage.*ILi128ELi128ELi32E; threads=128; shared=65536
#include <cutlass/gemm/device/gemm.h>

template <class Block, class Warp, int Stages>
using product = cutlass::gemm::device::Gemm<
    cutlass::half_t, cutlass::layout::RowMajor, cutlass::half_t, cutlass::layout::RowMajor, float,
    cutlass::layout::RowMajor, float, cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80, Block,
    Warp, cutlass::gemm::GemmShape<16, 8, 16>,
    cutlass::epilogue::thread::LinearCombination<float, 4, float, float>,
    cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<8>, Stages>;

template <class Product>
void run(cutlass::half_t* a, float* c, int n) {
  static_cast<void>(Product()({{n, n, n}, {a, n}, {a, n}, {c, n}, {c, n}, {1.0F, 0.0F}}));
}

void products(cutlass::half_t* a, float* c, int n) {
  using cutlass::gemm::GemmShape;
  run<product<GemmShape<128, 256, 64>, GemmShape<64, 64, 64>, 3>>(a, c, n);
  run<product<GemmShape<128, 128, 32>, GemmShape<64, 64, 32>, 4>>(a, c, n);
}
