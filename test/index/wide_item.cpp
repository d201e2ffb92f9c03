// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of several words, unrolled loops, several registers per thread, parallel-fors without a
// barrier.
#include "wide_item_checks.hpp"

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using mmm::index;

}  // namespace

TEST_CASE("wide accesses: estimate = simulation = trace, and the data") {
  using checks::all_agree;
  all_agree<1, 4>(mmm::pram());
  all_agree<1, 4>(mmm::bpram<4>());
  all_agree<1, 4>(mmm::dmm<1, 2>());
  all_agree<1, 2, 4, 8>(mmm::dmm<4, 5>());
  all_agree<1, 4>(mmm::umm<3, 4>());
  all_agree<1, 2, 4, 8>(mmm::umm<4, 5, 2>());
  all_agree<1, 2, 4, 8>(mmm::hmm<2, 4, 2, 9>());
}

TEST_CASE("a wide access on banks is served like the words it is made of") {
  // One warp of 8 lanes with four words per lane is served in four groups of two lanes. Consecutive
  // words lie in all banks; with eight words between them, both lanes of a group use the same four
  // banks.
  using machine = mmm::dmm<8, 3>;
  auto const time = [](index stride) {
    return mmm::estimate<machine>(mmm::threads(8), [=](auto& on) {
      auto const a = on.template allocate<float>(1024);
      on.each(8, [=](auto i) { static_cast<void>(load(mmm::wide<4>(a)[stride * i])); });
    });
  };
  CHECK(time(1).stages == 4);
  CHECK(time(2).stages == 8);
  CHECK(time(3).stages == 4);
  CHECK(time(1).rounds == 1);
  CHECK(time(1).time == 4 + 3 - 1);
}

TEST_CASE("a warp of 64 lanes with eight words each has 512 stages on a BPRAM's account") {
  using machine = mmm::bpram<64>;
  auto const run = mmm::simulate<machine>(mmm::threads(64), [](auto on) {
    auto a = on.template allocate<int>(512);
    on.each(64, [=](auto i) { mmm::wide<8>(a)[i] = mmm::make_vec<8>([](index) { return 1; }); });
  });
  CHECK(run.cost.time == 8);
}

TEST_CASE("accesses at addresses that differ in an added number: estimate = simulation") {
  using checks::moves;
  for (index const items : {5, 32, 96, 100}) {
    moves<1>(mmm::dmm<4, 3>(), 8, items);
    moves<1>(mmm::umm<32, 5>(), 64, items);
    moves<2>(mmm::umm<8, 3>(), 24, items);
    moves<4>(mmm::dmm<32, 3>(), 64, items);
    moves<4>(mmm::hmm<2, 32, 3, 5>(), 64, items);
  }
}

TEST_CASE("wide accesses must be aligned and inside") {
  using machine = mmm::dmm<4, 1>;
  auto const simulated = [](index offset, index at) {
    static_cast<void>(mmm::simulate<machine>(mmm::threads(4), [=](auto on) {
      auto a = on.template allocate<int>(18);
      on.each(1, [=](auto i) { static_cast<void>(load(mmm::wide<4>(a + offset)[i + at])); });
    }));
  };
  CHECK_NOTHROW(simulated(4, 2));
  CHECK_THROWS_AS(simulated(2, 0), std::invalid_argument);
  CHECK_THROWS_AS(simulated(0, 4), std::out_of_range);
  CHECK_THROWS_AS(simulated(4, -2), std::out_of_range);
  auto const estimated = [](index offset, index factor) {
    static_cast<void>(mmm::estimate<machine>(mmm::threads(4), [=](auto& on) {
      auto a = on.template allocate<int>(18);
      on.repeat(3, [=](auto k) {
        on.each(1,
                [=](auto i) { static_cast<void>(load(mmm::wide<4>(a + offset + factor * k)[i])); });
      });
    }));
  };
  CHECK_NOTHROW(estimated(8, 4));
  CHECK_THROWS_AS(estimated(2, 4), std::invalid_argument);
  CHECK_THROWS_AS(estimated(8, 2), std::invalid_argument);
}

TEST_CASE("alignment counts from the array's start, also where arrays start anywhere") {
  using machine = mmm::umm<1, 1>;
  auto const program = [](auto& on) {
    static_cast<void>(on.template allocate<int>(3));
    auto a = on.template allocate<int>(16);
    on.each(2, [=](auto i) { static_cast<void>(load(mmm::wide<4>(a + 8)[i])); });
  };
  auto const estimated = mmm::estimate<machine>(mmm::threads(4), program);
  auto const run = mmm::simulate<machine>(mmm::threads(4), [&](auto on) { program(on); });
  CHECK(estimated.time == 8);
  CHECK(run.cost.time == 8);
}

