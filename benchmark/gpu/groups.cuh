// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/report/chart.hpp>

#include "session.cuh"

#include <map>
#include <string>
#include <vector>

//! What is measured. A group is a problem of several sizes; to add a contender is to add a line to
//! its table.
namespace bench {

//! Latencies by a pointer chase, the clock, the bandwidth of a copy, what a launch and a barrier
//! take; kept in the session.
[[nodiscard]] json_object calibrate(session& s);

void copies(session& s);
void sums(session& s);
void prefix_sums(session& s);
void transposes(session& s);
void convolutions(session& s);
void image_convolutions(session& s);
void products(session& s);
void triangulations(session& s);

//! Measured beside modelled: the sweeps of the papers' figures. Modelled times are of the memory
//! accesses, by the measured latencies, ports and clock, and an empty kernel's launch; barriers,
//! arithmetic, and what a DMM's kernel copies to shared memory and back are in the measured ones
//! only.
struct sweeps {
  std::vector<json_object> points{};
  std::map<std::string, std::string> pictures{};  //!< SVG by name
  std::vector<json_object> errors{};              //!< of each figure
};
void figures_of_003(session& s, sweeps& into);
void figures_of_004(session& s, sweeps& into);

//! A picture of one figure: curves are modelled, marks are measured; in nanoseconds.
[[nodiscard]] std::string picture(std::vector<mmm::report::curve> const& curves,
                                  std::string const& title, std::string const& x_axis);

}  // namespace bench
