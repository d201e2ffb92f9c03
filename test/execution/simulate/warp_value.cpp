// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values that bodies see in a simulation: warp-wide indices and values, references, registers,
// iterators.
#include <mmm/execution/simulate/simulate.hpp>

#include "catch.hpp"

#include <algorithm>
#include <complex>
#include <functional>
#include <iterator>
#include <list>
#include <numeric>
#include <type_traits>
#include <vector>

namespace {

using mmm::index;

// Checks `formula` on affine runs of W lanes against the same formula on integers, lane by lane.
template <int W, class Formula>
void check_lanes(Formula formula) {
  for (index base = -20; base < 50; ++base)
    for (index stride = -6; stride <= 6; ++stride) {
      mmm::warp_index<W> const lanes(base, stride);
      auto const all = formula(lanes);
      for (int t = 0; t < W; ++t)
        if (static_cast<index>(all[t]) != static_cast<index>(formula(base + stride * t))) {
          CAPTURE(W, base, stride, t);
          REQUIRE(static_cast<index>(all[t]) == static_cast<index>(formula(base + stride * t)));
        }
    }
}

TEMPLATE_TEST_CASE_SIG("warp-wide indices do what integers do", "[simulate]", ((int W), W), 1, 4, 5,
                       32, 70) {
  using mmm::max;
  using mmm::min;
  using mmm::select;
  for (index c : {1, 2, 3, 4, 7, 8, 16, 32, 33}) {
    check_lanes<W>([=](auto x) { return x + c; });
    check_lanes<W>([=](auto x) { return c - x; });
    check_lanes<W>([=](auto x) { return x * c; });
    check_lanes<W>([=](auto x) { return x / c; });
    check_lanes<W>([=](auto x) { return x % c; });
    check_lanes<W>([=](auto x) { return x & c; });
    check_lanes<W>([=](auto x) { return x & (c - 1); });
    check_lanes<W>([=](auto x) { return c | x; });
    check_lanes<W>([=](auto x) { return x ^ c; });
    check_lanes<W>([=](auto x) { return x << (c % 4); });
    check_lanes<W>([=](auto x) { return x >> (c % 4); });
    check_lanes<W>([=](auto x) { return min(x, c) + max(c, -x); });
    check_lanes<W>([=](auto x) { return (x * 3 + x % c) * (x - c / 2); });
    check_lanes<W>([=](auto x) { return x < c; });
    check_lanes<W>([=](auto x) { return c < x; });
    check_lanes<W>([=](auto x) { return x <= c; });
    check_lanes<W>([=](auto x) { return x >= c; });
    check_lanes<W>([=](auto x) { return x == c; });
    check_lanes<W>([=](auto x) { return x != x % c; });
    check_lanes<W>([=](auto x) { return (x < c && x * 2 > 3) || !(x != 5); });
    check_lanes<W>([=](auto x) { return select(x % 2 == 0, x, c); });
    check_lanes<W>([=](auto x) { return x / std::integral_constant<int, 3>(); });
  }
  CHECK((mmm::warp_index<W>(1024, 1) / 1024).affine());
  CHECK((mmm::warp_index<W>(1024, 1) % 1024).affine());
  CHECK((mmm::warp_index<W>(0, 8) / 4).affine());
  // A division by 0 in a lane that is not selected has no effect.
  CHECK((12 / mmm::warp_index<W>(0, 1))[0] == 0);
}

TEMPLATE_TEST_CASE_SIG("a mask tells consecutive lanes", "[simulate]", ((int W), W), 1, 9, 64) {
  for (unsigned bits = 0; bits < 512; ++bits)
    for (int shift = 0; shift <= (W == 64 ? 55 : 0); shift += 11) {
      auto const holds = [&](int t) {
        return t >= shift && t < shift + 9 && (bits >> (t - shift) & 1) != 0;
      };
      auto const run = mmm::warp_mask<W>::by_lane(holds).run();
      int first = 0;
      while (first < W - 1 && !holds(first)) ++first;
      int end = first;
      while (end < W && holds(end)) ++end;
      int others = 0;
      for (int t = end; t < W; ++t) others += holds(t) ? 1 : 0;
      CAPTURE(W, bits, shift);
      REQUIRE(run.count == (others != 0 ? -1 : end - first));
      if (run.count > 0) REQUIRE(run.first == first);
    }
}

// Lanes in the middle of a warp, which access words in a row, apart, or backwards.
TEST_CASE("requests of some consecutive lanes", "[simulate]") {
  std::vector<int> a(100);
  std::iota(a.begin(), a.end(), 0);
  for (index first = 0; first < 8; ++first)
    for (index end = first; end <= 8; ++end)
      for (index const stride : {1, 3, -2}) {
        std::vector<int> b(100, -1);
        auto const run = mmm::simulate(mmm::dmm<8, 2>{}, mmm::threads(8), [&](auto on) {
          auto const from = on.array(a.begin(), a.end());
          auto const to = on.array(b.begin(), b.end());
          on.each(8, [=](auto i) {
            auto const at = 40 + i * stride;
            auto const active = i >= first && i < end;
            mmm::store_if(active, to[at], mmm::load_if(active, from[at], 0));
          });
        });
        CAPTURE(first, end, stride);
        CHECK(run.cost.stages ==
              (end == first ? 0 : 2 * (stride == -2 && end - first > 4 ? 2 : 1)));
        for (index k = 0; k < 100; ++k) {
          index const lane = (k - 40) / stride;
          bool const used = (k - 40) % stride == 0 && lane >= first && lane < end;
          REQUIRE(b[static_cast<std::size_t>(k)] == (used ? static_cast<int>(k) : -1));
        }
      }
}

TEST_CASE("values work lane by lane with values, indices and plain numbers", "[simulate]") {
  std::vector<int> x(10);
  std::vector<double> y(10);
  std::iota(x.begin(), x.end(), 3);
  std::iota(y.begin(), y.end(), 0.5);
  std::vector<double> out(10, -1);
  auto const run = [&](auto body) {
    auto const r = mmm::simulate<mmm::dmm<4, 2>>(mmm::threads(6), [&](auto on) {
      auto const a = on.array(x.cbegin(), x.cend());
      auto const b = on.array(y.data(), y.data() + y.size());
      auto const c = on.array(out.begin(), out.end());
      on.each(10, [&](auto i) { body(a, b, c, i); });
    });
    CHECK(r.race_count == 0);
    return r.cost.rounds;
  };
  auto const expect = [&](auto formula) {
    for (std::size_t i = 0; i < 10; ++i)
      CHECK(out[i] == formula(x[i], y[i], static_cast<double>(i)));
  };
  CHECK(run([](auto a, auto b, auto c, auto i) { c[i] = a[i] * b[i] - i / 2; }) == 2 * 3);
  expect([](int p, double q, double i) { return p * q - std::floor(i / 2); });
  run([](auto a, auto b, auto c, auto i) {
    c[i] = mmm::max(a[i], b[i]) + mmm::min(b[i], 2) - -mmm::load(a[i]);
  });
  expect([](int p, double q, double) { return std::max<double>(p, q) + std::min(q, 2.0) + p; });
  run([](auto a, auto b, auto c, auto i) {
    c[i] = mmm::select(mmm::load(a[i]) % 3 == 0, b[i], 1);
  });
  expect([](int p, double q, double) { return p % 3 == 0 ? q : 1; });
  run([](auto a, auto b, auto c, auto i) {
    c[i] = mmm::apply(std::plus<>(), a[i], mmm::apply(std::minus<>(), b[i], 1));
  });
  expect([](int p, double q, double) { return p + (q - 1); });
  // lane 2 divides by 0
  run([](auto a, auto, auto c, auto i) { c[i] = (mmm::load(a[i]) << 2) / (mmm::load(a[i]) - 5); });
  expect([](int p, double, double) { return p == 5 ? 0 : (p << 2) / (p - 5); });
  run([](auto, auto b, auto c, auto i) { c[i] = b[0] + b[i] * b[1]; });
  expect([&](int, double q, double) { return y[0] + q * y[1]; });
  CHECK(run([](auto a, auto b, auto c, auto i) { c[i] = mmm::load_if(i < 7, b[i], a[i]); }) ==
        2 * 3);
  expect([](int p, double q, double i) { return i < 7 ? q : p; });
  run([](auto a, auto b, auto c, auto i) { mmm::store_if(mmm::load(a[i]) > 5, c[i], b[i]); });
  for (std::size_t i = 3; i < 10; ++i) CHECK(out[i] == y[i]);
}

TEST_CASE("addresses may be data", "[simulate]") {
  std::vector<int> permutation{3, 1, 4, 0, 2};
  std::vector<float> values{10, 11, 12, 13, 14};
  auto const run = mmm::simulate<mmm::umm<2, 3>>(mmm::threads(5), [&](auto on) {
    auto const p = on.array(permutation.begin(), permutation.end());
    auto const v = on.array(values.begin(), values.end());
    auto const out = on.template allocate<float>(5);
    on.each(5, [=](auto i) { out[i] = v[p[i]]; });
    on.each(5, [=](auto i) { out[i] = out[i] + v[mmm::as_index(mmm::load(p[i]) + 5 - 5)]; });
    return std::vector<float>(out, out + 5);
  });
  CHECK(run.result == std::vector<float>{26, 22, 28, 20, 24});
}

TEST_CASE("an assignment loads the right side, then stores", "[simulate]") {
  auto const run = mmm::simulate<mmm::hmm<1, 4, 1, 1>>(mmm::threads(4), [&](auto on) {
    auto const g = on.template allocate<int>(8);
    on.each_dmm([=](auto block, index) {
      auto const s = block.template allocate<int>(8);
      block.each(4, [=](auto i) { s[i] = g[i + 4] - s[i + 4]; });
    });
  });
  std::vector<std::pair<mmm::memory_space, mmm::access_kind>> order;
  for (mmm::trace_entry const& e : run.trace.entries)
    if (e.thread == 0) order.emplace_back(e.space, e.op);
  CHECK(order == std::vector<std::pair<mmm::memory_space, mmm::access_kind>>{
                     {mmm::memory_space::global, mmm::access_kind::read},
                     {mmm::memory_space::shared, mmm::access_kind::read},
                     {mmm::memory_space::shared, mmm::access_kind::write}});
}

TEST_CASE("arrays that a program only reads are the caller's memory, others are copies",
          "[simulate]") {
  std::vector<int> const a{3, 1, 4, 1, 5};
  std::list<int> const b(a.begin(), a.end());
  std::vector<int> c(a);
  auto const run = mmm::simulate<mmm::dmm<4, 2>>(mmm::threads(4), [&](auto on) {
    index const n = 5;
    mmm::run(
        on,
        [&](auto& threads, auto same, auto none, auto converted, auto listed, auto own) {
          CHECK(same.data() == a.data());
          CHECK(none.data() == nullptr);
          CHECK(same.address() == 0);
          CHECK(none.address() == 8);
          CHECK(converted.address() == 8);
          CHECK(listed.address() == 16);
          CHECK(static_cast<int const*>(own.data()) != c.data());
          threads.each(n, [=](auto i) {
            own[i] = load(same[i]) + load(converted[i]) + load(listed[i]) + load(own[i]);
          });
          CHECK(c == a);
        },
        mmm::reads(a.begin(), n), mmm::reads(a.end(), 0), mmm::reads<float>(a.data(), n),
        mmm::reads(b.begin(), n), mmm::updates(c.begin(), n));
  });
  CHECK(run.races.empty());
  CHECK(c == std::vector<int>{12, 4, 16, 4, 20});
}

TEST_CASE("registers belong to threads and live across steps", "[simulate]") {
  auto const run = mmm::simulate<mmm::dmm<4, 2>>(mmm::threads(6), [&](auto on) {
    auto const out = on.template allocate<index>(6);
    auto const r = on.template registers<index, 2>();
    on.each(14, [=](auto i) {
      r[i] += i;
      r(i, 1) = r(i, 1) + 1;
    });
    on.each(6, [=](auto i) { out[i] = r[i] * 100 + r(i, 1); });
    return std::vector<index>(out, out + 6);
  });
  CHECK(run.result ==
        std::vector<index>{(0 + 6 + 12) * 100 + 3, (1 + 7 + 13) * 100 + 3, 1002, 1202, 1402, 1602});
  CHECK(run.cost.rounds == 1);
  // On a hierarchical machine, threads of the whole machine keep their registers from one step to
  // the next.
  auto const whole = mmm::simulate<mmm::hmm<2, 4, 1, 1>>(mmm::threads(12), [&](auto on) {
    auto const out = on.template allocate<index>(20);
    auto const r = on.template registers<index>();
    on.each(12, [=](auto i) { r[i] = i; });
    on.each(20, [=](auto i) { out[i] = r[i]; });
    return std::vector<index>(out, out + 20);
  });
  for (std::size_t i = 0; i < 20; ++i) CHECK(whole.result[i] == static_cast<index>(i) % 12);
}

TEST_CASE("pairs of rows and columns, loops", "[simulate]") {
  std::vector<int> a(7 * 9);
  std::iota(a.begin(), a.end(), 0);
  auto const run = mmm::simulate<mmm::dmm<4, 2>>(mmm::threads(10), [&](auto on) {
    auto const x = on.array(a.begin(), a.end());
    auto const y = on.template allocate<int>(7 * 9);
    on.each(7, 9, [=](auto j, auto k) { y[k * 7 + j] = x[j * 9 + k]; });
    on.repeat(3, [&](auto k) { on.each(5, [=](auto i) { y[i] = y[i] + static_cast<int>(k); }); });
    return std::vector<int>(y, y + 7 * 9);
  });
  for (int j = 0; j < 7; ++j)
    for (int k = 0; k < 9; ++k)
      CHECK(run.result[static_cast<std::size_t>(k * 7 + j)] ==
            j * 9 + k + (k == 0 && j < 5 ? 3 : 0));
  CHECK(run.cost.rounds == 2 * 7 + 3 * 2);
}

TEST_CASE("any word type", "[simulate]") {
  std::vector<std::complex<double>> z{{1, 2}, {3, 4}, {5, 6}};
  auto const run = mmm::simulate<mmm::dmm<2, 2>>(mmm::threads(2), [&](auto on) {
    auto const a = on.array(z.begin(), z.end());
    on.each(3, [=](auto i) { a[i] = a[i] * a[i] + std::complex<double>(1, 0); });
  });
  CHECK(z[1] == std::complex<double>(3, 4) * std::complex<double>(3, 4) + 1.0);
  CHECK(run.race_count == 0);
}

using iterator = decltype(mmm::simulate<mmm::pram>(mmm::threads(1), [](auto on) {
                            return on.template allocate<float>(1);
                          }).result);
static_assert(std::random_access_iterator<iterator>);
static_assert(std::indirectly_writable<iterator, float>);
static_assert(std::is_same_v<std::iterator_traits<iterator>::value_type, float>);

TEST_CASE("host algorithms run over simulated arrays, free of cost", "[simulate]") {
  auto const run = mmm::simulate<mmm::pram>(mmm::threads(4), [](auto on) {
    auto const a = on.template allocate<int>(10);
    std::iota(a, a + 10, 1);
    std::reverse_copy(a, a + 5, a + 5);  // 1 2 3 4 5 5 4 3 2 1
    std::transform(a, a + 10, a, [](int x) { return 2 * x; });
    std::copy(a + 1, a + 3, a);
    CHECK(std::accumulate(a, a + 10, 0) == 4 + 6 + 6 + 8 + 10 + 10 + 8 + 6 + 4 + 2);
    CHECK(static_cast<int>(*std::max_element(a, a + 10)) == 10);
    CHECK(std::lower_bound(a, a + 5, 8) - a == 3);
    CHECK(std::distance(a, a + 10) == 10);
    CHECK(on.array(a, a + 10) == a);
    a[3] = a[4] + 1;
    return std::vector<int>(a, a + 10);
  });
  CHECK(run.result == std::vector<int>{4, 6, 6, 11, 10, 10, 8, 6, 4, 2});
  CHECK(run.cost.time == 0);
}

// A warp's named reference has no operators, so that a word is not loaded twice unnoticed. The
// reference to a single word has them, because the algorithms of the standard library and of Thrust
// use named references.
template <class Reference>
concept usable_by_name =
    requires(Reference& r) { r + 1; } || requires(Reference& r) { mmm::load(r); };
static_assert(
    !usable_by_name<decltype(std::declval<iterator>()[std::declval<mmm::warp_index<32>>()])>);
static_assert(usable_by_name<decltype(std::declval<iterator>()[0])>);

}  // namespace
