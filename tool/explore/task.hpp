// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/cost/cost.hpp>
#include <mmm/execution/nodes.hpp>
#include <mmm/execution/simulate/trace.hpp>
#include <mmm/layout/block_grid.hpp>

#include "machine_choice.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

//! An algorithm's task and its outcome, free of machine types.
namespace explore {

//! The parameters that some algorithms take besides a size.
struct extra_numbers {
  index taps = 16;
  index radius = 2;
  index tile = 0;  //!< 0: not given
  index bins = 256;
  index inputs = 1024;
  bool by_rows = false;         //!< the arrangement of the inputs
  std::vector<double> pattern;  //!< its symbols; empty: drawn by the seed
  // On clusters.
  std::optional<mmm::node_grid> grid;  //!< of the nodes, if given
  bool best_grid = false;              //!< the quickest one of all grids
  index panels = 1;
};

//! One run to do.
struct task {
  index size = 0;     //!< see problem_shape
  index threads = 1;  //!< over the whole machine
  extra_numbers extra;
  std::uint64_t seed = 1;  //!< of what is random
  bool simulate = true;
  bool keep_trace = false;
  bool characters = false;    //!< the input's words are characters
  std::vector<double> words;  //!< the input; empty if nothing is simulated
};

//! The comparison of the algorithm's result with the plain computation's.
struct comparison {
  bool correct = true;
  std::string detail;  //!< in words: what was compared, or what is wrong
  std::vector<std::pair<char const*, double>> figures{};  //!< of the result, for --json
  std::vector<double> subsequence{};                      //!< a longest common one
};

//! The figures of the simulation.
struct simulated {
  mmm::cost cost;
  index pipelined_time = 0;
  index races = 0;
  std::string first_race;
  comparison result;
  mmm::trace trace;
};

[[nodiscard]] constexpr bool is_between(index low, index x, index high) {
  return low <= x && x <= high;
}
//! True if the costs are equal in the figures that are shown.
[[nodiscard]] inline bool same_figures(mmm::cost const& a, mmm::cost const& b) {
  return a.rounds == b.rounds && a.stages == b.stages && a.time == b.time;
}
[[nodiscard]] inline bool same_figures(mmm::cluster_cost const& a, mmm::cluster_cost const& b) {
  return same_figures(a.work, b.work) && a.network == b.network && a.time == b.time;
}
//! True if a simulation with the cost `found` may have an estimate from `least` to `most`.
[[nodiscard]] inline bool is_within(mmm::cost const& least, mmm::cost const& found,
                                    mmm::cost const& most) {
  return found.rounds == least.rounds && found.rounds == most.rounds &&
         is_between(least.stages, found.stages, most.stages) &&
         is_between(least.time, found.time, most.time);
}
//! The same on a cluster. The slowest node for the least stages may be another one than for the
//! most, so that rounds and stages are compared only where the cost does not depend on the data.
[[nodiscard]] inline bool is_within(mmm::cluster_cost const& least, mmm::cluster_cost const& found,
                                    mmm::cluster_cost const& most) {
  if (same_figures(least, most)) return same_figures(found, most);
  return is_between(least.work.time, found.work.time, most.work.time) &&
         is_between(least.network.time, found.network.time, most.network.time) &&
         is_between(least.time, found.time, most.time) &&
         found.network.words <= most.network.words &&
         found.network.messages <= most.network.messages;
}

//! The part of the cost that is known without the data.
template <class Cost>
struct known_cost {
  bool known = true;  //!< false: nothing but the bounds
  Cost least;
  Cost most;                 //!< the same where the cost does not depend on the data
  char const* of = nullptr;  //!< the data that both are the cost of; null: least to most for all

  [[nodiscard]] bool exact() const { return same_figures(least, most); }
  [[nodiscard]] bool agrees_with(Cost const& found) const {
    return !known || of != nullptr || is_within(least, found, most);
  }
};
using closed_form = known_cost<mmm::cost>;

//! All figures of one run, in time units, stages and rounds.
struct outcome {
  closed_form estimate;
  //! A lower bound by one limitation.
  struct limitation {
    std::string name;
    index figure;
    std::string formula;  //!< in letters: mmm::formula
  };
  std::vector<limitation> limitations;  //!< those that apply
  index lower_bound = 0;
  index upper_bound = 0;
  index constant = 0;  //!< time <= constant * upper_bound
  simulated run;       //!< if something was simulated
};

}  // namespace explore
