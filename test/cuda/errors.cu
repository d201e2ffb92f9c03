// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests that a device cannot fulfil: each throws an exception whose message names the limit,
// nothing is written, and the next kernel runs.
#include "device_side.cuh"

#include <thrust/iterator/counting_iterator.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace errors_tests {

using checks::device_words;
using mmm::index;
using dmm = mmm::dmm<32, 1>;
using umm = mmm::umm<32, 400>;
using hmm = mmm::hmm<mmm::dynamic, 32, 29, 700, mmm::dynamic>;  // that of kernels_hmm.cu

std::vector<float> const numbers(1000, 1.0F);
std::vector<float> const sevens(1000, 7.0F);

//! Checks that `call(first, last, out)` throws with these words, writes nothing, and leaves the
//! device usable.
template <class Exception, class Call>
void refused(char const* words, Call const& call) {
  device_words<float> const a(numbers.begin(), numbers.end());
  device_words<float> out(sevens.begin(), sevens.end());
  CHECK_THROWS_SAYING(call(a.begin(), a.end(), out.begin()), Exception, words);
  CHECK(out.on_host() == sevens);
  CHECK(a.on_host() == numbers);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(mmm::sum(mmm::cuda::on<dmm>(mmm::threads(64)), a.begin(), a.end()) == 1000.0F);
}

TEST_CASE("too many threads for a block") {
  refused<std::invalid_argument>(
      "the number of threads of a block is 2048; accepted: 1 to 1024 for this kernel",
      [](auto first, auto last, auto out) {
        mmm::prefix_sums(mmm::cuda::on<dmm>(mmm::threads(2048)), first, last, out);
      });
}

TEST_CASE("threads that the DMMs cannot share") {
  refused<std::invalid_argument>("the number of threads is 7", [](auto first, auto last, auto out) {
    mmm::prefix_sums(mmm::cuda::on(hmm(2, mmm::unlimited), mmm::threads(7)), first, last, out);
  });
}

TEST_CASE("too much shared memory") {
  auto const n = std::size_t{1} << 20;
  device_words<float> a(n);
  auto const on = mmm::cuda::on<dmm>(mmm::threads(256));
  CHECK_THROWS_SAYING(mmm::sum(on, a.begin(), a.end()), std::length_error,
                      "bytes of shared memory of a block");
  CHECK_THROWS_SAYING(mmm::prefix_sums(on, a.begin(), a.end(), a.begin()), std::length_error,
                      "bytes of shared memory of a block");
  CHECK(a.on_host() == std::vector<float>(n));
  refused<std::length_error>("words of a shared memory", [](auto first, auto last, auto out) {
    mmm::copy_through_shared(mmm::cuda::on<mmm::hmm<2, 32, 29, 700, 64>>(mmm::threads(64)), first,
                             last, out);
  });
}

TEST_CASE("too few registers") {
  std::string const few =
      "64 needed, " + std::to_string(mmm::detail::max_items_per_thread) + " available";
  auto const on = mmm::cuda::on(hmm(2, mmm::unlimited), mmm::threads(2 * 16));
  device_words<float> a(std::size_t{64} * 64);
  device_words<float> out(std::size_t{64} * 64);
  CHECK_THROWS_SAYING(mmm::matrix_multiply(on, a.begin(), a.begin(), mmm::product_shape(64, 64, 64),
                                           out.begin(), mmm::tile(32)),
                      std::length_error, few);
}

TEST_CASE("too many blocks that wait for each other") {
  refused<std::length_error>(
      "blocks that wait for each other", [](auto first, auto last, auto out) {
        mmm::prefix_sums(mmm::cuda::on<umm>(mmm::threads(256 * 1000000)), first, last, out);
      });
}

TEST_CASE("a result over its own input") {
  device_words<float> a(numbers.begin(), numbers.end());
  auto const on = mmm::cuda::on<dmm>(mmm::threads(64));
  CHECK_THROWS_SAYING(mmm::prefix_sums(on, a.begin(), a.end() - 1, a.begin() + 1),
                      std::invalid_argument, "overlaps");
  CHECK(a.on_host() == numbers);
}

TEST_CASE("more memory than the device has") {
  index const n = index{1} << 40;
  thrust::counting_iterator<index> const first(0);
  CHECK_THROWS_SAYING(mmm::sum(mmm::cuda::on<umm>(mmm::threads(256)), first, first + n),
                      mmm::cuda::error, "cudaMallocFromPoolAsync failed");
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(mmm::sum(mmm::cuda::on<umm>(mmm::threads(256)), first, first + 100) == 4950);
}

}  // namespace errors_tests
