// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults of programs that a simulation finds.
#include <mmm/execution/simulate/simulate.hpp>
#include <mmm/report/trace_text.hpp>

#include "catch.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Catch::Matchers::Contains;
using mmm::index;
using mmm::race_kind;

template <class M, class Body>
auto races_of(index p, index n, Body body) {
  auto run = mmm::simulate<M>(
      mmm::threads(p),
      [&](auto on) {
        auto const a = on.template allocate<int>(100);
        std::fill(a, a + 100, 0);
        on.each(n, [&](auto i) { body(a, i); });
      },
      mmm::observe_races);
  CHECK(run.trace.entries.empty());
  CHECK(run.race_count == static_cast<index>(run.races.size()));
  return run.races;
}

TEST_CASE("a thread that reads what another one writes is a race", "[simulate]") {
  using machine = mmm::dmm<4, 2>;
  auto const found = races_of<machine>(8, 7, [](auto a, auto i) { a[i] = a[i + 1]; });
  REQUIRE(found.size() == 6);  // words 1 … 6 are written by the next thread
  CHECK(found[0] ==
        mmm::race{race_kind::read_write, 0, mmm::memory_space::shared, 0, 0, 1, 1, found[0].place});
  for (mmm::race const& r : found) {
    CHECK(r.kind == race_kind::read_write);
    CHECK(std::max(r.first_item, r.second_item) == r.address);
    CHECK(std::min(r.first_item, r.second_item) == r.address - 1);
  }
  // Races between items of different warps and chunks are found, too.
  CHECK(races_of<mmm::umm<4, 2>>(3, 7, [](auto a, auto i) { a[i] = a[i + 1]; }).size() == 6);
  CHECK(races_of<mmm::pram>(3, 7, [](auto a, auto i) { a[i] = a[i + 1]; }).size() == 6);
  CHECK(races_of<mmm::dmm<1, 1>>(8, 7, [](auto a, auto i) { a[i] = a[i + 1]; }).size() == 6);
}

TEST_CASE("two threads that write one word are a race", "[simulate]") {
  auto const found = races_of<mmm::dmm<4, 2>>(8, 8, [](auto a, auto i) { a[i / 2] = 1; });
  REQUIRE(found.size() == 4);
  CHECK(found[0] == mmm::race{race_kind::write_write, 0, mmm::memory_space::shared, 0, 0, 1, 0,
                              found[0].place});
  CHECK(races_of<mmm::dmm<4, 2>>(8, 8, [](auto a, auto) { a[3] = 1; }).size() == 1);
  auto const both = races_of<mmm::dmm<4, 2>>(8, 8, [](auto a, auto i) { a[i / 8] = a[i / 8] + 1; });
  REQUIRE(both.size() == 2);
  CHECK(both[0].kind != both[1].kind);
}

TEST_CASE("what is no race", "[simulate]") {
  using machine = mmm::dmm<4, 2>;
  // each item uses its own word
  CHECK(races_of<machine>(8, 20, [](auto a, auto i) { a[i] = a[i] + 1; }).empty());
  // each thread uses its own word in every chunk
  CHECK(races_of<machine>(8, 20, [](auto a, auto i) { a[i % 8] = a[i % 8] + 1; }).empty());
  // only reads are shared
  CHECK(races_of<machine>(8, 20, [](auto a, auto i) { a[i + 50] = a[0] + a[i / 3]; }).empty());
  CHECK(races_of<machine>(8, 8, [](auto a, auto i) { mmm::store_if(i == 3, a[7], a[i]); }).size() ==
        1);
  CHECK(races_of<machine>(8, 8, [](auto a, auto i) { mmm::store_if(i == 3, a[7], i); }).empty());
  // A barrier separates two steps.
  auto const run = mmm::simulate<machine>(mmm::threads(8), [](auto on) {
    auto const a = on.template allocate<int>(9);
    std::fill(a, a + 9, 0);
    auto const r = on.template registers<int>();
    on.each(8, [=](auto i) { r[i] = a[i + 1]; });
    on.each(8, [=](auto i) { a[i] = r[i]; });
  });
  CHECK(run.race_count == 0);
}

