// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/gpu.hpp>

//! Wide accesses of one warp to shared memory whose wavefronts are counted: which of them a GPU
//! serves together is not documented for every generation.
namespace counted {

//! Every thread makes an access so many times.
inline constexpr int repetitions = 64;

//! Calls `use(name, pattern)` with the number of the 8 or 16 bytes that every lane accesses, as an
//! index expression: the kernel evaluates it, the model counts it.
template <class Use>
void for_each_pattern(Use const& use) {
  using mmm::item;
  use("item * 0", item * 0);
  use("item / 2", item / 2);
  use("item / 4 * 2 + item % 2", item / 4 * 2 + item % 2);
  use("item / 4", item / 4);
  use("item / 16", item / 16);
  use("item % 8", item % 8);
  use("item % 16", item % 16);
  use("item", mmm::item * 1);
  use("item / 2 * 8 % 64", item / 2 * 8 % 64);
  use("item < 16 ? item / 2 : item / 4 * 2 + item % 2",
      select(item < 16, item / 2, item / 4 * 2 + item % 2));
}

}  // namespace counted
