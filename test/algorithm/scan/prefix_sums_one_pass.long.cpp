// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prefix_sums_one_pass_checks.hpp"

namespace {

using checks::scans;

//! By further numbers of words of a thread.
template <class M>
void further_scans(M const& m) {
  scans<4, 2>(m, 5 * m.dmms());
  scans<1, 4>(m, 8 * m.dmms());
}

}  // namespace

TEST_CASE("prefix-sums in one pass by further numbers of words, and on a wider machine") {
  checks::on_small_machines([](auto m) { further_scans(m); });
  checks::wider_machine const m;
  for (mmm::index const p : {4, 5, 16}) scans<4, 4>(m, p * m.dmms());
  scans<2, 1>(m, 20 * m.dmms());
  further_scans(m);
}

// Warps of one lane, of lanes that are not all there, of more lanes than a group; more totals than
// a group has lanes, or than there are threads.
TEST_CASE("prefix-sums in one pass on machines of further widths") {
  scans<2, 8>(mmm::hmm<2, 24, 3, 9>(), 2 * 4);
  scans<4, 8>(mmm::hmm<2, 32, 5, 9>(), 2 * 20);
  scans<4, 2>(mmm::hmm<2, 32, 5, 9>(), 2 * 1056);
  scans<4, 4>(mmm::hmm<2, 12, 3, 9>(), 2 * 50);
  scans<2, 2>(mmm::hmm<2, 3, 2, 4>(), 2 * 7);
  scans<4, 4>(mmm::hmm<2, 1, 1, 1>(), 2 * 3);
  scans<4, 1>(mmm::hmm<1, 64, 5, 9>(), 2080);
}
