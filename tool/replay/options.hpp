// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/gpu.hpp>

#include "cache.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace replay {

//! The GPU that a tally's time is estimated for.
struct gpu_choice {
  std::string spelling;
  std::string_view name;
  mmm::gpu::device_facts facts;
};

struct options {
  std::string file;
  std::optional<gpu_choice> gpu;
  bool pair_merge = false;
  std::optional<cache_choice> cache;
  std::optional<std::size_t> resident;  //!< blocks side by side
  bool json = false;
  std::optional<std::filesystem::path> html;
};

//! Reads the command line; false if only help was asked for, which is then in `text`. tool::failure
//! if it cannot be used.
bool parse(int argc, char const* const* argv, options& o, std::string& text);

}  // namespace replay
