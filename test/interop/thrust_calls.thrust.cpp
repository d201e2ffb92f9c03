// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thrust's calls under mmm::simulated: they have the results of thrust::host and the costs of the
// library's algorithms.
#include "support/simulated_checks.hpp"

#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/find.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/inner_product.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <vector>

using checks::affine_map;
using checks::each;
using mmm::load;
using mmm::size;
using mmm::threads;

TEST_CASE("thrust::reduce is the sum's tree") {
  checks::sweep([](auto const& m, mmm::index p, mmm::index n) {
    auto const model = mmm::cost_of(m, mmm::sum, size(n), threads(p));
    auto const same = [&](auto call) { checks::same_value(m, p, n, "reduce", model, call); };
    auto const a = checks::values<int>(n);
    same([&](auto const& on) { return thrust::reduce(on, a.begin(), a.end()); });
    same([&](auto const& on) { return thrust::reduce(on, a.data(), a.data() + n, 0.5); });
    same([&](auto const& on) {
      return thrust::reduce(on, a.begin(), a.end(), -7, thrust::maximum<>());
    });
    auto const b = checks::values<double>(n);
    same([&](auto const& on) { return thrust::reduce(on, b.begin(), b.end()); });
    auto const c = checks::values<affine_map>(n);
    same([&](auto const& on) {
      return thrust::reduce(on, c.begin(), c.end(), affine_map{3, 4}, checks::add_both());
    });
  });
}

TEST_CASE("A bool as the accumulator is a word like others") {
  auto const a = checks::values<int>(33);
  mmm::cost_log log;
  auto const on = mmm::simulated<mmm::umm<4, 5>>(threads(8), log);
  CHECK(thrust::reduce(on, a.begin(), a.end(), false, thrust::logical_or<bool>()));
  CHECK_FALSE(thrust::transform_reduce(
      on, a.begin(), a.end(), [](int x) { return x > -50; }, true, thrust::logical_and<bool>()));
  bool all[33];
  thrust::inclusive_scan(on, a.begin(), a.end(), all, [](bool x, bool y) { return x != y; });
  CHECK(all[0]);
  CHECK(log.calls[0].cost == log.calls[1].cost);
}

TEST_CASE("thrust::transform_reduce of memory costs what reduce costs, inner_product a pass more") {
  checks::sweep([](auto const& m, mmm::index p, mmm::index n) {
    auto const a = checks::values<int>(n);
    auto const b = checks::values<double>(n);
    auto const tree = mmm::cost_of(m, mmm::sum, size(n), threads(p));
    checks::same_value(m, p, n, "transform_reduce", tree, [&](auto const& on) {
      return thrust::transform_reduce(
          on, a.begin(), a.end(), [](int x) { return 2.5 * x; }, 10.0, thrust::plus<>());
    });
    auto const pass = each(m, p, n, [](auto i, auto w) { w[i] = load(w[i]) * load(w[i]); });
    checks::same_value(m, p, n, "inner_product", pass + tree, [&](auto const& on) {
      return thrust::inner_product(on, a.begin(), a.end(), b.begin(), 1.0);
    });
  });
}

