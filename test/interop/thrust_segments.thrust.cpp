// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thrust's calls by key, and those that select a part of their range, under mmm::simulated: the
// results of thrust::host, and the costs of their passes and scans.
#include "support/simulated_checks.hpp"

#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/unique.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

using checks::affine_map;
using checks::keys_of;
using mmm::load;
using mmm::size;
using mmm::threads;

namespace {

using one_memory = mmm::umm<4, 5>;

//! Keys are equal if their halves are.
struct same_half {
  bool operator()(int x, int y) const { return x / 2 == y / 2; }
};
struct even {
  bool operator()(int x) const { return x % 2 == 0; }
};

//! The costs of what calls are made of, for n items.
template <class M>
struct model {
  M m;
  mmm::index p;
  mmm::index n;

  //! A contiguous access of `count` words.
  [[nodiscard]] mmm::cost words(mmm::index count) const {
    return checks::each(m, p, count, [](auto i, auto a) { static_cast<void>(load(a[i])); });
  }
  [[nodiscard]] mmm::cost words() const { return words(n); }
  //! An access of the word before, or after, each item that has one.
  [[nodiscard]] mmm::cost before() const {
    return checks::each(
        m, p, n, [](auto i, auto a) { static_cast<void>(mmm::load_if(i > 0, a[i - 1], 0.0F)); });
  }
  [[nodiscard]] mmm::cost after() const {
    mmm::index const all = n;
    return checks::each(m, p, n, [all](auto i, auto a) {
      static_cast<void>(mmm::load_if(i + 1 < all, a[i + 1], 0.0F));
    });
  }
  [[nodiscard]] mmm::cost heads() const { return words() + before() + words(); }
  template <class Algorithm>
  [[nodiscard]] mmm::cost of(Algorithm const& algorithm) const {
    return mmm::cost_of(m, algorithm, size(n), threads(p));
  }
};

//! Runs a call that fills two vectors of n words, under thrust::host and on a machine: the results
//! are equal, and so is the cost, if a model is given. `call(policy, a, b)` returns what it wrote.
template <class M, class Call>
void same_outputs(M const& m, mmm::index p, mmm::index n, char const* name,
                  std::optional<mmm::cost> const& expected_cost, Call const& call) {
  auto a = checks::values<int>(n);
  auto b = a;
  auto expected_a = a;
  auto expected_b = a;
  auto const written = call(thrust::host, expected_a, expected_b);
  auto const on_machine = [&](auto const& on) { CHECK(call(on, a, b) == written); };
  checks::logged_call const done(m, p, n, name, on_machine);
  CHECK(a == expected_a);
  CHECK(b == expected_b);
  CAPTURE(name, n, p, M::width());
  if (!expected_cost) return;
  CHECK(done.logged.cost.rounds == expected_cost->rounds);
  CHECK(done.logged.cost.stages == expected_cost->stages);
  CHECK(done.logged.cost.time == expected_cost->time);
}

}  // namespace

TEST_CASE("Thrust's scans by key flag the heads of segments and scan these") {
  checks::sweep([]<class M>(M const& m, mmm::index p, mmm::index n) {
    model<M> const costs{m, p, n};
    auto const a = checks::values<int>(n);
    auto const c = checks::values<affine_map>(n);
    for (checks::keys const kind : checks::all_kinds) {
      auto const keys = keys_of(kind, n);
      auto const inclusive = costs.heads() + costs.of(mmm::segmented_prefix_sums);
      auto const exclusive = costs.heads() + costs.of(mmm::exclusive_segmented_prefix_sums);
      auto const check = [&]<class T>(char const* name, mmm::cost const& cost, std::vector<T>,
                                      auto const& call) {
        checks::same_output<T>(m, p, n, name, cost,
                               [&](auto const& on, auto out) { return call(on, out) - out; });
      };
      check("inclusive_scan_by_key", inclusive, std::vector<int>(), [&](auto const& on, auto out) {
        return thrust::inclusive_scan_by_key(on, keys.begin(), keys.end(), a.begin(), out);
      });
      check("inclusive_scan_by_key", inclusive, std::vector<affine_map>(),
            [&](auto const& on, auto out) {
              return thrust::inclusive_scan_by_key(on, keys.begin(), keys.end(), c.begin(), out,
                                                   same_half(), checks::composition());
            });
      check(
          "exclusive_scan_by_key", exclusive, std::vector<double>(), [&](auto const& on, auto out) {
            return thrust::exclusive_scan_by_key(on, keys.begin(), keys.end(), a.begin(), out, 0.5);
          });
      check("exclusive_scan_by_key", exclusive, std::vector<affine_map>(),
            [&](auto const& on, auto out) {
              return thrust::exclusive_scan_by_key(on, keys.begin(), keys.end(), c.begin(), out,
                                                   affine_map{3, 4}, same_half(),
                                                   checks::composition());
            });
    }
  });
}

