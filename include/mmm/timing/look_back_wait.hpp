// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/look_back.hpp>
#include <mmm/timing/clocks.hpp>

//! Decoupled look-back: the rounds in which a tile waits for its prefix.
namespace mmm::detail {

//! The number of look-back rounds until the last of `tiles` tiles knows its prefix, if all publish
//! their totals at once. In round r a tile inspects the next `window` states before it; tiles up to
//! number `window` r (r + 1) / 2 then find one that knows its prefix.
[[nodiscard]] constexpr double look_back_rounds(index window, index tiles) {
  double rounds = 1;
  while (as_double(window) * rounds * (rounds + 1) / 2 < as_double(tiles)) ++rounds;
  return rounds;
}

//! The look-back of the current step, which is announced before the step begins.
class look_back_wait {
 public:
  //! The next step looks back, and inspects `window` states at once; `tiles` tiles wait for each
  //! other.
  constexpr void announce(index window, index tiles) {
    next_window_ = window;
    next_tiles_ = tiles;
  }
  constexpr void begin_step() {
    window_ = next_window_;
    tiles_ = next_tiles_;
    next_window_ = 0;
  }
  //! True if the current step looks back.
  [[nodiscard]] constexpr bool active() const { return window_ > 0; }
  //! True if tiles read, wait and write together, as those of look_back_step do.
  [[nodiscard]] constexpr bool in_step() const { return window_ == look_back_step::at_once; }
  //! Latencies of the level-2 cache: one to publish a total, and one for each round.
  [[nodiscard]] constexpr double latencies() const { return 1 + look_back_rounds(window_, tiles_); }

 private:
  index next_window_ = 0;
  index next_tiles_ = 0;
  index window_ = 0;
  index tiles_ = 0;
};

}  // namespace mmm::detail
