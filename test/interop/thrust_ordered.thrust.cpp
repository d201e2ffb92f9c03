// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thrust's sorts and merges under mmm::simulated: the results of thrust::host, the costs of
// mmm::merge_sort, and for a merge the accesses of one of its levels.
#include "support/simulated_checks.hpp"

#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/merge.h>
#include <thrust/sort.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

using checks::keys_of;
using mmm::size;
using mmm::threads;

namespace {

//! By the last digit: keys that differ are equivalent.
struct last_digit {
  bool operator()(int x, int y) const { return x % 10 < y % 10; }
};

std::vector<int> positions(mmm::index n) {
  std::vector<int> result;
  for (int k = 0; k < n; ++k) result.push_back(k);
  return result;
}

using one_memory = mmm::umm<4, 5>;

//! The time of merge_sort for these keys.
template <class M, class Order>
mmm::cost sort_cost(M const& m, mmm::index p, std::vector<int> keys, Order order) {
  return mmm::simulate(m, threads(p),
                       [&](auto on) { mmm::merge_sort(on, keys.begin(), keys.end(), order); })
      .cost;
}

}  // namespace

TEST_CASE("thrust::sort and thrust::stable_sort are merge sorts") {
  checks::sweep([](auto const& m, mmm::index p, mmm::index n) {
    for (checks::keys const kind : checks::all_kinds) {
      auto const keys = keys_of(kind, n);
      auto const same = [&](char const* name, mmm::cost const& model, auto const& call) {
        checks::same_output<int>(m, p, n, name, model, [&](auto const& on, auto out) {
          std::copy(keys.begin(), keys.end(), out);
          call(on, out, out + n);
          return n;
        });
      };
      same("sort", sort_cost(m, p, keys, mmm::ascending{}),
           [](auto const& on, auto first, auto last) { thrust::sort(on, first, last); });
      same("stable_sort", sort_cost(m, p, keys, last_digit{}),
           [](auto const& on, auto first, auto last) {
             thrust::stable_sort(on, first, last, last_digit{});
           });
    }
  });
}

TEST_CASE("thrust::sort_by_key moves values with their keys, equal ones in their order") {
  checks::sweep([](auto const& m, mmm::index p, mmm::index n) {
    for (checks::keys const kind : checks::all_kinds) {
      auto const keys = keys_of(kind, n);
      auto sorted = keys;
      auto values = positions(n);
      auto const model =
          mmm::simulate(m, threads(p), [&](auto on) {
            mmm::merge_sort_pairs(on, sorted.begin(), sorted.end(), values.begin(), last_digit{});
          }).cost;
      checks::same_output<int>(m, p, n, "stable_sort_by_key", model, [&](auto const& on, auto out) {
        auto moved = keys;
        auto const from = positions(n);
        std::copy(from.begin(), from.end(), out);
        thrust::stable_sort_by_key(on, moved.begin(), moved.end(), out, last_digit{});
        CHECK(moved == sorted);
        return n;
      });
    }
  });
  std::vector<int> keys{3, 1, 2, 1};
  std::vector<std::string> names{"d", "a", "c", "b"};
  mmm::cost_log log;
  thrust::sort_by_key(mmm::simulated<one_memory>(threads(4), log), keys.begin(), keys.end(),
                      names.begin());
  CHECK(log.calls[0].call == std::string("sort_by_key"));
  CHECK(keys == std::vector<int>{1, 1, 2, 3});
  CHECK(names == std::vector<std::string>{"a", "b", "c", "d"});
}

