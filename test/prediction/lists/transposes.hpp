// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../cases.hpp"

//! Transposes and convolutions of images.
namespace prediction::transposes {

template <class T, class Runs>
void swizzled_transposes(Runs& runs) {
  constexpr struct {
    index rows;
    index columns;
    index d;
    index p;
  } cases[] = {
      {1, 1, 2, 64}, {64, 128, 1, 256}, {100, 36, 3, 192}, {65, 70, 2, 128}, {128, 200, 4, 400}};
  for (auto const [rows, columns, d, p] : cases)
    runs.template run<T>("transpose_swizzled",
                         text("rows", rows, "columns", columns) + ", " + text("d", d), hierarchy(d),
                         p, [rows = rows, columns = columns](auto on, T* a, T*, T* c) {
                           mmm::transpose_swizzled(on, a, mmm::shape(rows, columns), c);
                         });
}

template <class Runs>
void run_list(Runs& runs) {
  constexpr struct {
    index side;
    index p;
  } sides[] = {{1, 32}, {5, 64}, {32, 256}, {33, 100}, {64, 512}, {96, 1024}};
  for (auto const [side, p] : sides) {
    auto const run = [&runs, side = side, p = p](char const* name, auto const& machine,
                                                 auto const& algorithm) {
      runs.template run<float>(name, text("side", side), machine, p,
                               [=](auto on, float* a, float*, float*) { algorithm(on, a, side); });
    };
    run("transpose_straightforward", dmm, mmm::transpose_straightforward);
    run("transpose_straightforward", umm, mmm::transpose_straightforward);
    if constexpr (!few)
      run("transpose_straightforward", hierarchy(4), mmm::transpose_straightforward);
    run("transpose_diagonal", dmm, mmm::transpose_diagonal);
    run("transpose_rotating", umm, mmm::transpose_rotating);
  }
  swizzled_transposes<float>(runs);
  swizzled_transposes<double>(runs);

  constexpr struct {
    index rows;
    index columns;
    index v;
    index d;
    index p;
  } images[] = {{1, 1, 0, 2, 64},
                {32, 64, 1, 4, 256},
                {40, 50, 2, 3, 192},
                {96, 33, 1, 2, 100},
                {64, 128, 2, 5, 640}};
  for (auto const [rows, columns, v, d, p] : images) {
    auto const with = text("rows", rows, "columns", columns) + ", " + text("v", v);
    auto const run = [&runs, &with, rows = rows, columns = columns, v = v](
                         char const* name, auto const& machine, index threads,
                         auto const& algorithm) {
      runs.template run<float>(name, with, machine, threads,
                               [=](auto on, float* a, float* b, float* c) {
                                 algorithm(on, a, mmm::shape(rows, columns), b, mmm::radius(v), c);
                               });
    };
    if constexpr (!few) run("image_convolution", dmm, p / d, mmm::image_convolution);
    run("image_convolution", hierarchy(d), p, mmm::image_convolution);
    if constexpr (!few)
      run("image_convolution_in_memory", dmm, p / d, mmm::image_convolution_in_memory);
    run("image_convolution_in_memory", hierarchy(d), p, mmm::image_convolution_in_memory);
    runs.template run<float>(
        "separable_image_convolution<2>",
        text("rows", rows, "columns", columns) + ", " + text("d", d), hierarchy(d), 256 * d,
        [rows = rows, columns = columns](auto on, float* a, float* b, float* c) {
          mmm::separable_image_convolution<2>(on, a, mmm::shape(rows, columns), b, b + 5, c);
        });
    for (index first : {0, 2})
      runs.template run<float>(
          "image_convolution_in_registers<1>",
          text("rows", rows, "columns", columns) + ", " + text("d", d, "first word", first),
          hierarchy(d), 256 * d,
          [rows = rows, columns = columns, first](auto on, float* a, float* b, float* c) {
            mmm::image_convolution_in_registers<1>(on, a + first, mmm::shape(rows, columns), b, c);
          });
  }
}

}  // namespace prediction::transposes
