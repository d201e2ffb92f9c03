// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/scan/summed_area.hpp>
#include <mmm/execution/kernel/host_threads.hpp>

#include "problem_checks.hpp"

namespace {

using mmm::index;

template <class M>
void check(M const& m, mmm::shape image, index p, bool divides) {
  auto a = checks::numbers(image.area()), expected = a, of_kernel = a;
  auto const n = expected.size(), side = static_cast<std::size_t>(image.columns);
  for (std::size_t i = 0; i < n; ++i) expected[i] += i % side == 0 ? 0 : expected[i - 1];
  for (std::size_t i = side; i < n; ++i) expected[i] += expected[i - side];
  auto const run =
      mmm::simulate(m, mmm::threads(p), [&](auto on) { mmm::summed_area(on, a.begin(), image); });
  CHECK(a == expected);
  checks::problem_figures(m, mmm::summed_area, image, p, run, divides ? 21 : 42);
  mmm::summed_area(mmm::host_threads(m, mmm::threads(p)), of_kernel.begin(), image);
  CHECK(of_kernel == expected);
}

template <class M>
constexpr bool takes(index s, index p, index time) {
  return mmm::cost_of<M>(mmm::summed_area, mmm::size(s), mmm::threads(p)).time == time;
}
static_assert(takes<mmm::dmm<32, 7>>(256, 64, 256 * 255 * 20 / 32 + 256 * 255 * 18 * 6 / 64));
static_assert(takes<mmm::umm<32, 1>>(256, 64, 256 * 255 * 20 / 32 + 256 * (256 / 32 - 1 - 3)));

}  // namespace

TEST_CASE("summed area tables") {
  for (auto const& [rows, columns, l] : checks::combinations({0, 1, 7, 16}, {1, 8, 33}, {1, 5}))
    for (mmm::index const p : {4, 8, 64}) {
      bool const divides = columns % 4 == 0 && rows * columns % p == 0;
      check(mmm::dmm<4, mmm::dynamic>(l), mmm::shape(rows, columns), p, divides);
      check(mmm::umm<4, mmm::dynamic>(l), mmm::shape(rows, columns), p, divides);
      check(mmm::hmm<2, 4, 1, mmm::dynamic>(l), mmm::shape(rows, columns), p, divides);
    }
}
