// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Access patterns as Thrust iterators, and the costs of Thrust's iterators on a simulated machine.
#include <mmm/interop/thrust_pattern.hpp>

#include "support/simulated_checks.hpp"

#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/gather.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

using mmm::item;
using mmm::size;
using mmm::threads;

namespace {

constexpr mmm::index max_words = 4096;

//! Copies n words through `a[e(i)]`, and back. A loop gives the expected values, closed forms the
//! expected costs.
template <class M, class E>
void copied(M const& m, mmm::index p, mmm::index n, E const& e) {
  CAPTURE(M::width(), n, p);
  auto const a = checks::values<int>(max_words);
  auto const through_e = mmm::cost_of(m, e, size(n), threads(p));
  auto const one_by_one = mmm::cost_of(m, item, size(n), threads(p));

  std::vector<int> expected(static_cast<std::size_t>(n));
  for (mmm::index i = 0; i < n; ++i)
    expected[static_cast<std::size_t>(i)] = a[static_cast<std::size_t>(e(i))];
  mmm::cost_log log;
  auto const on = mmm::simulated_policy(m, threads(p), log);

  auto const same_cost = [&] {
    REQUIRE(log.calls.size() == 1);
    CHECK(log.total().rounds == through_e.rounds + one_by_one.rounds);
    CHECK(log.total().stages == through_e.stages + one_by_one.stages);
    CHECK(log.total().time == through_e.time + one_by_one.time);
    CHECK(log.race_count() == 0);
    log.calls.clear();
  };
  std::vector<int> out(expected.size());
  auto const pattern = mmm::pattern_iterator(a.begin(), e);
  thrust::copy(on, pattern, pattern + n, out.begin());
  CHECK(out == expected);
  same_cost();

  std::fill(out.begin(), out.end(), 0);
  auto const map = mmm::index_map(e);
  thrust::gather(on, map, map + n, a.begin(), out.begin());
  CHECK(out == expected);
  same_cost();

  std::vector<int> back(a.size());
  thrust::copy(on, out.begin(), out.end(), mmm::pattern_iterator(back.begin(), e));
  std::vector<int> expected_back(a.size());
  for (mmm::index i = 0; i < n; ++i)
    expected_back[static_cast<std::size_t>(e(i))] = expected[static_cast<std::size_t>(i)];
  CHECK(back == expected_back);
  same_cost();
}

template <class E>
void copied_everywhere(mmm::index n, E const& e) {
  for (mmm::index const p : {5, 64}) {
    copied(mmm::umm<32, 100>(), p, n, e);
    copied(mmm::dmm<4, 5>(), p, n, e);
    copied(mmm::bpram<4>(), p, n, e);
    copied(mmm::pram(), p, n, e);
  }
}

//! The cost of one call on a machine with 8 threads.
template <class M, class Call>
mmm::cost cost_of_call(Call const& call) {
  mmm::cost_log log;
  call(mmm::simulated<M>(threads(8), log));
  REQUIRE(log.calls.size() == 1);
  CHECK(log.race_count() == 0);
  return log.total();
}

using groups = mmm::umm<4, 5>;

}  // namespace

TEST_CASE("A copy through a pattern costs what the expression costs") {
  for (mmm::index const n : {0, 1, 2, 31, 32, 33, 1000}) {
    copied_everywhere(n, item);
    copied_everywhere(n, item + 3);
    copied_everywhere(n, item * 3 + 1);
    copied_everywhere(n, 2000 - item);
    copied_everywhere(n, item ^ 21);
    copied_everywhere(n, item / 32 * 33 + item % 32);
    copied_everywhere(n, mmm::select(item % 2 == 0, item, item + 1000));
  }
}

