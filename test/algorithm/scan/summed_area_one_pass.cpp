// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/scan/summed_area_one_pass.hpp>
#include <mmm/execution/kernel/host_threads.hpp>

#include "support/problem_checks.hpp"

#include <cstdint>
#include <stdexcept>

namespace {

using mmm::summed_area_one_pass;

template <class T>
std::vector<T> table_of(std::vector<T> pixels, mmm::shape image) {
  auto const columns = static_cast<std::size_t>(image.columns);
  for (std::size_t i = 0; i < pixels.size(); ++i)
    if (i % columns != 0) pixels[i] += pixels[i - 1];
  for (std::size_t i = columns; i < pixels.size(); ++i) pixels[i] += pixels[i - columns];
  return pixels;
}

//! The table from a simulation and from a kernel on threads of the host; returns the former.
template <class T, class M>
auto simulated(M const& m, mmm::shape image, mmm::index p) {
  CAPTURE(image.rows, image.columns, m.dmms(), m.width(), p);
  std::vector<T> a(static_cast<std::size_t>(image.area()));
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<T>(i * 7919 % 13) - T{3};
  auto const table = table_of(a, image);
  auto of_kernel = a;
  auto run = mmm::simulate(m, mmm::threads(p),
                           [&](auto on) { summed_area_one_pass(on, a.begin(), image); });
  CHECK(a == table);
  summed_area_one_pass(mmm::host_threads(m, mmm::threads(p)), of_kernel.begin(), image);
  CHECK(of_kernel == table);
  return run;
}

template <class M>
void check(M const& m, mmm::shape image, mmm::index p) {
  auto const run = simulated<std::int32_t>(m, image, p);
  checks::problem_figures(m, summed_area_one_pass, image, p, run,
                          mmm::constant_of(m, summed_area_one_pass));
}

}  // namespace

TEST_CASE("summed area tables in one pass, in simulations and kernels, within the bounds") {
  for (auto const& [rows, columns, p] :
       checks::combinations({0, 1, 16, 40}, {1, 33, 64}, {2, 14, 64}))
    check(mmm::hmm<2, 4, 1, 9>{}, {rows, columns}, p);
  for (auto const& [rows, columns, warps] : checks::combinations({1, 20}, {1, 6, 40}, {1, 2, 5}))
    check(mmm::hmm<3, 3, 2, 20>{}, {rows, columns}, warps * 9);
  check(mmm::hmm<3, 32, 2, 40>{}, {131, 260}, 3 * 64);
  check(mmm::hmm<3, 32, 2, 40>{}, {131, 257}, 3 * 64);
}

TEST_CASE("pixels of 8 and of 16 bytes are added up in tiles of fewer rows") {
  using machine = mmm::hmm<2, 4, 1, 9>;
  for (auto const& image : {mmm::shape{33, 40}, {33, 41}}) {
    auto const run = simulated<double>(machine{}, image, 16);
    CHECK(run.races.empty());
  }
}

TEST_CASE("in one pass each pixel is read and written once, and each sum of a tile thrice") {
  using machine = mmm::hmm<2, 4, 1, 9>;
  mmm::index const rows = 32, columns = 48;  // 2 x 3 tiles of 2 groups
  std::vector<mmm::index> a(static_cast<std::size_t>(rows * columns), 1);
  auto const run = mmm::simulate<machine>(mmm::threads(16), [&](auto on) {
    summed_area_one_pass(on, a.begin(), mmm::shape(rows, columns));
  });
  mmm::index reads = 0, writes = 0;
  for (auto const& access : run.trace.entries)
    if (access.space == mmm::memory_space::global)
      (access.op == mmm::access_kind::write ? writes : reads) += 1;
  mmm::index const tile_rows = 8, tile_columns = 16;
  mmm::index const down = rows / tile_rows, across = columns / tile_columns;
  CHECK(writes == rows * columns + 2 * rows * across + 2 * columns * down);
  CHECK(reads == rows * columns + rows * (across - 1) + columns * (down - 1));
}

TEST_CASE("the time of d tiles inside an image is that of the documentation") {
  constexpr mmm::index d = 4, w = 32, l = 20, L = 400;
  for (mmm::index const t : {128, 256}) {
    auto const time = [&](mmm::index rows_of_tiles) {
      mmm::shape const image(rows_of_tiles * (t / 4), 128 * (1 + d));
      return mmm::cost_of<mmm::hmm<d, w, l, L>>(summed_area_one_pass, image, mmm::threads(d * t))
          .time;
    };
    auto const global = [&](mmm::index stages) { return stages + L - 1; };
    auto const shared = [&](mmm::index stages) { return stages + l - 1; };
    mmm::index const look_back = (t + 127) / 128;
    mmm::index const inside = 16 * global(4 * d * t / w) + 3 * global(d * look_back) +
                              3 * global(4 * d) + 16 * shared(t / 32) + 3 * shared(t / 8) +
                              (t / 16 + 4) * shared(4) + 3 * shared(look_back);
    // d rows of tiles more: d times d tiles inside, and d of the first column, without row sums
    CHECK(time(1 + 2 * d) - time(1 + d) == (d + 1) * inside - global(d * look_back));
  }
}

TEST_CASE("a shared memory without room for the sums of a tile is refused") {
  std::vector<std::int32_t> a(16);
  auto const call = [&](auto on) { summed_area_one_pass(on, a.begin(), mmm::size(4)); };
  CHECK_NOTHROW(mmm::simulate<mmm::hmm<1, 4, 1, 1, 64>>(mmm::threads(4), call));
  CHECK_THROWS_AS((mmm::simulate<mmm::hmm<1, 4, 1, 1, 63>>(mmm::threads(4), call)),
                  std::length_error);
}