TEST_CASE("A scan by key may work in place, and take bool") {
  auto const keys = keys_of(checks::keys::few, 100);
  auto a = checks::values<int>(100);
  auto expected = a;
  thrust::exclusive_scan_by_key(thrust::host, keys.begin(), keys.end(), expected.begin(),
                                expected.begin());
  thrust::exclusive_scan_by_key(mmm::simulated<one_memory>, keys.begin(), keys.end(), a.begin(),
                                a.begin());
  CHECK(a == expected);
  bool odd[100];
  bool expected_odd[100];
  auto const differ = [](bool x, bool y) { return x != y; };
  for (int k = 0; k < 100; ++k) odd[k] = expected_odd[k] = k % 3 == 0;
  auto const scan = [&](auto const& on, bool* words) {
    thrust::inclusive_scan_by_key(on, keys.begin(), keys.end(), words, words,
                                  thrust::equal_to<int>(), differ);
  };
  scan(thrust::host, expected_odd);
  scan(mmm::simulated<one_memory>, odd);
  CHECK(std::vector<bool>(odd, odd + 100) == std::vector<bool>(expected_odd, expected_odd + 100));
}

TEST_CASE("thrust::reduce_by_key writes each segment's first key and last sum") {
  checks::sweep([]<class M>(M const& m, mmm::index p, mmm::index n) {
    model<M> const costs{m, p, n};
    auto const a = checks::values<int>(n);
    for (checks::keys const kind : checks::all_kinds) {
      auto const keys = keys_of(kind, n);
      auto const scans = costs.heads() + costs.of(mmm::segmented_prefix_sums) +
                         costs.of(mmm::prefix_sums) + costs.words() + costs.words() +
                         costs.words() + costs.after() + costs.words();
      std::optional<mmm::cost> cost;
      if (kind == checks::keys::different) cost = scans + costs.words() + costs.words();
      if (kind == checks::keys::equal && n > 0) cost = scans + costs.words(1) + costs.words(1);
      same_outputs(m, p, n, "reduce_by_key", cost, [&](auto const& on, auto& out, auto& sums) {
        auto const ends = thrust::reduce_by_key(on, keys.begin(), keys.end(), a.begin(),
                                                out.begin(), sums.begin());
        return std::pair(ends.first - out.begin(), ends.second - sums.begin());
      });
      same_outputs(m, p, n, "reduce_by_key", {}, [&](auto const& on, auto& out, auto& sums) {
        auto const ends =
            thrust::reduce_by_key(on, keys.begin(), keys.end(), a.begin(), out.begin(),
                                  sums.begin(), same_half(), thrust::maximum<int>());
        return std::pair(ends.first - out.begin(), ends.second - sums.begin());
      });
    }
  });
}

TEST_CASE("thrust::reduce_by_key takes numbers that are computed, and results that nobody wants") {
  std::vector<int> const keys{4, 4, 4, 1, 1, 9, 4};
  std::vector<int> counts(7);
  mmm::cost_log log;
  auto const on = mmm::simulated<one_memory>(threads(8), log);
  auto const ends =
      thrust::reduce_by_key(on, keys.begin(), keys.end(), thrust::constant_iterator<int>(1),
                            thrust::make_discard_iterator(), counts.begin());
  CHECK(ends.second == counts.begin() + 4);
  CHECK(counts == std::vector<int>{3, 2, 1, 1, 0, 0, 0});
  std::vector<int> const values(7, 1);
  thrust::reduce_by_key(on, keys.begin(), keys.end(), values.begin(),
                        thrust::make_discard_iterator(), counts.begin());
  auto const words = mmm::cost_of<one_memory>(mmm::item, size(7), threads(8)).time;
  CHECK(log.calls[0].cost.time == log.calls[1].cost.time + words);  // the ones are written first

  auto const pairs = thrust::make_zip_iterator(keys.begin(), thrust::make_counting_iterator(0));
  std::vector<int> out(7);
  std::vector<int> places(7);
  auto const end =
      thrust::copy_if(on, pairs, pairs + 7, thrust::make_zip_iterator(out.begin(), places.begin()),
                      [](thrust::tuple<int, int> const& t) { return thrust::get<0>(t) == 4; });
  CHECK(thrust::get<0>(end.get_iterator_tuple()) == out.begin() + 4);
  CHECK(places == std::vector<int>{0, 1, 2, 6, 0, 0, 0});
  CHECK(out == std::vector<int>{4, 4, 4, 4, 0, 0, 0});
}

