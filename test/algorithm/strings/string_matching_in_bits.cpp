// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/strings/string_matching_in_bits.hpp>

#include "support/string_checks.hpp"

#include <stdexcept>

TEST_CASE("edit distances in the bits of words are those of the table") {
  using hmm = mmm::hmm<mmm::dynamic, 4, mmm::dynamic, mmm::dynamic, mmm::dynamic>;
  for (auto const& [n, m, p] : checks::combinations({0, 1, 50, 700}, {1, 3, 63, 64}, {1, 4, 7, 24}))
    for (auto const& [pattern, text] : checks::string_pairs(m, n)) {
      checks::string_matching_runs(mmm::string_matching_in_bits, hmm{2, 3, 9, mmm::unlimited},
                                   2 * p, pattern, text, p == 4);
      checks::string_matching_runs(mmm::string_matching_in_bits, hmm{3, 1, 1, 3000}, 3 * p, pattern,
                                   text, false);
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
