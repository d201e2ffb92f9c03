// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/report/scaling_svg.hpp>

#include "algorithm_entry.hpp"
#include "cluster/network_choice.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

//! The command line.
namespace explore {

//! The user's request; every value is valid by itself and for the algorithm.
struct options {
  algorithm_entry const* algorithm = nullptr;
  machine_choice machine;
  bool capacity_given = false;
  bool capacity_from_gpu = false;
  std::optional<network_choice> network;  //!< of a cluster of machines
  std::optional<mmm::report::scaling> scaling;
  std::optional<std::filesystem::path> output;  //!< the picture of the scaling
  index threads = 1;
  std::optional<index> size;  //!< if given
  extra_numbers extra;
  std::uint64_t seed = 1;
  std::optional<std::string> pattern;  //!< of a text, if given
  std::string permutation = "random";  //!< one of permutation_names()
  std::optional<std::filesystem::path> input;
  std::optional<std::filesystem::path> trace;
  std::optional<std::filesystem::path> svg;
  std::optional<std::filesystem::path> schedule;
  std::optional<std::filesystem::path> html;
  bool json = false;
  bool simulate = true;
  std::vector<std::string> notes;  //!< about options that were given but do not matter
};

//! The action that the command line asks for.
enum class request { run, help, list };

//! Reads the command line; fills `o` for request::run and `text` for request::help.
//! Throws tool::failure that names option, value and what is accepted.
[[nodiscard]] request parse(int argc, char const* const* argv, options& o, std::string& text);

[[nodiscard]] char const* name_of(machine_kind kind);

//! The kinds of machine that the algorithm runs on, as --machine names them.
[[nodiscard]] std::vector<std::string> machines_of(algorithm_entry const& a);

//! The size when neither --size nor --input is given.
[[nodiscard]] index default_size(problem_shape shape);

}  // namespace explore
