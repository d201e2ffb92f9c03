// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/operation.hpp>
#include <device/ptx/module.hpp>

#include <string>

namespace device::decode {

//! The opcode with its modifiers: "ld.global.u32".
[[nodiscard]] std::string name_text(ptx::instruction const&);

//! The class in which an instruction is counted.
[[nodiscard]] instruction_kind kind_of(ptx::instruction const&);

//! "add.cc.u32 (my.cu:12, PTX line 34, in transpose_tiles(float*, int))"
[[nodiscard]] std::string place_text(program const&, ptx::instruction const&);

}  // namespace device::decode
