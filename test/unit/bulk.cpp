// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/bulk/bulk.hpp>
#include <mmm/algorithm/bulk/oblivious_programs.hpp>
#include <mmm/execution/kernel/host_threads.hpp>

#include "polygon_checks.hpp"
#include "problem_checks.hpp"

#include <stdexcept>

namespace {

using mmm::index;
using words = std::vector<checks::word>;
using matrix = std::vector<words>;  // the words of each input

//! The inputs as an arrangement has them in memory.
template <class Arrangement>
words arranged(Arrangement, matrix const& inputs, index of_input) {
  auto const k = static_cast<index>(inputs.size());
  words a(static_cast<std::size_t>(k * of_input));
  for (index i = 0; i < k; ++i)
    for (index j = 0; j < of_input; ++j)
      a[static_cast<std::size_t>(Arrangement::coalesced ? j * k + i : i * of_input + j)] =
          inputs[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return a;
}

//! A program on inputs, simulated on a UMM and run on host threads. `expected`: the inputs
//! afterwards, by a plain program.
template <class Program, class Arrangement, class M>
void check(Program program, Arrangement arrangement, M const& m, index n, index p,
           matrix const& inputs, matrix const& expected) {
  auto const bulk = mmm::bulk(program, arrangement);
  auto const k = static_cast<index>(inputs.size());
  index const w = m.width();
  CAPTURE(bulk.name, Arrangement::coalesced, w, n, p, k);
  index const of_input = k == 0 ? 0 : static_cast<index>(inputs.front().size());
  words a = arranged(arrangement, inputs, of_input), of_kernel = a;
  words const right = arranged(arrangement, expected, of_input);
  auto const run = mmm::simulate(
      m, mmm::threads(p), [&](auto on) { bulk(on, a.begin(), mmm::size(n), mmm::inputs(k)); });
  CHECK(a == right);
  bool const divides = !Arrangement::coalesced || (p % w == 0 && k % p == 0);
  checks::problem_figures(m, bulk, mmm::size(n), p, run, divides ? 1 : 2, mmm::inputs(k));
  index const t = mmm::memory_steps(program, mmm::size(n));
  if (k > 0 && k % p == 0) {  // the exact times, on one port
    if (Arrangement::coalesced && p % w == 0)
      CHECK(run.cost.time == t * (p / w + m.latency() - 1) * (k / p));
    if (!Arrangement::coalesced && of_input >= w)
      CHECK(run.cost.time == t * (p + m.latency() - 1) * (k / p));
  }
  if (w != 4) return;
  bulk(mmm::host_threads(mmm::umm<4, 5>{}, mmm::threads(p)), of_kernel.begin(), mmm::size(n),
       mmm::inputs(k));
  CHECK(of_kernel == right);
}

//! Both arrangements on narrow and wide machines.
template <class Program>
void check_all(Program program, index n, index p, matrix const& inputs, matrix const& expected) {
  using machine = mmm::umm<mmm::dynamic, mmm::dynamic>;
  for (machine const& m : {machine(4, 5), machine(1, 1), machine(32, 1)}) {
    check(program, mmm::by_columns, m, n, p, inputs, expected);
    check(program, mmm::by_rows, m, n, p, inputs, expected);
  }
}

//! k inputs of n words: random, ascending, descending, all equal.
matrix sequences(index n, index k) {
  matrix inputs;
  for (index i = 0; i < k; ++i) {
    words a = checks::numbers(n);
    for (index j = 0; j < n; ++j) {
      auto& x = a[static_cast<std::size_t>(j)];
      x = i % 4 == 0 ? (x * (i + 1)) % 97 : i % 4 == 1 ? j : i % 4 == 2 ? n - j : 7;
    }
    inputs.push_back(a);
  }
  return inputs;
}

//! The table of oblivious_triangulation by a plain program.
words triangulated(words a, index n) {
  auto const at = [&](index i, index j) -> checks::word& {
    return a[static_cast<std::size_t>(i * n + j)];
  };
  for (index i = 0; i + 1 < n; ++i) at(i, i + 1) = 0;
  at(0, n - 1) = 0;
  for (index apart = 2; apart < n; ++apart)
    for (index i = 0; i + apart < n; ++i) {
      checks::word least = INT64_MAX;
      for (index k = i + 1; k < i + apart; ++k)
        least = std::min(least, at(i, k) + at(k, i + apart));
      at(i, i + apart) += least;
    }
  return a;
}

//! Reads the word after the last one of its input.
struct one_too_far {
  template <class Thread, class Words>
  MMM_HOST_DEVICE constexpr void operator()(Thread const&, Words a, index n) const {
    a[0] = mmm::load(a[n]);
  }
};

}  // namespace

TEST_CASE("bulk prefix-sums and sorts in simulations and kernels, within the bounds") {
  for (auto const& [n, k, p] :
       checks::combinations({0, 1, 2, 5, 8, 13}, {0, 1, 6, 64}, {1, 4, 32})) {
    matrix const inputs = sequences(n, k);
    matrix sums = inputs, sorted = inputs;
    for (words& a : sums) std::partial_sum(a.begin(), a.end(), a.begin());
    for (words& a : sorted) std::sort(a.begin(), a.end());
    check_all(mmm::oblivious_prefix_sums{}, n, p, inputs, sums);
    check_all(mmm::oblivious_sort{}, n, p, inputs, sorted);
  }
}

TEST_CASE("an oblivious sort of any number of words sorts all zeros and ones") {
  for (mmm::index n = 1; n <= 12; ++n) {  // so that it sorts everything: the zero-one principle
    mmm::index const k = mmm::index{1} << n;
    words a(static_cast<std::size_t>(n * k));
    for (mmm::index i = 0; i < k; ++i)
      for (mmm::index j = 0; j < n; ++j) a[static_cast<std::size_t>(i * n + j)] = i >> j & 1;
    static_cast<void>(mmm::simulate(mmm::pram{}, mmm::threads(64), [&](auto on) {
      mmm::bulk(mmm::oblivious_sort{}, mmm::by_rows)(on, a.begin(), mmm::size(n), mmm::inputs(k));
    }));
    bool sorted = true;
    for (mmm::index i = 0; i < k; ++i)
      sorted = sorted && std::is_sorted(a.begin() + i * n, a.begin() + (i + 1) * n);
    CAPTURE(n);
    CHECK(sorted);
  }
}

TEST_CASE("bulk triangulations in simulations and kernels, within the bounds") {
  for (auto const& [n, k, p] : checks::combinations({3, 4, 9}, {0, 1, 7, 32}, {1, 4, 32})) {
    matrix inputs, expected;
    for (mmm::index i = 0; i < k; ++i) {
      auto const weights = checks::random_weights<checks::word>(n, static_cast<std::uint64_t>(i));
      inputs.push_back(weights);
      expected.push_back(triangulated(weights, n));
      CHECK(expected.back()[static_cast<std::size_t>(n - 1)] == checks::least_weight(weights, n));
    }
    check_all(mmm::oblivious_triangulation{}, n, p, inputs, expected);
  }
}

TEST_CASE("bulk execution runs on every machine") {
  matrix const inputs = sequences(9, 21);
  matrix sorted = inputs;
  for (words& a : sorted) std::sort(a.begin(), a.end());
  auto const bulk = mmm::bulk(mmm::oblivious_sort{}, mmm::by_columns);
  auto const on_machine = [&](auto const& m, mmm::index p) {
    words a = arranged(mmm::by_columns, inputs, 9);
    auto const run = mmm::simulate(
        m, mmm::threads(p), [&](auto on) { bulk(on, a.begin(), mmm::size(9), mmm::inputs(21)); });
    CHECK(a == arranged(mmm::by_columns, sorted, 9));
    auto const estimated = mmm::cost_of(m, bulk, mmm::size(9), mmm::threads(p), mmm::inputs(21));
    CHECK(estimated.time == run.cost.time);
    CHECK(run.races.empty());
  };
  on_machine(mmm::pram{}, 8);
  on_machine(mmm::dmm<4, 5>{}, 8);
  on_machine(mmm::hmm<2, 4, 1, 9>{}, 8);
}

TEST_CASE("the memory steps of a program are those that a thread makes") {
  for (mmm::index const n : {1, 2, 5, 32, 100}) {
    CHECK(mmm::memory_steps(mmm::oblivious_prefix_sums{}, mmm::size(n)) == 2 * n - 1);
    if (n >= 3)
      CHECK(mmm::memory_steps(mmm::oblivious_triangulation{}, mmm::size(n)) ==
            (n - 1) + n * (n - 1) * (n - 2) / 3 + (n - 1) * (n - 2) - 1);
  }
  for (mmm::index k = 0; k < 8; ++k)
    CHECK(mmm::memory_steps(mmm::oblivious_sort{}, mmm::size(mmm::index{1} << k)) ==
          (mmm::index{1} << k) * k * (k + 1));
}

TEST_CASE("bulk execution refuses what it cannot run") {
  using Catch::Matchers::Contains;
  CHECK_THROWS_WITH(mmm::inputs(-1), Contains("the number of inputs is -1; accepted: 0 or more"));
  words a(100);
  auto const run = [&](auto const& bulk, mmm::size n) {
    static_cast<void>(mmm::simulate(mmm::umm<4, 1>{}, mmm::threads(4),
                                    [&](auto on) { bulk(on, a.begin(), n, mmm::inputs(4)); }));
  };
  CHECK_THROWS_WITH(run(mmm::bulk(one_too_far{}, mmm::by_columns), mmm::size(25)),
                    Contains("word 25 of an input of 25 words"));
  CHECK_THROWS_AS(run(mmm::bulk(one_too_far{}, mmm::by_rows), mmm::size(25)), std::out_of_range);
  CHECK_THROWS_WITH(run(mmm::bulk(mmm::oblivious_triangulation{}, mmm::by_rows), mmm::size(2)),
                    Contains("the number of vertices of a polygon is 2; accepted: 3 or more"));
  auto const of_many = [](auto const& bulk, mmm::index n, mmm::index k) {
    return mmm::cost_of<mmm::umm<4, 1>>(bulk, mmm::size(n), mmm::threads(4), mmm::inputs(k));
  };
  auto const sums = mmm::bulk(mmm::oblivious_prefix_sums{}, mmm::by_columns);
  CHECK_THROWS_AS(of_many(sums, mmm::index{1} << 32, mmm::index{1} << 31), std::overflow_error);
  auto const polygons = mmm::bulk(mmm::oblivious_triangulation{}, mmm::by_columns);
  CHECK_THROWS_AS(of_many(polygons, mmm::index{1} << 32, 1), std::overflow_error);
}
