// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws of handles (execution/handle.hpp), which every back end keeps.
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/mmm.hpp>

#include "catch.hpp"
#include "support/pseudo_code.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using mmm::index;
using one_memory = mmm::umm<4, 5>;
using hierarchy = mmm::hmm<3, 4, 1, 9, 64>;
using mmm::detail::host_team;
using mmm::detail::kernel_block;
using mmm::detail::kernel_grid;
using mmm::detail::planning_team;
using mmm::detail::symbolic_handle;

static_assert(mmm::thread_handle<symbolic_handle<one_memory, false>>);
static_assert(mmm::machine_handle<symbolic_handle<hierarchy, true>>);
static_assert(!mmm::machine_handle<symbolic_handle<hierarchy, false>>);
static_assert(mmm::thread_handle<kernel_grid<one_memory, host_team>>);
static_assert(mmm::thread_handle<kernel_block<hierarchy, host_team>>);
static_assert(mmm::machine_handle<kernel_grid<hierarchy, host_team>>);
static_assert(mmm::machine_handle<kernel_grid<hierarchy, planning_team<hierarchy>>>);
static_assert(!mmm::thread_handle<int>);

//! A program on a machine handle, given a number.
template <class Body>
struct with_number {
  Body body;
  template <class On>
  constexpr void operator()(On& on, index number) const {
    static_assert(mmm::machine_handle<On>);
    body(on, number);
  }
};

//! The failure that every back end reports of `body(on, number)`, the same kind in all, or none.
template <class Failure, class Body>
void check_refused(char const* words, index number, Body const& body) {
  with_number<Body> const program{body};
  auto const refused = [&](char const* where, auto const& run) {
    INFO(where << " " << words << " " << number);
    CHECK_THROWS_AS(run(), Failure);
    try {
      run();
    } catch (std::exception const& failure) {
      CHECK_THAT(failure.what(), Catch::Contains(words));
    }
  };
  refused("estimate", [&] {
    static_cast<void>(
        mmm::estimate<hierarchy>(mmm::threads(6), [&](auto& on) { program(on, number); }));
  });
  refused("simulate", [&] {
    mmm::simulate<hierarchy>(mmm::threads(6), [&](auto& on) { program(on, number); });
  });
  refused("host threads", [&] {
    mmm::host_threads<hierarchy> const on(mmm::threads(6));
    mmm::run(on, program, number);
  });
  refused("pseudo-code", [&] {
    static_cast<void>(
        pseudo::pseudo_code<hierarchy>(mmm::threads(6), [&](auto& on) { program(on, number); }));
  });
}

//! The n words, 0 at first, after `program(on, out)`.
template <class Program>
std::vector<index> simulated(Program const& program, index n) {
  std::vector<index> out(static_cast<std::size_t>(n));
  mmm::simulate<hierarchy>(mmm::threads(6), [&](auto& on) {
    mmm::run(on, program, mmm::updates<index>(out.begin(), n));
  });
  return out;
}
template <class Program>
std::vector<index> on_host_threads(Program const& program, index n) {
  std::vector<index> out(static_cast<std::size_t>(n));
  mmm::host_threads<hierarchy> const on(mmm::threads(6));
  mmm::run(on, program, mmm::updates<index>(out.begin(), n));
  return out;
}

