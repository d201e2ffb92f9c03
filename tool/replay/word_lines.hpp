// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

#include <common/processor.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace replay {

//! Lines of a trace of words that differ in the thread and the address only, where each thread is
//! one more than that of the line before: most lines of most traces. For processors from
//! `first_processor` on.
class word_lines {
 public:
  static constexpr tool::processor first_processor = tool::processor::avx512;
  static constexpr std::size_t max_lines = 32;
  //! Bytes that may be read of a line with its end: of what stands before the address, of the
  //! address, and of the end.
  static constexpr std::size_t longest_start = 32;
  static constexpr std::size_t longest = longest_start + 8 + 3;
  //! Bytes after the begin of the first line that `read` may read.
  static constexpr std::size_t looked_at = max_lines * longest + 128;

  using addresses = std::array<mmm::index, max_lines>;

  //! Lines of `start`, up to longest_start bytes, the thread, a comma, the address, a comma, `op`
  //! and LF.
  word_lines(std::string_view start, char op);

  //! Reads the addresses of `count` lines, 1 to 32, the first of which is that of thread `thread`;
  //! those after them become anything. False if the lines are others, or if a number has leading
  //! zeros or more than 8 digits: an address may have zeros. Reads up to 16 bytes before the text
  //! and looked_at bytes from its begin on.
  [[nodiscard]] bool read(char const* text, mmm::index thread, std::size_t count, addresses& to);
  //! The bytes of the lines that were read last, with their ends.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  //! Makes `least_` and `most_` those of threads of as many digits as this one; false if it has
  //! more than 8 or the start is too long.
  bool fit(mmm::index thread);

  std::size_t start_;
  std::size_t bytes_ = 0;
  std::size_t digits_ = 0;
  mmm::index from_ = 0;  //!< threads of that many digits: [from_, to_)
  mmm::index to_ = 0;
  std::uint32_t end_;  //!< the last three bytes of a line
  //! A line's first bytes less `least_` are at most `most_`.
  alignas(32) std::array<std::uint8_t, longest_start> least_{};
  alignas(32) std::array<std::uint8_t, longest_start> most_{};
};

}  // namespace replay
