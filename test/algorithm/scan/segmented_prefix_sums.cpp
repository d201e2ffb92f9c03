// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/algorithm_checks.hpp"

#include <stdexcept>
#include <string>

namespace {

using mmm::index;

//! A loop over the words: what mmm::segmented_prefix_sums must write.
template <class T, class Head>
std::vector<T> by_loop(std::vector<T> a, std::vector<Head> const& heads) {
  for (std::size_t i = 1; i < a.size(); ++i)
    if (heads[i] == 0) a[i] = a[i - 1] + a[i];
  return a;
}

//! The result of mmm::exclusive_segmented_prefix_sums, by a plain loop.
template <class T, class Head>
std::vector<T> exclusive_by_loop(std::vector<T> const& a, std::vector<Head> const& heads,
                                 T const& initial) {
  std::vector<T> out(a.size(), initial);
  for (std::size_t i = 1; i < a.size(); ++i)
    if (heads[i] == 0) out[i] = out[i - 1] + a[i - 1];
  return out;
}

enum class segments { mixed, of_one_word, one, count };

//! Flags of the kinds of segments, some of them negative or of high bits only. The first one, which
//! does not matter, is 0.
std::vector<std::int64_t> heads_of(segments kind, index n) {
  std::vector<std::int64_t> heads(static_cast<std::size_t>(n));
  for (index i = 1; i < n; ++i) {
    std::int64_t const flag = i % 2 == 0 ? -i : std::int64_t{1} << 40;
    bool const begins = kind == segments::mixed ? i * 7919 % 23 < 3 : kind == segments::of_one_word;
    heads[static_cast<std::size_t>(i)] = begins ? flag : 0;
  }
  return heads;
}

//! Checks an exclusive scan with its exact time: the word before is read by n - 1 items.
template <class M>
void check_exclusive(M const& m, index n, index p, bool fits, bool divides) {
  auto const& algorithm = mmm::exclusive_segmented_prefix_sums;
  auto const a = checks::numbers(n);
  index const scan = mmm::cost_of(m, mmm::prefix_sums, mmm::size(n), mmm::threads(p)).time;
  index const access = mmm::cost_of(m, mmm::contiguous, mmm::size(n), mmm::threads(p)).time;
  auto const before = mmm::estimate(m, mmm::threads(p), [&](auto& on) {
    auto const words = on.template allocate<float>(n);
    on.each(n, [=](auto i) { static_cast<void>(mmm::load_if(i > 0, words[i - 1], 0.0F)); });
  });
  CHECK(mmm::cost_of(m, algorithm, mmm::size(n), mmm::threads(p)).closed_form);
  int const kinds = n <= 100 ? static_cast<int>(segments::count) : 1;
  for (int k = 0; k < kinds; ++k) {
    auto const heads = heads_of(static_cast<segments>(k), n);
    bool const in_place = (n + k) % 2 == 0;
    bool const from_0 = (n + p) % 3 == 0;
    CAPTURE(n, p, k, in_place, from_0);
    auto words = a;
    std::vector<checks::word> out(a.size());
    auto const to = in_place ? words.begin() : out.begin();
    auto const run = mmm::simulate(m, mmm::threads(p), [&](auto on) {
      if (from_0)
        algorithm(on, words.begin(), words.end(), heads.begin(), to);
      else
        algorithm(on, words.begin(), words.end(), heads.begin(), to, mmm::init(checks::word{1000}));
    });
    CHECK((in_place ? words : out) == exclusive_by_loop(a, heads, checks::word{from_0 ? 0 : 1000}));
    if (!in_place) CHECK(words == a);
    CHECK(run.cost.time == scan + 4 * access + before.time);
    if (fits)
      checks::figures(m, algorithm, n, p, run, divides);
    else
      checks::exact_figures(m, algorithm, n, p, run);
  }
}

template <class M>
void check(M const& m, index n, index p, bool fits, bool divides) {
  check_exclusive(m, n, p, fits, divides);
  auto const& algorithm = mmm::segmented_prefix_sums;
  auto const a = checks::numbers(n);
  index const scan = mmm::cost_of(m, mmm::prefix_sums, mmm::size(n), mmm::threads(p)).time;
  index const access = mmm::cost_of(m, mmm::contiguous, mmm::size(n), mmm::threads(p)).time;
  CHECK(mmm::cost_of(m, algorithm, mmm::size(n), mmm::threads(p)).closed_form);
  int const kinds = n <= 100 ? static_cast<int>(segments::count) : 1;
  for (int k = 0; k < kinds; ++k) {
    auto const heads = heads_of(static_cast<segments>(k), n);
    auto const kept = heads;
    bool const in_place = (n + k) % 2 == 0;
    CAPTURE(n, p, k, in_place);
    auto words = a;
    std::vector<checks::word> out(a.size());
    auto const to = in_place ? words.begin() : out.begin();
    auto const run = mmm::simulate(m, mmm::threads(p), [&](auto on) {
      algorithm(on, words.begin(), words.end(), heads.begin(), to);
    });
    CHECK((in_place ? words : out) == by_loop(a, heads));
    CHECK(heads == kept);
    if (!in_place) CHECK(words == a);
    CHECK(run.cost.time == scan + 5 * access);
    if (fits)
      checks::figures(m, algorithm, n, p, run, divides);
    else
      checks::exact_figures(m, algorithm, n, p, run);
  }
}

}  // namespace