TEST_CASE("What Thrust makes of these calls runs, too") {
  auto const a = checks::values<int>(100);
  mmm::cost_log log;
  auto const on = mmm::simulated<mmm::umm<4, 5>>(threads(8), log);
  CHECK(thrust::count(on, a.begin(), a.end(), a[7]) == 1);
  REQUIRE(log.calls.size() == 1);
  CHECK(log.calls[0].cost.time ==
        mmm::cost_of<mmm::umm<4, 5>>(mmm::sum, size(100), threads(8)).time);

  std::vector<int> out(100);
  std::vector<int> rest(100);
  std::vector<int> expected(100);
  auto const small = [](int x) { return x < 7; };
  auto const last = std::prev(a.end());
  CHECK(thrust::min_element(on, a.begin(), a.end()) == std::min_element(a.begin(), a.end()));
  CHECK(thrust::find_if(on, a.begin(), a.end(), small) == std::find_if(a.begin(), a.end(), small));
  CHECK(thrust::find(on, a.begin(), a.end(), *last) == last);
  CHECK(thrust::equal(on, a.begin(), a.end(), a.begin()));
  CHECK_FALSE(thrust::is_sorted(on, a.begin(), a.end()));
  auto const ends =
      thrust::partition_copy(on, a.begin(), a.end(), out.begin(), rest.begin(), small);
  auto const ends_expected =
      std::partition_copy(a.begin(), a.end(), expected.begin(), expected.rbegin(), small);
  CHECK(std::equal(out.begin(), ends.first, expected.begin(), ends_expected.first));
  CHECK(std::equal(rest.begin(), ends.second, expected.rbegin(), ends_expected.second));
  thrust::reverse_copy(on, a.begin(), a.end(), out.begin());
  CHECK(std::equal(a.rbegin(), a.rend(), out.begin()));
  thrust::replace_copy_if(on, a.begin(), a.end(), out.begin(), small, 7);
  std::replace_copy_if(a.begin(), a.end(), expected.begin(), small, 7);
  CHECK(out == expected);
  thrust::transform_exclusive_scan(
      on, a.begin(), a.end(), out.begin(), [](int x) { return 2 * x; }, 3, thrust::plus<int>());
  CHECK(out[99] - 3 == 2 * (std::accumulate(a.begin(), a.end(), 0) - *last));
  CHECK(log.race_count() == 0);
}

TEST_CASE("Thrust's scans are prefix-sums") {
  checks::sweep([](auto const& m, mmm::index p, mmm::index n) {
    auto const model = mmm::cost_of(m, mmm::prefix_sums, size(n), threads(p));
    auto const check = [&]<class T>(char const* name, std::vector<T>, auto const& call) {
      checks::same_output<T>(m, p, n, name, model,
                             [&](auto const& on, auto out) { return call(on, out) - out; });
    };
    auto const a = checks::values<int>(n);
    auto const c = checks::values<affine_map>(n);
    checks::composition const then;
    check("inclusive_scan", std::vector<int>(), [&](auto const& on, auto out) {
      return thrust::inclusive_scan(on, a.begin(), a.end(), out);
    });
    check("inclusive_scan", std::vector<affine_map>(), [&](auto const& on, auto out) {
      return thrust::inclusive_scan(on, c.begin(), c.end(), out, then);
    });
    check("inclusive_scan", std::vector<affine_map>(), [&](auto const& on, auto out) {
      return thrust::inclusive_scan(on, c.begin(), c.end(), out, affine_map{3, 4}, then);
    });
    check("exclusive_scan", std::vector<double>(), [&](auto const& on, auto out) {
      return thrust::exclusive_scan(on, a.begin(), a.end(), out);
    });
    check("exclusive_scan", std::vector<double>(), [&](auto const& on, auto out) {
      return thrust::exclusive_scan(on, a.begin(), a.end(), out, 0.5);
    });
    check("exclusive_scan", std::vector<affine_map>(), [&](auto const& on, auto out) {
      return thrust::exclusive_scan(on, c.begin(), c.end(), out, affine_map{3, 4}, then);
    });
  });
}

TEST_CASE("A scan may work in place") {
  auto a = checks::values<int>(100);
  auto expected = a;
  thrust::inclusive_scan(thrust::host, expected.begin(), expected.end(), expected.begin());
  thrust::inclusive_scan(mmm::simulated<mmm::dmm<4, 5>>, a.begin(), a.end(), a.begin());
  CHECK(a == expected);
}

