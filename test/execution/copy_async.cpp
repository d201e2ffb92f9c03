// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/execution/copy_async.hpp>
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/mmm.hpp>

#include "catch.hpp"

#include <stdexcept>
#include <vector>

namespace {

using mmm::index;

//! Adds 1 to n words, `t` at a time for each DMM, through two parts of the shared memory: while one
//! is worked on, the next words come to the other. Words beyond n are zeros.
template <bool Waits>
struct pipelined_increments {
  template <class On, class In, class Out>
  MMM_HOST_DEVICE constexpr void operator()(On& on, In a, index n, Out out) const {
    using value = typename Out::value_type;
    index const t = on.threads_per_dmm();
    index const d = on.dmms();
    index const steps = n / (d * t) + 1;
    on.each_dmm([=](auto& block, auto dmm) {
      auto s = block.template allocate<value>(2 * t);
      auto const copy = [=](auto i, auto step, auto to) {
        auto const from = (step * d + dmm) * t + i;
        mmm::copy_async_if(from < n, s[to * t + i], a[from]);
      };
      block.each(t, [=](auto i) { copy(i, index{0}, index{0}); }, mmm::no_barrier);
      block.commit_copies();
      block.repeat(steps, [=, &block](auto step) {
        block.each(t, [=](auto i) { copy(i, step + 1, (step + 1) % 2); }, mmm::no_barrier);
        block.commit_copies();
        if constexpr (Waits) block.template await_copies<1>();
        block.each(t, [=](auto i) {
          auto const to = (step * d + dmm) * t + (t - 1 - i);
          auto const x = mmm::load(s[step % 2 * t + (t - 1 - i)]);
          mmm::store_if(to < n, out[to], x + value(1));
        });
      });
      block.template await_copies<0>();
    });
  }
};

template <bool Waits, class Run>
std::vector<int> incremented(index n, Run const& run) {
  std::vector<int> a(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<int>(7 * i + 3);
  std::vector<int> out(a.size(), -1);
  run([&](auto& on) {
    mmm::run(on, pipelined_increments<Waits>{}, mmm::reads<int>(a.begin(), n), n,
             mmm::writes<int>(out.begin(), n));
  });
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += 1;
  CAPTURE(n, a, out);
  if (Waits) CHECK(out == a);
  return out;
}

}  // namespace

TEST_CASE("asynchronous copies are there when they have been awaited") {
  using machine = mmm::hmm<3, 4, 2, 7>;
  for (mmm::index const n : {0, 1, 11, 12, 40, 97}) {
    auto const p = mmm::threads(3 * 5);
    mmm::cost simulated;
    incremented<true>(n, [&](auto const& program) {
      auto const run = mmm::simulate<machine>(p, program);
      CHECK(run.race_count == 0);
      CHECK(run.pipelined_time <= run.cost.time);
      simulated = run.cost;
    });
    auto const estimated = mmm::estimate<machine>(p, [&](auto& on) {
      mmm::run(on, pipelined_increments<true>{}, mmm::reads<int>(mmm::no_data{}, n), n,
               mmm::writes<int>(mmm::no_data{}, n));
    });
    CHECK(estimated.rounds == simulated.rounds);
    CHECK(estimated.stages == simulated.stages);
    CHECK(estimated.time == simulated.time);
    incremented<true>(n, [&](auto const& program) {
      mmm::host_threads<machine> const threads(p);
      program(threads);
    });
  }
}

TEST_CASE("a simulation shows what a program finds that does not wait for its copies") {
  using machine = mmm::hmm<2, 4, 2, 7>;
  auto const run = [](auto const& program) {
    static_cast<void>(mmm::simulate<machine>(mmm::threads(8), program));
  };
  auto const right = incremented<true>(64, run);
  CHECK(incremented<false>(64, run) != right);
}

TEST_CASE("what asynchronous copies of a simulation refuse") {
  using machine = mmm::hmm<1, 4, 1, 5>;
  auto const run = [](auto const& body) {
    static_cast<void>(mmm::simulate<machine>(mmm::threads(4), [&](auto& on) {
      auto a = on.template allocate<int>(4);
      on.each(4, [=](auto i) { a[i] = 1; });
      on.each_dmm([&](auto& block, auto) { body(block, a, block.template allocate<int>(8)); });
    }));
  };
  CHECK_NOTHROW(run([](auto& block, auto a, auto s) {
    block.each(4, [=](auto i) { mmm::copy_async(s[i], a[i]); });
    block.commit_copies();
    block.template await_copies<0>();
  }));
  CHECK_THROWS_AS(run([](auto& block, auto a, auto s) {
                    block.each(4, [=](auto i) { mmm::copy_async(s[i], a[i]); });
                    block.commit_copies();
                    block.template await_copies<1>();
                  }),
                  std::logic_error);
  CHECK_THROWS_AS(run([](auto& block, auto, auto s) {
                    block.each(4, [=](auto i) { mmm::copy_async(s[i], s[i + 4]); });
                  }),
                  std::logic_error);
  CHECK_THROWS_AS(run([](auto& block, auto a, auto s) {
                    block.each(4, [=](auto i) { mmm::copy_async(a[i], s[i]); });
                  }),
                  std::logic_error);
}