TEST_CASE("races between DMMs last until the next machine-wide barrier", "[simulate]") {
  using machine = mmm::hmm<2, 4, 1, 3>;
  auto const run = mmm::simulate<machine>(mmm::threads(8), [](auto on) {
    auto const g = on.template allocate<int>(8);
    on.each(8, [=](auto i) { g[i] = 0; });
    on.each_dmm([=](auto block, index d) {
      auto const s = block.template allocate<int>(4);
      block.each(4, [=](auto i) { s[i] = g[i]; });  // both DMMs read words 0 … 3
      // DMM 0 writes words that DMM 1 reads, one step later
      block.each(4, [=](auto i) { g[i + 4 * d] = s[i]; });
    });
    on.each(8, [=](auto i) { g[i] = g[i] + 1; });
  });
  REQUIRE(run.race_count == 4);
  CHECK(run.races[0] == mmm::race{race_kind::read_write, 1, mmm::memory_space::global, 1, 0, 0, 0,
                                  run.races[0].place, 2, run.races[0].first_place});
  // Each DMM has a shared memory of its own.
  auto const apart = mmm::simulate<machine>(mmm::threads(8), [](auto on) {
    on.each_dmm([=](auto block, index) {
      auto const s = block.template allocate<int>(4);
      block.each(4, [=](auto i) { s[i] = 1; });
    });
  });
  CHECK(apart.race_count == 0);
}

TEST_CASE("a race between two steps names both", "[simulate]") {
  using machine = mmm::hmm<2, 4, 1, 3>;
  auto const run = mmm::simulate<machine>(mmm::threads(8), [](auto on) {
    auto const g = on.template allocate<int>(8);
    on.each(8, [=](auto i) { g[i] = 0; });
    on.each_dmm([=](auto block, index d) {
      auto const s = block.template allocate<int>(4);
      block.each(4, [=](auto i) { s[i] = g[i]; });
      block.each(4, [=](auto i) { g[i + 4 * d] = s[i]; });
    });
  });
  REQUIRE(run.race_count == 4);
  mmm::race const& r = run.races[0];
  CHECK(r.first_step == 2);  // of DMM 0, which is simulated first
  CHECK(r.step == 1);
  CHECK(r.place.line + 1 == r.first_place.line);
  auto const line = [](int n) { return " (simulate_errors.cpp:" + std::to_string(n) + ")"; };
  CHECK(mmm::report::text(r) == "steps 2" + line(r.first_place.line) + " and 1" +
                                    line(r.place.line) +
                                    ": items 0 and 0 read and write word 0 of global memory");
  // of one DMM, where no barrier separates them
  auto const block = mmm::simulate<mmm::dmm<4, 2>>(mmm::threads(8), [](auto on) {
    auto const a = on.template allocate<int>(8);
    on.each(8, [=](auto i) { a[i] = 1; }, mmm::no_barrier);
    on.each(4, [=](auto i) { a[i + 1] = 2; });
  });
  REQUIRE(block.race_count == 4);
  CHECK(block.races[0].first_step == 0);
  CHECK(block.races[0].step == 1);
  CHECK(block.races[0].first_place.line + 1 == block.races[0].place.line);
}

TEST_CASE("races beyond the thousandth are counted only", "[simulate]") {
  auto const run = mmm::simulate<mmm::dmm<4, 1>>(mmm::threads(4000), [](auto on) {
    auto const a = on.template allocate<int>(2000);
    on.each(4000, [=](auto i) { a[i / 2] = 1; });
  });
  CHECK(run.race_count == 2000);
  CHECK(run.races.size() == 1000);
}

TEST_CASE("an access outside its array says where", "[simulate]") {
  auto const access = [](auto body) {
    return mmm::simulate<mmm::dmm<4, 5>>(mmm::threads(8), [&](auto on) {
      auto const before = on.template allocate<int>(3);
      auto const a = on.template allocate<int>(10);
      static_cast<void>(before);
      on.each(7, [&](auto i) { body(a, i); });
    });
  };
  // lanes without an item are not checked
  CHECK_NOTHROW(access([](auto a, auto i) { a[i + 3] = 0; }));
  CHECK_THROWS_AS(access([](auto a, auto i) { a[i + 4] = 0; }), std::out_of_range);
  CHECK_THROWS_WITH(access([](auto a, auto i) { a[i + 4] = 0; }),
                    "mmm: item 6 writes element 10 of an array of 10 words (address 14)");
  CHECK_THROWS_WITH(access([](auto a, auto i) { static_cast<void>(mmm::load(a[2 - i])); }),
                    "mmm: item 3 reads element -1 of an array of 10 words (address 3)");
  CHECK_THROWS_WITH(
      access([](auto a, auto i) { static_cast<void>(mmm::load((a + 8)[i * i % 5])); }),
      Contains("item 2 reads element 12 of an array of 10 words"));
  CHECK_NOTHROW(access([](auto a, auto i) { mmm::store_if(i < 5, a[i * 2 + 1], 0); }));
  CHECK_THROWS_WITH(access([](auto a, auto i) { mmm::store_if(i < 6, a[i * 2], 0); }),
                    Contains("item 5 writes element 10"));
  CHECK_THROWS_AS(access([](auto a, auto) { a[10] = 0; }), std::out_of_range);
  CHECK_THROWS_AS(mmm::simulate<mmm::pram>(
                      mmm::threads(1),
                      [](auto on) { return static_cast<int>(on.template allocate<int>(2)[2]); }),
                  std::out_of_range);
}

