// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

//! The assignment of the blocks of a two-dimensional array to the DMMs of an HMM.
MMM_BODIES_BEGIN
namespace mmm::detail {

//! The row and the column of a block, counted in blocks.
struct block_place {
  index row;
  index column;
};

//! The blocks that a DMM handles one after the other. In every pass it starts at block number
//! `first + pass * pitch + dmm` of a part of the array that begins at `origin` and is `across`
//! blocks wide, and handles `repeats` blocks from there, each a `step` further.
template <class Dmm>
struct assigned_blocks {
  Dmm dmm;
  index pitch;
  index first;
  index passes;
  index across;
  block_place origin;
  index repeats = 1;
  block_place step = {0, 0};

  //! Calls `body(row, column)` for each block.
  template <class Block, class Body>
  MMM_HOST_DEVICE constexpr void for_each(Block& block, Body const& body) const {
    // The members are copied one by one because nvcc does not see into a captured copy of *this.
    auto const number_in_pass = first + dmm;
    index const distance = pitch;
    index const width = across;
    index const count = repeats;
    index const row = origin.row;
    index const column = origin.column;
    index const down = step.row;
    index const right = step.column;
    block.repeat(passes, [=, &block, &body](auto pass) MMM_INLINED {
      auto const number = number_in_pass + pass * distance;
      block.repeat(count, [=, &body](auto k) MMM_INLINED {
        body(row + number / width + k * down, column + number % width + k * right);
      });
    });
  }
};

//! Assigns `down` rows of `across` blocks each to the DMMs:
//! - rows, as long as there is one for every DMM;
//! - the columns of the remaining rows in the same manner;
//! - the remaining corner, fewer than d blocks in either direction, block by block.
//! This takes `ceil(down across / d)` passes. DMMs are idle only in the last one, where those
//! without a block do nothing. The place of a block is linear in the numbers of the pass and of the
//! DMM almost everywhere, which keeps closed forms quick.
//! Calls `body(block, share)` up to four times; `share` is an assigned_blocks.
template <class Machine, class Body>
MMM_HOST_DEVICE constexpr void assign_blocks(Machine& on, index down, index across,
                                             Body const& body) {
  index const d = on.dmms();
  index const rows = down / d;
  index const columns = across / d;
  index const rest_down = down - rows * d;
  index const rest_across = across - columns * d;
  block_place const corner{rows * d, columns * d};
  index const rest = rest_down * rest_across;
  if (rows > 0 && across > 0)
    on.each_dmm(d, [=](auto& block, auto dmm) MMM_INLINED {
      body(block, assigned_blocks<decltype(dmm)>{dmm, d, 0, rows, 1, {0, 0}, across, {0, 1}});
    });
  if (rest_down > 0 && columns > 0)
    on.each_dmm(d, [=](auto& block, auto dmm) MMM_INLINED {
      body(block, assigned_blocks<decltype(dmm)>{
                      dmm, d, 0, columns, across, {corner.row, 0}, rest_down, {1, 0}});
    });
  if (rest / d > 0)
    on.each_dmm(d, [=](auto& block, auto dmm) MMM_INLINED {
      body(block, assigned_blocks<decltype(dmm)>{dmm, d, 0, rest / d, rest_across, corner});
    });
  if (rest % d > 0)
    on.each_dmm(rest % d, [=](auto& block, auto dmm) MMM_INLINED {
      body(block, assigned_blocks<decltype(dmm)>{dmm, d, rest / d * d, 1, rest_across, corner});
    });
}

}  // namespace mmm::detail
MMM_BODIES_END
