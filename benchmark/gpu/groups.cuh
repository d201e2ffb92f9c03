// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/report/chart.hpp>

#include "session.cuh"

#include <map>
#include <string>
#include <vector>

//! The groups of measurements. A group is one problem in several sizes; a new contender is one more
//! line in the group's table.
namespace bench {

//! Measures latencies by pointer chasing, the clock, the bandwidth of a copy, and the time of a
//! launch and of a grid barrier; the results are kept in the session.
[[nodiscard]] json_object calibrate(session& s);

void copies(session& s);
void sums(session& s);
void prefix_sums(session& s);
void transposes(session& s);
void convolutions(session& s);
void image_convolutions(session& s);
void products(session& s);
void triangulations(session& s);
void sorts(session& s);
void candidates_for_sequences(session& s);
void candidates_for_products(session& s);
void fastest_sequences(session& s);
void fastest_products(session& s);

//! The sweeps of the papers' figures, measured and modelled. A modelled time covers the memory
//! accesses, by the measured latencies, ports and clock, and the launch of an empty kernel.
//! Measured times include, in addition, barriers, arithmetic, and the copies between global and
//! shared memory of a kernel on one DMM.
struct sweeps {
  std::vector<json_object> points{};
  std::map<std::string, std::string> pictures{};  //!< SVG by name
  std::vector<json_object> errors{};              //!< errors of the model, for each figure
};
void figures_of_003(session& s, sweeps& into);
void figures_of_004(session& s, sweeps& into);

//! Draws one figure: curves are modelled times, marks are measured times, in nanoseconds.
[[nodiscard]] std::string picture(std::vector<mmm::report::curve> const& curves,
                                  std::string const& title, std::string const& x_axis);

}  // namespace bench