TEST_CASE("without a barrier a step goes on, and threads may not use what others wrote") {
  using machine = mmm::dmm<4, 2>;
  auto const shifted = [](index by, auto... end) {
    return mmm::simulate<machine>(mmm::threads(8), [=](auto on) {
      auto a = on.template allocate<int>(17);
      on.each(8, [=](auto i) { a[i] = 1; }, end...);
      on.each(8, [=](auto i) { static_cast<void>(load(a[i + by])); }, end...);
      on.each(8, [=](auto i) { a[i] = 2; });
      on.each(8, [=](auto i) { static_cast<void>(load(a[7 - i])); });
    });
  };
  CHECK(shifted(1).races.empty());
  CHECK(shifted(0, mmm::no_barrier).races.empty());
  CHECK(shifted(8, mmm::no_barrier).races.empty());
  auto const racy = shifted(1, mmm::no_barrier);
  REQUIRE(racy.races.size() == 7);  // no thread writes word 8
  CHECK(racy.races[0].kind == mmm::race_kind::read_write);
  CHECK(racy.races[0].step == 1);
  CHECK(racy.cost == shifted(1).cost);
}

TEST_CASE("without a barrier on a hierarchical machine") {
  using machine = mmm::hmm<2, 4, 1, 3>;
  auto const inside = [](index by, auto... end) {
    return mmm::simulate<machine>(mmm::threads(16), [=](auto on) {
      on.each_dmm([=](auto& block, auto) {
        auto s = block.template allocate<int>(16);
        block.each(2, 4, [=](auto j, auto k) { s[4 * j + k] = 1; }, end...);
        block.each(8, [=](auto i) { static_cast<void>(load(s[(i + by) % 8])); }, end...);
      });
    });
  };
  CHECK(inside(0, mmm::no_barrier).races.empty());
  CHECK(inside(1).races.empty());
  CHECK(inside(1, mmm::no_barrier).races.size() == 16);  // eight words of each of the two DMMs
  auto const across = [](index by, auto... end) {
    return mmm::simulate<machine>(mmm::threads(16), [=](auto on) {
      auto a = on.template allocate<int>(16);
      on.each(16, [=](auto i) { a[i] = 1; }, end...);
      on.each(16, [=](auto i) { static_cast<void>(load(a[(i + by) % 16])); });
      on.each(16, [=](auto i) { a[15 - i] = 2; });
    });
  };
  CHECK(across(0, mmm::no_barrier).races.empty());
  CHECK(across(8).races.empty());
  CHECK(across(8, mmm::no_barrier).races.size() == 16);
  CHECK(across(1, mmm::no_barrier).races.size() == 16);
}

TEST_CASE("loops unrolled, and a number of registers that the type knows") {
  std::vector<index> seen;
  mmm::unroll<3>([&](index k) { seen.push_back(k); });
  mmm::unroll<0>([&](index) { seen.push_back(-1); });
  CHECK(seen == std::vector<index>{0, 1, 2});
  mmm::unroll<2>([&](int k) { seen.push_back(k); });  // without a warning of the conversion
  mmm::unroll<2>([&](auto k) { seen.push_back(decltype(k)::value); });
  CHECK(seen == std::vector<index>{0, 1, 2, 0, 1, 0, 1});
  auto const program = [](auto& on, auto a) {
    auto r = on.template registers<int, 3>();
    on.each(
        8, [=](auto i) { mmm::unroll<3>([&](auto k) { r(i, k) = load(a[i + 8 * k]); }); },
        mmm::no_barrier);
    on.each(8, [=](auto i) { a[i] = r(i, 0) + r(i, 1) + r(i, mmm::index{2}); });
  };
  using machine = mmm::umm<4, 5>;
  std::vector<int> a(24);
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = static_cast<int>(k * k);
  auto const run = mmm::simulate<machine>(
      mmm::threads(8), [&](auto on) { program(on, on.array(a.begin(), a.end())); });
  CHECK(a[3] == 9 + 121 + 361);
  CHECK(run.races.empty());
  CHECK(run.cost.time == 4 * (2 + 5 - 1));
  auto const estimated = mmm::estimate<machine>(
      mmm::threads(8), [&](auto& on) { program(on, on.template allocate<int>(24)); });
  CHECK(estimated.time == run.cost.time);
}

TEST_CASE("a vec of plain words, as kernels use it") {
  alignas(16) float a[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  static_assert(alignof(mmm::vec<float, 4>) == 16 && sizeof(mmm::vec<float, 4>) == 16);
  static_assert(alignof(mmm::vec<double, 4>) == 16 && alignof(mmm::vec<short, 2>) == 4);
  auto const x = mmm::load(mmm::wide<4>(a + 4)[0]);
  CHECK(x[2] == 6);
  CHECK(mmm::load_if(false, mmm::wide<4>(a)[1], 9)[1] == 9);
  CHECK(mmm::load_if(true, mmm::wide<4>(a)[1], 9)[1] == 5);
  mmm::store_if(true, mmm::wide<4>(a)[0], x);
  CHECK(a[3] == 7);
  mmm::wide<4>(a)[1] = mmm::make_vec<4>([](index k) { return static_cast<float>(10 * k); });
  CHECK(a[7] == 30);
}
