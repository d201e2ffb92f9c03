// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/convolution/convolution.hpp>
#include <mmm/algorithm/convolution/convolution_by_fft.hpp>
#include <mmm/algorithm/convolution/convolution_in_registers.hpp>
#include <mmm/algorithm/copy/copy_through_shared.hpp>
#include <mmm/algorithm/copy/copy_wide.hpp>
#include <mmm/algorithm/image/image_convolution.hpp>
#include <mmm/algorithm/image/image_convolution_in_registers.hpp>
#include <mmm/algorithm/image/separable_image_convolution.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/algorithm/permutation/permutation.hpp>
#include <mmm/algorithm/permutation/permutation_direct.hpp>
#include <mmm/algorithm/permutation/permutation_in_tiles.hpp>
#include <mmm/algorithm/product/matrix_multiply.hpp>
#include <mmm/algorithm/product/matrix_multiply_in_registers.hpp>
#include <mmm/algorithm/product/matrix_multiply_on_tensor_cores.hpp>
#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/algorithm/reduce/sum_in_one_block.hpp>
#include <mmm/algorithm/reduce/sum_wide.hpp>
#include <mmm/algorithm/scan/prefix_sums.hpp>
#include <mmm/algorithm/scan/prefix_sums_in_one_block.hpp>
#include <mmm/algorithm/scan/prefix_sums_one_pass.hpp>
#include <mmm/algorithm/scan/segmented_prefix_sums.hpp>
#include <mmm/algorithm/scan/summed_area.hpp>
#include <mmm/algorithm/scan/summed_area_1r1w.hpp>
#include <mmm/algorithm/scan/summed_area_one_pass.hpp>
#include <mmm/algorithm/sort/merge_sort.hpp>
#include <mmm/algorithm/sort/radix_sort.hpp>
#include <mmm/algorithm/sort/sort.hpp>
#include <mmm/algorithm/strings/string_matching.hpp>
#include <mmm/algorithm/strings/string_matching_in_bits.hpp>
#include <mmm/algorithm/transpose/transpose.hpp>
#include <mmm/algorithm/transpose/transpose_swizzled.hpp>
#include <mmm/algorithm/triangulation/triangulation_blocked.hpp>
#include <mmm/algorithm/triangulation/triangulation_in_registers.hpp>
#include <mmm/choose/best.hpp>

//! The library's own candidates for each problem: its programs with plausible launches.
namespace mmm {
namespace detail {

//! The prediction for a summed area table by four kernels: the rows' prefix-sums, a transpose, and
//! both again.
struct rows_then_columns {
  [[nodiscard]] constexpr candidate_prediction operator()(gpu::device_facts const& facts,
                                                          grid_plan const& plan,
                                                          sides image) const {
    shape const rows = image.extents, columns{rows.columns, rows.rows};
    constexpr candidates kernels{candidate_of("", {}, segmented_prefix_sums),
                                 candidate_of("", {}, transpose_swizzled)};
    auto const& scan = kernels.first.predict;
    auto const& transpose = kernels.more.first.predict;
    size const pixels(rows.area());
    return in_sequence(in_sequence(scan(facts, plan, pixels), transpose(facts, plan, rows)),
                       in_sequence(scan(facts, plan, pixels), transpose(facts, plan, columns)));
  }
};

//! The prediction for a convolution by transforms; it is not possible for more taps than points.
template <class Fft>
struct predict_by_fft {
  fft_convolution_algorithm<Fft> algorithm;
  taps m;

