// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/ptx/module.hpp>

#include <cstdint>
#include <vector>

//! Control flow of a function: where branches meet again, and which registers are alive at once.
namespace device::decode {

//! The instructions of a function as basic blocks.
struct flow_graph {
  struct basic_block {
    std::uint32_t begin = 0;  //!< first instruction
    std::uint32_t end = 0;    //!< one after the last
    //! blocks; the number of blocks stands for the function's exit
    std::vector<std::uint32_t> next;
  };
  std::vector<basic_block> blocks;
  std::vector<std::uint32_t> block_of;  //!< of each instruction
  std::vector<std::uint32_t>
      post_dominator;  //!< of each block: its immediate one; the number of blocks if it is the exit
  [[nodiscard]] std::uint32_t exit() const { return static_cast<std::uint32_t>(blocks.size()); }
};

//! Throws device::unsupported for a label that the body does not have.
[[nodiscard]] flow_graph make_flow_graph(ptx::body const&);

//! The immediate post-dominators of the blocks for threads that do not end early: a branch to a
//! block in `ends` that could go on instead does not count.
[[nodiscard]] std::vector<std::uint32_t> post_dominators(flow_graph const&,
                                                         std::vector<bool> const& ends);

//! The labels that an instruction may go to: of bra and brx; none for others.
[[nodiscard]] std::vector<std::string_view> targets_of(ptx::instruction const&, ptx::body const&);

//! The places of registers in a frame.
struct register_places {
  std::vector<std::uint32_t> offset;  //!< of each register, in bytes
  std::uint32_t bytes = 0;            //!< of all
  int max_live = 0;                   //!< 32-bit registers alive at once, predicates apart
};

//! Gives registers whose lives do not overlap the same place. Lives are those of one thread: writes
//! are masked, so that diverged lanes do not disturb each other. Time: linear scan after an
//! iterative liveness analysis.
[[nodiscard]] register_places place_registers(ptx::body const&, flow_graph const&);

//! Bytes of a register's value as kept for each lane: 2, 4, 8 or 16; 0 for a predicate.
[[nodiscard]] int register_bytes_of(ptx::scalar);

}  // namespace device::decode
