// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace device {

//! A line for programs that call a library of NVIDIA's whose kernels are machine code only: its
//! name, and the way out. Empty if the file at `path` is none of them.
[[nodiscard]] std::string missing_ptx_of(std::string_view path);

}  // namespace device
