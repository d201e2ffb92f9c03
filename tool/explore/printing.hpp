// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "options.hpp"
#include "task.hpp"

#include <string>
#include <utility>
#include <vector>

//! The output of the program.
namespace explore {

//! A finished run.
struct report {
  options const& asked;
  task const& done;
  outcome const& found;
  std::string input;  //!< where the data came from, in words

  [[nodiscard]] bool closed_form_agrees() const;
  //! The closed form agrees, the result is correct and there is no race, as far as that was looked
  //! at.
  [[nodiscard]] bool passed() const;
};

//! One JSON object, as the contract of the program says.
[[nodiscard]] std::string json_text(report const& r);

//! Name and purpose of the algorithm.
[[nodiscard]] std::string title_of(report const& r);

//! The figures and what was found, each with its label.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> lines_of(report const& r);

//! A table to read.
[[nodiscard]] std::string table_text(report const& r);

//! All algorithms with machines, paper and theorem, and the other commands; as JSON an array of the
//! algorithms.
[[nodiscard]] std::string list_text(bool as_json);

}  // namespace explore