TEST_CASE("thrust::copy_if flags, adds up the flags and writes") {
  checks::sweep([]<class M>(M const& m, mmm::index p, mmm::index n) {
    model<M> const costs{m, p, n};
    auto const a = checks::values<int>(n);
    auto const flagged = costs.words() + costs.words() + costs.of(mmm::prefix_sums) +
                         costs.words() + costs.words() + costs.words();
    for (checks::keys const kind : checks::all_kinds) {
      auto const keys = keys_of(kind, n);
      same_outputs(m, p, n, "copy_if", {}, [&](auto const& on, auto& out, auto&) {
        return thrust::copy_if(on, keys.begin(), keys.end(), out.begin(), even()) - out.begin();
      });
      same_outputs(m, p, n, "copy_if", {}, [&](auto const& on, auto& out, auto&) {
        return thrust::copy_if(on, a.begin(), a.end(), keys.begin(), out.begin(), even()) -
               out.begin();
      });
    }
    for (bool const all : {true, false}) {
      auto const cost = all ? flagged + costs.words() : flagged;
      same_outputs(m, p, n, "copy_if", cost, [&](auto const& on, auto& out, auto&) {
        return thrust::copy_if(on, a.begin(), a.end(), out.begin(), [all](int) { return all; }) -
               out.begin();
      });
    }
    same_outputs(m, p, n, "copy_if", {}, [&](auto const& on, auto& out, auto&) {
      return thrust::remove_copy_if(on, a.begin(), a.end(), out.begin(), even()) - out.begin();
    });
  });
}

TEST_CASE("thrust::unique keeps the first of equal neighbours") {
  checks::sweep([]<class M>(M const& m, mmm::index p, mmm::index n) {
    model<M> const costs{m, p, n};
    auto const read =
        costs.heads() + costs.of(mmm::prefix_sums) + costs.words() + costs.words() + costs.words();
    auto const a = checks::values<int>(n);
    for (checks::keys const kind : checks::all_kinds) {
      auto const keys = keys_of(kind, n);
      std::optional<mmm::cost> cost;
      std::optional<mmm::cost> in_place;
      std::optional<mmm::cost> pairs;
      auto const known = [&](mmm::cost const& kept) {
        cost = read + kept;
        in_place = *cost + kept + kept;
        pairs = *cost + costs.words() + costs.words() + costs.words() + kept;
      };
      if (kind == checks::keys::different) known(costs.words());
      if (kind == checks::keys::equal && n > 0) known(costs.words(1));
      same_outputs(m, p, n, "unique_copy", cost, [&](auto const& on, auto& out, auto&) {
        return thrust::unique_copy(on, keys.begin(), keys.end(), out.begin()) - out.begin();
      });
      same_outputs(m, p, n, "unique_by_key_copy", pairs, [&](auto const& on, auto& x, auto& y) {
        auto const ends = thrust::unique_by_key_copy(on, keys.begin(), keys.end(), a.begin(),
                                                     x.begin(), y.begin());
        return std::pair(ends.first - x.begin(), ends.second - y.begin());
      });
      // what lies after the selected values is unspecified
      auto const in_words = [&](char const* name, auto const& expected, auto const& call) {
        same_outputs(m, p, n, name, expected, [&](auto const& on, auto& x, auto& y) {
          x = keys;
          auto const [end_x, end_y] = call(on, x, y);
          x.erase(end_x, x.end());
          y.erase(end_y, y.end());
          return x.size();
        });
      };
      in_words("unique", in_place, [](auto const& on, auto& x, auto& y) {
        return std::pair(thrust::unique(on, x.begin(), x.end()), y.end());
      });
      in_words("unique", std::optional<mmm::cost>(), [](auto const& on, auto& x, auto& y) {
        return std::pair(thrust::unique(on, x.begin(), x.end(), same_half()), y.end());
      });
      in_words("unique_by_key", std::optional<mmm::cost>(), [](auto const& on, auto& x, auto& y) {
        auto const ends = thrust::unique_by_key(on, x.begin(), x.end(), y.begin(), same_half());
        return std::pair(ends.first, ends.second);
      });
      checks::same_value(
          m, p, n, "unique_count", costs.heads() + costs.of(mmm::sum),
          [&](auto const& on) { return thrust::unique_count(on, keys.begin(), keys.end()); });
    }
  });
}

TEST_CASE("A call by key of a negative length is refused, and leaves no cost") {
  std::vector<int> a(10);
  mmm::cost_log log;
  auto const on = mmm::simulated<one_memory>(threads(4), log);
  CHECK_THROWS_AS(thrust::unique(on, a.end(), a.begin()), std::invalid_argument);
  CHECK_THROWS_AS(thrust::inclusive_scan_by_key(on, a.end(), a.begin(), a.begin(), a.begin()),
                  std::invalid_argument);
  CHECK_THROWS_AS(thrust::copy_if(on, a.begin(), a.end(), a.begin(),
                                  [](int) -> bool { throw std::runtime_error("the caller's"); }),
                  std::runtime_error);
  CHECK(log.calls.empty());
}
