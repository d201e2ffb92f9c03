// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/context.hpp>

#include <string_view>

namespace device {

//! Emits the operation that writes a special register ("tid.x", without `%`) to `d`, whose values
//! have `bytes` bytes (0: a predicate). Throws device::unsupported for one that this device does
//! not have.
void emit_special(decode::context&, std::string_view name, slot d, int bytes);

}  // namespace device
