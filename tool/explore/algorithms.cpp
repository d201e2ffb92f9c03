// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "algorithm_entry.hpp"

namespace explore {

std::vector<algorithm_entry> const& algorithms() {
  static std::vector<algorithm_entry> const all{
      // clang-format off: one a line
      contiguous(),
      stride(),
      transpose_straightforward(),
      transpose_diagonal(),
      transpose_rotating(),
      sum(),
      sum_on_one_dmm(),
      argmin(),
      argmax(),
      prefix_sums_simple(),
      prefix_sums(),
      exclusive_prefix_sums(),
      segmented_prefix_sums(),
      exclusive_segmented_prefix_sums(),
      summed_area(),
      summed_area_1r1w(),
      permutation(),
      permutation_direct(),
      sort(),
      radix_sort(),
      merge_sort(),
      histogram(),
      convolution(),
      convolution_in_clusters(),
      copy(),
      triangulation_dp(),
      triangulation(),
      triangulation_blocked(),
      image_convolution(),
      matrix_multiply(),
      string_matching(),
      lcs(),
      matrix_chain(),
      bulk_prefix_sums(),
      bulk_sort(),
      bulk_triangulation(),
      // clang-format on
  };
  return all;
}

}  // namespace explore
