// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/timing/clocks.hpp>

//! The factors that wgmma reads from the shared memory.
namespace mmm::detail {

//! The factors of one wgmma: `rows` of a and `columns` of b, by 32 bytes of the inner side; 0 rows
//! where warps load fragments to their registers.
struct warpgroup_operands {
  index rows = 0;
  index columns = 0;

  //! True if tensor cores read both factors from the shared memory.
  [[nodiscard]] constexpr bool in_shared() const { return rows > 0; }

  //! Wavefronts of 128 bytes in which the factors of so many products of numbers of so many bits
  //! are read: once in each instruction, for the four warps of a warpgroup together.
  [[nodiscard]] constexpr double stages(int bits, double products) const {
    double const instructions = products * bits / (as_double(rows * columns) * 256);
    return instructions * as_double((rows + columns) * 32) / 128;
  }
};

}  // namespace mmm::detail
