// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/convolution/convolution_by_fft.hpp>
#include <mmm/execution/kernel/host_threads.hpp>

#include "support/fast_checks.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

//! Convolutions by Fourier transforms beside sums of products in double or long double.
namespace checks {

//! Data of a kind: random numbers, ones, alternating signs, one peak, and numbers of all sizes.
enum class signal { random, ones, alternating, peak, all_sizes };

template <class T>
std::vector<T> signal_of(signal kind, index n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<T> a;
  for (index i = 0; i < n; ++i)
    a.push_back(static_cast<T>(kind == signal::random        ? number(random)
                               : kind == signal::ones        ? 1
                               : kind == signal::alternating ? (i % 2 == 0 ? 1 : -1)
                               : kind == signal::peak
                                   ? (i == n / 2 ? 1e6 : 0)
                                   : number(random) * std::exp2(40 * number(random))));
  return a;
}

template <class T>
long double norm(std::vector<T> const& a, index first, index last) {
  long double sum = 0;
  for (index i = first; i < last && i < static_cast<index>(a.size()); ++i) {
    auto const x = static_cast<long double>(a[static_cast<std::size_t>(i)]);
    sum += x * x;
  }
  return std::sqrt(sum);
}

//! The largest error of an output, in units of `log2(N) u |x| |y|`, with y the words of its pair of
//! segments.
template <class Fft, class T>
double error(std::vector<T> const& x, std::vector<T> const& y, std::vector<T> const& z, index w) {
  auto const m = static_cast<index>(x.size());
  index const own = mmm::fft_convolution<Fft>::outputs(m, w);
  double worst = 0;
  for (index i = 0; i < static_cast<index>(z.size()); ++i) {
    long double sum = 0;
    for (index k = 0; k < m; ++k)
      sum += static_cast<long double>(x[static_cast<std::size_t>(k)]) *
             static_cast<long double>(y[static_cast<std::size_t>(i + k)]);
    index const pair = i / (2 * own) * (2 * own);
    long double const unit = std::log2(static_cast<long double>(Fft::points)) *
                             (std::numeric_limits<T>::epsilon() / 2) * norm(x, 0, m) *
                             norm(y, pair, pair + own + Fft::points);
    auto const off = std::abs(sum - static_cast<long double>(z[static_cast<std::size_t>(i)]));
    if (off > 0) worst = std::max(worst, static_cast<double>(off / unit));
  }
  return worst;
}

template <class Fft, class T, class M>
void convolves_by_fft(M const& machine, index threads_per_dmm, index m, index n,
                      signal kind = signal::random, bool on_host = true) {
  constexpr mmm::detail::fft_convolution_algorithm<Fft> algorithm{};
  index const p = threads_per_dmm * machine.dmms();
  CAPTURE(Fft::points, M::width(), machine.dmms(), threads_per_dmm, m, n, static_cast<int>(kind));
  auto const x = signal_of<T>(kind, m, 1);
  auto const y = signal_of<T>(kind, n + m - 1, 2);
  std::vector<T> z(static_cast<std::size_t>(n), -1);
  auto of_kernel = z;
  auto const run = mmm::simulate(machine, mmm::threads(p), [&](auto on) {
    algorithm(on, x.begin(), x.end(), y.begin(), y.end(), z.begin(), z.end());
  });
  CHECK(error<Fft>(x, y, z, M::width()) < 1);
  problem_figures(machine, algorithm, mmm::size(n), p, run, mmm::constant_of(machine, algorithm),
                  mmm::taps(m));
  if (!on_host) return;
  algorithm(mmm::host_threads(machine, mmm::threads(p)), x.begin(), x.end(), y.begin(), y.end(),
            of_kernel.begin(), of_kernel.end());
  CHECK(error<Fft>(x, y, of_kernel, M::width()) < 1);
}

}  // namespace checks
