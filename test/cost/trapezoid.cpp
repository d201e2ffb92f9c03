// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parallel-fors over trapezoids: closed form, enumeration and simulation agree, and every pair is
// visited once.
#include <mmm/cost/trapezoid.hpp>
#include <mmm/mmm.hpp>

#include "catch.hpp"

#include <random>
#include <set>
#include <utility>
#include <vector>

namespace {

using mmm::index;

struct random_numbers {
  std::mt19937_64 engine{7};
  index operator()(index low, index high) {
    return low + static_cast<index>(engine() % static_cast<std::uint64_t>(high - low + 1));
  }
};

mmm::trapezoid random_shape(random_numbers& random) {
  return {random(0, 12), random(0, 40), random(-2, 50)};
}

struct tally {
  int closed = 0;
  int wrong = 0;
};

template <class M>
void compare_with_enumeration(M const& m, random_numbers& random, tally& count) {
  mmm::trapezoid const shape = random_shape(random);
  mmm::detail::access_domain of;
  of.items = shape.items();
  of.threads = random(0, 1) == 0 ? random(1, 40) : M::width() * random(1, 6);
  bool const global = M::conflicts == mmm::conflict::groups;
  of.dmms = global && random(0, 2) == 0 ? random(1, 3) : 1;
  of.machine_wide = of.dmms > 1 && random(0, 1) == 0;
  of.loops = random(0, 2) == 0 ? static_cast<int>(random(1, 2)) : 0;
  for (int k = 0; k < of.loops; ++k) of.trips[k] = random(0, 5);
  index const row_step = random(0, 3) == 0 ? random(-20, 5) : random(0, 70);
  index const column_step = random(0, 4) == 0 ? random(-1, 40) : random(0, 1);
  index const dmm_step = of.machine_wide ? 0 : random(-3, 9);
  mmm::variable const row(mmm::detail::row_slot), column(mmm::detail::column_slot),
      dmm(mmm::detail::dmm_slot);
  mmm::variable const outer(mmm::detail::first_loop_slot), inner(mmm::detail::first_loop_slot + 1);
  auto const address = row * row_step + column * column_step + random(-100, 100) +
                       outer * random(-3, 9) + 3 * inner + dmm * dmm_step;
  auto const closed = mmm::detail::cost_of_trapezoid_access(m, of, shape, address);
  auto const looked_at = mmm::detail::enumerated_cost_of_trapezoid(m, of, shape, address);
  count.closed += closed.closed_form;
  count.wrong += closed.rounds != looked_at.rounds || closed.stages != looked_at.stages ||
                 closed.time != looked_at.time;
}

//! Three accesses: the item's column if it is odd; a word of each row, twice; and the word of the
//! pair.
struct three_accesses {
  mmm::trapezoid shape;
  index pitch;
  template <class Threads, class Array>
  void operator()(Threads& threads, Array a) const {
    index const p = pitch;
    threads.each(shape, [=](auto i, auto j) {
      auto const x = load_if(j % 2 == 1, a[j], 0);
      auto const y = load(a[i * 3 + 1]);
      a[60 + i * p + j] = x + y;
    });
  }
};

struct on_memory {
  three_accesses body;
  template <class On>
  void operator()(On on) const {
    auto const a = on.template allocate<index>(2000);
    if constexpr (requires { on.array(&body, &body); })
      for (index i = 0; i < 2000; ++i) a[i] = 0;
    body(on, a);
  }
};

struct on_dmms {
  three_accesses body;
  template <class On>
  void operator()(On on) const {
    auto const everywhere = on.template allocate<index>(2000);
    if constexpr (requires { on.array(&body, &body); })
      for (index i = 0; i < 2000; ++i) everywhere[i] = 0;
    body(on, everywhere);
    auto const shape = body.shape;
    on.each_dmm([=](auto& block, auto dmm) {
      auto const own = block.template allocate<index>(60 * 60);
      block.each(shape,
                 [=](auto i, auto j) { own[i * 60 + j] = load(everywhere[i * 31 + j + dmm]); });
      block.each(shape, [=](auto i, auto j) { own[i * 60 + j] = load(own[i * 60 + j]) + 1; });
    });
  }
};

template <class M, class Program>
void compare_with_simulation(M const& m, index p, Program const& program) {
  auto const run = mmm::simulate(m, mmm::threads(p), program);
  auto const estimated = mmm::estimate(m, mmm::threads(p), program);
  CHECK(run.cost.rounds == estimated.rounds);
  CHECK(run.cost.stages == estimated.stages);
  CHECK(run.cost.time == estimated.time);
  CHECK(mmm::recomputed_time(m, run.trace) == estimated.time);
  CHECK(run.races.empty());
}

}  // namespace