TEST_CASE("A layout is walked through in the order of its rows") {
  auto const tile = mmm::padded(30, 32, 1);
  auto const a = checks::values<int>(tile.words());
  std::vector<int> out(30 * 32);
  mmm::cost_log log;
  auto const on = mmm::simulated<mmm::dmm<32, 1>>(threads(32), log);
  auto const rows = mmm::pattern_iterator(a.begin(), tile);
  thrust::copy(on, rows, rows + 30 * 32, out.begin());
  CHECK(out[31] == a[31]);
  CHECK(out[32] == a[33]);
  CHECK(out[959] == a[988]);
  CHECK(log.total().stages == 60);  // one stage per row, and one per 32 words of output

  auto const columns = mmm::pattern_iterator(a.begin(), tile(item % 30, item / 30));
  thrust::copy(on, columns, columns + 30 * 32, out.begin());
  CHECK(out[1] == a[33]);
  CHECK(out[30] == a[1]);
}

TEST_CASE("Patterns work under thrust::host") {
  std::vector<int> a(100);
  std::iota(a.begin(), a.end(), 0);
  auto const every_third = mmm::pattern_iterator(a.data(), item * 3);
  static_assert(mmm::cost_of<mmm::umm<4, 5>>(item * 3, size(32), threads(32)).stages == 24);
  CHECK(thrust::reduce(thrust::host, every_third, every_third + 32) == 3 * 31 * 16);
  CHECK(every_third[5] == 15);
}

TEST_CASE("What is computed costs nothing to read") {
  std::vector<int> out(100);
  auto const written = checks::each(groups(), 8, 100, [](auto i, auto w) { w[i] = 1; });
  CHECK(cost_of_call<groups>([&](auto const& on) {
          thrust::counting_iterator<int> const numbers(7);
          thrust::copy(on, numbers, numbers + 100, out.begin());
        }) == mmm::cost{written.rounds, written.stages, written.time, false});
  CHECK(out[99] == 106);
  CHECK(cost_of_call<groups>([&](auto const& on) {
          thrust::transform(on, thrust::counting_iterator<int>(0),
                            thrust::counting_iterator<int>(100), thrust::constant_iterator<int>(3),
                            out.begin(), thrust::multiplies<>());
        }).time == written.time);
  CHECK(out[99] == 297);
}

TEST_CASE("What is discarded costs nothing to write") {
  auto const a = checks::values<int>(100);
  auto const read = mmm::cost_of<groups>(item, size(100), threads(8));
  CHECK(cost_of_call<groups>([&](auto const& on) {
          thrust::copy(on, a.begin(), a.end(), thrust::discard_iterator<>());
        }).time == read.time);
}

TEST_CASE("A transform_iterator costs what is below it, a reverse_iterator the same words") {
  auto const a = checks::values<int>(100);
  std::vector<int> out(100);
  auto const one_by_one = mmm::cost_of<groups>(item, size(100), threads(8)).time;
  auto const negated = thrust::make_transform_iterator(a.begin(), thrust::negate<int>());
  CHECK(cost_of_call<groups>([&](auto const& on) {
          thrust::copy(on, negated, negated + 100, out.begin());
        }).time == 2 * one_by_one);
  CHECK(out[3] == -a[3]);
  auto const backwards = thrust::make_reverse_iterator(a.end());
  CHECK(cost_of_call<groups>([&](auto const& on) {
          thrust::copy(on, backwards, backwards + 100, out.begin());
        }).time == 2 * one_by_one);
  CHECK(out[3] == a[96]);
  CHECK(cost_of_call<groups>([&](auto const& on) {
          thrust::copy(on, a.begin(), a.end(), thrust::make_reverse_iterator(out.end()));
        }).time == 2 * one_by_one);
  CHECK(out[3] == a[96]);
}

TEST_CASE("A permutation_iterator accesses its map, then its elements") {
  auto const a = checks::values<int>(100);
  std::vector<int> const map = checks::shuffled(100);
  std::vector<int> out(100);
  auto const permuted = thrust::make_permutation_iterator(a.begin(), map.begin());
  auto const copied_through = cost_of_call<groups>(
      [&](auto const& on) { thrust::copy(on, permuted, permuted + 100, out.begin()); });
  for (std::size_t i = 0; i < 100; ++i) CHECK(out[i] == a[static_cast<std::size_t>(map[i])]);
  std::vector<int> again(100);
  CHECK(copied_through == cost_of_call<groups>([&](auto const& on) {
          thrust::gather(on, map.begin(), map.end(), a.begin(), again.begin());
        }));
  CHECK(again == out);
}

