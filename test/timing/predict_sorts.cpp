// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Predicted times of sorts, whose cost depends on their keys, and the choice among them.
#include "predict_sorts_checks.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace {

using mmm::index;
using mmm::detail::no_values;
using machine = mmm::detail::planned_hmm;
namespace gpu = mmm::gpu;
using checks::near;
using checks::predicted;

//! Stages of a sort of n keys on `m`: for keys at random as a prediction takes them.
template <class A>
index stages_at_random(machine const& m, mmm::threads p, A const&, index n) {
  auto const problem = mmm::detail::predicted_problem<A>(mmm::size(n));
  return mmm::estimate(m, p, [&](auto& on) { problem.run(on); }).stages;
}

std::vector<std::uint32_t> random_keys(index n) {
  std::vector<std::uint32_t> keys;
  std::uint64_t state = 1;
  for (index i = 0; i < n; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    keys.push_back(static_cast<std::uint32_t>(state >> 32));
  }
  return keys;
}

//! A handle that is asked for its machine and its threads only.
template <class M>
struct handle {
  using machine_type = M;
  index p;
  [[nodiscard]] static constexpr M machine() { return {}; }
  [[nodiscard]] index threads() const { return p; }
};

}  // namespace

TEST_CASE("the stages of keys at random are near those of a simulation with such keys") {
  machine const m(2, 1, 1, mmm::unlimited, 1);
  mmm::threads const p(2 * 128);
  index const n = 20000;
  auto const check = [&](auto const& sort) {
    auto keys = random_keys(n);
    auto const run = mmm::simulate(m, p, [&](auto on) { sort(on, keys.begin(), keys.end()); });
    CHECK(near(static_cast<double>(stages_at_random(m, p, sort, n)),
               static_cast<double>(run.cost.stages), 0.15));
    index const least = mmm::cost_of(m, sort, mmm::size(n), p, mmm::scatter::contiguous).stages;
    CHECK(10 * run.cost.stages > 14 * least);
  };
  check(mmm::radix_sort);
  check(mmm::merge_sort);
}

TEST_CASE("predicted times of sorts are near those measured on an H100") {
  gpu::device_facts const h100 = gpu::h100::facts;
  CHECK(near(predicted(h100, mmm::sort, 1 << 14, 512), 78.4, 0.35));
  CHECK(near(predicted(h100, mmm::sort, 1 << 20, 512), 296.8, 0.4));
  // a mmm::scatter takes the place of keys at random
  double const least = predicted(h100, mmm::merge_sort, 1 << 20, 512, mmm::scatter::contiguous);
  double const most = predicted(h100, mmm::merge_sort, 1 << 20, 512, mmm::scatter::conflicting);
  double const random = predicted(h100, mmm::merge_sort, 1 << 20, 512);
  CHECK(least < random);
  CHECK(random < most);
}

TEST_CASE("the network of comparators is nowhere predicted to be faster than merging") {
  gpu::for_each_device([](char const* name, auto device) {
    gpu::device_facts const facts = decltype(device)::facts;
    for (index n = 8; n <= 1 << 20; n = n * 5 / 2) {
      index const t = mmm::detail::threads_of_merge(n, facts.sms, 32, 512);
      CAPTURE(name, n, t);
      CHECK(predicted(facts, mmm::merge_sort, n, t) <=
            predicted(facts, mmm::sort, n, facts.max_threads_per_block));
    }
  });
}

TEST_CASE("the fastest sort of a GPU takes what is predicted to take the least time") {
  using sort = mmm::detail::fastest_sort;
  handle<gpu::h100> const all{132 * 256};
  handle<gpu::split<gpu::h100, 3>> const digits{3 * 132 * 320};
  auto const chosen = [&](index n) {
    return sort::chosen<std::uint32_t, no_values>(all, n, digits);
  };
  CHECK(chosen(0) == 1);
  CHECK(chosen(1000) == 1);
  CHECK(chosen(1 << 20) == 0);
  CHECK(chosen(1 << 26) == 0);
  for (index const n : {3000, 1 << 15, 1 << 17, 1 << 19}) {
    CAPTURE(n);
    gpu::device_facts const h100 = gpu::h100::facts;
    auto const time = [&](auto const& a, index blocks, index t) {
      machine const m = mmm::detail::machine_of(h100, {blocks, t});
      return mmm::detail::predict_facts(h100, {}, m, a, h100.sms * blocks * t,
                                        mmm::size(sort::typical(n, h100.sms)))
          .microseconds;
    };
    double const times[] = {time(mmm::radix_sort, 3, 320), time(mmm::merge_sort, 1, 256)};
    for (double const other : times) CHECK(times[chosen(n)] <= other);
  }
  // numbers of keys of a choice: as large or little larger, and few of them
  for (index n = 16; n < 1 << 26; n += 1 + n / 9) {
    index const like = sort::typical(n, 132);
    CHECK(like >= n);
    CHECK(like <= n + n / 8);
    CHECK(sort::typical(like, 132) == like);
  }
  CHECK(sort::typical(index{1} << 40, 132) == sort::typical(index{1} << 41, 132));
}

TEST_CASE("a ranking of sorts names the chosen one first") {
  std::string const text =
      mmm::report::text(mmm::report::why<gpu::h100>(mmm::known::sorts, mmm::size(1 << 24)));
  CHECK(text.find("radix_sort, 3 blocks of 320") < text.find("radix_sort, 2 blocks of 320"));
  CHECK(text.find("radix_sort, 2 blocks of 320") < text.find("merge_sort, 1 block of 512"));
}