TEST_CASE("a trapezoid numbers its pairs row by row") {
  random_numbers random;
  for (int k = 0; k < 300; ++k) {
    mmm::trapezoid const shape = random_shape(random);
    CAPTURE(shape.rows, shape.columns, shape.diagonal);
    index item = 0;
    bool right = true;
    for (index i = 0; i < shape.rows; ++i)
      for (index j = 0; j < shape.columns && i + j < shape.diagonal; ++j, ++item) {
        auto const place = shape.at(item);
        right = right && place.row == i && place.column == j;
      }
    CHECK(right);
    CHECK(shape.items() == item);
  }
  CHECK_THROWS_AS((mmm::trapezoid{INT64_MAX, INT64_MAX, INT64_MAX}.items()), std::overflow_error);
}

TEST_CASE("the cost of accesses over trapezoids is that of all warps looked at") {
  random_numbers random;
  tally count;
  for (int k = 0; k < 3000; ++k) {
    compare_with_enumeration(mmm::umm<1, 3>{}, random, count);
    compare_with_enumeration(mmm::umm<4, 5>{}, random, count);
    compare_with_enumeration(mmm::umm<5, 1>{}, random, count);
    compare_with_enumeration(mmm::umm<32, 5>{}, random, count);
    compare_with_enumeration(mmm::umm<4, 5, 3>{}, random, count);
    compare_with_enumeration(mmm::pram{}, random, count);
    compare_with_enumeration(mmm::bpram<4>{}, random, count);
  }
  CHECK(count.wrong == 0);
  CHECK(count.closed > 7 * 3000 * 9 / 10);
}

TEST_CASE("a simulation over trapezoids costs what the estimate says") {
  random_numbers random;
  for (int k = 0; k < 60; ++k) {
    mmm::trapezoid const shape{random(0, 12), random(0, 19), random(-2, 30)};
    index const p = random(1, 50);
    on_memory const program{{shape, random(19, 100)}};
    CAPTURE(shape.rows, shape.columns, shape.diagonal, p);
    compare_with_simulation(mmm::umm<4, 5>{}, p, program);
    compare_with_simulation(mmm::dmm<4, 5>{}, p, program);
    compare_with_simulation(mmm::hmm<3, 4, 2, 9>{}, 3 * p, on_dmms{{shape, random(19, 100)}});
  }
}

TEST_CASE("a parallel-for over a trapezoid refuses negative sizes") {
  auto const over = [](mmm::trapezoid shape) {
    return [shape](auto on) { on.each(shape, [](auto, auto) {}); };
  };
  using machine = mmm::umm<4, 5>;
  for (mmm::trapezoid const shape : {mmm::trapezoid{-1, 2, 3}, mmm::trapezoid{1, -2, 3}}) {
    CHECK_THROWS_AS(mmm::estimate<machine>(mmm::threads(4), over(shape)), std::invalid_argument);
    CHECK_THROWS_AS(mmm::simulate<machine>(mmm::threads(4), over(shape)), std::invalid_argument);
  }
}