TEST_CASE("A comparator of a sort is called with keys of the range only") {
  auto const table = checks::keys_of(checks::keys::random, 100);
  auto const by_table = [&table](int x, int y) {
    return table.at(static_cast<std::size_t>(x - 1000)) <
           table.at(static_cast<std::size_t>(y - 1000));
  };
  auto const check = [&](auto const& m) {
    for (mmm::index const n : {1, 2, 7, 8, 31, 100}) {
      std::vector<int> keys;
      for (int k = 0; k < n; ++k) keys.push_back(1000 + k * 37 % 100);
      auto expected = keys;
      thrust::sort(thrust::host, expected.begin(), expected.end(), by_table);
      mmm::cost_log log;
      auto found = keys;
      thrust::sort(mmm::simulated_policy(m, threads(12), log), found.begin(), found.end(),
                   by_table);
      CHECK(found == expected);
      std::vector<int> merged(static_cast<std::size_t>(2 * n));
      thrust::merge(mmm::simulated_policy(m, threads(12), log), found.begin(), found.end(),
                    found.begin(), found.end(), merged.begin(), by_table);
      CHECK(std::is_sorted(merged.begin(), merged.end(), by_table));
    }
  };
  check(mmm::dmm<4, 5>());
  check(mmm::umm<32, 5>());
  check(mmm::hmm<2, 4, 2, 10>());
}

TEST_CASE("Keys of other types and behind other iterators are sorted") {
  mmm::cost_log log;
  auto const on = mmm::simulated<one_memory>(threads(8), log);
  bool truths[] = {true, false, true, true, false};
  thrust::sort(on, truths, truths + 5);
  CHECK(std::is_sorted(truths, truths + 5));
  auto affine = checks::values<checks::affine_map>(33);
  auto const by_shift = [](checks::affine_map const& x, checks::affine_map const& y) {
    return x.shift % 7 > y.shift % 7;
  };
  auto expected = affine;
  thrust::stable_sort(thrust::host, expected.begin(), expected.end(), by_shift);
  thrust::stable_sort(on, affine.begin(), affine.end(), by_shift);
  CHECK(affine == expected);

  auto a = keys_of(checks::keys::few, 33);
  auto const before = log.calls.size();
  auto in_place = a;
  thrust::sort(on, thrust::make_reverse_iterator(in_place.end()),
               thrust::make_reverse_iterator(in_place.begin()));
  CHECK(std::is_sorted(in_place.rbegin(), in_place.rend()));
  CHECK(log.calls[before].cost.time ==
        sort_cost(one_memory(), 8, {a.rbegin(), a.rend()}, mmm::ascending{}).time);

  // pairs behind a zip_iterator: read from two arrays to one of pairs, sorted there, and back
  auto b = positions(33);
  auto pairs = std::vector<std::pair<int, int>>();
  for (std::size_t k = 0; k < a.size(); ++k) pairs.emplace_back(a[k], -b[k]);
  for (int& x : b) x = -x;
  std::sort(pairs.begin(), pairs.end());
  auto const keys = a;
  auto const first = thrust::make_zip_iterator(a.begin(), b.begin());
  thrust::sort(on, first, first + 33);
  for (std::size_t k = 0; k < a.size(); ++k) CHECK(pairs[k] == std::pair(a[k], b[k]));
  auto const words = mmm::cost_of<one_memory>(mmm::item, size(33), threads(8)).time;
  std::vector<std::pair<int, int>> again;
  for (std::size_t k = 0; k < a.size(); ++k) again.emplace_back(keys[k], -static_cast<int>(k));
  auto const sorting = mmm::simulate<one_memory>(
      threads(8), [&](auto handle) { mmm::merge_sort(handle, again.begin(), again.end()); });
  CHECK(log.calls.back().cost.time == sorting.cost.time + 6 * words);
}

TEST_CASE("A sort needs room in the shared memories") {
  std::vector<int> keys{3, 1, 2};
  mmm::cost_log log;
  using machine = mmm::hmm<2, 4, 2, 10, 64>;
  CHECK_THROWS_AS(thrust::sort(mmm::simulated<machine>(threads(16), log), keys.begin(), keys.end()),
                  std::length_error);
  CHECK(log.calls.empty());
  CHECK(keys == std::vector<int>{3, 1, 2});
}

