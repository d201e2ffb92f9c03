// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contiguous access to several arrays, and copies of segments: exact costs against the simulation,
// and the bounds of Nakano 2013a, theorem 2, and Nakano and Ito 2014, lemma 3.
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/mmm.hpp>

#include "catch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

namespace {

using mmm::index;
using mmm::segment;

std::mt19937 generator(17);
index below(index n) { return static_cast<index>(generator() % static_cast<unsigned>(n)); }

//! Segments of an array of `words`, of which some are empty, some overlap.
std::vector<segment> random_segments(index words, index count, index longest) {
  std::vector<segment> all;
  for (; count > 0; --count) {
    index const n = below(longest + 1);
    all.push_back({below(words - n + 1), n});
  }
  return all;
}
index sum_of(std::vector<index> const& a, std::vector<segment> const& segments) {
  index sum = 0;
  for (segment const& s : segments)
    sum += std::accumulate(a.begin() + s.first, a.begin() + s.first + s.words, index{0});
  return sum;
}

template <class M>
void reads_as_one_sequence(M const& m, std::vector<segment> const& segments, index p) {
  std::vector<index> a(300);
  std::iota(a.begin(), a.end(), 7);
  auto const run = mmm::simulate(m, mmm::threads(p), [&](auto on) {
    return mmm::read_segments(on, a.begin(), a.end(), segments.begin(), segments.end());
  });
  auto const cost = mmm::segments_cost(m, segments.begin(), segments.end(), mmm::threads(p));
  index const n = mmm::words_of_segments(segments.begin(), segments.end());
  CAPTURE(m.width(), m.latency(), p, n, segments.size());
  CHECK(run.result == sum_of(a, segments));
  CHECK(run.cost.rounds == cost.rounds);
  CHECK(run.cost.stages == cost.stages);
  CHECK(run.cost.time == cost.time);
  CHECK(run.races.empty());
  auto const k = static_cast<index>(segments.size());
  CHECK(cost.time <= mmm::segments_bound(m, n, k, mmm::threads(p)));
  auto const in_turn =
      mmm::segments_in_turn_cost(m, segments.begin(), segments.end(), mmm::threads(p));
  index one_by_one = 0;
  for (segment const& s : segments)
    one_by_one += mmm::segments_cost(m, &s, &s + 1, mmm::threads(p)).time;
  CHECK(in_turn.time == one_by_one);
}

template <template <index, index> class Machine>
void on_memories() {
  for (int trial = 0; trial < 40; ++trial) {
    auto const segments = random_segments(300, below(9), 1 + below(20));
    index const p = 1 + below(20);
    reads_as_one_sequence(Machine<4, mmm::dynamic>(1 + below(9)), segments, p);
    reads_as_one_sequence(Machine<1, mmm::dynamic>(1 + below(3)), segments, p);
    reads_as_one_sequence(Machine<3, 1>(), segments, p);
  }
}

template <index W, index L>
using plain_umm = mmm::umm<W, L>;

TEST_CASE("contiguous access to arrays as one sequence, in a simulation and by its bound") {
  on_memories<mmm::dmm>();
  on_memories<plain_umm>();
}

TEST_CASE("at most n/w arrays take n/w + nl/p + l as one sequence, and more in turn") {
  for (index const l : {1, 5, 30})
    for (index const p : {1, 3, 4, 8, 16, 60, 64, 256})
      for (index const n : {4, 16, 64, 256, 250, 253}) {
        std::vector<segment> even;  // arrays of w words, each at the end of one address group
        for (index i = 0; i < n / 4; ++i) even.push_back({8 * i + 3, 4});
        auto uneven = even;  // one long array, and the others of one word
        for (segment& s : uneven) s.words = 1;
        uneven.front() = {1000, n - n / 4 + 1};
        for (auto const& segments : {even, uneven})
          for (bool const banks : {false, true}) {
            auto const figures = [&](auto const& m) {
              auto const words = mmm::words_of_segments(segments.begin(), segments.end());
              index const time =
                  mmm::segments_cost(m, segments.begin(), segments.end(), mmm::threads(p)).time;
              index const bound =
                  mmm::upper_bound(m, mmm::contiguous, mmm::size(words), mmm::threads(p));
              CAPTURE(l, p, words, segments.size(), banks, bound);
              CHECK(time <= 4 * bound);
              CHECK(time <= mmm::segments_bound(m, words, words / 4, mmm::threads(p)));
              return bound;
            };
            if (banks)
              figures(mmm::dmm<4, mmm::dynamic>(l));
            else
              figures(mmm::umm<4, mmm::dynamic>(l));
          }
      }
  // 64 arrays of one warp's words: one after the other each pays the latency, as one sequence none.
  mmm::umm<4, 100> const m;
  std::vector<segment> rows;
  for (index i = 0; i < 64; ++i) rows.push_back({4 * i, 4});
  auto const cost = [&](auto const& figure) {
    return figure(m, rows.begin(), rows.end(), mmm::threads(256)).time;
  };
  CHECK(cost([](auto const&... x) { return mmm::segments_cost(x...); }) == 64 + 99);
  CHECK(cost([](auto const&... x) { return mmm::segments_in_turn_cost(x...); }) == 64 * 100);
}

TEST_CASE("what segments refuse") {
  using Catch::Matchers::Contains;
  std::vector<int> const a(10);
  auto const read = [&](segment s) {
    return [&a, s](auto on) { return mmm::read_segments(on, a.begin(), a.end(), &s, &s + 1); };
  };
  using machine = mmm::umm<4, 5>;
  auto const run = [&](segment s) { return mmm::simulate<machine>(mmm::threads(4), read(s)).cost; };
  CHECK(run({10, 0}).time == 0);
  CHECK(run({8, 2}).time == 5);
  CHECK_THROWS_AS(run({8, 3}), std::out_of_range);
  CHECK_THROWS_WITH(run({8, 3}), Contains("8 to 10 of an array of 10"));
  CHECK_THROWS_AS(run({-1, 3}), std::invalid_argument);
  CHECK_THROWS_WITH(run({-1, 3}), Contains("the first address of a segment is -1"));
  CHECK_THROWS_WITH(run({1, -3}), Contains("the number of words of a segment is -3"));
  CHECK_THROWS_AS(run({INT64_MAX, 2}), std::overflow_error);
}

template <class M>
void copies(M const& m, std::vector<segment> const& segments, index t) {
  std::vector<index> a(300);
  std::iota(a.begin(), a.end(), 7);
  std::vector<index> expected;
  for (segment const& s : segments)
    expected.insert(expected.end(), a.begin() + s.first, a.begin() + s.first + s.words);
  std::vector<index> out(expected.size());
  mmm::threads const p(t * m.dmms());
  auto const run = mmm::simulate(m, p, [&](auto on) {
    mmm::copy_segments(on, a.begin(), a.end(), segments.begin(), segments.end(), out.begin());
  });
  auto const cost = mmm::copy_segments_cost(m, segments.begin(), segments.end(), p);
  auto const n = static_cast<index>(expected.size());
  auto const k = static_cast<index>(segments.size());
  CAPTURE(m.dmms(), m.width(), t, n, k);
  CHECK(out == expected);
  CHECK(run.cost.rounds == cost.rounds);
  CHECK(run.cost.stages == cost.stages);
  CHECK(run.cost.time == cost.time);
  CHECK(run.races.empty());
  index const bound = mmm::copy_segments_bound(m, n, k, p);
  CHECK(cost.time <= bound);
  if (k * m.width() <= n && n % p.count == 0)
    CHECK(bound <= 6 * mmm::upper_bound(m, mmm::copy_through_shared, mmm::size(n), p));
  segment const whole{0, n};
  CHECK(mmm::copy_segments_cost(m, &whole, &whole + 1, p).time ==
        mmm::cost_of(m, mmm::copy_through_shared, mmm::size(n), p).time);
}

TEST_CASE("segments are copied to the shared memories in the time of contiguous words") {
  for (int trial = 0; trial < 60; ++trial) {
    auto const segments = random_segments(300, below(9), 1 + below(40));
    index const t = 1 + below(14);
    index const l = 1 + below(4);
    copies(mmm::hmm<mmm::dynamic, 4, mmm::dynamic, mmm::dynamic>(1 + below(4), l, 1 + below(30)),
           segments, t);
    copies(mmm::hmm<2, 1, 1, 1>(), segments, t);
    copies(mmm::hmm<3, 5, 2, 9>(), segments, t);
  }
  // Four words in four address groups: the bound needs the term of the segments.
  copies(mmm::hmm<1, 4, 1, 1>(), {{0, 1}, {8, 1}, {16, 1}, {24, 1}}, 4);
  // 8 rows of a submatrix of 8 x 8 words, in a matrix of 16 x 16.
  std::vector<segment> rows;
  for (index i = 0; i < 8; ++i) rows.push_back({16 * i, 8});
  copies(mmm::hmm<2, 4, 2, 20>(), rows, 16);
}

TEST_CASE("a copy of segments refuses an output that overlaps, and a segment that is not there") {
  std::vector<int> a(20);
  segment const s{4, 3};
  using machine = mmm::hmm<2, 4, 1, 5>;
  auto const copy = [&](segment const& part, auto out) {
    mmm::simulate<machine>(mmm::threads(8), [&](auto on) {
      mmm::copy_segments(on, a.begin(), a.end(), &part, &part + 1, out);
    });
  };
  CHECK_THROWS_AS(copy(s, a.begin() + 10), std::invalid_argument);
  std::vector<int> out(20);
  CHECK_THROWS_AS(copy({18, 3}, out.begin()), std::out_of_range);
}

TEST_CASE("segments are read and copied by threads of the host") {
  std::vector<index> a(100);
  std::iota(a.begin(), a.end(), 0);
  std::vector<segment> const segments{{3, 5}, {40, 0}, {50, 7}, {90, 8}};
  mmm::host_threads<mmm::umm<4, 5>> const memory(mmm::threads(8));
  CHECK(mmm::read_segments(memory, a.begin(), a.end(), segments.begin(), segments.end()) ==
        sum_of(a, segments));
  std::vector<index> out(20);
  mmm::host_threads<mmm::hmm<2, 4, 1, 5>> const hierarchy(mmm::threads(8));
  mmm::copy_segments(hierarchy, a.begin(), a.end(), segments.begin(), segments.end(), out.begin());
  CHECK(out == std::vector<index>{3,  4,  5,  6,  7,  50, 51, 52, 53, 54,
                                  55, 56, 90, 91, 92, 93, 94, 95, 96, 97});
}

TEST_CASE("the fewest stages: conflict-free and coalesced accesses") {
  auto const check = [](auto const& m, index n, index p) {
    mmm::cost const least = mmm::one_stage_cost(m, mmm::size(n), mmm::threads(p));
    CAPTURE(m.width(), m.latency(), n, p);
    mmm::cost const contiguous = mmm::cost_of(m, mmm::item, mmm::size(n), mmm::threads(p));
    if (p % m.width() == 0) CHECK(least == contiguous);
    CHECK(least.time <= contiguous.time);
    CHECK(least == mmm::cost_of(m, 0 * mmm::item, mmm::size(n), mmm::threads(p)));
    for (index const stride : {2, 3, 4, 7})
      CHECK(least.time <= mmm::cost_of(m, stride * mmm::item, mmm::size(n), mmm::threads(p)).time);
    // Nakano and Ito 2014, lemma 1, for p >= w: at most twice (n/w + nl/p) plus the last round.
    if (p >= m.width())
      CHECK(least.time <= 2 * (n / m.width() + n * m.latency() / p) + m.latency() + 2);
  };
  for (index const n : {0, 1, 3, 4, 5, 16, 60, 61, 64, 1000})
    for (index const p : {1, 3, 4, 6, 8, 64, 100})
      for (index const l : {1, 2, 40}) {
        check(mmm::dmm<4, mmm::dynamic>(l), n, p);
        check(mmm::dmm<mmm::dynamic, 3>(1), n, p);
        check(mmm::umm<4, mmm::dynamic>(l), n, p);
        check(mmm::umm<4, mmm::dynamic, 2>(l), n, p);
      }
  using dmm = mmm::dmm<32, 7>;
  static_assert(mmm::conflict_free<dmm>(mmm::item * 33, mmm::size(5000), mmm::threads(96)));
  static_assert(mmm::cost_of<dmm>(mmm::item * 33, mmm::size(5000), mmm::threads(96)) ==
                mmm::one_stage_cost<dmm>(mmm::size(5000), mmm::threads(96)));
  static_assert(mmm::one_stage_cost<dmm>(mmm::size(5000), mmm::threads(96)).time ==
                52 * (3 + 6) + (1 + 6));
}

}  // namespace
