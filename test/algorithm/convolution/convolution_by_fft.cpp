// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/convolution/convolution_by_fft.hpp>

#include "convolution_by_fft_checks.hpp"

#include <stdexcept>
#include <vector>

namespace {

using checks::convolves_by_fft;
using checks::signal;
using checks::small;
using mmm::shared_fft;

}  // namespace

TEST_CASE("convolutions by transforms of few points") {
  using fft = shared_fft<4, 4>;
  for (mmm::index const m : {1, 2, 3, 15, 16})
    for (mmm::index const n : {0, 1, 5, 40, 131})
      for (mmm::index const t : {1, 3, 4, 6}) {
        convolves_by_fft<fft, float>(small(2, 1, 5), t, m, n, signal::random, t == 3);
        convolves_by_fft<fft, double>(small(3, 2, 7, 2), t, m, n, signal::random, false);
      }
  convolves_by_fft<fft, float>(small(1, 1, 1), 4, 5, 50);
}

TEST_CASE("convolutions by transforms of several passes, of any signal") {
  for (auto const kind :
       {signal::random, signal::ones, signal::alternating, signal::peak, signal::all_sizes}) {
    convolves_by_fft<shared_fft<2, 4, 8>, float>(small(2, 1, 5), 8, 9, 300, kind);
    convolves_by_fft<shared_fft<4, 2, 2, 4>, double>(small(3, 3, 4), 4, 30, 77, kind);
  }
  convolves_by_fft<shared_fft<8, 4>, float>(mmm::hmm<2, 1, 1, 1>(), 2, 4, 60);
}

TEST_CASE("convolutions by transforms of 4096 points on a GPU's machine") {
  convolves_by_fft<shared_fft<16, 16, 16>, float>(mmm::hmm<2, 32, 30, 600, 17000>(), 256, 1000,
                                                  9001, signal::random, false);
}

TEST_CASE("the time of convolutions by transforms on a GPU's machine") {
  using gpu = mmm::hmm<132, 32, 30, 600, 58368, 19>;
  mmm::index const w = 32;
  auto const time = [](mmm::index rounds, mmm::index own, mmm::index t) {
    auto const c = mmm::cost_of<gpu>(mmm::convolution_by_fft, mmm::size(rounds * 264 * own),
                                     mmm::threads(132 * t), mmm::taps(4097 - own));
    CHECK(c.closed_form);
    return c.time;
  };
  for (mmm::index const t : {64, 256})
    for (mmm::index const own : {3840, 3072, 256}) {
      CAPTURE(t, own);
      mmm::index const global = (132 * t / w + 18) / 19 + 600 - 1;
      mmm::index const shared = 2 * t / w + 30 - 1;
      mmm::index const rows = 256 / t;  // of butterflies
      CHECK(time(3, own, t) - time(2, own, t) == rows * ((32 + own / 128) * global + 148 * shared));
    }
}

TEST_CASE("what convolutions by transforms reject") {
  constexpr mmm::detail::fft_convolution_algorithm<shared_fft<4, 4>> algorithm{};
  std::vector<float> x(17), y(116), z(100);
  auto const run = [&](mmm::index capacity, mmm::index m, auto words_end, auto out) {
    static_cast<void>(
        mmm::simulate(checks::small_machine(2, 1, 5, capacity, 1), mmm::threads(16), [&](auto on) {
          algorithm(on, x.cbegin(), x.cbegin() + m, y.cbegin(), words_end, out, out + 100);
        }));
  };
  mmm::index const words = mmm::fft_convolution<shared_fft<4, 4>>::shared_words;
  run(words, 16, y.cend() - 1, z.begin());
  CHECK_THROWS_AS(run(words - 1, 16, y.cend() - 1, z.begin()), std::length_error);
  CHECK_THROWS_AS(run(words, 17, y.cend(), z.begin()), std::length_error);
  CHECK_THROWS_AS(run(words, 16, y.cend() - 2, z.begin()), std::invalid_argument);
  CHECK_THROWS_AS(run(words, 16, y.cend(), y.begin()), std::invalid_argument);
  auto const of_4097_taps = [] {
    return mmm::cost_of<mmm::hmm<2, 4, 1, 5>>(mmm::convolution_by_fft, mmm::size(9),
                                              mmm::threads(8), mmm::taps(4097));
  };
  CHECK_THROWS_WITH(of_4097_taps(), Catch::Contains("4097") && Catch::Contains("4096"));
}
