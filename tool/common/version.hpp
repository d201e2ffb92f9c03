// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

#include <string>

namespace tool {

//! The text that `program --version` prints: `mmm-run 0.1.0`.
inline std::string version_of(std::string const& program) {
  return program + ' ' + std::to_string(MMM_VERSION / 10000) + '.' +
         std::to_string(MMM_VERSION / 100 % 100) + '.' + std::to_string(MMM_VERSION % 100);
}

}  // namespace tool
