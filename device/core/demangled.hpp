// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace device {

//! The name of a function or variable as its source has it, or the name itself if it is not
//! mangled. The tags that Numba adds to each name ("[abi:…]") are left out.
[[nodiscard]] std::string demangled(std::string const& name);

}  // namespace device
