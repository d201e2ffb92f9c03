// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

#include <cstdint>
#include <vector>

//! The second inputs of matrix products and image convolutions, and the results that they should
//! give.
namespace explore {

//! `n` whole numbers from -8 to 7, by the seed: small, so that sums of products with the input are
//! exact.
[[nodiscard]] std::vector<double> small_numbers(mmm::index n, std::uint64_t seed);

//! The product of two squares, by three plain loops.
[[nodiscard]] std::vector<double> plain_product(std::vector<double> const& a,
                                                std::vector<double> const& b, mmm::index side);

//! The convolution of a square image with a kernel of radius v, by plain loops.
[[nodiscard]] std::vector<double> plain_convolution(std::vector<double> const& a, mmm::index side,
                                                    std::vector<double> const& kernel,
                                                    mmm::index v);

}  // namespace explore
