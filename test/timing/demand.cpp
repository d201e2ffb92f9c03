// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Predictions of a profiler's counts for a simulation's accesses (benchmark/counters).
#include "../../benchmark/counters/demand.hpp"

#include "catch.hpp"

namespace {

using counted::demand;
using mmm::index;
using machine = mmm::hmm<2, 32, 1, 1>;

//! The demand of one parallel-for of `n` items on DMM 0 that reads vecs of V words of shared
//! memory.
template <index V, class At>
demand of_shared_vecs(index n, At at) {
  return counted::demand_of(
      mmm::simulate<machine>(mmm::threads(128), [=](auto on) {
        on.each_dmm(1, [=](auto& block, auto) {
          auto s = block.template allocate<float>(2048);
          block.each(n, [=](auto i) { static_cast<void>(load(mmm::wide<V>(s)[at(i)])); });
        });
      }).trace);
}

}  // namespace

TEST_CASE("words one by one: a wavefront for each word of the worst bank") {
  CHECK(of_shared_vecs<1>(64, [](auto i) { return i; }) == demand{2, 2, 0, 0, 0});
  CHECK(of_shared_vecs<1>(32, [](auto i) { return i * 2; }) == demand{1, 2, 0, 0, 0});
  CHECK(of_shared_vecs<1>(32, [](auto i) { return i * 0; }) == demand{1, 1, 0, 0, 0});
}

TEST_CASE("vecs of a shared memory take a phase for 16 or 8 lanes") {
  auto const same = [](auto i) { return i * 0; };
  CHECK(of_shared_vecs<2>(32, same) == demand{1, 2, 0, 0, 0});
  CHECK(of_shared_vecs<4>(32, same) == demand{1, 4, 0, 0, 0});
  CHECK(of_shared_vecs<4>(9, same) == demand{1, 2, 0, 0, 0});
  CHECK(of_shared_vecs<4>(64, [](auto i) { return i; }) == demand{2, 8, 0, 0, 0});
  // Lanes 0 to 7 share one vec. In each of the other three phases, all eight lanes access the same
  // four banks.
  CHECK(of_shared_vecs<4>(32, [](auto i) { return i / 8 * (i % 8) * 8; }) ==
        demand{1, 1 + 8 + 8 + 8, 0, 0, 0});
  // Vecs of eight words are two accesses of four words, each to every second vec of four.
  CHECK(of_shared_vecs<8>(32, [](auto i) { return i; }) == demand{2, 2 * 8, 0, 0, 0});
}

TEST_CASE("vecs of the global memory ask for each sector once") {
  auto const run = mmm::simulate<machine>(mmm::threads(128), [](auto on) {
    auto a = on.template allocate<float>(1024);
    on.each(32, [=](auto i) { static_cast<void>(load(mmm::wide<4>(a)[i * 2])); });
    on.each(32, [=](auto i) { mmm::wide<2>(a)[i] = mmm::make_vec<2>([](index) { return 1.0F; }); });
    on.each(32, [=](auto i) { a[i * 8] = 1.0F; });
  });
  CHECK(counted::demand_of(run.trace) == demand{0, 0, 3, 8 + 2 + 8, 32 + 8 + 32});
}
