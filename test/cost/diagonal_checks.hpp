// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/execution/estimate/estimate.hpp>
#include <mmm/execution/estimate/watched.hpp>

#include <catch2/catch.hpp>

//! Estimates by some diagonals, compared with those by all.
namespace checks {

using mmm::index;

//! An observer is notified of every step, so that its machine's estimates visit all diagonals.
struct no_watch {
  constexpr void begin_step(mmm::detail::watched_step const&) {}
  constexpr void end_step() {}
  constexpr void access(mmm::detail::watched_access const&) {}
  constexpr void machine_wide_barrier(index) {}
  constexpr void first_alone() {}
  constexpr void allocated(bool, index) {}
  constexpr void argument(mmm::detail::argument_use, index, index, bool) {}
};

template <mmm::machine M, class Algorithm, class... More>
void compare_with_all_diagonals(M const& m, Algorithm const&, index n, index p, More... more) {
  CAPTURE(Algorithm::name, n, p, m.width());
  typename Algorithm::problem const problem(mmm::size(n), more...);
  auto const run = [&](auto& on) { problem.run(on); };
  no_watch watch;
  mmm::detail::watched<M, no_watch> const with_all(m, watch);
  CHECK(mmm::estimate(m, mmm::threads(p), run) == mmm::estimate(with_all, mmm::threads(p), run));
}

}  // namespace checks
