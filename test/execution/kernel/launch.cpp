// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/execution/kernel/launch.hpp>
#include <mmm/fast.hpp>
#include <mmm/mmm.hpp>

#include "catch.hpp"

#include <vector>

// The launch plan of a kernel: its shape, memory and barriers, known before it runs.

namespace {

using mmm::index;
using mmm::reads;
using mmm::works_on;
using mmm::writes;
using mmm::detail::launch_plan;
using mmm::detail::plan_of;
using mmm::detail::shape_of;
using hierarchy = mmm::hmm<4, 32, 2, 100, 4096>;

template <class M, class Program, class... Arguments>
launch_plan plan(index p, Program const& program, Arguments const&... arguments) {
  return plan_of(M{}, shape_of(M{}, p), program, arguments...);
}

}  // namespace

TEST_CASE("the machine is the launch shape") {
  CHECK(shape_of(mmm::dmm<32, 2>(), 100) == mmm::launch_shape{1, 100, 100});
  CHECK(shape_of(mmm::umm<32, 2>(), 1000) == mmm::launch_shape{4, 256, 1000});
  CHECK(shape_of(mmm::umm<32, 2>(), 7) == mmm::launch_shape{1, 7, 7});
  CHECK(shape_of(hierarchy(), 512) == mmm::launch_shape{4, 128, 512});
  CHECK_THROWS_AS(shape_of(hierarchy(), 513), std::invalid_argument);
}

TEST_CASE("a plan knows the memory and the barriers") {
  float a[1] = {};
  float* const out = a;
  // Copies need neither memory of their own nor a barrier.
  auto const copy = plan<hierarchy>(512, mmm::wide_copy<4, 4>{}, reads<float>(a, 1000),
                                    mmm::index{1000}, writes<float>(out, 1000));
  CHECK(copy.shared == 0);
  CHECK(copy.scratch == 0);
  CHECK(!copy.grid_barriers);
  // Through shared memory: 1000 words by 512 threads, two rows of 128 words in each block.
  auto const through = plan<hierarchy>(512, mmm::shared_copy{}, reads<float>(a, 1000),
                                       mmm::index{1000}, writes<float>(out, 1000));
  CHECK(through.shared == 2 * 128 * 4);
  CHECK(!through.grid_barriers);
  // A tree in global memory: a copy to work on, and a barrier before each level.
  using tree_program = mmm::detail::first_word_of<mmm::detail::sum_program<mmm::plus, false>>;
  auto const tree = plan<mmm::umm<32, 2>>(64, tree_program{}, mmm::results(a),
                                          works_on<float>(a, 1000), mmm::index{1000});
  CHECK(tree.shared == 0);
  CHECK(tree.scratch == 4096);
  CHECK(tree.grid_barriers);
  // A wide sum: its last block adds up, and no block waits for others. One block takes all of few
  // values.
  using wide_program = mmm::detail::first_word_of<mmm::detail::wide_sum_program<4, 4>>;
  auto const wide_plan = [&](mmm::index n) {
    return plan<hierarchy>(512, wide_program{}, mmm::results(a), reads<float>(a, n), n);
  };
  for (mmm::index const n : {16, 2047, 2048, 2049, 5000}) {
    CAPTURE(n);
    CHECK(wide_plan(n).arrivals);
    CHECK(!wide_plan(n).grid_barriers);
  }
  CHECK(wide_plan(15).grid_barriers);
  // The same in one block's shared memory: its own barriers only.
  auto const in_shared = plan<mmm::dmm<32, 2>>(64, tree_program{}, mmm::results(a),
                                               works_on<double>(a, 1000), mmm::index{1000});
  CHECK(in_shared.shared == 8192);
  CHECK(in_shared.scratch == 0);
  CHECK(!in_shared.grid_barriers);
}

TEST_CASE("a plan knows which blocks work") {
  float a[1] = {};
  float* const out = a;
  // Tiles are assigned to as many blocks, which wait for each other.
  auto const scan = [&](mmm::index n) {
    return plan<hierarchy>(512, mmm::one_pass_scan<4, 8>{}, reads<float>(a, n), n,
                           writes<float>(out, n));
  };
  CHECK(scan(2000).blocks == 1);
  CHECK(scan(4096).blocks == 1);
  CHECK(scan(4097).blocks == 2);
  CHECK(scan(4097).grid_barriers);
  CHECK(scan(3 * 4096 + 1).blocks == 4);
  CHECK(scan(100 * 4096).blocks == 4);
  // One block does the first DMM's part; a sum of so few values begins with that.
  using wide_program = mmm::detail::first_word_of<mmm::detail::wide_sum_program<4, 4>>;
  auto const sum = [&](mmm::index n) {
    return plan<hierarchy>(512, wide_program{}, mmm::results(a), reads<float>(a, n), n).blocks;
  };
  CHECK(sum(2048) == 1);
  CHECK(sum(2049) == 4);
  // Tiles on some DMMs, DMMs side by side, and a loop of which a plan runs two trips only.
  auto const of = [](auto const& program) {
    return plan<hierarchy>(512, [&](auto& on) { program(on); }).blocks;
  };
  auto const nothing = [](auto&&...) {};
  auto const items = [&](mmm::index n) { return of([=](auto& on) { on.each(n, nothing); }); };
  CHECK(items(0) == 0);
  CHECK(items(1) == 1);
  CHECK(items(128) == 1);
  CHECK(items(129) == 2);
  CHECK(items(10000) == 4);
  CHECK(of([=](auto& on) { on.each_tile(0, 3, nothing); }) == 3);
  CHECK(of([=](auto& on) { on.each_tile(2, 1, nothing); }) == 3);
  CHECK(of([=](auto& on) { on.each_tile(9, 1, nothing); }) == 4);
  CHECK(of([=](auto& on) { on.each_tile_on(mmm::dmm_range{1, 2}, 0, 1, nothing); }) == 2);
  CHECK(of([=](auto& on) { on.each_tile_on(mmm::dmm_range{1, 2}, 0, 9, nothing); }) == 3);
  CHECK(of([=](auto& on) { on.each_dmm(2, nothing); }) == 2);
  CHECK(of([=](auto& on) { on.repeat(2, [&](auto) { on.each(5, nothing); }); }) == 1);
  CHECK(of([=](auto& on) { on.repeat(3, [&](auto) { on.each(5, nothing); }); }) == 4);
  CHECK(of([=](auto& on) {
          on.each_dmm(1, [=](auto& block, auto) {
            block.repeat(9, [&](auto) { block.each(1000, nothing); });
          });
        }) == 1);
}

