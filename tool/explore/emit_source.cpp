// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit_source.hpp"

#include <mmm/emit.hpp>

namespace explore::emit {

std::string source_of(request const& asked) {
  std::string const name = asked.file ? asked.file->filename().string() : std::string("kernel.cu");
  return mmm::emit_for(asked.gpu, asked.gpu_name, asked.problem, name).source;
}

}  // namespace explore::emit
