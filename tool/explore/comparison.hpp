// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "task.hpp"

#include <string>
#include <vector>

//! Independent plain computations, and the comparison with them.
namespace explore {

//! A number with as many digits as it takes to tell it from others.
[[nodiscard]] std::string text_of(double x);

//! Compares a sum with the plain sum of `words`: exactly where every order of adding gives the same
//! (integers whose absolute values add up to at most 2^53), otherwise within n * 2^-52 times the
//! sum of the absolute values.
[[nodiscard]] comparison compare_sum(std::vector<double> const& words, double found);

//! Compares prefix-sums with those of `words`, as compare_sum does; with `heads` they begin anew at
//! each head that is not 0.
[[nodiscard]] comparison compare_prefix_sums(std::vector<double> const& words,
                                             std::vector<double> const& found,
                                             std::vector<int> const& heads = {},
                                             bool exclusive = false);

//! Demands that two sequences are the same, word by word; `what` names the second.
[[nodiscard]] comparison compare_words(std::vector<double> const& expected,
                                       std::vector<double> const& found, char const* what);

//! Compares with the plain sums x[0] y[i] + … + x[m - 1] y[i + m - 1]: each exactly where
//! compare_sum would, otherwise within m * 2^-51 times the sum of the products' absolute values.
[[nodiscard]] comparison compare_convolution(std::vector<double> const& x,
                                             std::vector<double> const& y,
                                             std::vector<double> const& found);

//! The transpose of a square in row-major order.
[[nodiscard]] std::vector<double> transposed(std::vector<double> const& square, index side);

}  // namespace explore
