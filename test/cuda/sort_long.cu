// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts as kernels, of further keys and on further machines.
#include "sort.cuh"

#include <thrust/iterator/reverse_iterator.h>

#include <algorithm>
#include <cstdint>
#include <functional>

namespace sort_long_tests {

using mmm::index;
using namespace sorts;

TEST_CASE("further sorts by digits and by merging") {
  auto const of_hmm = mmm::cuda::on(mmm::hmm<4, 32, 29, 700, 24576>(), mmm::threads(4 * 128));
  sorts_keys<float>(of_hmm, mmm::radix_sort, 100000);
  sorts_keys<float>(mmm::cuda::on<mmm::dmm<32, 29>>(mmm::threads(128)), mmm::sort, 1025);
  sorts_keys<std::int8_t>(of_hmm, mmm::radix_sort, 10000);
  sorts_in_order(of_hmm, mmm::fastest::sort_pairs, 3000);
  sorts_keys<float>(of_hmm, mmm::merge_sort, 10000);
  sorts_keys<double>(of_hmm, mmm::merge_sort, 10000);
  sorts_keys<float>(mmm::cuda::on<mmm::dmm<32, 29>>(mmm::threads(128)), mmm::merge_sort, 1025);
  sorts_keys<float>(mmm::cuda::on<mmm::umm<32, 700>>(mmm::threads(512)), mmm::merge_sort, 1025);
}

//! Keys from the last one to the first: a kernel sorts them in memory of its own.
TEST_CASE("a sort by digits of keys that are copied") {
  auto const on = mmm::cuda::on(mmm::hmm<4, 32, 29, 700, 24576>(), mmm::threads(4 * 128));
  auto expected = keys_of<int>(3000);
  device_words<int> keys(expected.begin(), expected.end());
  mmm::radix_sort(on, thrust::make_reverse_iterator(keys.end()),
                  thrust::make_reverse_iterator(keys.begin()));
  std::sort(expected.begin(), expected.end(), std::greater<>());
  CHECK(keys.on_host() == expected);
}

// A kernel whose blocks wait for each other has as many threads as all of them can have.
TEST_CASE("a radix sort of a GPU in parts") {
  using parts = mmm::gpu::split<mmm::gpu::h100, 4>;
  sorts_keys<unsigned>(mmm::cuda::on<parts>(), mmm::radix_sort, 70000);
}

TEST_CASE("sorts by digits of more words, in full blocks") {
  auto const on = mmm::cuda::on(mmm::hmm<4, 32, 29, 700, 24576>(), mmm::threads(4 * 320));
  for (index const n : {2, 7039, 50000}) sorts_keys<float>(on, mmm::radix_sort, n);
  for (index const n : {2560, 12000})
    sorts_pairs<std::int64_t, mmm::descending>(on, mmm::radix_sort_pairs, n);
}

TEST_CASE("the fastest sort of a GPU in parts") {
  using parts = mmm::gpu::split<mmm::gpu::h100, 4>;
  sorts_keys<unsigned>(mmm::cuda::on<parts>(), mmm::fastest::sort, 10000);
}

}  // namespace sort_long_tests