TEST_CASE("thrust::merge makes the accesses of one level of a merge sort") {
  checks::sweep([]<class M>(M const& m, mmm::index p, mmm::index n) {
    constexpr mmm::index e = [] {
      if constexpr (mmm::hierarchical_machine<M>)
        return 1;
      else
        return M::conflicts == mmm::conflict::groups ? 1 : 7;
    }();
    for (checks::keys const kind : checks::all_kinds) {
      for (mmm::index const of_second : {mmm::index{0}, n / 3, n}) {
        auto a = keys_of(kind, n - of_second);
        auto b = keys_of(checks::keys::few, of_second);
        std::sort(a.begin(), a.end(), last_digit{});
        std::sort(b.begin(), b.end(), last_digit{});
        auto expected = std::vector<int>(static_cast<std::size_t>(n));
        auto found = expected;
        auto const call = [&](auto const& on, std::vector<int>& out) {
          auto const end =
              thrust::merge(on, a.begin(), a.end(), b.begin(), b.end(), out.begin(), last_digit{});
          CHECK(end == out.end());
        };
        call(thrust::host, expected);
        auto const on_machine = [&](auto const& on) { call(on, found); };
        checks::logged_call const done(m, p, n, "merge", on_machine);
        CHECK(found == expected);
        mmm::index const steps = mmm::detail::ceil_log2(std::min(of_second, n - of_second) + 1);
        mmm::index const items = mmm::detail::ceil_divide(n, e);
        CAPTURE(n, p, of_second);
        CHECK(static_cast<mmm::index>(done.trace.entries.size()) ==
              (n == 0 ? 0 : n + items * (2 * steps + e + 1)));
      }
    }
  });
}

TEST_CASE("thrust::merge reads what is not memory first, and merge_by_key merges pairs") {
  mmm::cost_log log;
  auto const on = mmm::simulated<one_memory>(threads(8), log);
  std::vector<int> const evens{0, 2, 4, 6, 8, 10, 12, 14, 16};
  std::vector<int> plain(20);
  std::vector<int> out(20);
  auto const odds = thrust::make_transform_iterator(thrust::make_counting_iterator(0),
                                                    [](int k) { return 2 * k + 1; });
  auto const merged = thrust::merge(on, evens.begin(), evens.end(), odds, odds + 11, out.begin());
  CHECK(merged == out.end());
  CHECK(std::is_sorted(out.begin(), out.end()));
  std::vector<int> const words(odds, odds + 11);
  thrust::merge(on, evens.begin(), evens.end(), words.begin(), words.end(), plain.begin());
  CHECK(plain == out);
  CHECK(log.calls[0].cost.time ==
        log.calls[1].cost.time + mmm::cost_of<one_memory>(mmm::item, size(11), threads(8)).time);

  std::vector<char> const of_evens(9, 'e');
  std::vector<char> const of_words(11, 'w');
  std::vector<char> found(20);
  std::vector<char> expected(20);
  thrust::merge_by_key(on, evens.begin(), evens.end(), words.begin(), words.end(), of_evens.begin(),
                       of_words.begin(), plain.begin(), found.begin());
  thrust::merge_by_key(thrust::host, evens.begin(), evens.end(), words.begin(), words.end(),
                       of_evens.begin(), of_words.begin(), out.begin(), expected.begin());
  CHECK(plain == out);
  CHECK(found == expected);
}

TEST_CASE("A comparator that throws leaves no cost") {
  std::vector<int> keys{3, 1, 2};
  mmm::cost_log log;
  auto const fails = [](int, int) -> bool { throw std::runtime_error("the caller's"); };
  CHECK_THROWS_AS(
      thrust::sort(mmm::simulated<one_memory>(threads(4), log), keys.begin(), keys.end(), fails),
      std::runtime_error);
  CHECK_THROWS_AS(
      thrust::sort(mmm::simulated<one_memory>(threads(4), log), keys.end(), keys.begin()),
      std::invalid_argument);
  CHECK(log.calls.empty());
}
