// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/cost/cost.hpp>
#include <mmm/execution/simulate/trace.hpp>

#include "machine_choice.hpp"

#include <cstdint>
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

//! The part of the cost that is known without the data.
struct closed_form {
  bool known = true;  //!< false: nothing but the bounds
  mmm::cost least;
  mmm::cost most;            //!< the same where the cost does not depend on the data
  char const* of = nullptr;  //!< the data that both are the cost of; null: least to most for all

  [[nodiscard]] bool exact() const {
    return least.stages == most.stages && least.time == most.time;
  }
  [[nodiscard]] bool agrees_with(mmm::cost const& found) const {
    auto const between = [](index low, index x, index high) { return low <= x && x <= high; };
    return !known || of != nullptr ||
           (found.rounds == least.rounds && found.rounds == most.rounds &&
            between(least.stages, found.stages, most.stages) &&
            between(least.time, found.time, most.time));
  }
};

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
