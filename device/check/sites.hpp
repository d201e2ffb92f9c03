// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/check/race_shadow.hpp>
#include <device/core/finding.hpp>
#include <device/execute/launch.hpp>
#include <device/execute/observer.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace device::check {

//! An operation that accessed memory.
struct site {
  program const* code = nullptr;
  std::uint32_t operation = 0;  //!< in its program
  access_kind kind = access_kind::read;
};

//! Numbers the operations of a launch that access memory, by 16 bits; further ones get 0.
class site_table {
 public:
  void clear();
  [[nodiscard]] site_id number_of(memory_access const& a) {
    entry& e =
        latest_[(reinterpret_cast<std::uintptr_t>(a.op) / sizeof(operation)) % latest_.size()];
    if (e.op != a.op) e = {a.op, number(a)};
    return e.number;
  }
  //! Null for 0.
  [[nodiscard]] site const* find(site_id n) const { return n == 0 ? nullptr : &sites_[n - 1U]; }

 private:
  struct entry {
    operation const* op = nullptr;
    site_id number = 0;
  };
  std::array<entry, 512> latest_{};
  std::unordered_map<operation const*, site_id> numbers_;
  std::vector<site> sites_;

  [[nodiscard]] site_id number(memory_access const&);
};

//! The program that a warp executes; null if not known.
[[nodiscard]] program const* program_of(warp const&);
//! True if an access is made by a line of CUB's or Thrust's own headers. Their merges read one
//! element past the end and drop it, and they copy structures with their padding: that is no error
//! of the program.
[[nodiscard]] bool is_of_algorithms(finding const&);
//! "thread (1, 0, 0) of block (2, 0, 0)"
[[nodiscard]] std::string thread_text(launch const&, std::uint64_t block, std::uint32_t thread);
//! "4 bytes"
[[nodiscard]] std::string bytes_text(std::uint64_t);
//! "global memory at 0x7f…, byte 8 of variable x of 40 bytes"
[[nodiscard]] std::string address_text(launch const&, space, std::uint64_t address);
//! A finding at an access, without message.
[[nodiscard]] finding finding_at(memory_access const&, check_kind);

}  // namespace device::check
