// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! Kernels written for a program that use instructions without words in the handles' vocabulary.
namespace mmm::detail {

//! The kernel of a program in place of the one made from it, for a launcher; the program remains
//! for the other back ends, for costs and for the launch's plan. A specialization has
//!
//!     static constexpr bool exists = true;
//!     static bool is_compiled()    true if the current device has its code; otherwise the caller
//!                                  launches another program
//!     static void launch(machine, shape, stream, program, arguments …)
template <class Program>
struct kernel_by_hand {
  static constexpr bool exists = false;
};

}  // namespace mmm::detail
