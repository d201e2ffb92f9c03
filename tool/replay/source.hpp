// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "line_reader.hpp"
#include "request.hpp"

#include <common/failure.hpp>
#include <common/processor.hpp>
#include <common/text.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace replay {

using tool::in_quotes;

//! A malformed line; `what()` says what is wrong with it and what is accepted.
struct malformed : tool::failure {
  using failure::failure;
};

//! Reads recorded requests one after the other; each file format has a class derived from it.
class source {
 public:
  virtual ~source() = default;
  //! Reads the next request; false after the last. Throws malformed if a line is.
  virtual bool next(request& to) = 0;
  //! Memory accesses that are skipped because they are neither to shared nor to global memory.
  [[nodiscard]] virtual std::size_t passed_over() const { return 0; }
};

//! The source for a file whose format is recognised by its first line: requests, an Accel-Sim trace
//! or a trace that the library wrote; numbers are read by the instructions of that processor. A
//! UTF-8 byte order mark is skipped; UTF-16 is malformed.
[[nodiscard]] std::unique_ptr<source> open(line_reader& lines, tool::processor by);

//! Reads lines `space,op,bytes,addresses`, each the request of one warp.
[[nodiscard]] std::unique_ptr<source> requests_source(line_reader& lines, tool::processor by);
//! Reads the instruction trace of one kernel that Accel-Sim's tracer wrote.
[[nodiscard]] std::unique_ptr<source> accel_sim_source(line_reader& lines, tool::processor by,
                                                       std::string_view first_line);
//! Reads lines `round,space,dmm,thread,address,op`, each one thread's access to a 4-byte word. The
//! lines of one round may come in any order; rounds increase.
[[nodiscard]] std::unique_ptr<source> word_trace_source(line_reader& lines, tool::processor by);

//! The numbers of bytes that a lane accesses at once.
inline constexpr char const* bytes_accepted = "1, 2, 4, 8 or 16, and 32 of the global memory";

//! The access of a warp whose lanes load or store `bytes` each. Throws malformed unless they are
//! bytes_accepted.
[[nodiscard]] mmm::gpu::warp_access lane_access(memory_space space, bool writes, index bytes);

}  // namespace replay
