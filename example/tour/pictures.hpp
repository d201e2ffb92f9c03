// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

//! The pictures of the tour. Every function returns an SVG document.
namespace tour {

//! Requests of one warp to 32 banks: down a column, and along a diagonal.
[[nodiscard]] std::string banks_picture();
//! Requests of one warp to a global memory: down a column, and along a rotated row.
[[nodiscard]] std::string groups_picture();
//! The transpose of a 4 x 4 array, straightforward and diagonal, round by round.
[[nodiscard]] std::string straightforward_rounds();
[[nodiscard]] std::string diagonal_rounds();
//! The sum of the first values of a signal, round by round.
[[nodiscard]] std::string sum_rounds(std::vector<double> const& signal);
//! The signal: one curve for each column of the table.
[[nodiscard]] std::string curves(std::vector<double> const& values, std::size_t columns,
                                 std::string const& title);

}  // namespace tour
