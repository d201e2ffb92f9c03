// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/core/finding.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace device::report {

//! An error that was found once or more often.
struct repeated_finding {
  finding shown{};  //!< the first or, of races, the first of those that reach farthest
  std::uint64_t count = 0;
};

//! Findings, each once: those of one check at one line of one file are the same; without a line,
//! those of one kernel.
class finding_list {
 public:
  void add(finding const&, std::uint64_t count = 1);
  //! Puts races before the reads of uninitialized memory that are at a line of theirs, and lets
  //! these refer to the race: who mends it may have mended both.
  void put_causes_first();
  [[nodiscard]] std::uint64_t count() const;  //!< repetitions included
  //! Different findings of which both sides are in the toolkit's headers, or of which not.
  [[nodiscard]] std::size_t different(bool in_toolkit) const;
  [[nodiscard]] std::vector<repeated_finding> const& all() const { return all_; }
  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] static bool same(finding const&, finding const&);

 private:
  std::vector<repeated_finding> all_;
};

//! "mmm-run: race: transpose.cu:14 in transpose(float*), launch 0 (32 times)", the message, and the
//! path of a line that is inlined elsewhere.
[[nodiscard]] std::string text(repeated_finding const&);
//! "at barrier.h:84, called at a.cu:12"; lines in the middle of a long path are left out.
[[nodiscard]] std::string text(std::vector<source_line> const& path);

}  // namespace device::report
