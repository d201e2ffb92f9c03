// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "options.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

//! The chosen machine in the output.
namespace explore {

//! "hmm of 4 DMMs, width 32, shared latency 2, global latency 100".
[[nodiscard]] std::string machine_in_words(machine_choice const& m);

//! The object `machine` of the JSON.
//! A whole number without a fraction, if 64 bits hold it.
[[nodiscard]] nlohmann::ordered_json number_of(double value);

[[nodiscard]] nlohmann::ordered_json machine_object(options const& o);

}  // namespace explore
