// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wide_item_checks.hpp"

TEST_CASE(
    "wide accesses of further numbers of words: estimate = simulation = trace, and the data") {
  using checks::all_agree;
  all_agree<1, 2, 4, 8>(mmm::dmm<8, 1>());
  all_agree<2, 8>(mmm::pram());
  all_agree<2, 8>(mmm::bpram<4>());
  all_agree<2, 8>(mmm::dmm<1, 2>());
  all_agree<2, 8>(mmm::umm<3, 4>());
}

TEST_CASE("accesses at addresses that differ in an added number, on further machines") {
  using checks::moves;
  for (mmm::index const items : {5, 32, 96, 100}) {
    moves<1>(mmm::dmm<32, 3>(), 96, items);
    moves<1>(mmm::umm<4, 3>(), 8, items);
    moves<4>(mmm::umm<32, 3>(), 64, items);
  }
}
