// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

//! What a program demands of the parts of a GPU, and the clocks that they spend on it.
namespace mmm::detail {

[[nodiscard]] constexpr double square_root(double x) {
  if (x <= 0) return 0;
  double root = 1;
  while (root * root < x) root *= 2;
  while (root * root > 4 * x) root /= 2;
  for (int k = 0; k < 6; ++k) root = (root + x / root) / 2;
  return root;
}
//! What overlaps in part: between the larger of the two and their sum.
[[nodiscard]] constexpr double overlapped(double a, double b) { return square_root(a * a + b * b); }
[[nodiscard]] constexpr double larger_of(double a, double b) { return a < b ? b : a; }
[[nodiscard]] constexpr double smaller_of(double a, double b) { return a < b ? a : b; }
[[nodiscard]] constexpr double as_double(index n) { return static_cast<double>(n); }

//! The blocks of threads of a launch.
struct launched_blocks {
  index blocks = 1;
  index threads = 32;        //!< of a block
  bool one_memory = false;   //!< the machine has no DMMs: all blocks work in step
  bool shared_only = false;  //!< the machine is one DMM: arguments are copied to it and back
};

//! Clocks, by what they are spent on.
struct resource_clocks {
  double issue = 0;           //!< of the schedulers of a multiprocessor
  double shared = 0;          //!< of the banks of a multiprocessor
  double global = 0;          //!< of the global memory
  double cache = 0;           //!< of the level-2 cache and the ways to it
  double waiting_global = 0;  //!< of one warp for what it loads
  double waiting = 0;         //!< of one warp for its own instructions and the shared memory
  double barriers = 0;        //!< of one warp at barriers of its block

  [[nodiscard]] constexpr double busy() const {
    return larger_of(overlapped(issue, shared), larger_of(global, cache));
  }
  [[nodiscard]] constexpr double chain() const { return waiting_global + waiting + barriers; }
  //! Those of a multiprocessor that has so many such blocks side by side, in so many rounds.
  [[nodiscard]] constexpr resource_clocks of_blocks(double side_by_side, double rounds) const {
    double const blocks = side_by_side * rounds;
    return {issue * blocks,          shared * blocks,  global * blocks,  cache * blocks,
            waiting_global * rounds, waiting * rounds, barriers * rounds};
  }
  constexpr resource_clocks& operator+=(resource_clocks const& x) {
    issue += x.issue;
    shared += x.shared;
    global += x.global;
    cache += x.cache;
    waiting_global += x.waiting_global;
    waiting += x.waiting;
    barriers += x.barriers;
    return *this;
  }
};

//! What some DMMs do from one barrier of the grid to the next, and nobody else before them.
struct dmm_branch {
  resource_clocks phase{};  //!< since the last barrier of a block
  double bodies = 0;        //!< of a warp, in these phases
  double phases = 0;
  resource_clocks section{};  //!< before that
  double alone = 0;           //!< clocks of a block that has a multiprocessor for itself
  resource_clocks in_all{};   //!< of a multiprocessor, in phases and section
  index side_by_side = 0;     //!< blocks of a multiprocessor
  index rounds = 0;           //!< of blocks side by side, times their number
  bool in_step = false;       //!< tiles wait for each other
};

//! What a program asks for in all.
struct program_demand {
  double traffic_bytes = 0;  //!< of the global memory and its cache
  double read_bytes = 0;
  double words_global = 0;  //!< allocated, the arguments among them
  double words_copied = 0;  //!< of arguments that the kernel copies before it changes them
  double words_shared = 0;  //!< of a DMM
  double warps = 0;         //!< requests and executed parts of the kernel's code, of warps
  double steps = 0;
  double items = 0;
  double global_requests = 0;
  double shared_requests = 0;
  double request_words = 0;
  double tiles = 0;        //!< dealt
  double tile_passes = 0;  //!< in which each DMM takes a tile
  bool only_tiles = true;  //!< nothing is accessed but in them
};

}  // namespace mmm::detail
