// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/context.hpp>

#include <string_view>

namespace device::memory_access_detail {

//! A fence of that strength, as far as the scope reaches.
void emit_fence(decode::context&, strength, device::scope);

//! The scope of that name, scope::none of none: "cta", "cluster", "gpu", "sys".
[[nodiscard]] device::scope scope_of(std::string_view name);

//! tensormap.replace and tensormap.cp_fenceproxy.
void build_tensor_map_change(ptx::instruction const&, decode::context&);

}  // namespace device::memory_access_detail
