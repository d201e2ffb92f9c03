// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "line_reader.hpp"
#include "request.hpp"

#include <common/failure.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace replay {

//! Something in a line that is not as it must be; `what()` says what, and what is accepted.
struct malformed : tool::failure {
  using failure::failure;
};

//! Recorded requests, one after the other. Every format of files is one.
class source {
 public:
  virtual ~source() = default;
  //! The next request; false after the last. malformed if the line just read is not as it must be.
  virtual bool next(request& to) = 0;
  //! Memory accesses that were passed over since they are neither to shared nor to global memory.
  [[nodiscard]] virtual std::size_t passed_over() const { return 0; }
};

//! The source of a file's format, which its first line tells: requests, an Accel-Sim trace or a
//! trace of the library's.
[[nodiscard]] std::unique_ptr<source> open(line_reader& lines);

//! `space,op,bytes,addresses`; one warp's request a line.
[[nodiscard]] std::unique_ptr<source> requests_source(line_reader& lines);
//! Accel-Sim's instruction traces, of one kernel.
[[nodiscard]] std::unique_ptr<source> accel_sim_source(line_reader& lines,
                                                       std::string_view first_line);
//! `round,space,dmm,thread,address,op`; one access a line, of 4-byte words.
[[nodiscard]] std::unique_ptr<source> word_trace_source(line_reader& lines);

//! The access of a width that a file names; malformed unless there is one.
[[nodiscard]] mmm::gpu::warp_access lane_access(bool writes, index bytes);

//! A text in quotes, cut where it is long, for messages.
[[nodiscard]] std::string quoted(std::string_view text);

}  // namespace replay
