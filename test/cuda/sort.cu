// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts as kernels: keys alone and with values, in orders of the caller's, of awkward sizes.
#include "sort.cuh"

#include <cstdint>

namespace sort_tests {

using mmm::index;
using namespace sorts;

TEST_CASE("sorts by comparators") {
  auto const of_hmm = mmm::cuda::on(mmm::hmm<4, 32, 29, 700, 4096>(), mmm::threads(4 * 128));
  for (index const n : {0, 1, 31, 33, 1023, 1025, 5000}) {
    sorts_keys<float>(of_hmm, mmm::sort, n);
    sorts_pairs<std::int64_t, mmm::descending>(of_hmm, mmm::sort_pairs, n);
  }
  sorts_keys<float>(mmm::cuda::on<mmm::umm<32, 700>>(mmm::threads(512)), mmm::sort, 1025);
}

TEST_CASE("sorts by digits") {
  auto const of_hmm = mmm::cuda::on(mmm::hmm<4, 32, 29, 700, 24576>(), mmm::threads(4 * 128));
  for (index const n : {0, 1, 31, 33, 1023, 1025, 10000}) {
    sorts_keys<float>(of_hmm, mmm::radix_sort, n);
    sorts_pairs<std::int64_t, mmm::descending>(of_hmm, mmm::radix_sort_pairs, n);
  }
}

TEST_CASE("sorts by digits in full blocks") {
  auto const on = mmm::cuda::on(mmm::hmm<4, 32, 29, 700, 24576>(), mmm::threads(4 * 320));
  for (index const n : {7040, 7041}) sorts_keys<float>(on, mmm::radix_sort, n);
}

TEST_CASE("sorts by merging") {
  auto const of_hmm = mmm::cuda::on(mmm::hmm<4, 32, 29, 700, 24576>(), mmm::threads(4 * 128));
  for (index const n : {0, 1, 16, 1919, 1921, 10000})
    sorts_in_order(of_hmm, mmm::merge_sort_pairs, n);
}

}  // namespace sort_tests
