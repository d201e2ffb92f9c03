// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source.hpp"

#include <optional>

namespace replay {

std::unique_ptr<source> open(line_reader& lines, tool::processor by) {
  std::string_view line;
  if (!lines.next(line)) throw malformed("the file is empty");
  std::optional<std::string_view> const utf8 = tool::utf8_text(line);
  if (!utf8) throw malformed(std::string("the file ") + tool::utf16_refused);
  line = *utf8;
  if (line == "space,op,bytes,addresses") return requests_source(lines, by);
  if (line == "round,space,dmm,thread,address,op") return word_trace_source(lines, by);
  if (line.find(',') != std::string_view::npos && line[0] != '-' && line[0] != '#')
    throw malformed("the header is " + in_quotes(line) +
                    "; accepted: space,op,bytes,addresses or round,space,dmm,thread,address,op, or "
                    "the lines of an Accel-Sim trace");
  return accel_sim_source(lines, by, line);
}

mmm::gpu::warp_access lane_access(memory_space space, bool writes, index bytes) {
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8 && bytes != 16 &&
      !(bytes == 32 && space == memory_space::global))
    throw malformed("a lane accesses " + std::to_string(bytes) +
                    " bytes; accepted: " + bytes_accepted);
  return mmm::gpu::access_of(writes ? mmm::gpu::instruction::store : mmm::gpu::instruction::load,
                             bytes);
}

}  // namespace replay