TEST_CASE("warps that make different accesses are refused", "[simulate]") {
  auto const differ = [](auto body) {
    mmm::simulate<mmm::hmm<1, 4, 1, 1>>(
        mmm::threads(8),
        [&](auto on) {
          auto const g = on.template allocate<int>(16);
          on.each_dmm([&](auto block, index) {
            auto const s = block.template allocate<int>(16);
            block.each(16, [&](auto i) { body(g, s, i, i[0] == 4); });
          });
        },
        mmm::observe_cost);
  };
  CHECK_NOTHROW(differ([](auto g, auto s, auto i, bool) { g[i] = s[i]; }));
  CHECK_THROWS_AS(differ([](auto g, auto s, auto i, bool other) { (other ? s : g)[i] = 1; }),
                  std::logic_error);
  CHECK_THROWS_AS(differ([](auto g, auto, auto i, bool other) {
                    g[i] = 1;
                    if (other) g[i] = 2;
                  }),
                  std::logic_error);
  CHECK_THROWS_WITH(differ([](auto g, auto, auto i, bool other) {
                      if (!other) g[i] = 2;
                    }),
                    Contains("the same number of reads and writes") && Contains("item 4"));
  CHECK_THROWS_AS(differ([](auto g, auto, auto i, bool other) {
                    if (other)
                      g[i] = 2;
                    else
                      static_cast<void>(mmm::load(g[i]));
                  }),
                  std::logic_error);
}

TEST_CASE("bad arguments are named", "[simulate]") {
  auto const nothing = [](auto) {};
  CHECK_THROWS_WITH((mmm::simulate<mmm::hmm<3, 4, 1, 1>>(mmm::threads(8), nothing)),
                    "mmm: the number of threads is 8; accepted: a multiple of the number of DMMs");
  auto const on = [](auto program) {
    mmm::simulate<mmm::hmm<2, 4, 1, 1, 10>>(mmm::threads(8), program);
  };
  CHECK_THROWS_WITH(on([](auto all) { all.each(-1, [](auto) {}); }),
                    Contains("the number of items is -1"));
  CHECK_THROWS_WITH(on([](auto all) { all.each(2, -3, [](auto, auto) {}); }),
                    Contains("the number of columns is -3"));
  CHECK_THROWS_WITH(on([](auto all) { all.each_dmm(3, [](auto, index) {}); }),
                    Contains("DMMs to use is 3"));
  CHECK_THROWS_WITH(on([](auto all) { static_cast<void>(all.template allocate<int>(-1)); }),
                    Contains("array is -1"));
  CHECK_THROWS_WITH(on([](auto all) {
                      all.each_dmm([](auto block, index) {
                        // words 0 … 4; the next array begins at word 8
                        auto const a = block.template allocate<int>(5);
                        auto const b = block.template allocate<int>(3);
                        static_cast<void>(a == b);
                      });
                    }),
                    "mmm: words of a shared memory: 11 needed, 10 available");
  CHECK_NOTHROW(on([](auto all) {
    for (int k = 0; k < 3; ++k)
      all.each_dmm([](auto block, index) { static_cast<void>(block.template allocate<int>(10)); });
  }));
  CHECK_THROWS_AS(on([](auto all) { all.each(1, [&](auto) { all.each(1, [](auto) {}); }); }),
                  std::logic_error);
  CHECK_THROWS_AS(
      on([](auto all) { all.each_dmm([&](auto, index) { all.each(1, [](auto) {}); }); }),
      std::logic_error);
  CHECK_THROWS_AS(
      mmm::simulate<mmm::pram>(
          mmm::threads(4),
          [](auto all) { static_cast<void>(all.template registers<int, 2>()(mmm::index{0}, 2)); }),
      std::out_of_range);
}

TEST_CASE("a trace is written as CSV", "[simulate]") {
  auto const run = mmm::simulate<mmm::hmm<2, 2, 1, 3>>(mmm::threads(4), [](auto on) {
    auto const g = on.template allocate<int>(2);
    on.each_dmm([=](auto block, index d) {
      auto const s = block.template allocate<int>(2);
      block.each(d, [=](auto i) { g[i] = 1; });
      block.each(2 - d, [=](auto i) { s[i] = g[i + d]; });
    });
  });
  std::ostringstream out;
  run.trace.write_csv(out);
  CHECK(out.str() == "round,space,dmm,thread,address,op\n"
                     "0,global,1,0,0,w\n"
                     "1,global,0,0,0,r\n"
                     "1,global,0,1,1,r\n"
                     "1,global,1,0,1,r\n"
                     "2,shared,0,0,0,w\n"
                     "2,shared,0,1,1,w\n"
                     "2,shared,1,0,0,w\n");
  CHECK(run.race_count == 1);  // word 0 is written by DMM 1 and read by DMM 0
}

}  // namespace
