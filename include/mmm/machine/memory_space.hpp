// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace mmm {

//! The memories of a machine or a GPU: DMM and shared memories, or PRAM, BPRAM, UMM and the global
//! memory.
enum class memory_space : std::uint8_t { shared, global };
//! "shared" or "global".
[[nodiscard]] constexpr char const* name_of(memory_space space) {
  return space == memory_space::shared ? "shared" : "global";
}

}  // namespace mmm
