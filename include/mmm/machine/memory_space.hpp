// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace mmm {

//! The memories of a machine or a GPU: DMM and shared memories, or PRAM, BPRAM, UMM and the global
//! memory; `peer` is the shared memory of a DMM as the DMMs of its cluster access it.
enum class memory_space : std::uint8_t { shared, global, peer };
//! "shared", "global" or "peer".
[[nodiscard]] constexpr char const* name_of(memory_space space) {
  return space == memory_space::shared   ? "shared"
         : space == memory_space::global ? "global"
                                         : "peer";
}

}  // namespace mmm
