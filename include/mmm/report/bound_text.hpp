// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/bound.hpp>
#include <mmm/report/drawing.hpp>

#include <string>

namespace mmm::report {

//! A lower bound in a line, with the limitations that apply:
//! `at least 819600 time units (bandwidth 419430, latency 819600)`.
[[nodiscard]] inline std::string text(bound const& b) {
  std::string limits;
  b.for_each([&](char const* name, index value) {
    limits += (limits.empty() ? " (" : ", ") + std::string(name) + ' ' + std::to_string(value);
  });
  return "at least " + detail::counted(b.time, "time unit") + limits + (limits.empty() ? "" : ")");
}

}  // namespace mmm::report
