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

TEST_CASE("vecs in order: threads that write down a column take a stage for each word") {
  using one = mmm::hmm<1, 32, 1, 1, 65536>;
  using gpu = mmm::hmm<132, 32, 30, 600, 58368, 19>;
  constexpr mmm::detail::swizzled_transpose_algorithm<64, 4, true, mmm::vec_in_order> in_order{};
  mmm::shape const matrix(64 * 132, 64 * 512);
  auto const stages = [&](auto const& algorithm) {
    return mmm::cost_of<gpu>(algorithm, matrix, mmm::threads(132 * 256)).stages;
  };
  // 32 threads write four words each: 32 stages in place of 4
  CHECK(stages(in_order) - stages(mmm::transpose_swizzled) == 28 * (matrix.area() / 128));
  auto const time = mmm::cost_of<one>(in_order, mmm::size(1024), mmm::threads(256)).time;
  CHECK(time == 11 * (1024 * 1024 / 32));  // 1 + 8 + 1 + 1 for each group of 32 words
  CHECK(time <= mmm::upper_bound<one>(in_order, mmm::size(1024), mmm::threads(256)));
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
