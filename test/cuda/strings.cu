// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dynamic programming as kernels: tables of two strings, and orders of chains of matrices.
#include <mmm/algorithm/strings/string_matching_in_bits.hpp>

#include "strings.cuh"

#include <algorithm>
#include <string>
#include <vector>

namespace strings_tests {

using mmm::index;
using namespace strings;

template <class On>
void matches_in_bits(On const& on, std::string const& pattern, std::string const& text) {
  CAPTURE(pattern, text, on.threads());
  device_words<char> const x(pattern.begin(), pattern.end()), y(text.begin(), text.end());
  device_words<int> distances(text.size());
  auto const expected = checks::plain_distances(pattern, text);
  CHECK(
      mmm::string_matching_in_bits(on, x.begin(), x.end(), y.begin(), y.end(), distances.begin()) ==
      *std::min_element(expected.begin(), expected.end()));
  CHECK(distances.on_host() == expected);
}

TEST_CASE("strings and chains on a umm") {
  all(mmm::cuda::on<mmm::umm<32, 400>>(mmm::threads(128)));
}
TEST_CASE("strings and chains on a hmm") {
  all(mmm::cuda::on<mmm::hmm<3, 32, 29, 700>>(mmm::threads(3 * 96)));
}
TEST_CASE("strings in bits on a hmm") {
  auto const on = mmm::cuda::on<mmm::hmm<3, 32, 29, 700, 24576>>(mmm::threads(3 * 96));
  for (auto const& [n, m] : {std::pair<index, index>{1, 1}, {500, 64}, {20000, 20}})
    for (auto const& [pattern, text] : checks::string_pairs(m, n))
      matches_in_bits(on, pattern, text);
}

}  // namespace strings_tests
