// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../cases.hpp"

#include <cstdint>

//! Prefix-sums and convolutions of sequences.
namespace prediction::scans {

template <class T, class Runs>
void hierarchical_scans(Runs& runs) {
  constexpr struct {
    index n;
    index d;
    index p;
  } cases[] = {{1, 2, 64},     {33, 3, 96},    {300, 2, 16},   {1000, 4, 256},
               {4096, 2, 128}, {5000, 5, 500}, {20000, 3, 384}};
  for (auto const [n, d, p] : cases) {
    hierarchy const m(d);
    auto const with = text("n", n, "d", d);
    runs.template run<T>("prefix_sums", with, m, p,
                         [n = n](auto on, T* a, T*, T* c) { mmm::prefix_sums(on, a, a + n, c); });
    runs.template run<T>("prefix_sums_one_pass", with, m, p, [n = n](auto on, T* a, T*, T* c) {
      mmm::prefix_sums_one_pass(on, a, a + n, c);
    });
  }
}

//! Exclusive scans of segments of 7 words.
template <class Runs>
void segmented_scans(Runs& runs) {
  constexpr struct {
    index n;
    index d;
    index p;
  } cases[] = {{1, 2, 64}, {33, 3, 96}, {1000, 4, 256}, {5000, 5, 500}};
  for (auto const [n, d, p] : cases) {
    std::vector<std::int32_t> heads(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < heads.size(); i += 7) heads[i] = 1;
    std::int32_t const* const kept = runs.keep(heads);
    auto const call = [n = n, kept](auto on, float* a, float*, float* c) {
      mmm::exclusive_segmented_prefix_sums(on, a, a + n, kept, c);
    };
    constexpr index pair = 8;  // bytes of a flag and a sum
    if constexpr (!few)
      runs.template run<float, pair>("exclusive_segmented_prefix_sums", text("n", n), umm, p, call);
    runs.template run<float, pair>("exclusive_segmented_prefix_sums", text("n", n, "d", d),
                                   hierarchy(d), p, call);
  }
}

//! Summed area tables of rows x columns words.
template <class Runs>
void summed_areas(Runs& runs) {
  constexpr struct {
    index rows;
    index columns;
    index d;
    index p;
  } cases[] = {
      {1, 1, 2, 64}, {33, 65, 3, 96}, {64, 96, 2, 512}, {100, 70, 2, 16}, {150, 200, 4, 400}};
  for (auto const [rows, columns, d, p] : cases) {
    mmm::shape const image(rows, columns);
    auto const with = text("rows", rows, "columns", columns);
    runs.template run<float>(
        "summed_area", with, umm, p,
        [image](auto on, float* a, float*, float*) { mmm::summed_area(on, a, image); });
    runs.template run<float>(
        "summed_area_1r1w", with + ", " + text("d", d), hierarchy(d), p,
        [image](auto on, float* a, float*, float*) { mmm::summed_area_1r1w(on, a, image); });
    runs.template run<float>(
        "summed_area_one_pass", with + ", " + text("d", d), hierarchy(d), p,
        [image](auto on, float* a, float*, float*) { mmm::summed_area_one_pass(on, a, image); });
  }
}

template <class Runs>
void run_list(Runs& runs) {
  constexpr struct {
    index n;
    index p;
  } sizes[] = {{1, 32}, {2, 64}, {33, 96}, {1000, 100}, {1024, 256}, {3000, 512}};
  for (auto const [n, p] : sizes) {
    auto const each = [&runs, n = n, p = p](auto const& m) {
      auto const run = [&](char const* name, auto const& call) {
        runs.template run<float>(name, text("n", n), m, p, call);
      };
      run("prefix_sums",
          [n](auto on, float* a, float*, float* c) { mmm::prefix_sums(on, a, a + n, c); });
      run("prefix_sums_simple",
          [n](auto on, float* a, float*, float*) { mmm::prefix_sums_simple(on, a, a + n, a); });
    };
    each(dmm);
    each(umm);
  }
  hierarchical_scans<float>(runs);
  if constexpr (!few) hierarchical_scans<double>(runs);
  segmented_scans(runs);
  summed_areas(runs);

  constexpr struct {
    index n;
    index m;
    index p;
  } convolutions[] = {{1, 1, 32},   {10, 7, 64},     {32, 16, 512},
                      {100, 5, 96}, {1000, 33, 256}, {300, 8, 1024}};
  for (auto const [n, m, p] : convolutions) {
    auto const each = [&runs, n = n, m = m, p = p](auto const& machine) {
      auto const run = [&](char const* name, auto const& algorithm) {
        runs.template run<float>(name, text("n", n, "m", m), machine, p,
                                 [=](auto on, float* a, float* b, float* c) {
                                   algorithm(on, a, a + m, b, b + n + m - 1, c, c + n);
                                 });
      };
      run("convolution", mmm::convolution);
      run("convolution_in_memory", mmm::convolution_in_memory);
    };
    if constexpr (!few) each(dmm);
    if constexpr (!few) each(umm);
    each(hierarchy(2));
  }
  constexpr struct {
    index n;
    index m;
    index d;
    index p;
  } in_registers[] = {{1, 1, 2, 64}, {1000, 33, 3, 96}, {4096, 16, 2, 128}, {9000, 40, 4, 400}};
  for (auto const [n, m, d, p] : in_registers)
    for (index first : {0, 1})
      runs.template run<float>(
          "convolution_in_registers", text("n", n, "m", m) + ", " + text("first word", first),
          hierarchy(d), p, [n = n, m = m, first](auto on, float* a, float* b, float* c) {
            mmm::convolution_in_registers(on, a, a + m, b + first, b + first + n + m - 1, c + first,
                                          c + first + n);
          });
  constexpr struct {
    index n;
    index m;
    index d;
    index p;
  } by_fft[] = {{1, 1, 2, 64}, {9000, 1000, 2, 512}, {20000, 77, 3, 384}};
  for (auto const [n, m, d, p] : by_fft)
    runs.template run<float>("convolution_by_fft", text("n", n, "m", m) + ", " + text("d", d),
                             hierarchy(d), p,
                             [n = n, m = m](auto on, float* a, float* b, float* c) {
                               mmm::convolution_by_fft(on, a, a + m, b, b + n + m - 1, c, c + n);
                             });
}

}  // namespace prediction::scans