//! Every shape of a parallel-for, loop and tile adds to words of its own.
struct all_of_the_vocabulary {
  template <class On, class Array>
  void operator()(On& on, Array out) const {
    on.each(10, [=](auto i) { out[i] = mmm::load(out[i]) + i; });
    on.each(2, 5, [=](auto row, auto column) { out[10 + row * 5 + column] = row * 10 + column; });
    on.each(mmm::trapezoid{3, 3, 4},
            [=](auto row, auto column) { out[20 + row * 3 + column] = row * 10 + column + 1; });
    on.repeat(3, [=, &on](auto k) {
      on.each(4, [=](auto i) { out[30 + i] = mmm::load(out[30 + i]) * 10 + k; });
    });
    on.template repeat<4>(3, [=, &on](auto k) {
      on.each(4, [=](auto i) { out[34 + i] = mmm::load(out[34 + i]) * 10 + k; });
    });
    on.diagonals(1, 3, [=, &on](index r) {
      on.each(3 - r, [=](auto i) { out[74 + i] = mmm::load(out[74 + i]) * 10 + r; });
    });
    on.each_dmm(2, [=](auto& block, auto dmm) {
      block.each(3, [=](auto i) { out[40 + dmm * 3 + i] = dmm * 10 + i + 1; });
    });
    on.each_tile(5, 7, [=](auto& block, auto tile) {
      block.each(1, [=](auto i) { out[45 + tile + i] = tile; });
    });
    on.each_tile_on(mmm::dmm_range{1, 2}, 5, 3, [=](auto& block, auto tile) {
      block.each(1, [=](auto i) { out[47 + tile + i] = tile + 50; });
    });
    on.template each_phase<0>(
        5, [=, &on](index k) { on.each(1, [=](auto i) { out[76 + k + i] = k + 1; }); },
        [=, &on](index k) { on.each(1, [=](auto i) { out[76 + k + i] = k * 10; }); });
    auto const r = on.template registers<index, 2>();
    on.each_thread([=](auto i) { r(i, 1) = i * 3; });
    on.each(on.threads(), [=](auto i) { out[60 + i] = mmm::load(r(i, 1)) + mmm::load(r[i]); });
    on.each_dmm([=](auto& block, auto dmm) {
      block.each(1, [=](auto i) { out[66 + dmm + i] = dmm + 5; });
    });
    on.first_alone();
    on.each_tile(
        0, 1,
        [=](auto& block, auto tile) {
          block.each(1, [=](auto i) {
            out[69 + tile + i] =
                mmm::load(out[66 + i]) + mmm::load(out[67 + i]) + mmm::load(out[68 + i]);
          });
        },
        mmm::no_barrier);
    on.each(2, [=](auto i) { out[70 + i] = mmm::load(out[69]) * 2; });
    on.each(2, [=](auto i) { out[72 + i] = mmm::load(out[71 - i]) + 1; });
  }
};

}  // namespace

TEST_CASE("the vocabulary means the same in a simulation and on threads", "[handle]") {
  auto const out = simulated(all_of_the_vocabulary{}, 81);
  CHECK(out == on_host_threads(all_of_the_vocabulary{}, 81));
  CHECK(out[69] == 18);  // by the first DMM alone
  CHECK(out[73] == 37);
  CHECK(out[9] == 9);
  CHECK(out[19] == 14);
  CHECK(out[28] == 0);   // the corner of the trapezoid
  CHECK(out[33] == 12);  // trips 0, 1, 2
  CHECK(out[37] == 12);
  CHECK(out[45] == 13);
  CHECK(out[46] == 0);
  CHECK(out[50] == 5);
  CHECK(out[52] == 55);
  CHECK(out[54] == 57);
  CHECK(out[56] == 11);
  CHECK(out[65] == 15);
  CHECK(out[74] == 12);  // diagonals 1 and 2
  CHECK(out[75] == 1);
  CHECK(std::vector<mmm::index>(out.begin() + 76, out.end()) ==
        std::vector<mmm::index>{1, 10, 3, 30, 5});  // phases of two bodies in turn
}

namespace {

//! Writes digits after each other, which is associative and not commutative.
struct digits_after {
  constexpr index operator()(index x, index y) const {
    index shift = 10;
    while (shift <= y) shift *= 10;
    return x * shift + y;
  }
};

//! Scans two digits of each thread of a DMM by lanes, with the sums before each, and folds the
//! first six of others.
struct digits_by_lanes {
  template <class On, class Array>
  void operator()(On& on, Array out) const {
    index const t = on.threads_per_dmm();
    on.each_dmm([=](auto& block, auto dmm) {
      auto const r = block.template registers<index>();
      auto const upto = block.template registers<index, 2>();
      auto const before = block.template registers<index, 2>();
      block.each_thread(
          [=](auto i) {
            r[i] = i + 1;
            upto(i, 0) = i + 1;
            upto(i, 1) = i + 2;
          },
          mmm::no_barrier);
      block.template scan_lanes<2>(upto, before, digits_after{});
      block.fold_lanes(r, 6, digits_after{});
      block.each_thread([=](auto i) {
        auto const at = dmm * (5 * t) + i;
        out[at] = mmm::load(upto(i, 0));
        out[at + t] = mmm::load(before(i, 0));
        out[at + 2 * t] = mmm::load(r[i]);
        out[at + 3 * t] = mmm::load(upto(i, 1));
        out[at + 4 * t] = mmm::load(before(i, 1));
      });
    });
  }
};

}  // namespace

