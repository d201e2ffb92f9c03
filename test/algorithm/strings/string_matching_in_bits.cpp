// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/strings/string_matching_in_bits.hpp>
#include <mmm/execution/kernel/host_threads.hpp>

#include "support/string_checks.hpp"

#include <stdexcept>

namespace {

template <class M>
void check_bits(M const& m, mmm::index p, std::string const& pattern, std::string const& text,
                bool kernel) {
  auto const expected = checks::plain_distances(pattern, text);
  int const least = expected.empty() ? static_cast<int>(pattern.size())
                                     : *std::min_element(expected.begin(), expected.end());
  std::vector<int> found(text.size(), -1), of_kernel = found;
  auto const matching = [&](auto on, std::vector<int>& distances) {
    return mmm::string_matching_in_bits(on, pattern.begin(), pattern.end(), text.begin(),
                                        text.end(), distances.begin());
  };
  auto const run = mmm::simulate(m, mmm::threads(p), [&](auto on) { return matching(on, found); });
  CAPTURE(pattern, text, p, m.dmms());
  CHECK(found == expected);
  CHECK(run.result == least);
  checks::problem_figures(m, mmm::string_matching_in_bits, mmm::size(std::ssize(text)), p, run,
                          2 * mmm::constant_of(m, mmm::string_matching_in_bits),
                          mmm::taps(std::ssize(pattern)));
  if (!kernel) return;
  CHECK(matching(mmm::host_threads(m, mmm::threads(p)), of_kernel) == least);
  CHECK(of_kernel == expected);
}

}  // namespace

TEST_CASE("edit distances in the bits of words are those of the table") {
  using hmm = mmm::hmm<mmm::dynamic, 4, mmm::dynamic, mmm::dynamic, mmm::dynamic>;
  for (auto const& [n, m, p] : checks::combinations({0, 1, 50, 700}, {1, 3, 63, 64}, {1, 4, 7, 24}))
    for (auto const& [pattern, text] : checks::string_pairs(m, n)) {
      check_bits(hmm{2, 3, 9, mmm::unlimited}, 2 * p, pattern, text, p == 4);
      check_bits(hmm{3, 1, 1, 3000}, 3 * p, pattern, text, false);
    }
}

TEST_CASE("string matching in bits takes up to 64 symbols") {
  std::string const pattern(65, 'a');
  std::vector<int> distances(pattern.size());
  auto const match = [&](auto on) {
    return mmm::string_matching_in_bits(on, pattern.begin(), pattern.end(), pattern.begin(),
                                        pattern.end(), distances.begin());
  };
  CHECK_THROWS_WITH(mmm::simulate(mmm::hmm<2, 4, 1, 5>{}, mmm::threads(8), match),
                    Catch::Contains("is 65; accepted: 1 to 64"));
}