namespace {

//! Phase 0 alone, and phases of two bodies in turn: one with a barrier of the grid, one with a
//! shared memory.
struct phases {
  index count;
  template <class On>
  void operator()(On& on) const {
    auto const a = on.template allocate<float>(100);
    auto const first = [](auto i) { static_cast<void>(i); };
    on.template each_phase<0>(1, [&](index) { on.each(300, first); });
    on.template each_phase<1>(
        count,
        [&](index) {
          on.each(10, first);
          on.each(10, first);
        },
        [&](index) {
          on.each_tile(0, 2, [=](auto& block, auto) {
            static_cast<void>(block.template allocate<float>(64));
            block.each(1, [=](auto) { static_cast<void>(a); });
          });
        });
  }
};

}  // namespace

TEST_CASE("a plan knows what each phase of a program needs") {
  auto const whole = plan<hierarchy>(512, phases{3});
  CHECK(whole.scratch == 512);
  CHECK(whole.shared == 256);
  CHECK(whole.grid_barriers);
  REQUIRE(whole.phases.size() == 4);
  auto const check = [&](std::size_t k, int kernel, mmm::index number, bool barriers,
                         mmm::index shared, mmm::index blocks) {
    CAPTURE(k);
    launch_plan const& one = whole.phases[k];
    CHECK(one.kernel == kernel);
    CHECK(one.phase == number);
    CHECK(one.grid_barriers == barriers);
    CHECK(one.shared == shared);
    CHECK(one.blocks == blocks);
  };
  check(0, 0, 0, false, 0, 3);
  check(1, 1, 0, true, 0, 1);
  check(2, 2, 1, false, 256, 2);
  check(3, 1, 2, true, 0, 1);
  CHECK(plan<hierarchy>(512, phases{0}).phases.size() == 1);
}

namespace {

struct loops {
  index trips;
  template <class On>
  void operator()(On& on) const {
    on.repeat(trips, [&](index) {
      static_cast<void>(on.template allocate<float>(10));
      on.each(3, [](index) {});
    });
  }
};

struct too_much {
  template <class On>
  void operator()(On& on) const {
    on.each_dmm([](auto& block, index) { static_cast<void>(block.template allocate<char>(4097)); });
  }
};

struct too_much_in_a_loop {
  index trips;
  template <class On>
  void operator()(On& on) const {
    on.each_dmm([&](auto& block, index) {
      block.repeat(trips, [&](index) { static_cast<void>(block.template allocate<float>(2048)); });
    });
  }
};

struct many_registers {
  template <class On>
  void operator()(On& on) const {
    static_cast<void>(on.template registers<double, 129>());
  }
};

}  // namespace

TEST_CASE("a plan runs two trips of a loop and counts them as often as they run") {
  CHECK(plan<hierarchy>(512, loops{0}).scratch == 0);
  CHECK(plan<hierarchy>(512, loops{1}).scratch == 256);
  CHECK(!plan<hierarchy>(512, loops{1}).grid_barriers);
  CHECK(plan<hierarchy>(512, loops{7}).scratch == 7 * 256);
  CHECK(plan<hierarchy>(512, loops{7}).grid_barriers);
}

TEST_CASE("a plan refuses what a machine does not have") {
  CHECK_THROWS_WITH(plan<hierarchy>(512, too_much{}),
                    Catch::Contains("4097") && Catch::Contains("4096"));
  CHECK(plan<hierarchy>(512, too_much_in_a_loop{2}).shared == 2 * 2048 * 4);
  CHECK_THROWS_AS(plan<hierarchy>(512, too_much_in_a_loop{3}), std::length_error);
  CHECK_THROWS_AS(plan<hierarchy>(512, many_registers{}), std::length_error);
}

TEST_CASE("registers are no memory, however few threads there are") {
  std::vector<float> a(64 * 64);
  float* const words = a.data();
  for (mmm::index const p : {1, 5, 32, 100, 512}) {
    CAPTURE(p);
    using mmm::detail::transpose_kind;
    using mmm::detail::triangulation_kind;
    for (mmm::index const side : {33, 64}) {
      mmm::detail::transpose_program<transpose_kind::rotating> const transpose{};
      CHECK(plan<mmm::umm<32, 2>>(p, transpose, mmm::updates<float>(words, side * side), side)
                .scratch == 0);
    }
    mmm::detail::triangulation_program<triangulation_kind::dp> const triangulation{};
    CHECK(plan<mmm::umm<32, 2>>(p, triangulation, writes<float>(words, 10000),
                                reads<float>(words, 10000), mmm::index{100}, 1.0F)
              .scratch == 0);
    mmm::detail::image_program<mmm::accumulation::in_register> const convolution{};
    CHECK(plan<hierarchy>(4 * p, convolution, reads<float>(words, 4096), mmm::shape(64, 64),
                          reads<float>(words, 25), mmm::radius(2), writes<float>(words, 4096))
              .scratch == 0);
  }
}
