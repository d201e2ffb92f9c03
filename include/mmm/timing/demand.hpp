// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/timing/clocks.hpp>
#include <mmm/timing/step_work.hpp>

//! The demand of a whole program: its traffic, its memory, and the executed parts of its code.
namespace mmm::detail {

struct program_demand {
  double traffic_bytes = 0;  //!< of the global memory and its cache
  double read_bytes = 0;     //!< those of loads
  double words_global = 0;   //!< allocated, arguments included
  double words_copied = 0;   //!< of arguments that the kernel copies before it changes them
  //! The arrays in the global memory.
  [[nodiscard]] constexpr double global_words() const { return words_global + words_copied; }
  double words_shared = 0;  //!< of a DMM
  double warps = 0;
  double steps = 0;            //!< of all warps
  double items = 0;            //!< bodies that warps execute
  double global_requests = 0;  //!< of all warps
  double shared_requests = 0;
  double conflicts = 0;      //!< stages of shared requests beyond one for each word of a thread
  double request_words = 0;  //!< words of a thread, summed over the requests of all warps
  double tiles = 0;          //!< assigned to DMMs
  double tile_passes = 0;    //!< in each of which every DMM takes at most one tile
  bool only_tiles = true;    //!< no global access is outside of tiles

  //! Adds a step of the program or, if `copies`, one that copies an argument.
  constexpr void add(step_bodies const& bodies, step_requests const& requests, bool copies) {
    auto const& [step, launched] = bodies;
    double const all = as_double(bodies.total());
    steps += as_double(step.times) * as_double(step.machine_wide ? launched.count : step.dmms) *
             as_double(launched.warps);
    items += all;
    global_requests += all * requests.global_requests;
    shared_requests += all * requests.shared_requests;
    request_words += all * requests.request_words;
    conflicts += requests.conflicts;
    traffic_bytes += requests.global_bytes;
    read_bytes += requests.read_bytes;
    if (step.machine_wide && !copies && requests.global_requests > 0 && all > 0) only_tiles = false;
  }
};

}  // namespace mmm::detail
