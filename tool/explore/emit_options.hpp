// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/emit/kernel_problem.hpp>
#include <mmm/gpu/devices.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

//! The problems that `mmm-explore emit` and the playground are asked for.
namespace explore::emit {

//! A problem on a GPU, and the file that the source is for.
struct request {
  mmm::kernel_problem problem;
  mmm::gpu::device_facts gpu{};
  std::string gpu_name;
  std::string name;  //!< of the function; empty: the default
  std::optional<std::filesystem::path> file;
  bool as_json = false;
};

//! The names that are accepted.
[[nodiscard]] std::vector<std::string> problem_names();
[[nodiscard]] std::vector<std::string> type_names();
[[nodiscard]] std::vector<std::string> gpu_names();

//! Reads the arguments after `emit`, the first of `argv` being the program; false if only `help` is
//! to be printed. Throws tool::failure that names what cannot be used.
[[nodiscard]] bool parse(int argc, char const* const* argv, request& asked, std::string& help);

}  // namespace explore::emit