TEST_CASE("lanes combine their registers in their order", "[handle]") {
  using machine = mmm::hmm<2, 12, 1, 9>;  // 4 lanes
  std::vector<mmm::index> const of_a_dmm{1,    12,    123,    1234,    5,       56,       0,   1,
                                         12,   123,   0,      5,       1234,    2,        3,   4,
                                         56,   6,     12342,  123423,  1234234, 12342345, 566, 5667,
                                         1234, 12342, 123423, 1234234, 56,      566};
  std::vector<mmm::index> expected = of_a_dmm;
  expected.insert(expected.end(), of_a_dmm.begin(), of_a_dmm.end());
  std::vector<mmm::index> out(expected.size());
  auto const run = mmm::simulate<machine>(mmm::threads(12), [&](auto& on) {
    mmm::run(on, digits_by_lanes{}, mmm::updates<mmm::index>(out.begin(), 60));
  });
  CHECK(out == expected);
  auto const cost = mmm::estimate<machine>(mmm::threads(12), [&](auto& on) {
    mmm::run(on, digits_by_lanes{}, mmm::updates<mmm::index>(out.begin(), 60));
  });
  CHECK(run.races.empty());
  CHECK(run.cost.rounds == 5);  // what is written in the end
  CHECK(cost.time == run.cost.time);
  out.assign(out.size(), 0);
  mmm::host_threads<machine> const threads(mmm::threads(12));
  mmm::run(threads, digits_by_lanes{}, mmm::updates<mmm::index>(out.begin(), 60));
  CHECK(out == expected);
  auto const code = pseudo::pseudo_code<machine>(mmm::threads(12), [](auto& on) {
    on.each_dmm([](auto& block, auto) {
      auto const r = block.template registers<mmm::index>();
      block.scan_lanes(r, r, digits_after{});
      block.fold_lanes(r, 5, digits_after{});
    });
  });
  CHECK_THAT(code, Catch::Contains("scan by 4 lanes") && Catch::Contains("fold of 5 by 4 lanes"));
}

namespace {

constexpr index digits_per_thread = 3;
constexpr index digit_of_item(index i, index k) { return (i * i + 3 * k + i * k) % 4; }

//! Ranks three digits of two bits of each thread of a DMM, and counts the groups.
struct ranks_of_digits {
  template <class On, class Array>
  void operator()(On& on, Array out) const {
    index const t = on.threads_per_dmm();
    on.each_dmm([=](auto& block, auto dmm) {
      auto const digits = block.template registers<std::uint32_t, digits_per_thread>();
      auto const ranks = block.template registers<std::uint32_t, digits_per_thread>();
      auto const counters = block.template allocate<std::uint32_t>(8);
      auto const given = block.template allocate<std::uint32_t>(digits_per_thread * t);
      block.each(8, [=](auto i) { counters[i] = std::uint32_t{5}; });
      block.each(1, [=](auto one) {
        for (index i = 0; i < t; ++i)
          for (index k = 0; k < digits_per_thread; ++k)
            given[k * t + i + one] = static_cast<std::uint32_t>(digit_of_item(i, k));
      });
      block.each_thread([=](auto i) {
        mmm::unroll<digits_per_thread>(
            [&](index k) { digits(i, k) = mmm::load(given[k * t + i]); });
      });
      block.template count_in_order<2, digits_per_thread>(
          [=](auto const& i, auto k) { return mmm::load(digits(i, k)); }, counters,
          [=](auto const& i, auto k, auto const& rank) { ranks(i, k) = rank; });
      block.each(0, mmm::detail::any_body{});
      auto const first = dmm * (digits_per_thread * t + 8);
      block.each_thread([=](auto i) {
        mmm::unroll<digits_per_thread>(
            [&](index k) { out[first + k * t + i] = mmm::load(ranks(i, k)); });
      });
      block.each(8,
                 [=](auto i) { out[first + digits_per_thread * t + i] = mmm::load(counters[i]); });
    });
  }
};

//! Seven numbers of each of five tiles, and what their sums over the tiles before are.
struct sums_of_tiles {
  template <class On, class Array>
  void operator()(On& on, Array out) const {
    auto const sums = on.tile_sums(35);
    on.each(35, [=](auto j) { sums[j] = 0 * j; });
    on.each_tile(0, 5, [=](auto& block, auto tile) {
      auto const own = block.template allocate<index>(7);
      auto const before = block.template allocate<index>(7);
      block.each(7, [=](auto j) { own[j] = 10 * j + tile; }, mmm::no_barrier);
      block.publish_sums(sums, tile, own, 7);
      block.sums_before(sums, tile, own, before, 7);
      block.each(7, [=](auto j) { out[tile * 7 + j] = mmm::load(before[j]); });
    });
  }
};

}  // namespace

