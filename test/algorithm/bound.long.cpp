// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bound_checks.hpp"

namespace {

using checks::if_stated;
using mmm::index;

//! Checks the smallest problems of the algorithms that the short tests leave out.
template <class M>
void smallest(M const& m, index d) {
  checks::smallest_problems<M> const check{m, d};
  if_stated<M>(check, mmm::contiguous);
  if_stated<M>(check, mmm::stride);
  if_stated<M>(check, mmm::sum);
  if_stated<M>(check, mmm::sum_on_one_dmm);
  if_stated<M>(check, mmm::prefix_sums);
  if_stated<M>(check, mmm::prefix_sums_simple);
  if_stated<M>(check, mmm::segmented_prefix_sums);
  if_stated<M>(check, mmm::exclusive_segmented_prefix_sums);
  if_stated<M>(check, mmm::summed_area);
  if_stated<M>(check, mmm::summed_area_1r1w);
  if_stated<M>(check, mmm::permutation);
  if_stated<M>(check, mmm::permutation_direct, mmm::scatter::contiguous);
  if_stated<M>(check, mmm::permutation_direct, mmm::scatter::conflicting);
  if_stated<M>(check, mmm::sort_pairs);
  if_stated<M>(check, mmm::copy_through_shared);
  if_stated<M>(check, mmm::transpose_straightforward);
  if_stated<M>(check, mmm::transpose_diagonal);
  if_stated<M>(check, mmm::transpose_rotating);
  if_stated<M>(check, mmm::convolution, mmm::taps(3));
  if_stated<M>(check, mmm::convolution_in_memory, mmm::taps(8));
  if_stated<M>(check, mmm::string_matching, mmm::taps(3));
  if_stated<M>(check, mmm::lcs, mmm::taps(3));
  if_stated<M>(check, mmm::image_convolution, mmm::radius(1));
  if_stated<M>(check, mmm::image_convolution_in_memory, mmm::radius(1));
  if_stated<M>(check, mmm::histogram, mmm::bins(7), mmm::spread::alike);
  if_stated<M>(check, mmm::histogram, mmm::bins(1), mmm::spread::even);
  for (index const k : {0, 1, 3}) {
    if_stated<M>(check, mmm::bulk(mmm::oblivious_prefix_sums{}, mmm::by_columns), mmm::inputs(k));
    if_stated<M>(check, mmm::bulk(mmm::oblivious_sort{}, mmm::by_rows), mmm::inputs(k));
  }
  if_stated<M>(check, mmm::copy_wide);
  if_stated<M>(check, mmm::sum_wide);
}
template <class M>
void smallest_of_all(M const& m) {
  checks::smallest_problems<M> const check{m, 1};
  if_stated<M>(check, mmm::exclusive_prefix_sums);
  if_stated<M>(check, mmm::sort);
  smallest(m, 1);
}
template <class... Parameter>
void smallest_on_hmm(index d, Parameter... parameter) {
  using machine = mmm::hmm<mmm::dynamic, 32, mmm::dynamic, mmm::dynamic>;
  smallest(machine(d, parameter...), d);
}

}  // namespace

TEST_CASE("the smallest problems of all algorithms are within the stated bounds") {
  smallest_of_all(mmm::pram{});
  smallest_of_all(mmm::bpram<32>{});
  smallest_of_all(mmm::umm<32, mmm::dynamic>{400});
  smallest(mmm::dmm<32, mmm::dynamic>{1}, 1);
  smallest(mmm::dmm<32, mmm::dynamic>{50}, 1);
  smallest_on_hmm(1, 30, 400);
  smallest_on_hmm(16, 500, 3);
}