TEST_CASE("Calls that move words are parallel-fors") {
  checks::sweep([](auto const& m, mmm::index p, mmm::index n) {
    auto const same = [&](char const* name, mmm::cost const& model, auto const& call) {
      checks::same_output<int>(m, p, n, name, model,
                               [&](auto const& on, auto out) { return call(on, out) - out; });
    };
    auto const a = checks::values<int>(n);
    auto const b = checks::values<double>(n);
    auto const one_by_one = each(m, p, n, [](auto i, auto w) { w[i] = load(w[i]); });
    auto const two_to_one = each(m, p, n, [](auto i, auto w) { w[i] = load(w[i]) + load(w[i]); });
    auto const written = each(m, p, n, [](auto i, auto w) { w[i] = 1; });
    same("copy", one_by_one,
         [&](auto const& on, auto out) { return thrust::copy(on, a.begin(), a.end(), out); });
    same("copy_n", one_by_one,
         [&](auto const& on, auto out) { return thrust::copy_n(on, a.begin(), n, out); });
    same("transform", one_by_one, [&](auto const& on, auto out) {
      return thrust::transform(on, b.begin(), b.end(), out,
                               [](double x) { return static_cast<int>(x / 3); });
    });
    same("transform", two_to_one, [&](auto const& on, auto out) {
      return thrust::transform(on, a.begin(), a.end(), b.begin(), out,
                               [](int x, double y) { return x * static_cast<int>(y); });
    });
    same("fill", written, [&](auto const& on, auto out) {
      thrust::fill(on, out, out + n, 17);
      return out + n;
    });
    same("fill_n", written,
         [&](auto const& on, auto out) { return thrust::fill_n(on, out, n, 17); });
    same("tabulate", written, [&](auto const& on, auto out) {
      thrust::sequence(on, out, out + n, 5, 3);
      return out + n;
    });
  });
}

TEST_CASE("A transform in place accesses the same words twice, without a race") {
  auto a = checks::values<int>(100);
  auto expected = a;
  for (int& x : expected) x = -x;
  mmm::cost_log log;
  thrust::transform(mmm::simulated<mmm::umm<4, 5>>(threads(8), log), a.begin(), a.end(), a.begin(),
                    thrust::negate<>());
  CHECK(a == expected);
  CHECK(log.total().stages == 50);
  CHECK(log.race_count() == 0);
}

TEST_CASE("thrust::gather and thrust::scatter access the map, then the data") {
  checks::sweep([](auto const& m, mmm::index p, mmm::index n) {
    auto const a = checks::values<int>(n);
    auto const map = n == 0 ? std::vector<int>() : checks::shuffled(n);
    // On machines without address conflicts any permutation has the same cost; on the others the
    // cost depends on the map's contents.
    auto const through_map = mmm::simulate(m, threads(p), [&](auto on) {
      auto const indices = on.array(map.begin(), map.end());
      auto const words = on.template allocate<int>(n);
      auto const others = on.template allocate<int>(n);
      on.each(n, [&](auto i) { others[i] = 1 + load(words[mmm::as_index(load(indices[i]))]); });
    });
    checks::same_output<int>(m, p, n, "gather", through_map.cost, [&](auto const& on, auto out) {
      return thrust::gather(on, map.begin(), map.end(), a.begin(), out) - out;
    });
    checks::same_output<int>(m, p, n, "scatter", through_map.cost, [&](auto const& on, auto out) {
      thrust::scatter(on, a.begin(), a.end(), map.begin(), out);
      return n;
    });
  });
}

TEST_CASE("Two values for one word are a race of thrust::scatter's") {
  std::vector<int> const map{0, 1, 2, 1};
  std::vector<int> const a{3, 4, 5, 4};
  std::vector<int> out(3);
  mmm::cost_log log;
  thrust::scatter(mmm::simulated<mmm::dmm<4, 5>>(threads(4), log), a.begin(), a.end(), map.begin(),
                  out.begin());
  CHECK(log.race_count() == 1);
  CHECK(out == std::vector<int>{3, 4, 5});
  auto const unobserved = mmm::simulated<mmm::dmm<4, 5>>(threads(4), log, mmm::observe_cost);
  thrust::scatter(unobserved, a.begin(), a.end(), map.begin(), out.begin());
  CHECK(log.calls[1].cost == log.calls[0].cost);
  CHECK(log.calls[1].race_count == 0);  // races were not observed
}