TEST_CASE("lanes count their digits in order", "[handle]") {
  using mmm::index;
  using machine = mmm::hmm<2, 12, 1, 9>;  // 4 lanes: 6 threads are a group and a half
  std::vector<index> expected;
  std::vector<index> ranks(18), counters(8, 5);
  for (std::size_t group = 0; group < 2; ++group)
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t i = 4 * group; i < 6 && i < 4 * group + 4; ++i) {
        auto const digit = digit_of_item(static_cast<index>(i), static_cast<index>(k));
        ranks[k * 6 + i] = counters[4 * group + static_cast<std::size_t>(digit)]++;
      }
  for (int dmm = 0; dmm < 2; ++dmm) {
    expected.insert(expected.end(), ranks.begin(), ranks.end());
    expected.insert(expected.end(), counters.begin(), counters.end());
  }
  std::vector<index> out(expected.size());
  auto const run = mmm::simulate<machine>(mmm::threads(12), [&](auto& on) {
    mmm::run(on, ranks_of_digits{}, mmm::updates<index>(out.begin(), 52));
  });
  CHECK(out == expected);
  CHECK(run.races.empty());
  // counters and digits written, digits read, an update for each, ranks written, counters kept
  CHECK(run.cost.rounds == 2 + 18 + 3 + 3 + 3 + 4);
  out.assign(out.size(), 0);
  mmm::host_threads<machine> const threads(mmm::threads(12));
  mmm::run(threads, ranks_of_digits{}, mmm::updates<index>(out.begin(), 52));
  CHECK(out == expected);
}

TEST_CASE("tiles learn the sums of numbers of the tiles before", "[handle]") {
  using mmm::index;
  auto const out = simulated(sums_of_tiles{}, 35);
  CHECK(out == on_host_threads(sums_of_tiles{}, 35));
  for (index tile = 0; tile < 5; ++tile)
    for (index j = 0; j < 7; ++j)
      CHECK(out[static_cast<std::size_t>(tile * 7 + j)] == tile * 10 * j + tile * (tile - 1) / 2);
  auto const on_data = mmm::simulate<hierarchy>(mmm::threads(6), [&](auto& on) {
    std::vector<index> words(35);
    mmm::run(on, sums_of_tiles{}, mmm::updates<index>(words.begin(), 35));
  });
  auto const cost = mmm::estimate<hierarchy>(
      mmm::threads(6), [](auto& on) { sums_of_tiles{}(on, on.template allocate<index>(35)); });
  CHECK(on_data.races.empty());
  CHECK(cost.time == on_data.cost.time);
}

