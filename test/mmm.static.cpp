// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A CUDA developer checks a kernel's layout for bank conflicts: the first program of the design.
#include <mmm/mmm.hpp>

// clang-format off
using shared = mmm::dmm<32, 1>;
constexpr auto lane   = mmm::item;                      // the symbolic index
constexpr auto tile   = mmm::row_major(32, 32);         // (row, column) -> word
constexpr auto padded = mmm::row_major(32, 33);

static_assert(mmm::stages<shared>(tile(0, lane)) == 1);      // a warp writes a row
static_assert(mmm::stages<shared>(tile(lane, 0)) == 32);     // reads a column: 32-way bank conflict
static_assert(mmm::conflict_free<shared>(padded(lane, 0)));  // one word of padding mends it
// clang-format on