TEST_CASE("A log adds up calls, and a policy without one gives results only") {
  using machine = mmm::umm<32, 100>;
  auto const a = checks::values<int>(1000);
  std::vector<int> out(1000);
  mmm::cost_log log;
  auto const on = mmm::simulated<machine>(threads(256), log);
  CHECK(log.total() == mmm::cost());
  auto const sum = thrust::reduce(on, a.begin(), a.end());
  thrust::inclusive_scan(on, a.begin(), a.end(), out.begin());
  CHECK(out.back() == sum);
  CHECK(log.total().time ==
        mmm::cost_of<machine>(mmm::sum, size(1000), threads(256)).time +
            mmm::cost_of<machine>(mmm::prefix_sums, size(1000), threads(256)).time);
  CHECK(log.pipelined_time() == log.calls[0].pipelined_time + log.calls[1].pipelined_time);
  CHECK(thrust::reduce(mmm::simulated<machine>, a.begin(), a.end()) == sum);
  CHECK(log.calls.size() == 2);
}

TEST_CASE("With traces, a policy leaves each call's trace") {
  using machine = mmm::hmm<2, 4, 2, 10>;
  auto const a = checks::values<int>(100);
  std::vector<int> out(100);
  mmm::cost_log log;
  std::vector<mmm::machine_trace<machine>> traces;
  auto const on = mmm::simulated<machine>(threads(16), log, traces);
  thrust::copy(on, a.begin(), a.end(), out.begin());
  thrust::inclusive_scan(on, a.begin(), a.end(), out.begin());
  REQUIRE(traces.size() == 2);
  CHECK(traces[0].entries.size() == 200);
  for (std::size_t k = 0; k < 2; ++k)
    CHECK(mmm::recomputed_time(machine(), traces[k]) == log.calls[k].cost.time);
  thrust::copy(mmm::simulated<machine>(threads(16), log), a.begin(), a.end(), out.begin());
  CHECK(log.calls[2].cost == log.calls[0].cost);
  CHECK(traces.size() == 2);
}

TEST_CASE("Without a number of threads there are as many as hide the latency") {
  mmm::cost_log log;
  CHECK(mmm::simulated<mmm::umm<32, 100>>.threads().count == 3200);
  CHECK(mmm::simulated<mmm::umm<32, 100, 2>>(log).threads().count == 6400);
  CHECK(mmm::simulated<mmm::hmm<3, 4, 2, 10>>.threads().count == 48);
  CHECK(mmm::simulated<mmm::pram>.threads().count == 32);
  CHECK(mmm::simulated_policy(mmm::dmm<4, mmm::dynamic>(7), log).threads().count == 28);
}

TEST_CASE("Bad calls are exceptions, and are not logged") {
  auto const a = checks::values<int>(10);
  mmm::cost_log log;
  auto const odd = mmm::simulated<mmm::hmm<2, 4, 2, 10>>(threads(9), log);
  CHECK_THROWS_AS(thrust::reduce(odd, a.begin(), a.end()), std::invalid_argument);
  auto const on = mmm::simulated<mmm::umm<4, 5>>(threads(8), log);
  CHECK_THROWS_AS(thrust::reduce(on, a.end(), a.begin()), std::invalid_argument);
  std::vector<int> out(10);
  CHECK_THROWS_AS(thrust::copy(on, a.end(), a.begin(), out.begin()), std::invalid_argument);
  CHECK_THROWS_AS(thrust::transform(on, a.begin(), a.end(), out.begin(),
                                    [](int) -> int { throw std::runtime_error("the caller's"); }),
                  std::runtime_error);
  CHECK(log.calls.empty());
  CHECK_THROWS_AS(mmm::simulated<mmm::pram>(threads(0), log), std::invalid_argument);
}