TEST_CASE("every back end refuses the same numbers", "[handle]") {
  using std::invalid_argument;
  auto const nothing = [](auto const&...) {};
  check_refused<invalid_argument>("number of trips of a loop is -3", -3,
                                  [=](auto& on, mmm::index n) { on.repeat(n, nothing); });
  check_refused<invalid_argument>(
      "number of trips of a loop is -3", -3,
      [=](auto& on, mmm::index n) { on.template repeat<4>(n, nothing); });
  check_refused<std::length_error>("trips of an unrolled loop: 5", 5, [=](auto& on, mmm::index n) {
    on.template repeat<4>(n, nothing);
  });
  check_refused<invalid_argument>("number of items is -1", -1,
                                  [=](auto& on, mmm::index n) { on.each(n, nothing); });
  check_refused<invalid_argument>("number of rows is -1", -1,
                                  [=](auto& on, mmm::index n) { on.each(n, 4, nothing); });
  check_refused<invalid_argument>("number of columns is -1", -1, [=](auto& on, mmm::index n) {
    on.each(mmm::trapezoid{2, n, 2}, nothing);
  });
  check_refused<invalid_argument>("number of columns is -1", -1, [=](auto& on, mmm::index n) {
    on.each(mmm::thread_items<2>{2, n}, nothing);
  });
  check_refused<invalid_argument>("number of rows is -1", -1, [=](auto& on, mmm::index n) {
    static_cast<void>(on.template registers<int>(mmm::thread_items<2>{n, 2}));
  });
  check_refused<invalid_argument>("size of an array is -1", -1, [=](auto& on, mmm::index n) {
    static_cast<void>(on.template allocate<int>(n));
  });
  check_refused<invalid_argument>("number of DMMs to use is 4", 4,
                                  [=](auto& on, mmm::index n) { on.each_dmm(n, nothing); });
  check_refused<invalid_argument>("number of tiles is -1", -1,
                                  [=](auto& on, mmm::index n) { on.each_tile(0, n, nothing); });
  check_refused<invalid_argument>("number of the first tile is -1", -1,
                                  [=](auto& on, mmm::index n) { on.each_tile(n, 1, nothing); });
  check_refused<invalid_argument>("first DMM to use is -1", -1, [=](auto& on, mmm::index n) {
    on.each_tile_on(mmm::dmm_range{n, 1}, 0, 1, nothing);
  });
  check_refused<invalid_argument>("number of DMMs to use is 3", 3, [=](auto& on, mmm::index n) {
    on.each_tile_on(mmm::dmm_range{1, n}, 0, 1, nothing);
  });
  check_refused<invalid_argument>("number of DMMs to use is 0", 0, [=](auto& on, mmm::index n) {
    on.each_tile_on(mmm::dmm_range{1, n}, 0, 1, nothing);
  });
  check_refused<invalid_argument>("number of tiles is -1", -1, [=](auto& on, mmm::index n) {
    static_cast<void>(on.template look_back_state<int>(n));
  });
  check_refused<invalid_argument>(
      "number of trips of a loop is -1", -1,
      [=](auto& on, mmm::index n) { on.template each_phase<0>(n, nothing); });
}

TEST_CASE("the number of a tile says which DMM it is for", "[handle]") {
  using mmm::index;
  // Tiles that two calls assign are assigned as those of one.
  auto const assign = [](auto& on, auto const& body) {
    on.each_tile(0, 4, body, mmm::no_barrier);
    on.each_tile(4, 4, body, mmm::no_barrier);
    on.each_tile_on(mmm::dmm_range{1, 2}, 8, 3, body);
  };
  std::vector<index> const dmms{0, 1, 2, 0, 1, 2, 0, 1, 1, 2, 1};
  std::vector<index> out(dmms.size(), -1);
  auto const run = mmm::simulate<hierarchy>(mmm::threads(6), [&](auto& on) {
    auto const a = on.array(out.begin(), out.end());
    assign(on, [=](auto& block, auto tile) { block.each(1, [=](auto i) { a[tile + i] = tile; }); });
  });
  std::vector<index> seen(dmms.size(), -1);
  for (mmm::trace_entry const& access : run.trace.entries)
    seen.at(static_cast<std::size_t>(access.address - run.trace.entries[0].address)) = access.dmm;
  CHECK(seen == dmms);

  mmm::host_threads<hierarchy> const on(mmm::threads(6));
  mmm::run(
      on,
      [=](auto& all, auto a) {
        auto const own = all.template registers<index>();
        all.each_thread([=](auto i) { own[i] = i / 2; });
        assign(all, [=](auto& block, auto tile) {
          block.each(1, [=](auto i) { a[tile + i] = mmm::load(own[i]); });
        });
      },
      mmm::writes<index>(out.begin(), mmm::index(out.size())));
  CHECK(out == dmms);
}

