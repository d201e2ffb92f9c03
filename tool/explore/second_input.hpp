// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

#include <cstdint>
#include <vector>

//! The second inputs of matrix products, image convolutions and algorithms on strings, and the
//! results that they should give.
namespace explore {

//! `n` whole numbers from -8 to 7, by the seed: small, so that sums of products with the input are
//! exact.
[[nodiscard]] std::vector<double> small_numbers(mmm::index n, std::uint64_t seed);

//! A pattern of `m` symbols that occurs almost: m symbols from a place of the text on, which goes
//! round, about one in eight of them replaced by another symbol of the text; by the seed.
[[nodiscard]] std::vector<double> almost_part_of(std::vector<double> const& text, mmm::index m,
                                                 std::uint64_t seed);

//! A longest common subsequence of two sequences, by halving the first one (Hirschberg 1975). Time:
//! O(mn), memory: O(m + n).
[[nodiscard]] std::vector<double> common_subsequence(std::vector<double> const& x,
                                                     std::vector<double> const& y);

//! The product of two squares, by three plain loops.
[[nodiscard]] std::vector<double> plain_product(std::vector<double> const& a,
                                                std::vector<double> const& b, mmm::index side);

//! The convolution of a square image with a kernel of radius v, by plain loops.
[[nodiscard]] std::vector<double> plain_convolution(std::vector<double> const& a, mmm::index side,
                                                    std::vector<double> const& kernel,
                                                    mmm::index v);

}  // namespace explore
