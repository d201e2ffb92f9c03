// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convolution_in_registers_checks.hpp"

#include <stdexcept>
#include <vector>

namespace {

using checks::convolves;
using mmm::index;

}  // namespace

TEST_CASE("convolutions with several outputs to a thread") {
  using checks::small;
  convolves<8, 4>(small(1, 1, 5), 6);
  convolves<8, 4>(small(3, 2, 7), 4);
  convolves<8, 4>(small(2, 3, 20, 2), 8);
  convolves<4, 1>(small(2, 1, 3), 8);
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
