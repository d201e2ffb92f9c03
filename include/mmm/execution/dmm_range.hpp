// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

//! The DMMs of a machine that tiles are assigned to.
namespace mmm {

//! A range of DMMs: `first`, `first + 1`, …, `count` of them.
struct dmm_range {
  index first;
  index count;
};

namespace detail {

//! The range of all DMMs of a machine, as a type of its own, so that programs know at compile time
//! that no DMM is left out.
struct every_dmm : dmm_range {};

//! In place of the number of tiles in a sequence: all tiles of a machine are in it.
inline constexpr index every_tile = 0;

}  // namespace detail

}  // namespace mmm
