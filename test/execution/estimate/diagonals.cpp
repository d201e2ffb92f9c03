// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/triangulation/matrix_chain.hpp>
#include <mmm/algorithm/triangulation/triangulation_blocked.hpp>
#include <mmm/execution/estimate/diagonals.hpp>

#include "cost/diagonal_checks.hpp"

#include <catch2/catch.hpp>

namespace {

using mmm::index;

template <index W, index Ports>
void compare_tiles(index n) {
  for (index const d : {1, 2, 5})
    for (index const t : {index{1}, W - 1, W, 2 * W, W * W}) {
      if (t == 0) continue;
      mmm::hmm<mmm::dynamic, W, 3, 11, mmm::unlimited, Ports> const m(d);
      checks::compare_with_all_diagonals(m, mmm::triangulation_blocked, n, d * t);
      checks::compare_with_all_diagonals(m, mmm::matrix_chain, n, d * t);
    }
}

}  // namespace

TEST_CASE("estimates by some diagonals of tiles are those by all") {
  for (index const n : {20, 63, 64, 65, 131}) {
    compare_tiles<1, 1>(n / 2);
    compare_tiles<3, 1>(n);
    compare_tiles<4, 1>(n);
    compare_tiles<4, 3>(n);
  }
}

// 3125 diagonals of tiles; their costs would take seconds.
TEST_CASE("a large triangulation by tiles") {
  mmm::cost const found = mmm::cost_of<mmm::hmm<16, 32, 1, 400>>(
      mmm::triangulation_blocked, mmm::size(100000), mmm::threads(16 * 128));
  CHECK(found.closed_form);
}
