// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/fast_checks.hpp"

#include <stdexcept>

namespace {

using mmm::index;

template <index Outputs, index V, class M>
void convolves(M const& machine, index threads_per_dmm) {
  constexpr mmm::detail::register_convolution_algorithm<Outputs, V> algorithm{};
  index const p = threads_per_dmm * machine.dmms();
  index const tile = threads_per_dmm * Outputs;
  for (index const m : {1, 3, 8, 17})
    for (index const n : {index{0}, index{1}, index{5}, tile, tile + 20, 3 * tile + 7, 5 * tile}) {
      CAPTURE(Outputs, V, M::width(), threads_per_dmm, m, n);
      auto const x = checks::small_numbers(m, 1);
      auto const y = checks::small_numbers(n + m - 1, 2);
      std::vector<int> z(static_cast<std::size_t>(n), -1);
      auto const run = mmm::simulate(machine, mmm::threads(p), [&](auto on) {
        algorithm(on, x.begin(), x.end(), y.begin(), y.end(), z.begin(), z.end());
      });
      bool right = true;
      for (index i = 0; i < n; ++i) {
        int sum = 0;
        for (index k = 0; k < m; ++k)
          sum += x[static_cast<std::size_t>(k)] * y[static_cast<std::size_t>(i + k)];
        right = right && z[static_cast<std::size_t>(i)] == sum;
      }
      CHECK(right);
      checks::problem_figures(machine, algorithm, mmm::size(n), p, run,
                              2 * mmm::constant_of(machine, algorithm), mmm::taps(m));
    }
}

}  // namespace

TEST_CASE("convolutions with several outputs to a thread") {
  using checks::small;
  convolves<8, 4>(small(1, 1, 5), 6);
  convolves<8, 4>(small(3, 2, 7), 4);
  convolves<8, 4>(small(2, 3, 20, 2), 8);
  convolves<4, 1>(small(2, 1, 3), 8);
#ifdef MMM_ALL_TESTS
  convolves<4, 4>(mmm::hmm<1, 4, 1, 5>(), 6);
  convolves<8, 2>(mmm::hmm<2, 8, 3, 20, mmm::unlimited, 2>(), 8);
#endif
}

TEST_CASE("the time of convolutions with several outputs to a thread on a GPU's machine") {
  using gpu = mmm::hmm<132, 32, 30, 600, 58368, 19>;
  auto const time = [](index passes, index m, index t) {
    auto const c =
        mmm::cost_of<gpu>(mmm::convolution_in_registers, mmm::size(passes * 132 * t * 16 + 1),
                          mmm::threads(132 * t), mmm::taps(m));
    CHECK(c.closed_form);
    return c.time;
  };
  auto const global = [](index stages) { return (132 * stages + 18) / 19 + 600 - 1; };
  auto const shared = [](index stages) { return stages + 30 - 1; };
  for (index const t : {128, 256})
    for (index const steps : {1, 2, 8}) {
      index const m = 16 * steps;
      index const taps = (m + 31) / 32;  // words of taps, in rows
      index const pass = global(taps) + shared(taps) + global(taps) + shared(taps) +
                         8 * global(t / 8) + (16 + 8 * steps) * shared(t / 8);
      CHECK(time(3, m, t) - time(2, m, t) == pass);
    }
}

TEST_CASE("what convolutions with several outputs to a thread reject") {
  constexpr mmm::detail::register_convolution_algorithm<8, 4> algorithm{};
  checks::small_machine const m(2, 1, 5, 64, 1);
  std::vector<int> x(9), y(108), z(100);
  auto const run = [&](auto words_end, auto out) {
    static_cast<void>(mmm::simulate(m, mmm::threads(16), [&](auto on) {
      algorithm(on, x.cbegin(), x.cend(), y.cbegin(), words_end, out, out + 100);
    }));
  };
  CHECK_THROWS_AS(run(y.cend(), z.begin()), std::length_error);
  CHECK_THROWS_AS(run(y.cend() - 1, z.begin()), std::invalid_argument);
  CHECK_THROWS_AS(run(y.cend(), y.begin()), std::invalid_argument);
}
