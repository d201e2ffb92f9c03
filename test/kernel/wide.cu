// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fast variants as kernels: compiled only (test/kernel/check.py).
// Where sequences begin at multiples of 4 words, no access looks at its address:
// promise wide_copy<4, 2>, array_argument<float: wide loads = 3, global loads = 4
// promise wide_copy<4, 2>, array_argument<float: wide stores = 3, global stores = 4
// promise wide_copy<4, 2>, array_argument<float: LDG.128 >= 3, STG.128 >= 3, registers <= 35
// promise wide_copy<4, 2>: barriers = 0, divisions = 0
// A tile of scans has two barriers, and at most 0.7 instructions for a word: 716 for the 1024 words
// of a warp, with the look-back, which is one warp's. The words left of whole tiles have seven.
// promise one_pass_scan<4, 8: wide loads = 8, wide stores = 8, bar.sync = 9
// promise one_pass_scan<4, 8: divisions = 0, LDG.128 = 8, STG.128 = 8
// promise one_pass_scan<4, 8: loop BAR = 2, loop instructions <= 716, loop instructions >= 200
// Words of 8 and of 16 bytes:
// promise one_pass_scan<4, 2, plus: LDG.128 = 4, STG.128 = 4, loop BAR = 2
// promise one_pass_scan<4, 1, plus_of_four: LDG.128 = 5, STG.128 = 5
// promise swizzled_transpose<64, 4, true, vec_swizzle>: LDG.128 = 8, STG.128 = 2
// promise swizzled_transpose<64, 4, true, vec_swizzle>: wide loads >= 4, wide stores >= 1
// promise swizzled_transpose<64, 4, true, vec_swizzle>: shared wide loads >= 1
// promise wide_sum_program<4, 4.*array_argument<float: wide loads = 9, divisions = 0
// promise wide_sum_program<4, 4.*array_argument<float: LDG.128 >= 9
// Small integers, converted where they are loaded, and results in memory:
// promise wide_sum_program<4, 4.*array_argument<int, .*aligned_pointer<signed char>: wide loads = 9
// Values with their places:
// promise wide_sum_program<4, 3.*first_in_order: wide loads = 7, divisions = 0
// The same programs by words:
// promise wide_copy<1, 8>: wide loads = 0, wide stores = 0, divisions = 0
// promise one_pass_scan<1, 8: wide loads = 0, wide stores = 0
// promise swizzled_transpose<64, 4, false, vec_swizzle>: wide loads = 0, wide stores = 0
// promise wide_sum_program<1, 16: wide loads = 0
// promise wide_sum_program<1, 8.*<double: wide loads = 0
#include <mmm/execution/kernel/cuda.cuh>
#include <mmm/fast.hpp>
#include <mmm/mmm.hpp>

void wide_kernels(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on, float* a,
                  float* b, mmm::index n) {
  mmm::copy_wide(on, a, a + n, b);
  static_cast<void>(mmm::sum_wide(on, a, a + n));
}

void kernels_of_wide_words(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on,
                           double* a, double* b, mmm::index n) {
  mmm::copy_wide(on, a, a + n, b);
  static_cast<void>(mmm::sum_wide(on, a, a + n));
  mmm::exclusive_prefix_sums_one_pass(on, a, a + n, b);
}

struct alignas(16) four_floats {
  float x[4];
};
struct plus_of_four {
  MMM_HOST_DEVICE four_floats operator()(four_floats const& a, four_floats const& b) const {
    return {{a.x[0] + b.x[0], a.x[1] + b.x[1], a.x[2] + b.x[2], a.x[3] + b.x[3]}};
  }
};
void kernels_of_words_of_16_bytes(
    mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on, four_floats* a,
    mmm::index n) {
  mmm::prefix_sums_one_pass(on, a, a + n, a, plus_of_four{});
}

void tile_kernels(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on, float* a,
                  float* b, mmm::index n) {
  mmm::prefix_sums_one_pass(on, a, a + n, b);
  mmm::transpose_swizzled(on, a, mmm::shape(n, n), b);
}

void kernels_of_other_calls(mmm::cuda::launcher<mmm::hmm<132, 32, 30, 600, 58112, 19>> const& on,
                            float* a, signed char* b, int* out, mmm::located<float>* found,
                            mmm::index n) {
  mmm::sum_wide(on, b, b + n, out);
  mmm::fastest::argmin(on, a, a + n, found);
}
