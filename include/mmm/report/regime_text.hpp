// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/regime.hpp>

#include <string>

namespace mmm::report {

//! A regime in three lines, each with the condition that decides:
//! `global latency hidden: w L = 12800 <= d p = 16384`.
[[nodiscard]] inline std::string text(regime const& r) {
  auto const condition = [](regime_condition const& c, char const* left, char const* right) {
    return std::string(left) + " = " + std::to_string(c.left) + (c.holds() ? " <= " : " > ") +
           right + " = " + std::to_string(c.right) + '\n';
  };
  return std::string("global latency ") + (r.global_latency_hidden ? "hidden: " : "not hidden: ") +
         condition(r.global_latency, "w L", "d p") + "shared latency " +
         (r.shared_latency_hidden ? "hidden: " : "not hidden: ") +
         condition(r.shared_latency, "w l", "p") + "limited by " +
         (r.limited_by == limited_by::bandwidth ? "bandwidth: " : "parallelism: ") +
         condition(r.global, r.work, "d");
}

}  // namespace mmm::report