  [[nodiscard]] constexpr candidate_prediction operator()(gpu::device_facts const& facts,
                                                          grid_plan const& plan,
                                                          size const& n) const {
    if (m.count > Fft::points) return {};
    return candidate_of("", plan, algorithm, m).predict(facts, plan, n);
  }
};
template <class Fft>
predict_by_fft(fft_convolution_algorithm<Fft>, taps) -> predict_by_fft<Fft>;

}  // namespace detail

namespace known {

//! Candidates for copies of n words.
inline constexpr candidates copies{
    candidate_of("copy_wide, 1 block of 1024", {1, 1024}, copy_wide),
    candidate_of("copy_wide, 4 blocks of 256", {4, 256}, copy_wide),
    candidate_of("copy_through_shared, 1 block of 1024", {1, 1024}, copy_through_shared)};

//! Candidates for sums of n words.
inline constexpr candidates sums{
    candidate_of("sum_wide, 1 block of 1024", {1, 1024}, sum_wide),
    candidate_of("sum_wide, 2 blocks of 512", {2, 512}, sum_wide),
    candidate_of("sum_wide, 1 block of 256", {1, 256}, sum_wide),
    candidate_of("sum_in_one_block, 256 threads", {1, 256}, sum_in_one_block),
    candidate_of("sum, 1 block of 1024", {1, 1024}, sum),
    candidate_of("sum on a UMM", {4, 256, true}, sum),
    candidate_of("sum_on_one_dmm", {1, 1024}, sum_on_one_dmm)};

//! Candidates for prefix-sums of n words.
inline constexpr candidates scans{
    candidate_of("prefix_sums_one_pass, 4 blocks of 256", {4, 256}, prefix_sums_one_pass),
    candidate_of("prefix_sums_one_pass, 1 block of 512", {1, 512}, prefix_sums_one_pass),
    candidate_of("prefix_sums_one_pass, 1 block of 256", {1, 256}, prefix_sums_one_pass),
    candidate_of("prefix_sums_in_one_block, 256 threads", {1, 256}, prefix_sums_in_one_block),
    candidate_of("prefix_sums, 1 block of 1024", {1, 1024}, prefix_sums),
    candidate_of("prefix_sums on a UMM", {4, 256, true}, prefix_sums)};

//! Candidates for transposes of n x n words.
inline constexpr candidates transposes{
    candidate_of("transpose_swizzled, 4 blocks of 256", {4, 256}, transpose_swizzled),
    candidate_of("transpose_swizzled, 2 blocks of 256", {2, 256}, transpose_swizzled),
    candidate_of("transpose_swizzled, 1 block of 1024", {1, 1024}, transpose_swizzled),
    candidate_of("transpose_straightforward on a UMM", {4, 256, true}, transpose_straightforward)};

//! Candidates for products of n x n matrices.
inline constexpr candidates products{
    candidate_of("matrix_multiply_in_larger_tiles, 1 block of 256", {1, 256},
                 matrix_multiply_in_larger_tiles),
    candidate_of("matrix_multiply_in_more_registers, 2 blocks of 128", {2, 128},
                 matrix_multiply_in_more_registers),
    candidate_of("matrix_multiply_in_registers, 2 blocks of 256", {2, 256},
                 matrix_multiply_in_registers),
    candidate_of("matrix_multiply_in_registers, 1 block of 256", {1, 256},
                 matrix_multiply_in_registers),
    candidate_of("matrix_multiply_in_smaller_tiles, 2 blocks of 128", {2, 128},
                 matrix_multiply_in_smaller_tiles),
    candidate_of("matrix_multiply_in_parts, 2 blocks of 128", {2, 128}, matrix_multiply_in_parts),
    candidate_of("matrix_multiply_in_larger_parts, 2 blocks of 128", {2, 128},
                 matrix_multiply_in_larger_parts),
    candidate_of("matrix_multiply, m = 16, 1 block of 256", {1, 256}, matrix_multiply, tile(16)),
    candidate_of("matrix_multiply, m = 32, 1 block of 512", {1, 512}, matrix_multiply, tile(32)),
    candidate_of("matrix_multiply, m = 32, 4 blocks of 256", {4, 256}, matrix_multiply, tile(32)),
    candidate_of("matrix_multiply, m = 64, 1 block of 1024", {1, 1024}, matrix_multiply, tile(64))};

//! Candidates for products of n x n matrices of numbers of 16 bits, with sums of 4 bytes.
inline constexpr candidates products_of_halves{
    candidate_of("matrix_multiply_by_warpgroups, 1 block of 384", {1, 384},
                 matrix_multiply_by_warpgroups),
    candidate_of("matrix_multiply_by_warpgroups_in_smaller_tiles, 1 block of 384", {1, 384},
                 matrix_multiply_by_warpgroups_in_smaller_tiles),
    candidate_of("matrix_multiply_on_tensor_cores, 1 block of 256", {1, 256},
                 matrix_multiply_on_tensor_cores),
    candidate_of("matrix_multiply_on_tensor_cores_in_smaller_tiles, 2 blocks of 128",
                 {2, 128, false, {.value_bytes = 2}},
                 matrix_multiply_on_tensor_cores_in_smaller_tiles),
    candidate_of("matrix_multiply_in_more_registers, 2 blocks of 128",
                 {2, 128, false, {.value_bytes = 2}}, matrix_multiply_in_more_registers),
    candidate_of("matrix_multiply_in_smaller_tiles, 2 blocks of 128",
                 {2, 128, false, {.value_bytes = 2}}, matrix_multiply_in_smaller_tiles),
    candidate_of("matrix_multiply_in_parts, 2 blocks of 128", {2, 128, false, {.value_bytes = 2}},
                 matrix_multiply_in_parts)};

//! Candidates for sorts of n keys of 4 bytes.
inline constexpr candidates sorts{candidate_of("radix_sort, 3 blocks of 320", {3, 320}, radix_sort),
                                  candidate_of("radix_sort, 2 blocks of 320", {2, 320}, radix_sort),
                                  candidate_of("merge_sort, 1 block of 512", {1, 512}, merge_sort),
                                  candidate_of("merge_sort, 1 block of 256", {1, 256}, merge_sort),
                                  candidate_of("sort, 1 block of 1024", {1, 1024}, sort),
                                  candidate_of("sort, 1 block of 256", {1, 256}, sort)};

//! Candidates for sorts of n keys with their values, of 4 bytes each.
inline constexpr candidates sorts_of_pairs{
    candidate_of("radix_sort_pairs, 3 blocks of 320", {3, 320}, radix_sort_pairs),
    candidate_of("radix_sort_pairs, 2 blocks of 320", {2, 320}, radix_sort_pairs),
    candidate_of("merge_sort_pairs, 1 block of 512", {1, 512}, merge_sort_pairs),
    candidate_of("merge_sort_pairs, 1 block of 256", {1, 256}, merge_sort_pairs),
    candidate_of("sort_pairs, 1 block of 1024", {1, 1024}, sort_pairs)};

//! Candidates for permutations of n words by places that are known beforehand, at random. A
//! scatter is the one without a schedule.
inline constexpr candidates permutations{
    candidate_of("permutation_in_tiles, 1 block of 1024", {1, 1024}, permutation_in_tiles),
    candidate_of("permutation_direct, 1 block of 1024", {1, 1024}, permutation_direct),
    candidate_of("permutation_direct, 4 blocks of 256", {4, 256}, permutation_direct),
    candidate_of("permutation, 1 block of 1024", {1, 1024}, permutation)};

//! Candidates for summed area tables of n x n pixels.
inline constexpr candidates summed_areas{
    candidate_of("summed_area_one_pass, 2 blocks of 256", {2, 256}, summed_area_one_pass),
    candidate_of("summed_area_one_pass, 1 block of 512", {1, 512}, summed_area_one_pass),
    candidate_of("summed_area, 1 block of 1024", {1, 1024}, summed_area),
    candidate_of("summed_area, 1 block of 256", {1, 256}, summed_area),
    candidate_of("summed_area on a UMM", {4, 256, true}, summed_area),
    candidate_of("summed_area_1r1w, 1 block of 1024", {1, 1024}, summed_area_1r1w),
    candidate_of("summed_area_1r1w, 1 block of 256", {1, 256}, summed_area_1r1w),
    candidate{"segmented_prefix_sums and transpose_swizzled, twice, 1 block of 1024",
              grid_plan{1, 1024}, mmm::detail::rows_then_columns{}}};

//! Candidates for the matching of a pattern of m symbols, 64 or fewer, in a text of n. Errors:
//! std::invalid_argument from mmm::best for longer patterns.
[[nodiscard]] constexpr auto string_matchings(taps m) {
  return candidates{
      candidate_of("string_matching_in_bits, 1 block of 256", {1, 256}, string_matching_in_bits, m),
      candidate_of("string_matching_in_bits, 2 blocks of 256", {2, 256}, string_matching_in_bits,
                   m),
      candidate_of("string_matching, 1 block of 1024", {1, 1024}, string_matching, m),
      candidate_of("string_matching, 1 block of 256", {1, 256}, string_matching, m)};
}

//! Candidates for convolutions of n outputs with m taps.
[[nodiscard]] constexpr auto convolutions(taps m) {
  return candidates{candidate_of("convolution_in_registers, 3 blocks of 256", {3, 256},
                                 convolution_in_registers, m),
                    candidate_of("convolution_in_registers, 1 block of 256", {1, 256},
                                 convolution_in_registers, m),
                    candidate_of("convolution, 1 block of 1024", {1, 1024}, convolution, m),
                    candidate_of("convolution on a UMM", {4, 256, true}, convolution, m)};
}

//! The same of floating-point numbers, and convolutions by transforms, which round differently.
[[nodiscard]] constexpr auto convolutions(taps m, accept_fft_t) {
  using mmm::detail::predict_by_fft;
  return candidates{candidate_of("convolution_in_registers, 3 blocks of 256", {3, 256},
                                 convolution_in_registers, m),
                    candidate_of("convolution, 1 block of 1024", {1, 1024}, convolution, m),
                    candidate{"convolution_by_fft, 3 blocks of 256", grid_plan{3, 256},
                              predict_by_fft{convolution_by_fft, m}},
                    candidate{"convolution_by_fft, 1 block of 256", grid_plan{1, 256},
                              predict_by_fft{convolution_by_fft, m}},
                    candidate{"convolution_by_longer_fft, 1 block of 256", grid_plan{1, 256},
                              predict_by_fft{convolution_by_longer_fft, m}}};
}

//! Candidates for convolutions of n x n images with a kernel of radius `Radius`.
template <index Radius>
inline constexpr candidates images{candidate_of("image_convolution_in_registers, 2 blocks of 256",
                                                {2, 256}, image_convolution_in_registers<Radius>),
                                   candidate_of("image_convolution_in_registers, 1 block of 256",
                                                {1, 256}, image_convolution_in_registers<Radius>),
                                   candidate_of("image_convolution, 1 block of 1024", {1, 1024},
                                                image_convolution, radius(Radius)),
                                   candidate_of("image_convolution, 4 blocks of 256", {4, 256},
                                                image_convolution, radius(Radius))};

//! Candidates for convolutions of n x n images with a separable kernel of radius `Radius`.
template <index Radius>
inline constexpr candidates separable_images{
    candidate_of("separable_image_convolution, 3 blocks of 256", {3, 256},
                 separable_image_convolution<Radius>),
    candidate_of("separable_image_convolution, 1 block of 256", {1, 256},
                 separable_image_convolution<Radius>),
    candidate_of("image_convolution_in_registers, 2 blocks of 256", {2, 256},
                 image_convolution_in_registers<Radius>)};

//! Candidates for triangulations of polygons with n vertices.
inline constexpr candidates triangulations{
    candidate_of("triangulation_in_registers, 2 blocks of 256", {2, 256},
                 triangulation_in_registers),
    candidate_of("triangulation_in_registers, 1 block of 256", {1, 256},
                 triangulation_in_registers),
    candidate_of("triangulation_blocked, 1 block of 1024", {1, 1024}, triangulation_blocked),
    candidate_of("triangulation_blocked, 4 blocks of 256", {4, 256}, triangulation_blocked)};

}  // namespace known
}  // namespace mmm
