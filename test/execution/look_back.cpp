// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles assigned to the DMMs round-robin, which pass on their totals without a machine-wide
// barrier.
#include <mmm/mmm.hpp>

#include "catch.hpp"
#include "support/affine_map.hpp"

#include <array>
#include <stdexcept>
#include <vector>

namespace {

using mmm::index;

using checks::affine_map, checks::composition;

//! Each tile writes the fold of the first words of all tiles before it.
template <class Operator>
struct tiles_before {
  Operator op{};

  template <class Machine, class Iterator, class Output>
  constexpr void operator()(Machine& on, Iterator a, index first, index tiles, Output out) const {
    using value = typename Iterator::value_type;
    auto const combine = op;
    auto const state = on.template look_back_state<value>(first + tiles);
    auto const some = [=](index from, index count) {
      on.each_tile(from, count, [=](auto& block, auto tile) {
        auto s = block.template allocate<value>(1);
        block.each(1, [=](auto i) { s[i] = load(a[tile + i]); });
        block.look_back(state, tile, s, combine);
        block.each(1, [=](auto i) { out[tile + i] = load(s[i]); });
      });
    };
    some(0, first);
    some(first, tiles);
  }
};

}  // namespace

TEST_CASE("tiles learn what is before them, whatever the operator's order") {
  using machine = mmm::hmm<3, 4, 2, 7>;
  machine const m;
  for (index const first : {0, 2, 5})
    for (index const tiles : {0, 1, 2, 3, 7, 12}) {
      CAPTURE(first, tiles);
      index const n = first + tiles;
      std::vector<affine_map> a;
      for (index k = 0; k < n; ++k)
        a.push_back({static_cast<unsigned>(k * k + 2), static_cast<unsigned>(3 * k + 1)});
      std::vector<affine_map> out(static_cast<std::size_t>(n), affine_map{0, 0});
      auto const run = mmm::simulate<machine>(mmm::threads(12), [&](auto on) {
        tiles_before<composition>{}(on, on.array(a.begin(), a.end()), first, tiles,
                                    on.array(out.begin(), out.end()));
      });
      bool right = true;
      affine_map before = n > 0 ? a[0] : affine_map{};
      for (index k = 0; k < n; ++k) {
        auto const at = static_cast<std::size_t>(k);
        right = right && out[at] == before;
        before = k == 0 ? a[0] : composition{}(before, a[at]);
      }
      CHECK(right);
      CHECK(run.races.empty());
      auto const estimated = mmm::estimate(m, mmm::threads(12), [=](auto& on) {
        auto const words = on.template allocate<affine_map>(n);
        tiles_before<composition>{}(on, words, first, tiles, on.template allocate<affine_map>(n));
      });
      CHECK(estimated.closed_form);
      CHECK(estimated.time == run.cost.time);
      CHECK(estimated.rounds == run.cost.rounds);
      CHECK(estimated.stages == run.cost.stages);
      CHECK(mmm::recomputed_time(m, run.trace) == run.cost.time);
      CHECK(run.pipelined_time <= run.cost.time);
    }
}

TEST_CASE("a look back costs a read and a write of a word per tile") {
  using machine = mmm::hmm<3, 4, 2, 7>;
  auto const run = mmm::simulate<machine>(mmm::threads(12), [](auto on) {
    auto const state = on.template look_back_state<int>(6);
    on.each_tile(0, 6, [=](auto& block, auto tile) {
      auto s = block.template allocate<int>(1);
      block.look_back(state, tile, s, mmm::plus{});
    });
  });
  // Two passes of three DMMs. Each pass: reading the totals in shared memory, two rounds of three
  // words in the global memory (the first tile only writes), and writing the results back (except
  // for the first tile).
  index const shared = 2;
  CHECK(run.cost.time == 2 * (shared + (3 + 7 - 1) + (3 + 7 - 1) + shared) - 1);
}

TEST_CASE("tiles are what each_tile assigns, and only there do they look back") {
  using machine = mmm::hmm<2, 4, 1, 2>;
  CHECK_THROWS_AS(mmm::simulate<machine>(mmm::threads(4),
                                         [](auto on) {
                                           auto const state = on.template look_back_state<int>(2);
                                           on.each_dmm([=](auto& block, auto dmm) {
                                             auto s = block.template allocate<int>(1);
                                             block.look_back(state, dmm, s, mmm::plus{});
                                           });
                                         }),
                  std::logic_error);
  CHECK_THROWS_AS(mmm::simulate<machine>(mmm::threads(4),
                                         [](auto on) { on.each_tile(0, -1, [](auto&, auto) {}); }),
                  std::invalid_argument);
  CHECK_THROWS_AS(mmm::estimate<machine>(mmm::threads(4),
                                         [](auto& on) { on.each_tile(0, -1, [](auto&, auto) {}); }),
                  std::invalid_argument);
}

TEST_CASE("shared memory that a tile leaves behind without a barrier is the next tile's") {
  using machine = mmm::hmm<2, 4, 1, 2>;
  auto const races = [](auto... end) {
    return mmm::simulate<machine>(
               mmm::threads(8),
               [=](auto on) {
                 on.each_tile(0, 4, [=](auto& block, auto) {
                   auto s = block.template allocate<int>(4);
                   block.each(4, [=](auto i) { s[i] = 1; });
                   block.each(4, [=](auto i) { static_cast<void>(load(s[3 - i])); }, end...);
                 });
               })
        .races.size();
  };
  CHECK(races() == 0);
  CHECK(races(mmm::no_barrier) == 8);  // the second tile of each of the two DMMs, four words each
}
