// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../cases.hpp"

//! Products of matrices.
namespace prediction::products {

template <class T, class Runs>
void products_in_registers(Runs& runs) {
  constexpr struct {
    index rows;
    index inner;
    index columns;
    index d;
  } cases[] = {{1, 1, 1, 1}, {128, 64, 128, 2}, {130, 20, 132, 3}, {100, 33, 70, 1}};
  for (auto const [rows, inner, columns, d] : cases)
    runs.template run<T>(
        "matrix_multiply_in_registers",
        text("rows", rows, "inner", inner) + ", " + text("columns", columns, "d", d), hierarchy(d),
        256 * d, [rows = rows, inner = inner, columns = columns](auto on, T* a, T* b, T* c) {
          mmm::matrix_multiply_in_registers(on, a, b, mmm::product_shape(rows, inner, columns), c);
        });
}

template <class Runs>
void run_list(Runs& runs) {
  constexpr struct {
    index rows;
    index inner;
    index columns;
    index m;
    index d;
    index p;
  } cases[] = {{1, 1, 1, 1, 1, 32},       {16, 16, 16, 16, 2, 256},  {33, 20, 40, 16, 3, 384},
               {64, 64, 64, 32, 4, 4096}, {64, 64, 64, 32, 4, 1024}, {50, 70, 30, 32, 2, 128},
               {40, 40, 40, 24, 1, 96}};
  for (auto const [rows, inner, columns, m, d, p] : cases) {
    auto const with = text("rows", rows, "inner", inner) + ", " + text("columns", columns, "m", m);
    mmm::product_shape const shape(rows, inner, columns);
    auto const run = [&](char const* name, auto const& machine, index threads,
                         auto const& algorithm) {
      runs.template run<float>(name, with, machine, threads,
                               [=, m = m](auto on, float* a, float* b, float* c) {
                                 algorithm(on, a, b, shape, c, mmm::tile(m));
                               });
    };
    if constexpr (!few) run("matrix_multiply", dmm, p / d, mmm::matrix_multiply);
    run("matrix_multiply", hierarchy(d), p, mmm::matrix_multiply);
    if constexpr (!few)
      run("matrix_multiply_in_memory", dmm, p / d, mmm::matrix_multiply_in_memory);
    run("matrix_multiply_in_memory", hierarchy(d), p, mmm::matrix_multiply_in_memory);
  }
  products_in_registers<float>(runs);
}

}  // namespace prediction::products
