// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace mmm {

//! The kind of an access; an update reads and writes (execution/atomic.hpp).
enum class access_kind : std::uint8_t { read, write, update };
//! The kind as a verb.
[[nodiscard]] constexpr char const* verb(access_kind kind) {
  return kind == access_kind::read ? "read" : kind == access_kind::write ? "write" : "update";
}

}  // namespace mmm