TEST_CASE("segmented prefix-sums on one memory") {
  int const l = GENERATE(1, 5);
  checks::sweep_sizes([&](auto n, auto p, bool divides) {
    if (l == 1) check(mmm::pram(), n, p, true, divides);
    if (l == 1) check(mmm::bpram<4>(), n, p, true, divides);
    check(mmm::dmm<4, mmm::dynamic>(l), n, p, true, divides);
    check(mmm::umm<4, mmm::dynamic>(l), n, p, true, divides);
  });
  for (index const n : {0, 1, 2, 3, 7, 50})
    for (index const p : {1, 2, 3}) check(mmm::dmm<1, mmm::dynamic>(l), n, p, true, false);
}

TEST_CASE("segmented prefix-sums on hierarchical machines") {
  using machine = mmm::hmm<mmm::dynamic, 4, mmm::dynamic, mmm::dynamic, mmm::dynamic>;
  for (auto const& [d, l, capacity] : checks::combinations({1, 3, 4}, {1, 3}, {64, 1 << 20})) {
    machine const m(d, l, 9, capacity);
    bool const fits = capacity > 64;
    checks::sweep_sizes([&](auto n, auto p, bool divides) {
      if (p % m.dmms() == 0) check(m, n, p, fits, divides && n % (m.dmms() * 4) == 0);
    });
  }
  CHECK_THROWS_AS(check(machine(4, 1, 9, 6), 100, 16, false, false), std::length_error);
}

TEST_CASE("segmented prefix-sums by an operator that is not commutative") {
  std::vector<std::string> a;
  bool heads[97] = {};  // std::vector<bool> has no words
  for (std::size_t i = 0; i < 97; ++i) {
    a.push_back(std::string(1, static_cast<char>('a' + i % 26)));
    heads[i] = i % 10 == 4;
  }
  auto const expected = by_loop(a, std::vector<bool>(heads, heads + 97));
  mmm::simulate<mmm::hmm<2, 4, 1, 5, 32>>(mmm::threads(8), [&](auto on) {
    mmm::segmented_prefix_sums(on, a.begin(), a.end(), heads, a.begin());
  });
  CHECK(a == expected);
  auto const from = [](std::string const& x, std::string const& y) { return x + y; };
  mmm::simulate<mmm::umm<4, 5>>(mmm::threads(8), [&](auto on) {
    mmm::exclusive_segmented_prefix_sums(on, a.begin(), a.end(), heads, a.begin(), from,
                                         mmm::init(std::string("<")));
  });
  CHECK(a == exclusive_by_loop(expected, std::vector<bool>(heads, heads + 97), std::string("<")));

  std::vector<unsigned char> const bytes{200, 100, 3, 5, 250, 9, 9};
  std::vector<std::uint16_t> const begins{0, 0, 1, 0, 0, 0x8000, 0};
  std::vector<int> out(bytes.size());
  auto const run = [&](auto on) {
    mmm::segmented_prefix_sums(on, bytes.begin(), bytes.end(), begins.begin(), out.begin());
    CHECK(out == std::vector<int>{200, 300, 3, 8, 258, 9, 18});
    mmm::segmented_prefix_sums(on, bytes.begin(), bytes.end(), begins.begin(), out.begin(),
                               mmm::maximum{});
    CHECK(out == std::vector<int>{200, 200, 3, 5, 250, 9, 9});
    mmm::exclusive_segmented_prefix_sums(on, bytes.begin(), bytes.end(), begins.begin(),
                                         out.begin());
    CHECK(out == std::vector<int>{0, 200, 0, 3, 8, 0, 9});
    mmm::exclusive_segmented_prefix_sums(on, bytes.begin(), bytes.end(), begins.begin(),
                                         out.begin(), mmm::maximum{}, mmm::init(4));
    CHECK(out == std::vector<int>{4, 200, 4, 4, 5, 4, 9});
  };
  mmm::simulate<mmm::dmm<4, 5>>(mmm::threads(3), run);
}

TEST_CASE("segmented prefix-sums refuse an output that overlaps the input") {
  std::vector<int> a(10, 1);
  std::vector<int> heads(10, 0);
  mmm::simulate<mmm::dmm<4, 5>>(mmm::threads(4), [&](auto on) {
    auto const to = [&](auto out) {
      mmm::segmented_prefix_sums(on, a.begin(), a.begin() + 8, heads.begin(), out);
    };
    CHECK_THROWS_AS(to(a.begin() + 1), std::invalid_argument);
    CHECK_THROWS_AS(to(heads.begin()), std::invalid_argument);
    CHECK_THROWS_AS(to(heads.begin() + 2), std::invalid_argument);
  });
  CHECK(a == std::vector<int>(10, 1));
  CHECK(heads == std::vector<int>(10, 0));
}
