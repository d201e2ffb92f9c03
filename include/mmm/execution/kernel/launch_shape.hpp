// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

namespace mmm {

//! The shape of a kernel: `blocks` blocks of `block_threads` threads each, of which the first
//! `threads` take part.
struct launch_shape {
  index blocks;
  index block_threads;
  index threads;
  friend constexpr bool operator==(launch_shape const&, launch_shape const&) = default;
};

}  // namespace mmm
