// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../cases.hpp"

#include <cstdint>
#include <type_traits>

//! Products of matrices by tensor cores: in whole tiles, in parts of tiles, and with factors that
//! are copied element by element; and by warpgroups, which take whole vecs only.
namespace prediction::tensor_cores {

template <class T, class Runs, class Multiply>
void products(Runs& runs, char const* name, Multiply const& multiply, index threads,
              bool by_elements = true) {
  constexpr struct {
    index rows;
    index inner;
    index columns;
    index d;
  } cases[] = {{128, 128, 256, 1}, {136, 80, 200, 2}, {33, 17, 5, 1}};
  for (auto const [rows, inner, columns, d] : cases) {
    if (inner == 17 && !by_elements) continue;
    mmm::product_shape const shape(rows, inner, columns);
    runs.template run<T, 4>(
        name, text("rows", rows, "inner", inner) + ", " + text("columns", columns, "d", d),
        hierarchy(d), threads * d, [=](auto on, T* a, T* b, result_of<T>* c) {
          if constexpr (std::is_integral_v<T>)
            multiply(on, mmm::matrix(a, shape.inner), mmm::transposed(b, shape.inner), shape,
                     mmm::matrix(c, shape.columns));
          else
            multiply(on, a, b, shape, c);
        });
  }
}

template <class Runs>
void run_list(Runs& runs) {
  products<mmm::half_t>(runs, "matrix_multiply_on_tensor_cores",
                        mmm::matrix_multiply_on_tensor_cores, 256);
  products<mmm::half_t>(runs, "matrix_multiply_by_warpgroups", mmm::matrix_multiply_by_warpgroups,
                        384, false);
  products<std::int8_t>(runs, "matrix_multiply_on_tensor_cores",
                        mmm::matrix_multiply_on_tensor_cores, 256);
}

}  // namespace prediction::tensor_cores
