// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/gpu.hpp>

#include "rapidcheck.hpp"
#include "support/long_tests.hpp"
#include "support/naive_gpu.hpp"
#include "support/random_expression.hpp"

#include <algorithm>

namespace checks {

using mmm::index;
using mmm::item;
using random_expression::between;

//! Checks the counts of an expression over several warps; `active(i)` tells which items take part.
template <mmm::gpu::static_access A, class E, class P, class Active>
void expression_agrees(E const& bytes, P const& where, Active active, index n) {
  naive_gpu::figures shared;
  naive_gpu::figures merged;
  index requests = 0;
  index sectors_seen = 0;
  index lines_seen = 0;
  for (index first = 0; first < n; first += 32) {
    naive_gpu::lanes warp;
    for (index i = first; i < std::min(first + 32, n); ++i)
      if (active(i)) warp[static_cast<int>(i - first)] = bytes(i);
    requests += !warp.empty();
    auto const add = [](naive_gpu::figures& sum, naive_gpu::figures const& more) {
      sum.wavefronts += more.wavefronts;
      sum.ideal += more.ideal;
    };
    add(shared, naive_gpu::nvidia(warp, A{}.bytes));
    add(merged, naive_gpu::merging(warp, A{}.bytes));
    sectors_seen += naive_gpu::blocks(warp, A{}.bytes, 32);
    lines_seen += naive_gpu::blocks(warp, A{}.bytes, 128);
  }
  RC_ASSERT((mmm::gpu::shared_cost_of<A>(bytes, mmm::size(n), where) ==
             mmm::gpu::shared_cost{requests, shared.wavefronts, shared.ideal}));
  RC_ASSERT((mmm::gpu::shared_cost_of<A, mmm::gpu::nvidia_merging>(bytes, mmm::size(n), where) ==
             mmm::gpu::shared_cost{requests, merged.wavefronts, merged.ideal}));
  RC_ASSERT((mmm::gpu::global_cost_of<A>(bytes, mmm::size(n), where) ==
             mmm::gpu::global_cost{requests, sectors_seen, lines_seen}));
}

template <mmm::gpu::static_access A>
void expressions_agree() {
  index const n = between(0, long_tests() ? 700 : 300);
  index const a = between(0, 70);
  index const b = between(0, 300);
  index const m = between(1, 90);
  index const q = between(0, 63);
  auto const check = [n](auto const& e) {
    index const modulus = between(1, 50);
    index const limit = between(0, modulus);
    expression_agrees<A>(e * A{}.bytes, mmm::detail::always{}, [](index) { return true; }, n);
    expression_agrees<A>(
        e * A{}.bytes, item % modulus < limit, [&](index i) { return i % modulus < limit; }, n);
    expression_agrees<A>(
        e * A{}.bytes, item < limit * 10, [&](index i) { return i < limit * 10; }, n);
  };
  check(item * a + b);
  check(item % m * a + item / m * b);
  check((item * a ^ q) + b);
  check(item * item % (m * 7));                 // the library finds no period
  check(30000 - item * min(item * 0 + a, 40));  // descending
}

}  // namespace checks
