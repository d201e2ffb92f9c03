// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/fast.hpp>

#include "catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <type_traits>
#include <vector>

//! The types in which folds, scans, products and convolutions add up; operators and initial values.
//! `everywhere(call)` calls `call(handle)` with handles of several back ends.
namespace checks::accumulators {

//! The machine of the host threads.
using machine = mmm::hmm<2, 4, 1, 10>;

//! Calls `call(handle)` on host threads of an HMM and in a simulation of a machine with one memory.
struct on_both {
  template <class Call>
  void operator()(Call const& call) const {
    call(mmm::host_threads<machine>(mmm::threads(16)));
    static_cast<void>(mmm::simulate<mmm::umm<4, 5>>(mmm::threads(8), [&](auto on) { call(on); }));
  }
};

//! The same the other way round: on host threads of a DMM and in a simulation of the HMM.
struct on_both_exchanged {
  template <class Call>
  void operator()(Call const& call) const {
    call(mmm::host_threads<mmm::dmm<4, 5>>(mmm::threads(8)));
    static_cast<void>(mmm::simulate<machine>(mmm::threads(16), [&](auto on) { call(on); }));
  }
};

template <class T, class Everywhere>
void counts_ones(Everywhere const& everywhere, mmm::index n) {
  std::vector<T> const ones(static_cast<std::size_t>(n), T(1));
  everywhere([&](auto const& on) {
    auto const sum = mmm::fastest::sum(on, ones.begin(), ones.end());
    static_assert(std::is_same_v<std::remove_const_t<decltype(sum)>, int>);
    CHECK(sum == n);
  });
}

template <class Everywhere>
void sums_of_flags(Everywhere const& everywhere) {
  bool const flags[300] = {true, false, true};
  everywhere([&](auto const& on) { CHECK(mmm::sum(on, flags, flags + 300) == 2); });
}

template <class Everywhere>
void initial_values(Everywhere const& everywhere) {
  std::vector<float> const a(3000, 0.1F);
  double expected = 5;
  for (float x : a) expected += static_cast<double>(x);
  std::vector<int> const large(3, std::numeric_limits<int>::max());
  std::vector<int> const none;
  everywhere([&](auto const& on) {
    auto const sum = mmm::fastest::sum(on, a.begin(), a.end(), mmm::init(5.0));
    static_assert(std::is_same_v<std::remove_const_t<decltype(sum)>, double>);
    CHECK(std::abs(sum - expected) < 1e-9);
    CHECK(mmm::fastest::sum(on, large.begin(), large.end(), mmm::init(mmm::index{1})) ==
          3 * mmm::index{std::numeric_limits<int>::max()} + 1);
    CHECK(mmm::fastest::sum(on, none.begin(), none.end(), mmm::init(mmm::index{7})) == 7);
    CHECK(mmm::fastest::sum(on, none.begin(), none.end(), mmm::maximum{}, mmm::init(-3)) == -3);
  });
}

template <class Everywhere>
void folds_by_operators(Everywhere const& everywhere) {
  std::vector<std::int16_t> a;
  for (int k = 0; k < 777; ++k) a.push_back(static_cast<std::int16_t>(k * 7919 % 1009 - 500));
  auto const [low, high] = std::minmax_element(a.begin(), a.end());
  everywhere([&, least = *low, most = *high](auto const& on) {
    auto const smallest = mmm::fastest::sum(on, a.begin(), a.end(), mmm::minimum{});
    static_assert(std::is_same_v<std::remove_const_t<decltype(smallest)>, std::int16_t>);
    CHECK(smallest == least);
    CHECK(mmm::fastest::sum(on, a.begin(), a.end(), mmm::maximum{}, mmm::init(100000)) ==
          std::max<int>(most, 100000));
    CHECK(mmm::fastest::sum(
              on, a.begin(), a.end(), [](int x, int y) { return x | y; }, mmm::init(1 << 20)) ==
          std::accumulate(a.begin(), a.end(), 1 << 20, [](int x, int y) { return x | y; }));
  });
}

template <class Everywhere>
void places_of_values(Everywhere const& everywhere) {
  for (mmm::index const n : {1, 2, 33, 700}) {
    std::vector<std::int16_t> a;
    for (int k = 0; k < n; ++k) a.push_back(static_cast<std::int16_t>(k * 7919 % 53 - 20));
    auto const low = std::min_element(a.begin(), a.end());
    auto const high = std::max_element(a.begin(), a.end());
    using located = mmm::located<std::int16_t>;
    located const least{*low, low - a.begin()};
    located const most{*high, high - a.begin()};
    everywhere([&](auto const& on) {
      CHECK(mmm::fastest::argmin(on, a.begin(), a.end()) == least);
      CHECK(mmm::fastest::argmax(on, a.begin(), a.end()) == most);
      std::vector<located> out(1);
      mmm::fastest::argmax(on, a.begin(), a.end(), out.begin());
      CHECK(out[0] == most);
      CHECK_THROWS_AS(mmm::fastest::argmin(on, a.begin(), a.begin()), std::invalid_argument);
    });
  }
}

template <class Everywhere>
void folds_to_memory(Everywhere const& everywhere) {
  std::vector<int> a(500);
  std::iota(a.begin(), a.end(), -100);
  int const expected = std::accumulate(a.begin(), a.end(), 0);
  everywhere([&](auto const& on) {
    for (mmm::index const n : {mmm::index{0}, mmm::index{1}, mmm::index{2}, mmm::index{500}}) {
      std::vector<int> out{77, 78, 79};
      auto const last = a.begin() + n;
      static_assert(std::is_void_v<decltype(mmm::fastest::sum(on, a.begin(), last, out.begin()))>);
      mmm::fastest::sum(on, a.begin(), last, out.begin() + 1);
      CHECK(out == std::vector<int>{77, std::accumulate(a.begin(), last, 0), 79});
      mmm::fastest::sum(on, a.begin(), last, out.begin() + 1, mmm::maximum{}, mmm::init(1000));
      CHECK(out == std::vector<int>{77, 1000, 79});
      mmm::fastest::sum(on, a.begin(), last, out.begin() + 1, mmm::init(1));
      CHECK(out == std::vector<int>{77, std::accumulate(a.begin(), last, 1), 79});
    }
    std::vector<float> as_float(1);
    mmm::sum(on, a.begin(), a.end(), as_float.begin());
    CHECK(as_float[0] == static_cast<float>(expected));
    CHECK_THROWS_AS(mmm::sum(on, a.begin(), a.end(), a.begin() + 5), std::invalid_argument);
  });
}

constexpr mmm::index small_sizes[] = {0, 1, 3, 600, 2051};

//! `n` small integers, and their inclusive and exclusive prefix-sums from 1000 on.
struct small_scans {
  std::vector<std::int16_t> a;
  std::vector<int> inclusive, exclusive;
};
inline small_scans scans_by_loop(mmm::index n) {
  auto const size = static_cast<std::size_t>(n);
  small_scans r{std::vector<std::int16_t>(size), std::vector<int>(size), std::vector<int>(size)};
  int sum = 1000;
  for (std::size_t k = 0; k < size; ++k) {
    r.a[k] = static_cast<std::int16_t>(k * 31 % 50);
    r.exclusive[k] = sum;
    r.inclusive[k] = sum += r.a[k];
  }
  return r;
}

template <class Everywhere>
void scans_of_small_integers(Everywhere const& everywhere) {
  for (mmm::index const n : small_sizes) {
    CAPTURE(n);
    small_scans const given = scans_by_loop(n);
    auto const& a = given.a;
    auto const &inclusive = given.inclusive, &exclusive = given.exclusive;
    everywhere([&](auto const& on) {
      std::vector<int> out(a.size());
      mmm::fastest::prefix_sums(on, a.begin(), a.end(), out.begin(), mmm::init(1000));
      CHECK(out == inclusive);
      mmm::fastest::exclusive_prefix_sums(on, a.begin(), a.end(), out.begin());
      for (int& x : out) x += 1000;
      CHECK(out == exclusive);
      // in place, in the same type
      auto words = inclusive;
      mmm::fastest::exclusive_prefix_sums(on, words.begin(), words.end(), words.begin(),
                                          mmm::maximum{}, mmm::init(5));
      for (std::size_t k = 0; k < words.size(); ++k)
        CHECK(words[k] == (k == 0 ? 5 : inclusive[k - 1]));
      // small integers to small integers: modulo 2^16
      auto small = a;
      mmm::fastest::prefix_sums(on, small.begin(), small.end(), small.begin());
      for (std::size_t k = 0; k < small.size(); ++k)
        CHECK(small[k] == static_cast<std::int16_t>(inclusive[k] - 1000));
    });
  }
}

template <class Everywhere>
void products_of_small_integers(Everywhere const& everywhere) {
  std::vector<std::int8_t> const a(128 * 40, 100);
  std::vector<std::int8_t> const b(40 * 130, 3);
  everywhere([&](auto const& on) {
    if constexpr (mmm::hierarchical_machine<
                      typename std::remove_cvref_t<decltype(on)>::machine_type>) {
      std::vector<int> c(128 * 130);
      mmm::fastest::matrix_multiply(on, a.begin(), b.begin(), mmm::product_shape(3, 40, 5),
                                    c.begin());
      CHECK(std::count(c.begin(), c.begin() + 15, 12000) == 15);
      std::vector<float> f(4);
      mmm::fastest::matrix_multiply(on, a.begin(), b.begin(), mmm::product_shape(2, 40, 2),
                                    f.begin(), mmm::accumulate_in<mmm::index>);
      CHECK(f[0] == 12000);
    }
    std::vector<float> z(50);
    mmm::fastest::convolution(on, a.begin(), a.begin() + 9, b.begin(), b.begin() + 58, z.begin(),
                              z.end());
    CHECK(std::count(z.begin(), z.end(), 2700.0F) == 50);
  });
}

template <class M, class A>
void scan_with_initial_value_costs(M const& m, A const& algorithm, mmm::index p) {
  for (mmm::index const n : {mmm::index{0}, mmm::index{1}, mmm::index{37}, 33 * p, 70 * p + 5}) {
    CAPTURE(n, p, algorithm.name);
    std::vector<int> const a(static_cast<std::size_t>(n), 1);
    std::vector<int> b(a.size());
    auto const call = [&](auto on) { algorithm(on, a.begin(), a.end(), b.begin(), mmm::init(1)); };
    auto const run = mmm::simulate(m, mmm::threads(p), call);
    auto const cost = mmm::estimate(m, mmm::threads(p), call);
    CHECK(cost.time == run.cost.time);
    CHECK(cost.stages == run.cost.stages);
    CHECK(run.races.empty());
  }
}

//! A convolution of small integers, added up in double.
template <class On>
void convolution_in_double(On const& on) {
  std::vector<std::int8_t> const a(9, 100);
  std::vector<std::int8_t> const b(58, 3);
  std::vector<float> z(50);
  mmm::fastest::convolution(on, a.begin(), a.end(), b.begin(), b.end(), z.begin(), z.end(),
                            mmm::accumulate_in<double>);
  CHECK(std::count(z.begin(), z.end(), 2700.0F) == 50);
}

}  // namespace checks::accumulators