TEST_CASE("only the first DMM works after first_alone", "[handle]") {
  auto const refused = [](auto const& then) {
    auto const program = [=](auto& on) {
      on.first_alone();
      then(on);
    };
    CHECK_THROWS_AS(mmm::simulate<hierarchy>(mmm::threads(6), program), std::logic_error);
    mmm::host_threads<hierarchy> const on(mmm::threads(6));
    CHECK_THROWS_AS(mmm::run(on, program), std::logic_error);
  };
  auto const nothing = [](auto const&...) {};
  refused([=](auto& on) { on.each_dmm(2, nothing); });
  refused([=](auto& on) { on.each_tile(0, 2, nothing); });
  refused([=](auto& on) { on.each_tile(1, 1, nothing); });
  refused([=](auto& on) { on.each_tile_on(mmm::dmm_range{1, 1}, 0, 1, nothing); });
  refused([=](auto& on) { on.each(3, nothing); });
}

TEST_CASE("all DMMs work again in the program after one that ended with first_alone", "[handle]") {
  auto const alone = [](auto& on) { on.first_alone(); };
  int visits = 0;
  mmm::simulate<hierarchy>(mmm::threads(6), [&](auto& on) {
    mmm::run(on, alone);
    on.each_dmm([&](auto&, auto) { ++visits; });
  });
  CHECK(visits == hierarchy{}.dmms());
}

TEST_CASE("a simulation refuses another thread's register", "[handle]") {
  auto const body = [](auto const& naming) {
    return [=] {
      mmm::simulate<one_memory>(mmm::threads(6), [&](auto& on) {
        auto const r = on.template registers<int, 2>();
        on.each(20, [&](auto i) { naming(r, i); });
      });
    };
  };
  CHECK_NOTHROW(body([](auto r, auto i) { r[i] = r[i] + 1; })());
  CHECK_NOTHROW(body([](auto r, auto i) { r(i + 6, 1) = r[i % 6]; })());
  CHECK_THROWS_WITH(body([](auto r, auto i) { r[i] = r[i + 1]; })(),
                    Catch::Contains("item 0 names the register of item 1"));
  CHECK_THROWS_WITH(body([](auto r, auto i) { r[i - 1] = 0; })(),
                    Catch::Contains("item 0 names the register of item -1"));
  CHECK_THROWS_AS(body([](auto r, auto i) { r(i / 2, 1) = 0; })(), std::invalid_argument);
  CHECK_THROWS_AS(body([](auto r, auto i) { r.chosen(i + 1, i % 2) = 0; })(),
                  std::invalid_argument);
  CHECK_THROWS_AS(body([](auto r, auto) { r[0] = 0; })(), std::invalid_argument);
  // of the only item
  CHECK_NOTHROW(mmm::simulate<one_memory>(mmm::threads(6), [&](auto& on) {
    auto const r = on.template registers<int>();
    on.each(1, [=](auto) { r[0] = 7; });
  }));
  // a machine's registers in a DMM: its items 0, 1 are not the machine's
  auto const in_a_dmm = [](mmm::index dmm) {
    mmm::simulate<hierarchy>(mmm::threads(6), [&](auto& on) {
      auto const r = on.template registers<int>();
      on.each(12, [=](auto i) { r[i] = i; });
      on.each_dmm([=](auto& block, mmm::index number) {
        if (number == dmm) block.each(2, [=](auto i) { r[i] = 0; });
      });
    });
  };
  CHECK_NOTHROW(in_a_dmm(0));
  CHECK_THROWS_AS(in_a_dmm(1), std::invalid_argument);
  // kept items: a kernel knows them by the numbers that their own parallel-for gives
  auto const kept = [](auto const& use) {
    return [=] {
      mmm::simulate<one_memory>(mmm::threads(3), [&](auto& on) {
        mmm::thread_items<4> const items{3, 4};
        auto const r = on.template registers<int>(items);
        use(on, items, r);
      });
    };
  };
  CHECK_NOTHROW(kept([](auto& on, auto items, auto r) {
    on.each(items, [=](auto, auto, auto own) { r[own] = 1; });
  })());
  CHECK_THROWS_AS(kept([](auto& on, auto items, auto r) {
                    on.each(items.count(), [=](auto i) { r[i] = 1; });
                  })(),
                  std::invalid_argument);
  CHECK_THROWS_AS(kept([](auto& on, auto items, auto r) {
                    on.each(items, [=](auto, auto, auto own) { r[own + 1] = 1; });
                  })(),
                  std::invalid_argument);
}

