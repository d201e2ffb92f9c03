// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/operation.hpp>

#include <cstdint>
#include <string>

namespace device::decode {

//! A line of source code; none if a program was compiled without -lineinfo.
struct source_place {
  std::string file{};
  std::uint32_t line = 0;
};

//! The line of an operation that its author wrote: where functions of the CUDA toolkit's headers
//! were inlined, the line that called them.
[[nodiscard]] source_place place_of(program const&, std::uint32_t operation);

}  // namespace device::decode
