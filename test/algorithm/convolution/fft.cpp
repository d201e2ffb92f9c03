// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/convolution/fft.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/simulate/simulate.hpp>

#include "catch.hpp"

#include <cmath>
#include <complex>
#include <cstddef>
#include <vector>

namespace {

using mmm::index;
using mmm::root_of_unity;

constexpr double pi = 3.14159265358979323846;

//! Numbers that vary from place to place, from -1 to 1.
std::vector<double> varied(index n) {
  std::vector<double> a;
  for (index i = 0; i < n; ++i) a.push_back(std::sin(static_cast<double>(i * i + 3 * i + 1)));
  return a;
}

//! The transform of n points, by its definition; the parts of a point are adjacent.
std::vector<std::complex<double>> plainly_transformed(std::vector<double> const& a) {
  index const n = static_cast<index>(a.size() / 2);
  std::vector<std::complex<double>> result;
  for (index k = 0; k < n; ++k) {
    std::complex<double> sum = 0;
    for (index j = 0; j < n; ++j)
      sum += std::complex<double>(a[static_cast<std::size_t>(2 * j)],
                                  a[static_cast<std::size_t>(2 * j + 1)]) *
             std::polar(1.0, -2 * pi * static_cast<double>(j * k % n) / static_cast<double>(n));
    result.push_back(sum);
  }
  return result;
}

template <index R>
void transforms_in_registers() {
  CAPTURE(R);
  auto const a = varied(2 * R);
  auto const expected = plainly_transformed(a);
  auto const points = mmm::make_vec<R>([&](index k) {
    auto const place = static_cast<std::size_t>(2 * k);
    return mmm::complex_value{a[place], a[place + 1]};
  });
  auto const found = mmm::transformed(points);
  for (index k = 0; k < R; ++k)
    CHECK(std::abs(std::complex(found[k].re, found[k].im) - expected[static_cast<std::size_t>(k)]) <
          1e-14 * static_cast<double>(R));
}

//! The forward transform; point k of butterfly i of the last pass goes to place `k + R i` of `out`.
template <class Fft>
struct forward_transform {
  template <class On, class In, class Out>
  constexpr void operator()(On& on, In a, Out out) const {
    constexpr index last = Fft::last;
    auto const roots = on.template allocate<double>(Fft::root_words);
    auto const s = on.template allocate<double>(2 * Fft::points);
    Fft::fill_roots(on, roots);
    Fft::template forward<0>(on, roots, s, [=](auto const& i) {
      return mmm::make_vec<Fft::radix(0)>([&](index k) {
        auto const v = mmm::load(mmm::wide<2>(a)[i + k * Fft::distance(0)]);
        return mmm::complex_value{v[0], v[1]};
      });
    });
    Fft::forward_between(on, roots, s);
    on.each(Fft::butterflies(last), [=](auto i) {
      auto const v = mmm::transformed(Fft::template read<last>(s, i));
      mmm::unroll<Fft::radix(last)>([&](index k) {
        out[2 * (i * Fft::radix(last) + k)] = v[k].re;
        out[2 * (i * Fft::radix(last) + k) + 1] = v[k].im;
      });
    });
  }
};

//! The frequency that the transform leaves at a place: the digits in the opposite order.
template <index... Radices>
index frequency(index place) {
  using fft = mmm::shared_fft<Radices...>;
  index result = 0;
  index weight = 1;
  for (index pass = 0; pass < fft::passes; ++pass) {
    result += weight * (place / fft::distance(pass) % fft::radix(pass));
    weight *= fft::radix(pass);
  }
  return result;
}

template <index... Radices>
void transforms_in_memory() {
  using fft = mmm::shared_fft<Radices...>;
  index const n = fft::points;
  CAPTURE(n);
  auto const a = varied(2 * n);
  std::vector<double> out(a.size());
  auto const run = mmm::simulate<mmm::dmm<8, 2>>(mmm::threads(12), [&](auto on) {
    mmm::run(on, forward_transform<fft>{}, mmm::reads(a.begin(), 2 * n),
             mmm::writes(out.begin(), 2 * n));
  });
  CHECK(run.race_count == 0);
  auto const expected = plainly_transformed(a);
  double worst = 0;
  for (index place = 0; place < n; ++place) {
    auto const k = static_cast<std::size_t>(2 * place);
    worst =
        std::max(worst, std::abs(std::complex(out[k], out[k + 1]) -
                                 expected[static_cast<std::size_t>(frequency<Radices...>(place))]));
  }
  CHECK(worst < 1e-13 * static_cast<double>(n));
}

}  // namespace

TEST_CASE("roots of unity are right to the last digits") {
  for (index const n : {1, 2, 3, 8, 16, 24, 4096, 100003})
    for (index k = 0; k < n; k += 1 + n / 1000) {
      CAPTURE(k, n);
      root_of_unity const root = root_of_unity::make(k, n);
      long double const angle =
          2 * std::acos(-1.0L) * static_cast<long double>(k) / static_cast<long double>(n);
      CHECK(std::abs(root.re - static_cast<double>(std::cos(angle))) < 5e-16);
      CHECK(std::abs(root.im + static_cast<double>(std::sin(angle))) < 5e-16);
    }
  static_assert(root_of_unity::make(0, 16).re == 1 && root_of_unity::make(0, 16).im == 0);
}

TEST_CASE("transforms in registers have the values of their definition") {
  transforms_in_registers<2>();
  transforms_in_registers<4>();
  transforms_in_registers<8>();
  transforms_in_registers<16>();
  transforms_in_registers<32>();
}

TEST_CASE("transforms in a memory leave their results in the order of reversed digits") {
  transforms_in_memory<4, 4>();
  transforms_in_memory<2, 4, 8>();
  transforms_in_memory<4, 2, 2, 4>();
  transforms_in_memory<32, 2>();
}
