// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws of bulk copies (execution/copies.hpp).
#include <mmm/execution/copies.hpp>
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/mmm.hpp>

#include "catch.hpp"
#include "support/copy_checks.hpp"

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace {

using machine = mmm::hmm<3, 4, 2, 7>;

//! `run(program)` on 2 * pairs rows of t words for each of 3 DMMs, after `first` other words.
template <class T, bool Waits, class Run>
bool increments(mmm::index first, mmm::index t, mmm::index pairs, Run const& run) {
  mmm::index const n = 3 * 2 * pairs * t;
  std::vector<T> a(static_cast<std::size_t>(first + n));
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<T>(7 * i + 3);
  std::vector<T> out(static_cast<std::size_t>(n), T(-1));
  run([&](auto& on) {
    mmm::run(on, checks::increments_in_bulk<Waits>{}, mmm::reads<T>(a.begin(), first + n), first, t,
             pairs, mmm::writes<T>(out.begin(), n));
  });
  for (std::size_t i = 0; i < out.size(); ++i)
    if (out[i] != a[i + static_cast<std::size_t>(first)] + T(1)) return false;
  return true;
}

template <class T>
void laws(mmm::index first, mmm::index t, mmm::index pairs, mmm::index threads_per_dmm) {
  CAPTURE(first, t, pairs, threads_per_dmm);
  mmm::threads const p(3 * threads_per_dmm);
  mmm::cost simulated;
  CHECK(increments<T, true>(first, t, pairs, [&](auto const& program) {
    auto const run = mmm::simulate<machine>(p, program);
    CHECK(run.race_count == 0);
    CHECK(run.pipelined_time <= run.cost.time);
    simulated = run.cost;
  }));
  auto const estimated = mmm::estimate<machine>(p, [&](auto& on) {
    mmm::index const n = 3 * 2 * pairs * t;
    mmm::run(on, checks::increments_in_bulk<>{}, mmm::reads<T>(mmm::no_data{}, first + n), first, t,
             pairs, mmm::writes<T>(mmm::no_data{}, n));
  });
  CHECK(estimated.rounds == simulated.rounds);
  CHECK(estimated.stages == simulated.stages);
  CHECK(estimated.time == simulated.time);
  CHECK(increments<T, true>(first, t, pairs, [&](auto const& program) {
    mmm::host_threads<machine> const on(p);
    program(on);
  }));
}

//! Simulates a DMM of 4 threads whose body gets an array of the global memory, its own array and a
//! barrier.
template <class Body>
void on_one_dmm(Body const& body) {
  static_cast<void>(mmm::simulate<mmm::hmm<1, 4, 1, 5>>(mmm::threads(4), [&](auto& on) {
    auto const a = on.template allocate<int>(16);
    on.each(16, [=](auto i) { a[i] = 1; });
    on.each_dmm([&](auto& block, auto) {
      body(block, block.transaction_barrier(), a, block.template allocate<int>(16));
    });
  }));
}

}  // namespace

TEST_CASE("bulk copies are there when they have been awaited, and cost what copies by words do") {
  laws<int>(0, 4, 1, 4);
  laws<int>(8, 12, 3, 5);
  laws<int>(0, 40, 2, 8);
  laws<int>(0, 0, 2, 8);
  laws<double>(2, 6, 2, 3);
  laws<char>(0, 16, 1, 32);
}

TEST_CASE("a simulation finds a program that does not await its bulk copies") {
  CHECK_FALSE(increments<int, false>(0, 8, 2, [](auto const& program) {
    static_cast<void>(mmm::simulate<machine>(mmm::threads(12), program));
  }));
}

TEST_CASE("what bulk copies refuse") {
  using Catch::Matchers::Contains;
  CHECK_NOTHROW(on_one_dmm([](auto& block, auto barrier, auto a, auto s) {
    block.copy_bulk(barrier, s + 4, a + 8, 8);
    block.await_bulk(barrier);
  }));
  CHECK_THROWS_WITH(on_one_dmm([](auto& block, auto barrier, auto a, auto s) {
                      block.copy_bulk(barrier, s, a, 6);
                    }),
                    Contains("words of a bulk copy is 6; accepted: those of a multiple of 16"));
  CHECK_THROWS_AS(on_one_dmm([](auto& block, auto barrier, auto a, auto s) {
                    block.copy_bulk(barrier, s, a, -4);
                  }),
                  std::invalid_argument);
  for (bool const source : {false, true})
    CHECK_THROWS_WITH(
        on_one_dmm([=](auto& block, auto barrier, auto a, auto s) {
          block.copy_bulk(barrier, s + (source ? 0 : 2), a + (source ? 2 : 0), 4);
        }),
        Contains("begins at a word of an array that is not known to be a multiple of 4"));
  CHECK_THROWS_WITH(on_one_dmm([](auto& block, auto barrier, auto a, auto s) {
                      block.copy_bulk(barrier, s, a, 4);
                    }),
                    Contains("copies that nobody waits for"));
  CHECK_THROWS_AS(on_one_dmm([](auto& block, auto barrier, auto, auto s) {
                    block.copy_bulk(barrier, s, s + 4, 4);
                  }),
                  std::logic_error);
  auto const unknown = [](auto& on) {  // 3 words of 4 bytes for each DMM
    auto const a = on.template allocate<int>(16);
    on.each_dmm([=](auto& block, auto dmm) {
      auto const barrier = block.transaction_barrier();
      block.copy_bulk(barrier, block.template allocate<int>(4), a + dmm * 3, 4);
      block.await_bulk(barrier);
    });
  };
  CHECK_THROWS_AS(mmm::estimate<machine>(mmm::threads(12), unknown), std::invalid_argument);
  auto const in_tiles = [](auto& on) {
    on.each_tile(0, 4, [](auto& block, auto) { static_cast<void>(block.transaction_barrier()); });
  };
  CHECK_THROWS_AS(mmm::simulate<machine>(mmm::threads(12), in_tiles), std::logic_error);
  CHECK_THROWS_WITH(mmm::simulate<machine>(mmm::threads(12), in_tiles),
                    Contains("bodies of each_dmm") &&
                        Contains("inside each_tile, copy_async, commit_copies and await_copies"));
}
