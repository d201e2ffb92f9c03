// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace device::ptx {

//! The resources of a thread that the assembler gave a kernel.
struct machine_resources {
  std::uint32_t registers = 0;    //!< of 32 bits
  std::uint32_t stack_bytes = 0;  //!< of local memory, for arrays and spilled registers
  friend bool operator==(machine_resources const&, machine_resources const&) = default;
};

//! The resources of the kernels of machine code (a cubin), by mangled name, as its section
//! `.nv.info` has them; empty where there is no such section, or its form is another.
[[nodiscard]] std::map<std::string, machine_resources> resources_of(std::string_view cubin);

}  // namespace device::ptx
