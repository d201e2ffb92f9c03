// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/fast_checks.hpp"

#include <stdexcept>

namespace {

using mmm::index;

template <index Side, index V, bool Wide = true, class M>
void transposes(M const& m, index p) {
  constexpr mmm::detail::swizzled_transpose_algorithm<Side, V, Wide> algorithm{};
  for (auto const& [rows, columns] : {std::pair<index, index>{0, 5},
                                      {1, 1},
                                      {8, 8},
                                      {16, 16},
                                      {24, 40},
                                      {16, 20},
                                      {12, 28},
                                      {7, 9},
                                      {33, 18},
                                      {4, 48},
                                      {40, 1},
                                      {9, 32}}) {
    mmm::shape const matrix(rows, columns);
    auto const a = checks::small_numbers(matrix.area());
    std::vector<int> b(a.size(), -100);
    auto const run = mmm::simulate(m, mmm::threads(p),
                                   [&](auto on) { algorithm(on, a.begin(), matrix, b.begin()); });
    bool right = true;
    for (index j = 0; j < rows; ++j)
      for (index k = 0; k < columns; ++k)
        right = right && b[static_cast<std::size_t>(k * rows + j)] ==
                             a[static_cast<std::size_t>(j * columns + k)];
    CAPTURE(Side, V, Wide, rows, columns, p, M::width());
    CHECK(right);
    checks::problem_figures(m, algorithm, matrix, p, run,
                            p / m.dmms() >= M::width() ? 2 * mmm::constant_of(m, algorithm) : 0);
  }
}

}  // namespace

TEST_CASE("transposes through swizzled tiles") {
  checks::on_small_machines([](auto m) {
    transposes<8, 4>(m, 4 * m.dmms());
    transposes<8, 2>(m, 8 * m.dmms());
    transposes<16, 4, false>(m, 6 * m.dmms());
    transposes<8, 2>(m, 16 * m.dmms());
#ifdef MMM_ALL_TESTS
    transposes<16, 4>(m, 6 * m.dmms());
    transposes<8, 2, false>(m, 16 * m.dmms());
#endif
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