TEST_CASE("A fold or a scan of what is not a word per value evaluates it first") {
  auto const a = checks::values<int>(100);
  auto const p = threads(8);
  auto const sum = mmm::cost_of<groups>(mmm::sum, size(100), p).time;
  auto const scan = mmm::cost_of<groups>(mmm::prefix_sums, size(100), p).time;
  auto const words = mmm::cost_of<groups>(item, size(100), p).time;
  auto const apart = mmm::cost_of<groups>(item * 7 % 100, size(100), p).time;
  auto const pattern = mmm::pattern_iterator(a.begin(), item * 7 % 100);
  auto const total = std::accumulate(a.begin(), a.end(), 0);
  CHECK(cost_of_call<groups>([&](auto const& on) {
          CHECK(thrust::reduce(on, pattern, pattern + 100) == total);
        }).time == apart + words + sum);
  std::vector<int> out(100);
  std::vector<int> expected(100);
  thrust::inclusive_scan(thrust::host, pattern, pattern + 100, expected.begin());
  CHECK(cost_of_call<groups>([&](auto const& on) {
          thrust::inclusive_scan(on, pattern, pattern + 100, out.begin());
        }).time == apart + words + scan);
  CHECK(out == expected);
  CHECK(cost_of_call<groups>([&](auto const& on) {
          thrust::inclusive_scan(on, a.begin(), a.end(),
                                 mmm::pattern_iterator(out.begin(), item * 7 % 100));
        }).time == scan + words + apart);
  thrust::inclusive_scan(thrust::host, a.begin(), a.end(), expected.begin());
  for (std::size_t i = 0; i < 100; ++i) CHECK(out[i * 7 % 100] == expected[i]);
  // An exclusive scan does not read the last value; its results are written after the initial
  // value.
  CHECK(cost_of_call<groups>([&](auto const& on) {
          thrust::exclusive_scan(on, pattern, pattern + 100, out.begin());
        }).time == mmm::cost_of<groups>(item * 7 % 100, size(99), p).time +
                       mmm::cost_of<groups>(item + 1, size(99), p).time + scan);
  thrust::exclusive_scan(thrust::host, pattern, pattern + 100, expected.begin());
  CHECK(out == expected);
}

TEST_CASE("A zip_iterator accesses all of its parts") {
  auto const a = checks::values<int>(100);
  auto const b = checks::values<double>(100);
  std::vector<int> sums(100);
  std::vector<double> products(100);
  auto const in = thrust::make_zip_iterator(a.begin(), b.begin());
  auto const out = thrust::make_zip_iterator(sums.begin(), products.begin());
  auto const both = [](thrust::tuple<int, double> const& t) {
    return thrust::make_tuple(thrust::get<0>(t) + 1, thrust::get<0>(t) * thrust::get<1>(t));
  };
  CHECK(cost_of_call<groups>([&](auto const& on) {
          thrust::transform(on, in, in + 100, out, both);
        }).time == 4 * mmm::cost_of<groups>(item, size(100), threads(8)).time);
  for (std::size_t i = 0; i < 100; ++i) {
    CHECK(sums[i] == a[i] + 1);
    CHECK(products[i] == a[i] * b[i]);
  }
}

TEST_CASE("Ranges that overlap or touch keep their distances") {
  using machine = mmm::umm<4, 1>;
  auto a = checks::values<int>(64);
  std::vector<int> out(60);
  auto const stages = [&](auto const& left, auto const& right) {
    return cost_of_call<machine>([&](auto const& on) {
             thrust::transform(on, left, left + 32, right, out.begin(), thrust::plus<>());
           })
        .stages;
  };
  CHECK(stages(a.begin(), a.begin()) == 3 * 8);
  CHECK(stages(a.begin(), a.begin() + 1) == 3 * 8 + 8);
  CHECK(stages(a.begin() + 1, a.begin()) == 3 * 8 + 8);
  CHECK(stages(a.begin(), a.begin() + 32) == 3 * 8);
  // the array begins at the start of the first range
  CHECK(stages(a.begin() + 1, a.begin() + 2) == 3 * 8 + 8);
  CHECK(out[0] == a[1] + a[2]);
}
