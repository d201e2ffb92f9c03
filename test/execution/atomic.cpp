// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic updates in every interpretation.
#include <mmm/profile.hpp>
#include <mmm/report.hpp>

#include "atomic_checks.hpp"
#include "support/pseudo_code.hpp"

#include <cstdint>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

namespace {

using mmm::index;

//! Adds 1 to the words `address(i)`, where `condition(i)`.
template <class Address, class Condition>
struct updating {
  Address address;
  Condition condition;
  template <class On, class Words>
  constexpr void operator()(On& on, Words words, index n) const {
    auto const self = *this;
    on.each(n, [=](auto i) { mmm::atomic_add(words[self.address(i)], 1); });
    on.each(
        n, [=](auto i) { mmm::atomic_max_if(self.condition(i), words[self.address(i)], i % 7); },
        mmm::no_barrier);
  }
};

//! The estimate, the simulation, and the time from its trace agree, without races, and the words
//! are right.
template <class M, class Address, class Condition>
void agrees(M const& m, index n, index p, Address const& address, Condition const& condition) {
  CAPTURE(mmm::report::text(m), n, p);
  updating<Address, Condition> const program{address, condition};
  std::vector<int> words(200);
  mmm::cost const estimate = mmm::estimate(
      m, mmm::threads(p), [&](auto& on) { program(on, on.template allocate<int>(200), n); });
  auto const run = mmm::simulate(
      m, mmm::threads(p),
      [&](auto& on) {
        mmm::run(
            on, [&](auto& of, auto a, index items) { program(of, a, items); },
            mmm::updates<int>(words.begin(), index{200}), n);
      },
      mmm::observe_all);
  CHECK(run.cost.stages == estimate.stages);
  CHECK(run.cost.rounds == estimate.rounds);
  CHECK(run.cost.time == estimate.time);
  CHECK(mmm::recomputed_time(m, run.trace) == estimate.time);
  CHECK(run.race_count == 0);
  std::vector<int> expected(200);
  for (index i = 0; i < n; ++i) ++expected[static_cast<std::size_t>(address(i))];
  for (index i = 0; i < n; ++i) {
    int& word = expected[static_cast<std::size_t>(address(i))];
    if (condition(i)) word = std::max(word, static_cast<int>(i % 7));
  }
  CHECK(words == expected);
}

template <class M>
void agrees_on(M const& m, std::vector<index> const& threads) {
  for (index const p : threads)
    for (index const n : {0, 1, 5, 33, 100}) {
      auto const some = [](auto i) { return i % 3 < 2; };
      auto const first = [](auto i) { return i < 7; };
      agrees(m, n, p, [](auto i) { return i % 3; }, first);
      agrees(m, n, p, [](auto i) { return i / 5 * 4; }, some);
      agrees(m, n, p, [](auto i) { return 199 - i * 2 % 64; }, first);
    }
}

TEST_CASE("atomic updates cost in an estimate what they cost in a simulation") {
  using mmm::dynamic;
  agrees_on(mmm::pram{}, {1, 6});
  agrees_on(mmm::bpram<dynamic>(3), {1, 6});
  for (index const l : {1, 4}) {
    for (index const w : {1, 4}) agrees_on(mmm::dmm<dynamic, dynamic>(w, l), {1, 6, 8});
    agrees_on(mmm::umm<4, dynamic, dynamic>(l, 2), {1, 6, 8});
    agrees_on(mmm::hmm<2, 4, 1, dynamic>(l), {2, 6, 16});
  }
}

TEST_CASE("banks make one update at a time, and address groups all of theirs") {
  constexpr auto equal = [](auto& on) {
    auto const a = on.template allocate<int>(32);
    on.each(8, [=](auto i) { mmm::atomic_add(a[0 * i], 1); });
  };
  constexpr auto strided = [](auto& on) {
    auto const a = on.template allocate<int>(32);
    on.each(8, [=](auto i) { mmm::atomic_add(a[i * 2], 1); });
  };
  using banks = mmm::dmm<8, 5>;
  CHECK(mmm::estimate(banks{}, mmm::threads(8), equal).time == 8 + 5 - 1);
  CHECK(mmm::estimate(banks{}, mmm::threads(8), strided).time == 2 + 5 - 1);
  CHECK(mmm::estimate(mmm::umm<8, 5>{}, mmm::threads(8), equal).time == 1 + 5 - 1);
  CHECK(mmm::estimate(mmm::umm<8, 5>{}, mmm::threads(8), strided).time == 2 + 5 - 1);
  CHECK(mmm::estimate(mmm::pram{}, mmm::threads(8), equal).time == 1);
  CHECK(mmm::estimate(mmm::bpram<4>{}, mmm::threads(8), equal).time == 2);
}

//! A histogram of the words, whose addresses depend on data; returns through `old` what the words
//! were before.
struct count_words {
  template <class On, class In, class Bins, class Old>
  constexpr void operator()(On& on, In in, Bins bins, Old old, index n) const {
    on.each(n, [=](auto i) { old[i] = mmm::atomic_add(bins[mmm::as_index(mmm::load(in[i]))], 1); });
  }
};

template <class Run>
void counts_words(Run const& run) {
  constexpr index n = 1000;
  std::vector<int> in(n);
  for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<int>(i * i * 31 % 97 % 10);
  std::vector<int> bins(10);
  std::vector<int> old(n);
  run(count_words{}, mmm::reads<int>(in.begin(), n), mmm::updates<int>(bins.data(), index{10}),
      mmm::writes<int>(old.data(), n), n);
  std::vector<int> expected(10);
  for (int const v : in) ++expected[static_cast<std::size_t>(v)];
  CHECK(bins == expected);
  // every update has seen another value
  std::vector<std::vector<bool>> seen(10, std::vector<bool>(n));
  bool different = true;
  for (std::size_t i = 0; i < n; ++i) {
    auto const before = static_cast<std::size_t>(old[i]);
    different = different && before < n && !seen[static_cast<std::size_t>(in[i])][before];
    if (before < n) seen[static_cast<std::size_t>(in[i])][before] = true;
  }
  CHECK(different);
}

TEST_CASE("updates at addresses that depend on data are counted in a simulation") {
  counts_words([](auto const&... program) {
    auto const done = mmm::simulate<mmm::dmm<8, 3>>(
        mmm::threads(24), [&](auto& on) { mmm::run(on, program...); }, mmm::observe_all);
    CHECK(done.race_count == 0);
    CHECK(mmm::recomputed_time(mmm::dmm<8, 3>{}, done.trace) == done.cost.time);
  });
  counts_words([](auto const&... program) {
    auto const done = mmm::simulate<mmm::hmm<3, 4, 1, 9>>(
        mmm::threads(24), [&](auto& on) { mmm::run(on, program...); }, mmm::observe_all);
    CHECK(done.race_count == 0);
  });
}

TEST_CASE("threads of the host update the same words") {
  counts_words([](auto const&... program) {
    mmm::host_threads<mmm::hmm<2, 4, 1, 9>> const on(mmm::threads(8));
    mmm::run(on, program...);
  });
}

TEST_CASE("an update races with reads and writes of others, not with updates") {
  auto const races = [](auto const& body) {
    return mmm::simulate<mmm::dmm<4, 2>>(
               mmm::threads(8),
               [&](auto& on) {
                 auto const a = on.template allocate<int>(64);
                 on.each(64, [=](auto i) { a[i] = 0; });
                 on.each(8, [=](auto i) { body(a, i); });
               },
               mmm::observe_races)
        .races;
  };
  CHECK(races([](auto a, auto i) { mmm::atomic_add(a[i % 2], i); }).empty());
  CHECK(races([](auto a, auto i) {  // its own word
          a[i] = 3;
          mmm::atomic_add(a[i], mmm::load(a[i]));
        })
            .empty());
  auto const read = races([](auto a, auto i) {
    mmm::atomic_add(a[i], 1);
    static_cast<void>(mmm::load_if(i == 3, a[i - 1], 0));
  });
  REQUIRE(read.size() == 1);
  CHECK((read[0].kind == mmm::race_kind::read_write && read[0].address == 2));
  auto const written = races([](auto a, auto i) {
    mmm::store_if(i == 3, a[i], 5);
    mmm::atomic_min_if(i == 4, a[i - 1], 5);
  });
  REQUIRE(written.size() == 1);
  CHECK((written[0].kind == mmm::race_kind::write_write && written[0].address == 3));
}

TEST_CASE("the updates of words of four and eight bytes") {
  checks::updates_right<int>();
  checks::updates_right<double>();
}

TEST_CASE("updates in pseudo-code, in a profile, in a trace") {
  auto const program = [](auto& on) {
    auto const a = on.template allocate<int>(8);
    on.each(8, [=](auto i) { mmm::atomic_add(a[i % 2], i); });
    on.each(8, [=](auto i) { mmm::atomic_min_if(i < 4, a[i], a[i + 4]); });
  };
  CHECK(pseudo::pseudo_code<mmm::dmm<4, 2>>(mmm::threads(8), program) ==
        "array0: 8 words\n"
        "for i in 0..8 parallel:\n"
        "  x1 = atomic_add(array0[i % 2], i)\n"
        "for i in 0..8 parallel:\n"
        "  x2 = array0[i + 4]\n"
        "  x3 = atomic_min(array0[i], x2) if i < 4\n");
  auto const one = [](auto& on) {
    auto const a = on.template allocate<int>(8);
    on.each(8, [=](auto i) { mmm::atomic_add(a[i % 2], 1); });
  };
  auto const profile = mmm::profile_program(mmm::dmm<4, 2>{}, mmm::threads(8), one);
  REQUIRE(profile.count == 1);
  CHECK(profile.rows[0].kind == mmm::access_kind::update);
  CHECK((profile.rows[0].stages == 4 && profile.rows[0].ideal == 2));
  CHECK_THAT(mmm::report::text(profile), Catch::Contains("update"));
  auto const run = mmm::simulate<mmm::dmm<4, 2>>(mmm::threads(8), one, mmm::observe_all);
  std::ostringstream csv;
  run.trace.write_csv(csv);
  CHECK_THAT(csv.str(), Catch::Contains("0,shared,0,2,0,u\n"));
  CHECK_THAT(mmm::report::text(run.trace), Catch::Contains("update") && Catch::Contains("4"));
  CHECK_THAT(mmm::report::svg(run.trace), Catch::Contains("thread 2 updates word 0"));
}

}  // namespace
