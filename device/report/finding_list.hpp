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
  [[nodiscard]] std::uint64_t count() const;  //!< repetitions included
  [[nodiscard]] std::vector<repeated_finding> const& all() const { return all_; }
  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] static bool same(finding const&, finding const&);

 private:
  std::vector<repeated_finding> all_;
};

//! Two lines: "mmm-run: race: transpose.cu:14 in transpose(float*), launch 0 (32 times)" and the
//! message.
[[nodiscard]] std::string text(repeated_finding const&);

}  // namespace device::report
