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
#include <mmm/choose/kernel_point.hpp>
#include <mmm/choose/space.hpp>

//! The library's own candidates for each problem: its programs with plausible launches, as unions
//! of products of launches and programs.
namespace mmm {
namespace detail {

//! The prediction for a summed area table by four kernels: the rows' prefix-sums, a transpose, and
//! both again.
template <class...>
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
  taps m;

  [[nodiscard]] constexpr candidate_prediction operator()(gpu::device_facts const& facts,
                                                          grid_plan const& plan,
                                                          size const& n) const {
    if (m.count > Fft::points) return cannot_run("points of a transform", m.count, Fft::points);
    return candidate_of("", plan, fft_convolution_algorithm<Fft>{}, m).predict(facts, plan, n);
  }
};

template <class Fft>
[[nodiscard]] constexpr Fft transform_of(fft_convolution_algorithm<Fft> const&) {
  return {};
}
//! The transform of a convolution's algorithm.
template <auto Algorithm>
using fft_of = decltype(transform_of(Algorithm));

}  // namespace detail

namespace known {

//! Candidates for copies of n words.
inline constexpr auto copies =
    (space(types<blocks<1, 1024>, blocks<4, 256>>, types<kernel<"copy_wide", copy_wide>>) +
     space(types<blocks<1, 1024>>, types<kernel<"copy_through_shared", copy_through_shared>>))
        .all();

//! Candidates for sums of n words.
inline constexpr auto sums =
    (space(types<blocks<1, 1024>, blocks<2, 512>, blocks<1, 256>>,
           types<kernel<"sum_wide", sum_wide>>) +
     space(types<one_block<256>>, types<kernel<"sum_in_one_block", sum_in_one_block>>) +
     space(types<blocks<1, 1024>, on_umm<4, 256>>, types<kernel<"sum", sum>>) +
     space(types<one_dmm<1024>>, types<kernel<"sum_on_one_dmm", sum_on_one_dmm>>))
        .all();

//! Candidates for prefix-sums of n words.
inline constexpr auto scans =
    (space(types<blocks<4, 256>, blocks<1, 512>, blocks<1, 256>>,
           types<kernel<"prefix_sums_one_pass", prefix_sums_one_pass>>) +
     space(types<one_block<256>>,
           types<kernel<"prefix_sums_in_one_block", prefix_sums_in_one_block>>) +
     space(types<blocks<1, 1024>, on_umm<4, 256>>, types<kernel<"prefix_sums", prefix_sums>>))
        .all();

//! Candidates for transposes of n x n words.
inline constexpr auto transposes =
    (space(types<blocks<4, 256>, blocks<2, 256>, blocks<1, 1024>>,
           types<kernel<"transpose_swizzled", transpose_swizzled>>) +
     space(types<on_umm<4, 256>>,
           types<kernel<"transpose_straightforward", transpose_straightforward>>))
        .all();

//! The further candidates of spaces::transposes without bank conflicts: tiles and launches.
inline constexpr auto further_transposes =
    (space(types<blocks<2, 512>>, types<kernel<"transpose_swizzled", transpose_swizzled>>) +
     space(types<blocks<4, 256>, blocks<2, 256>, blocks<2, 512>, blocks<1, 1024>>,
           types<kernel<"transpose_in_tiles<32>", transpose_in_tiles<32>>,
                 kernel<"transpose_in_tiles<128>", transpose_in_tiles<128>>>))
        .all();

//! Candidates for products of n x n matrices.
inline constexpr auto products =
    (space(types<blocks<1, 256>>,
           types<kernel<"matrix_multiply_in_larger_tiles", matrix_multiply_in_larger_tiles>>) +
     space(types<blocks<2, 128>>,
           types<kernel<"matrix_multiply_in_more_registers", matrix_multiply_in_more_registers>>) +
     space(types<blocks<2, 256>, blocks<1, 256>>,
           types<kernel<"matrix_multiply_in_registers", matrix_multiply_in_registers>>) +
     space(types<blocks<2, 128>>,
           types<kernel<"matrix_multiply_in_smaller_tiles", matrix_multiply_in_smaller_tiles>,
                 kernel<"matrix_multiply_in_parts", matrix_multiply_in_parts>,
                 kernel<"matrix_multiply_in_larger_parts", matrix_multiply_in_larger_parts>>) +
     space(types<blocks<1, 256>>, types<kernel<"matrix_multiply", matrix_multiply, tile(16)>>) +
     space(types<blocks<1, 512>, blocks<4, 256>>,
           types<kernel<"matrix_multiply", matrix_multiply, tile(32)>>) +
     space(types<blocks<1, 1024>>, types<kernel<"matrix_multiply", matrix_multiply, tile(64)>>))
        .all();

//! Candidates for products of n x n matrices of numbers of 16 bits, with sums of 4 bytes.
inline constexpr auto products_of_halves =
    (space(types<blocks<1, 384>>,
           types<kernel<"matrix_multiply_by_warpgroups", matrix_multiply_by_warpgroups>,
                 kernel<"matrix_multiply_by_warpgroups_in_smaller_tiles",
                        matrix_multiply_by_warpgroups_in_smaller_tiles>>) +
     space(types<blocks<1, 256>>,
           types<kernel<"matrix_multiply_on_tensor_cores", matrix_multiply_on_tensor_cores>>) +
     space(types<blocks<2, 128, 2>>,
           types<kernel<"matrix_multiply_on_tensor_cores_in_smaller_tiles",
                        matrix_multiply_on_tensor_cores_in_smaller_tiles>,
                 kernel<"matrix_multiply_in_more_registers", matrix_multiply_in_more_registers>,
                 kernel<"matrix_multiply_in_smaller_tiles", matrix_multiply_in_smaller_tiles>,
                 kernel<"matrix_multiply_in_parts", matrix_multiply_in_parts>>))
        .all();

//! Candidates for sorts of n keys of 4 bytes.
inline constexpr auto sorts =
    (space(types<blocks<3, 320>, blocks<2, 320>>, types<kernel<"radix_sort", radix_sort>>) +
     space(types<blocks<1, 512>, blocks<1, 256>>, types<kernel<"merge_sort", merge_sort>>) +
     space(types<blocks<1, 1024>, blocks<1, 256>>, types<kernel<"sort", sort>>))
        .all();

//! Candidates for sorts of n keys with their values, of 4 bytes each.
inline constexpr auto sorts_of_pairs =
    (space(types<blocks<3, 320>, blocks<2, 320>>,
           types<kernel<"radix_sort_pairs", radix_sort_pairs>>) +
     space(types<blocks<1, 512>, blocks<1, 256>>,
           types<kernel<"merge_sort_pairs", merge_sort_pairs>>) +
     space(types<blocks<1, 1024>>, types<kernel<"sort_pairs", sort_pairs>>))
        .all();

//! Candidates for permutations of n words by places that are known beforehand, at random. A
//! scatter is the one without a schedule.
inline constexpr auto permutations =
    (space(types<blocks<1, 1024>>, types<kernel<"permutation_in_tiles", permutation_in_tiles>>) +
     space(types<blocks<1, 1024>, blocks<4, 256>>,
           types<kernel<"permutation_direct", permutation_direct>>) +
     space(types<blocks<1, 1024>>, types<kernel<"permutation", permutation>>))
        .all();

//! Candidates for summed area tables of n x n pixels.
inline constexpr auto summed_areas =
    (space(types<blocks<2, 256>, blocks<1, 512>>,
           types<kernel<"summed_area_one_pass", summed_area_one_pass>>) +
     space(types<blocks<1, 1024>, blocks<1, 256>, on_umm<4, 256>>,
           types<kernel<"summed_area", summed_area>>) +
     space(types<blocks<1, 1024>, blocks<1, 256>>,
           types<kernel<"summed_area_1r1w", summed_area_1r1w>>) +
     space(types<blocks<1, 1024>>,
           types<kernels<"segmented_prefix_sums and transpose_swizzled, twice",
                         mmm::detail::rows_then_columns>>))
        .all();

//! Candidates for the matching of a pattern of m symbols, 64 or fewer, in a text of n. Errors:
//! std::invalid_argument from mmm::best for longer patterns.
[[nodiscard]] constexpr auto string_matchings(taps m) {
  return (space(types<blocks<1, 256>, blocks<2, 256>>,
                types<kernel<"string_matching_in_bits", string_matching_in_bits>>) +
          space(types<blocks<1, 1024>, blocks<1, 256>>,
                types<kernel<"string_matching", string_matching>>))
      .all(m);
}

//! Candidates for convolutions of n outputs with m taps.
[[nodiscard]] constexpr auto convolutions(taps m) {
  return (space(types<blocks<3, 256>, blocks<1, 256>>,
                types<kernel<"convolution_in_registers", convolution_in_registers>>) +
          space(types<blocks<1, 1024>, on_umm<4, 256>>, types<kernel<"convolution", convolution>>))
      .all(m);
}

//! The further candidates of spaces::convolutions with counted instructions: launches.
[[nodiscard]] constexpr auto further_convolutions(taps m) {
  return space(types<blocks<2, 256>, blocks<4, 128>>,
               types<kernel<"convolution_in_registers", convolution_in_registers>>)
      .all(m);
}

//! The same of floating-point numbers, and convolutions by transforms, which round differently.
[[nodiscard]] constexpr auto convolutions(taps m, accept_fft_t) {
  return (space(types<blocks<3, 256>>,
                types<kernel<"convolution_in_registers", convolution_in_registers>>) +
          space(types<blocks<1, 1024>>, types<kernel<"convolution", convolution>>) +
          space(types<blocks<3, 256>, blocks<1, 256>>,
                types<kernels<"convolution_by_fft", mmm::detail::predict_by_fft,
                              mmm::detail::fft_of<convolution_by_fft>>>) +
          space(types<blocks<1, 256>>,
                types<kernels<"convolution_by_longer_fft", mmm::detail::predict_by_fft,
                              mmm::detail::fft_of<convolution_by_longer_fft>>>))
      .all(m);
}

//! Candidates for convolutions of n x n images with a kernel of radius `Radius`.
template <index Radius>
inline constexpr auto images =
    (space(
         types<blocks<2, 256>, blocks<1, 256>>,
         types<kernel<"image_convolution_in_registers", image_convolution_in_registers<Radius>>>) +
     space(types<blocks<1, 1024>, blocks<4, 256>>,
           types<kernel<"image_convolution", image_convolution, radius(Radius)>>))
        .all();

//! Candidates for convolutions of n x n images with a separable kernel of radius `Radius`.
template <index Radius>
inline constexpr auto separable_images =
    (space(types<blocks<3, 256>, blocks<1, 256>>,
           types<kernel<"separable_image_convolution", separable_image_convolution<Radius>>>) +
     space(types<blocks<2, 256>>,
           types<kernel<"image_convolution_in_registers", image_convolution_in_registers<Radius>>>))
        .all();

//! Candidates for triangulations of polygons with n vertices.
inline constexpr auto triangulations =
    (space(types<blocks<2, 256>, blocks<1, 256>>,
           types<kernel<"triangulation_in_registers", triangulation_in_registers>>) +
     space(types<blocks<1, 1024>, blocks<4, 256>>,
           types<kernel<"triangulation_blocked", triangulation_blocked>>))
        .all();

}  // namespace known
}  // namespace mmm
