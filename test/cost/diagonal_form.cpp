// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/triangulation/triangulation.hpp>
#include <mmm/cost/diagonal_form.hpp>

#include "cost/diagonal_checks.hpp"

#include <catch2/catch.hpp>

#include <stdexcept>

namespace {

using mmm::index;

template <index W, index Ports = 1>
void compare_triangulations(index first, index last) {
  for (index n = first; n < last; n += 37)
    for (index const p : {index{1}, W - 1, W, 3 * W, 3 * W + 1, n * n / 5, n * n})
      if (p > 0)
        checks::compare_with_all_diagonals(mmm::umm<W, 5, Ports>{}, mmm::triangulation, n, p);
}

// A table of rows `pitch` words apart, of which a diagonal has a trapezoid, and `more` words of
// some lanes.
struct trapezoids {
  index n;
  index pitch;
  bool some_lanes;
  template <class On>
  void operator()(On& on) const {
    auto const a = on.template allocate<index>(n * n);
    index const count = n, step = pitch;
    bool const some = some_lanes;
    on.diagonals(0, n, [=, &on](index r) {
      on.each(mmm::trapezoid{count - r, r, count - r}, [=](auto i, auto j) {
        a[i * step + j] = 0;
        if (some) store_if(j % 2 == 0, a[j], 0);
      });
    });
  }
};

template <class M>
void compare_trapezoids(M const& m, trapezoids const& program, index p) {
  CAPTURE(program.n, program.pitch, p);
  checks::no_watch watch;
  mmm::detail::watched<M, checks::no_watch> const with_all(m, watch);
  CHECK(mmm::estimate(m, mmm::threads(p), program) ==
        mmm::estimate(with_all, mmm::threads(p), program));
}

}  // namespace

TEST_CASE("estimates by some diagonals of trapezoids are those by all") {
  compare_triangulations<1>(3, 100);
  compare_triangulations<2>(100, 200);
  compare_triangulations<3>(150, 260);
  compare_triangulations<4>(200, 310);
  compare_triangulations<5>(260, 340);
  compare_triangulations<1, 2>(3, 100);
  compare_triangulations<3, 3>(100, 200);
  compare_triangulations<4, 3>(150, 260);
}

TEST_CASE("rows that meet in the middle of a table, and lanes that are not active") {
  for (index const pitch : {0, 1, 2, 30, 70, 100, 140, 400})
    for (index const p : {1, 3, 8, 10, 2000})
      compare_trapezoids(mmm::umm<4, 5>{}, {140, pitch, false}, p);
  compare_trapezoids(mmm::umm<4, 5>{}, {40, 40, true}, 8);
  for (index const pitch : {0, 1, 2, 30, 70, 140, 400})
    for (index const p : {1, 3, 8, 10, 2000})
      compare_trapezoids(mmm::umm<4, 5, 3>{}, {140, pitch, false}, p);
  compare_trapezoids(mmm::umm<4, 5, 3>{}, {40, 40, true}, 8);
  compare_trapezoids(mmm::dmm<4, 5>{}, {40, 40, false}, 8);
}

// A million stages of a million rows.
TEST_CASE("the stages of a large triangulation are counted in less than a second") {
  mmm::cost const found =
      mmm::cost_of<mmm::umm<32, 400>>(mmm::triangulation, mmm::size(1000003), mmm::threads(1024));
  CHECK(found.closed_form);
  CHECK(found.time == found.stages + 399 * found.rounds);
  CHECK_THROWS_AS((mmm::cost_of<mmm::umm<32, 400>>(mmm::triangulation, mmm::size(1000000000),
                                                   mmm::threads(1024))),
                  std::overflow_error);
}
