// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "task.hpp"

#include <cstdint>
#include <string>
#include <vector>

//! Permutations by their names, and permutations that are read from a file.
namespace explore {

using mmm::index;

//! The names that --permutation takes.
[[nodiscard]] std::vector<std::string> const& permutation_names();

//! The places 0 … n - 1 that the words of a sequence go to. `name` is one of permutation_names():
//! a transpose is that of n words as a matrix of as many rows as the largest divisor of n up to its
//! square root; a shuffle goes alternately through the first half and the second half.
//! Throws tool::failure for a bit reversal of a size that is no power of two.
[[nodiscard]] std::vector<double> permutation_named(std::string const& name, index n,
                                                    std::uint64_t seed);

//! Throws tool::failure, with the two places that go to one, if the numbers are no permutation of
//! 0 … n - 1. `origin` names their file.
void demand_permutation(std::vector<double> const& places, std::string const& origin);

//! A permutation as integers.
[[nodiscard]] std::vector<index> places_of(std::vector<double> const& permutation);

//! The words that are permuted: whole numbers drawn by the seed.
[[nodiscard]] std::vector<double> words_to_permute(index n, std::uint64_t seed);

//! Compares `found` with the words permuted by a plain loop.
[[nodiscard]] comparison compare_permuted(std::vector<double> const& permutation,
                                          std::vector<double> const& words,
                                          std::vector<double> const& found);

}  // namespace explore
