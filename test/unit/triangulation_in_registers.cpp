// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/fast/triangulation_in_registers.hpp>
#include <mmm/algorithm/fastest.hpp>
#include <mmm/algorithm/paper/triangulation_blocked.hpp>

#include "polygon_checks.hpp"

#include <stdexcept>

namespace {

template <class Tiles>
constexpr mmm::detail::register_triangulation_algorithm<Tiles> with{};

}  // namespace

TEST_CASE("triangulations with tiles in registers") {
  using tiles = mmm::polygon_tiles<8, 4, 4, 4>;
  mmm::hmm<mmm::dynamic, 4, mmm::dynamic, mmm::dynamic> const m(GENERATE(1, 2, 3, 7),
                                                                GENERATE(1, 20), GENERATE(1, 90));
  for (mmm::index const n : {3, 4, 7, 8, 9, 16, 17, 33, 50})
    for (mmm::index const threads_per_dmm : {4, 8})
      checks::triangulate(m, with<tiles>, n, threads_per_dmm * m.dmms());
}

TEST_CASE("tiles in registers of other shapes") {
  mmm::hmm<3, 4, 2, 9, mmm::unlimited, 2> const m;
  for (mmm::index const n : {3, 8, 21, 40}) {
    checks::triangulate(m, with<mmm::polygon_tiles<8, 8, 8, 4>>, n, 2 * m.dmms());
    checks::triangulate(m, with<mmm::polygon_tiles<8, 2, 2, 4, 2>>, n, 8 * m.dmms());
  }
  mmm::hmm<2, 8, 1, 5> const wider;
  for (mmm::index const n : {9, 30})
    checks::triangulate(wider, with<mmm::polygon_tiles<8, 4, 4, 4>>, n, 10);
}
