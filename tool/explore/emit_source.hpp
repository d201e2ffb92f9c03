// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emit_options.hpp"

#include <string>

namespace explore::emit {

//! The CUDA source that is asked for; it is not written to the file.
[[nodiscard]] std::string source_of(request const& asked);

}  // namespace explore::emit
