// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

namespace device::ptx {

//! True of the name of an instruction of PTX 9.0, whether this device executes it or not.
[[nodiscard]] bool is_opcode(std::string_view);

}  // namespace device::ptx