TEST_CASE("an estimate refuses another thread's register where it sees it", "[handle]") {
  auto const body = [](auto const& naming) {
    return [=] {
      return mmm::estimate<one_memory>(mmm::threads(6), [&](auto& on) {
        auto const r = on.template registers<int, 2>();
        on.each(4, 5, [&](auto row, auto column) { naming(r, row * 5 + column); });
      });
    };
  };
  CHECK_NOTHROW(body([](auto r, auto i) { r[i] = mmm::load(r(i + 6, 1)) + 1; })());
  CHECK_THROWS_AS(body([](auto r, auto i) { r[i + 1] = 0; })(), std::invalid_argument);
  CHECK_THROWS_AS(body([](auto r, auto i) { r(i - 1, 1) = 0; })(), std::invalid_argument);
  CHECK_THROWS_AS(body([](auto r, auto) { r[0] = 0; })(), std::invalid_argument);
}

namespace {

//! Three steps without barriers, then one or none, then threads that read each other's words; on a
//! DMM and, on a hierarchical machine, on all of them.
template <bool Barrier>
struct loop_and_barrier {
  template <class On, class Words>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Words out) const {
    exchange(on, out, out + 32);
    if constexpr (mmm::hierarchical_machine<typename On::machine_type>)
      on.each_dmm(
          [=](auto& block, auto dmm) { exchange(block, out + 64 + dmm * 8, out + 96 + dmm * 8); });
  }
  template <class On, class Words>
  MMM_HOST_DEVICE static constexpr void exchange(On& on, Words from, Words to) {
    index const n = on.threads();
    on.repeat(3, [&](auto k) { on.each(n, [=](auto i) { from[i] = i + k; }, mmm::no_barrier); });
    if constexpr (Barrier) on.barrier();
    on.each(n, [=](auto i) { to[i] = mmm::load(from[n - 1 - i]); });
  }
};

template <class M, bool Barrier>
auto simulated_barrier() {
  return mmm::simulate<M>(mmm::threads(8), [](auto on) {
    auto const out = on.template allocate<index>(128);
    loop_and_barrier<Barrier>{}(on, out);
    std::vector<index> words;
    for (index k = 0; k < 8; ++k) words.push_back(out.data()[32 + k]);
    return words;
  });
}

template <class M, bool Barrier>
constexpr mmm::cost estimated_barrier() {
  return mmm::estimate<M>(mmm::threads(8), [](auto& on) {
    loop_and_barrier<Barrier>{}(on, on.template allocate<index>(128));
  });
}

template <class M>
void check_barrier(index races_without) {
  auto const with = simulated_barrier<M, true>();
  auto const without = simulated_barrier<M, false>();
  CHECK(with.race_count == 0);
  CHECK(without.race_count == races_without);
  CHECK(with.result == std::vector<index>{9, 8, 7, 6, 5, 4, 3, 2});
  CHECK(with.cost.time == without.cost.time);
  CHECK(with.pipelined_time == without.pipelined_time);
  CHECK(with.cost.time == (estimated_barrier<M, true>().time));
  CHECK(estimated_barrier<M, true>() == estimated_barrier<M, false>());
  std::vector<index> out(128);
  mmm::host_threads<M> const threads(mmm::threads(8));
  mmm::run(threads, loop_and_barrier<true>{}, mmm::writes<index>(out.begin(), 128));
  CHECK(std::vector<index>(out.begin() + 32, out.begin() + 40) == with.result);
}

}  // namespace

TEST_CASE("a barrier without a step ends steps without barriers", "[handle]") {
  check_barrier<mmm::umm<4, 5>>(8);
  check_barrier<mmm::dmm<4, 5>>(8);
  check_barrier<mmm::hmm<2, 4, 1, 3>>(16);
}
