// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transpose_swizzled_checks.hpp"

#include <stdexcept>
#include <vector>

namespace {

using checks::transposes;
using mmm::index;

}  // namespace

TEST_CASE("transposes through swizzled tiles") {
  checks::on_small_machines([](auto m) {
    transposes<8, 4>(m, 4 * m.dmms());
    transposes<8, 2>(m, 8 * m.dmms());
    transposes<16, 4, false>(m, 6 * m.dmms());
    transposes<8, 2>(m, 16 * m.dmms());
    transposes<8, 2, true, mmm::vec_in_order>(m, 16 * m.dmms());
  });
}

TEST_CASE("the time of transposes through swizzled tiles on a GPU's machine") {
  using gpu = mmm::hmm<132, 32, 30, 600, 58368, 19>;
  auto const global = [](index stages) { return (stages + 18) / 19 + 600 - 1; };
  auto const shared = [](index stages) { return stages + 30 - 1; };
  mmm::shape const wide(64 * 132, 64 * 512);
  CHECK(mmm::cost_of<gpu>(mmm::transpose_swizzled, wide, mmm::threads(132 * 256)).time ==
        2 * 64 * 512 * 64 / (4 * 256) * (global(4 * 256 / 32 * 132) + shared(4 * 256 / 32)));
  constexpr mmm::detail::swizzled_transpose_algorithm<64, 4, false> by_words{};
  CHECK(mmm::cost_of<gpu>(by_words, wide, mmm::threads(132 * 512)).time ==
        64 * 512 * 64 / (4 * 512) *
            (8 * global(512 / 32 * 132) + shared(4 * 512 / 32) + 4 * shared(512 / 32)));
  for (index const side : {8190, 8191, 8192, 32768})
    CHECK(mmm::cost_of<gpu>(mmm::transpose_swizzled, mmm::size(side), mmm::threads(132 * 1024))
              .closed_form);
}

TEST_CASE("what transposes through swizzled tiles reject") {
  constexpr mmm::detail::swizzled_transpose_algorithm<8, 4, true> algorithm{};
  std::vector<int> a(8 * 8);
  std::vector<int> b(a.size());
  auto const run = [&](index capacity, auto out) {
    checks::small_machine const m(2, 1, 5, capacity, 1);
    static_cast<void>(mmm::simulate(
        m, mmm::threads(8), [&](auto on) { algorithm(on, a.cbegin(), mmm::shape(8, 8), out); }));
  };
  CHECK_NOTHROW(run(64, b.begin()));
  CHECK_THROWS_AS(run(63, b.begin()), std::length_error);
  CHECK_THROWS_AS(run(64, a.begin()), std::invalid_argument);
}
