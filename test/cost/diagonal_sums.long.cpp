// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/bulk/bulk.hpp>
#include <mmm/algorithm/bulk/oblivious_programs.hpp>
#include <mmm/algorithm/triangulation/matrix_chain.hpp>
#include <mmm/algorithm/triangulation/triangulation.hpp>

#include "cost/diagonal_checks.hpp"

using namespace checks;

TEST_CASE("triangulations by diagonals cost what all diagonals cost") {
  for (index const n : {3, 4, 9, 40, 111})
    for (index const p : {1, 3, 4, 6, 16}) {
      compare_with_all_diagonals(mmm::pram{}, mmm::triangulation_dp, n, p);
      for (index const ports : {1, 3}) {
        mmm::umm<4, 5, mmm::dynamic> const m(ports);
        compare_with_all_diagonals(m, mmm::triangulation_dp, n, p);
        compare_with_all_diagonals(m, mmm::triangulation_dp_in_memory, n, p);
      }
      compare_with_all_diagonals(mmm::umm<1, 1>{}, mmm::triangulation_dp, n, p);
      compare_with_all_diagonals(mmm::dmm<4, 3>{}, mmm::matrix_chain, n, p);
    }
}

TEST_CASE("diagonals on an hmm whose warps are cut") {
  for (index const n : {2, 9, 80, 150})
    for (index const p : {2, 6, 8}) {
      compare_with_all_diagonals(mmm::hmm<2, 4, 1, 7>{}, mmm::matrix_chain, n, p);
      compare_with_all_diagonals(mmm::hmm<2, 2, 2, 7>{}, mmm::matrix_chain, n, p);
    }
}

TEST_CASE("bulk triangulations cost what all diagonals cost") {
  for (index const n : {3, 4, 5, 12, 50})
    for (index const inputs : {1, 3, 4, 6, 17})
      for (index const p : {1, 3, 8}) {
        mmm::umm<4, 5> const m;
        compare_with_all_diagonals(m, mmm::bulk(mmm::oblivious_triangulation{}, mmm::by_columns), n,
                                   p, mmm::inputs(inputs));
        compare_with_all_diagonals(m, mmm::bulk(mmm::oblivious_triangulation{}, mmm::by_rows), n, p,
                                   mmm::inputs(inputs));
      }
}
