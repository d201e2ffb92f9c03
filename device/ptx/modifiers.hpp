// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

namespace device::ptx {

//! True of what PTX 9.0 has as a modifier of some instruction, whether this device knows it or not:
//! "u32", "shared::cta", "m16n8k16". Which instruction may have it is not examined.
[[nodiscard]] bool is_modifier(std::string_view);

}  // namespace device::ptx
