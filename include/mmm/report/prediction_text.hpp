// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/prediction/predict.hpp>

//! Predictions in words.
namespace mmm::report {

//! What limits a kernel: "global bandwidth", "instruction issue", ...
[[nodiscard]] constexpr char const* words(time_limit limit) {
  constexpr char const* names[] = {"global bandwidth",  "cache bandwidth", "shared bandwidth",
                                   "instruction issue", "bytes in flight", "latency",
                                   "barriers",          "launch"};
  return names[static_cast<int>(limit)];
}

}  // namespace mmm::report
