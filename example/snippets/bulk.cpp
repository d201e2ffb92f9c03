// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bulk execution of a program that is written for one thread: a Fourier transform of 8 numbers.
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/mmm.hpp>

#include <cmath>
#include <complex>
#include <iostream>
#include <vector>

namespace my {

// [program]
//! The discrete Fourier transform of 8 complex numbers in place; number m is in the words 2 m and
//! 2 m + 1. One thread, one input: the program knows nothing of the others.
struct fourier_transform_of_8 {
  static constexpr mmm::index words(mmm::index) { return 16; }

  template <class Thread, class Words>
  MMM_HOST_DEVICE constexpr void operator()(Thread const&, Words a, mmm::index) const {
    constexpr float root = 0.70710678F;
    for (mmm::index half = 4; half > 0; half /= 2)
      for (mmm::index m = 0; m < 8; ++m) {
        if (m % (2 * half) >= half) continue;
        mmm::index const angle = m % half * (4 / half);  // in eighths of a turn
        float const cosine = angle == 0 ? 1 : angle == 1 ? root : angle == 2 ? 0 : -root;
        float const sine = angle == 0 ? 0 : angle == 2 ? -1 : -root;
        butterfly(a, 2 * m, 2 * (m + half), cosine, sine);
      }
    for (mmm::index part = 0; part < 2; ++part) {  // the order of the reversed bits
      exchange(a, 2 * 1 + part, 2 * 4 + part);
      exchange(a, 2 * 3 + part, 2 * 6 + part);
    }
  }

  template <class Words>
  MMM_HOST_DEVICE static constexpr void butterfly(Words a, mmm::index x, mmm::index y, float cosine,
                                                  float sine) {
    auto const real = mmm::load(a[x]), imaginary = mmm::load(a[x + 1]);
    auto const real_2 = mmm::load(a[y]), imaginary_2 = mmm::load(a[y + 1]);
    a[x] = real + real_2;
    a[x + 1] = imaginary + imaginary_2;
    a[y] = (real - real_2) * cosine - (imaginary - imaginary_2) * sine;
    a[y + 1] = (real - real_2) * sine + (imaginary - imaginary_2) * cosine;
  }
  template <class Words>
  MMM_HOST_DEVICE static constexpr void exchange(Words a, mmm::index x, mmm::index y) {
    auto const before = mmm::load(a[x]);
    a[x] = mmm::load(a[y]);
    a[y] = before;
  }
};
// [/program]

// [cost]
constexpr auto transforms = mmm::bulk(fourier_transform_of_8{}, mmm::by_columns);
constexpr auto by_rows = mmm::bulk(fourier_transform_of_8{}, mmm::by_rows);

// t: 12 butterflies of 8 accesses and 4 exchanges of 4
constexpr mmm::index t = mmm::memory_steps(fourier_transform_of_8{}, mmm::size(8));
static_assert(t == 12 * 8 + 4 * 4);

using machine = mmm::umm<32, 400>;
constexpr auto p = mmm::threads(4096);
constexpr auto k = mmm::inputs(1 << 20);
constexpr auto fast = mmm::cost_of<machine>(transforms, mmm::size(8), p, k);
constexpr auto slow = mmm::cost_of<machine>(by_rows, mmm::size(8), p, k);
static_assert(fast.time == t * (4096 / 32 + 400 - 1) * ((1 << 20) / 4096));
static_assert(slow.time > 4 * fast.time);
static_assert(fast.time <= 2 * mmm::lower_bound<machine>(transforms, mmm::size(8), p, k).time);
// [/cost]

}  // namespace my

int main() {
  // [run]
  mmm::index const inputs = 100;
  std::vector<float> a(16 * 100);
  for (mmm::index i = 0; i < inputs; ++i)
    for (mmm::index word = 0; word < 16; ++word)  // word by word, of all inputs each
      a[static_cast<std::size_t>(word * inputs + i)] = static_cast<float>((i * 7 + word * 5) % 11);
  std::vector<float> const before = a;
  std::vector<float> of_kernel = a;

  auto const run = mmm::simulate<mmm::umm<4, 5>>(mmm::threads(20), [&](auto on) {
    my::transforms(on, a.begin(), mmm::size(8), mmm::inputs(inputs));
  });
  std::cout << run.cost.time << '\n';  // 112 * (20 / 4 + 5 - 1) * 100 / 20 = 5040
  my::transforms(mmm::host_threads<mmm::umm<4, 5>>(mmm::threads(20)), of_kernel.begin(),
                 mmm::size(8), mmm::inputs(inputs));
  // [/run]

  bool right = run.cost.time == 5040 && run.races.empty();
  auto const number = [](std::vector<float> const& words, mmm::index i, mmm::index m) {
    return std::complex<double>(words[static_cast<std::size_t>(2 * m * inputs + i)],
                                words[static_cast<std::size_t>((2 * m + 1) * inputs + i)]);
  };
  for (mmm::index i = 0; i < inputs; ++i)
    for (mmm::index f = 0; f < 8; ++f) {
      std::complex<double> sum = 0;
      for (mmm::index m = 0; m < 8; ++m)
        sum += number(before, i, m) * std::polar(1.0, -std::acos(-1.0) / 4 * double(f * m % 8));
      right = right && std::abs(number(a, i, f) - sum) < 1e-4 &&
              std::abs(number(of_kernel, i, f) - sum) < 1e-4;
    }
  return right ? 0 : 1;
}
