// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit.hpp"

#include "emit_source.hpp"

#include <common/output_file.hpp>

#include <fstream>
#include <string>

namespace explore::emit {

answer run(int argc, char const* const* argv) {
  request asked;
  std::string help;
  if (!parse(argc, argv, asked, help)) return help;
  tool::output_file file("--output", asked.file);
  emitted const found = emitted_for(asked);
  file.write([&](std::ofstream& out) { out << found.source; });
  if (asked.as_json) return found.figures;
  return asked.file ? std::string() : found.source;
}

}  // namespace explore::emit
