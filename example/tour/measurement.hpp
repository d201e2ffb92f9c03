// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/cost/cost.hpp>
#include <mmm/report/table.hpp>

#include <cstdio>
#include <string>
#include <vector>

//! Runs of algorithms on simulated machines, and their description.
namespace tour {

using mmm::index;

//! One run of an algorithm on a machine.
struct measurement {
  std::string algorithm;
  std::string machine;
  std::string problem;  //!< the problem and its size
  index threads;
  mmm::cost cost;
  index pipelined_time;
  mmm::bound bound;
  //! the result is right, no race was found, and the closed form equals the simulated cost
  bool correct;
};

//! The name of the limitation that determines a lower bound.
[[nodiscard]] inline std::string limitation(mmm::bound const& b) {
  std::string name = "none";
  b.for_each([&](char const* which, index value) {
    if (value == b.time) name = which;
  });
  return name;
}

[[nodiscard]] inline std::string ratio(measurement const& m) {
  if (m.bound.time == 0) return "-";
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.2f",
                static_cast<double>(m.cost.time) / static_cast<double>(m.bound.time));
  return digits;
}

//! All measurements as one table.
[[nodiscard]] inline mmm::report::table as_table(std::vector<measurement> const& all) {
  mmm::report::table t({"algorithm", "machine", "problem", "threads", "time", "pipelined", "bound",
                        "from", "ratio", "correct"});
  for (measurement const& m : all)
    t.add({m.algorithm, m.machine, m.problem, std::to_string(m.threads),
           std::to_string(m.cost.time), std::to_string(m.pipelined_time),
           std::to_string(m.bound.time), limitation(m.bound), ratio(m), m.correct ? "yes" : "NO"});
  return t;
}

}  // namespace tour
