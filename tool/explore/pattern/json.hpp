// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "figures.hpp"

#include <nlohmann/json.hpp>

//! A pattern's figures for programs.
namespace explore::pattern {

using json = nlohmann::ordered_json;

//! The pattern, what serves it, and its figures.
[[nodiscard]] json json_object(options const& o, figures const& f);

}  // namespace explore::pattern
