// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of mmm::jit::kernel for all problems, each compared with a plain loop
// (jit_kernels.py). Exit status 1 if a result differs.
#include <mmm/jit.hpp>

#include "jit_checks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>

namespace {

using mmm::problem_kind;
using namespace jit_checks;

template <problem_kind Kind, class... Inputs>
void compare(mmm::index size, mmm::kernel_problem const& more, list const& expected,
             Inputs const&... inputs) {
  auto const kernel = mmm::jit::kernel<Kind, float>(size, {}, more);
  if constexpr (Kind == problem_kind::sorts || Kind == problem_kind::summed_areas) {
    array const values(inputs...);
    kernel(nullptr, values.data());
    check(values.copied() == expected, kernel.chosen().candidate.c_str());
  } else {
    array const out(list(expected.size(), -1));
    auto const run = [&](auto const&... in) { kernel(nullptr, in.data()..., out.data()); };
    run(array(inputs)...);
    check(out.copied() == expected, kernel.chosen().candidate.c_str());
  }
  std::printf("%s\n", kernel.chosen().candidate.c_str());
}

void sums() {
  for (std::size_t const n : {1U, 1000U, 20000U}) {
    list const values = numbers(n);
    float sum = 0;
    for (float const x : values) sum += x;
    compare<problem_kind::sums>(static_cast<mmm::index>(n), {}, {sum}, values);
  }
}
void transposes() {
  std::size_t const side = 200;
  list const values = numbers(side * side);
  list expected = values;
  for (std::size_t k = 0; k < values.size(); ++k) expected[k] = values[k % side * side + k / side];
  compare<problem_kind::transposes>(side, {}, expected, values);
}
void products() {
  std::size_t const n = 96;
  list const a = numbers(n * n), b = numbers(n * n, 5);
  list c(n * n);
  for (std::size_t i = 0; i < n * n; ++i)
    for (std::size_t k = 0; k < n; ++k) c[i] += a[i / n * n + k] * b[k * n + i % n];
  compare<problem_kind::products>(n, {}, c, a, b);
}
void others() {
  std::size_t const n = 20000, side = 200;
  list const values = numbers(n), image = numbers(side * side);
  compare<problem_kind::copies>(n, {}, values, values);
  list expected = values;
  for (std::size_t k = 1; k < n; ++k) expected[k] += expected[k - 1];
  compare<problem_kind::scans>(n, {}, expected, values);
  expected = values;
  std::sort(expected.begin(), expected.end());
  compare<problem_kind::sorts>(n, {}, expected, values);
  expected = image;
  for (std::size_t k = 0; k < image.size(); ++k) {
    if (k % side != 0) expected[k] += expected[k - 1];
    if (k >= side) expected[k] += expected[k - side];
    if (k % side != 0 && k >= side) expected[k] -= expected[k - side - 1];
  }
  compare<problem_kind::summed_areas>(side, {}, expected, image);
  mmm::kernel_problem more;
  more.taps = 33;
  list const taps = numbers(33, 3), words = numbers(n + 32);
  expected.assign(n, 0);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t m = 0; m < taps.size(); ++m) expected[k] += taps[m] * words[k + m];
  compare<problem_kind::convolutions>(n, more, expected, taps, words);
  for (mmm::index const radius : {1, 2}) {
    more.radius = radius;
    auto const r = static_cast<std::ptrdiff_t>(radius), edge = std::ptrdiff_t{side};
    list const kernel = numbers(static_cast<std::size_t>((2 * r + 1) * (2 * r + 1)), 4);
    expected.assign(image.size(), 0);
    for (std::ptrdiff_t k = 0; k < edge * edge; ++k)
      for (std::ptrdiff_t t = 0; t < static_cast<std::ptrdiff_t>(kernel.size()); ++t) {
        std::ptrdiff_t const row = k / edge + t / (2 * r + 1) - r,
                             column = k % edge + t % (2 * r + 1) - r;
        if (row >= 0 && row < edge && column >= 0 && column < edge)
          expected[static_cast<std::size_t>(k)] +=
              kernel[static_cast<std::size_t>(t)] *
              image[static_cast<std::size_t>(row * edge + column)];
      }
    compare<problem_kind::image_convolutions>(edge, more, expected, image, kernel);
  }
}

}  // namespace

int main() {
  try {
    transposes();
    sums();
    products();
    others();
  } catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
  return failed ? 1 : 0;
}
