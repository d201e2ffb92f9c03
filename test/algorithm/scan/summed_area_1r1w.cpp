// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/scan/summed_area_1r1w.hpp>
#include <mmm/execution/kernel/host_threads.hpp>

#include "support/problem_checks.hpp"
#include "table_by_tiles.hpp"

#include <stdexcept>

namespace {

using mmm::summed_area_1r1w;

template <class T>
std::vector<T> table_of(std::vector<T> pixels, mmm::shape image) {
  auto const columns = static_cast<std::size_t>(image.columns);
  for (std::size_t i = 0; i < pixels.size(); ++i)
    if (i % columns != 0) pixels[i] += pixels[i - 1];
  for (std::size_t i = columns; i < pixels.size(); ++i) pixels[i] += pixels[i - columns];
  return pixels;
}

template <class M>
void check(M const& m, mmm::shape image, mmm::index p) {
  CAPTURE(image.rows, image.columns, m.dmms(), m.width(), p);
  auto a = checks::numbers(image.area()), of_kernel = a;
  auto const table = table_of(a, image);
  auto const run =
      mmm::simulate(m, mmm::threads(p), [&](auto on) { summed_area_1r1w(on, a.begin(), image); });
  CHECK(a == table);
  mmm::index const w = m.width(), t = p / m.dmms();
  bool const divides = image.columns % w == 0 && image.rows % w == 0 && t % w == 0;
  checks::problem_figures(m, summed_area_1r1w, image, p, run,
                          (divides ? 1 : 2) * mmm::constant_of(m, summed_area_1r1w));
  summed_area_1r1w(mmm::host_threads(m, mmm::threads(p)), of_kernel.begin(), image);
  CHECK(of_kernel == table);
}

}  // namespace

TEST_CASE("summed area tables by tiles in simulations and kernels, within the bounds") {
  for (auto const& [rows, columns, p] :
       checks::combinations({0, 1, 7, 16}, {0, 1, 8, 33}, {2, 8, 14, 64})) {
    check(mmm::hmm<2, 4, 1, 9>{}, {rows, columns}, p);
    check(mmm::hmm<2, 4, 5, 1>{}, {rows, columns}, p);
  }
  for (auto const& [rows, columns, warps] :
       checks::combinations({1, 5, 20}, {1, 6, 40}, {1, 2, 5})) {
    check(mmm::hmm<1, 1, 3, 7>{}, {rows, columns}, warps);
    check(mmm::hmm<5, 1, 1, 1>{}, {rows, columns}, warps * 5);
    check(mmm::hmm<3, 3, 2, 20>{}, {rows, columns}, warps * 9);
    check(mmm::hmm<16, 2, 2, 40>{}, {rows, columns}, warps * 32);
  }
  check(mmm::hmm<3, 32, 2, 40>{}, {131, 257}, 3 * 64);
}

// Sizes whose estimates exceed the compilers' limits of constant expressions.
TEST_CASE("the exact time of a table by tiles, for large sizes") {
  constexpr mmm::index d = 4, w = 32, l = 7, L = 100;
  for (mmm::index const s : {256, 4096, 65536})
    for (mmm::index const t : {32, 64, 256, 1024}) {
      CAPTURE(s, t);
      CHECK(mmm::cost_of<mmm::hmm<d, w, l, L>>(summed_area_1r1w, mmm::size(s), mmm::threads(d * t))
                .time == checks::time_of_table_by_tiles(s, t, d, w, l, L));
    }
}

TEST_CASE("each pixel is read and written once, and a word for each line of a tile") {
  using machine = mmm::hmm<2, 4, 1, 9>;
  mmm::shape const image(16, 24);
  std::vector<mmm::index> a(16 * 24, 1);
  auto const run = mmm::simulate<machine>(mmm::threads(16),
                                          [&](auto on) { summed_area_1r1w(on, a.begin(), image); });
  mmm::index reads = 0, writes = 0;
  for (auto const& access : run.trace.entries)
    if (access.space == mmm::memory_space::global)
      (access.op == mmm::access_kind::write ? writes : reads) += 1;
  CHECK(writes == 16 * 24 + 16 * (6 - 1));
  CHECK(reads == 16 * 24 + 16 * (6 - 1) + 24 * (4 - 1));
}

TEST_CASE("a shared memory without room for a tile is refused") {
  std::vector<mmm::index> a(16);
  auto const call = [&](auto on) { summed_area_1r1w(on, a.begin(), mmm::size(4)); };
  CHECK_NOTHROW(mmm::simulate<mmm::hmm<1, 4, 1, 1, 20>>(mmm::threads(4), call));
  CHECK_THROWS_AS((mmm::simulate<mmm::hmm<1, 4, 1, 1, 19>>(mmm::threads(4), call)),
                  std::length_error);
}
