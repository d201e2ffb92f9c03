// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emit_options.hpp"

#include <string>

namespace explore::emit {

struct emitted {
  std::string source;   //!< CUDA
  std::string figures;  //!< a line of JSON with the source if it is for no file; only if asked for
};

//! The kernel that is asked for; nothing is written to a file.
[[nodiscard]] emitted emitted_for(request const& asked);

}  // namespace explore::emit
