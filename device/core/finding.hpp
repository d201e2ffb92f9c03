// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

namespace device {

enum class check_kind : std::uint8_t {
  bounds,
  misaligned,
  free,
  uninitialized,
  race,
  barrier,
  deadlock,
  leak,
  shuffle,
  descriptor,
  api
};
inline constexpr int check_kinds = 11;
//! "bounds", "misaligned", …
[[nodiscard]] char const* name_of(check_kind);
//! True if `--check all` leaves the check out: it may report a value that never reaches a result.
[[nodiscard]] constexpr bool is_asked_for_by_name(check_kind kind) {
  return kind == check_kind::shuffle;
}

//! The smallest group with both threads of a race, whose barrier would order them.
enum class reach : std::uint8_t { warp, block, grid };

//! An error in a program: the kind, the place, and the thread that made it.
struct finding {
  check_kind check = check_kind::bounds;
  std::string kernel{};  //!< demangled; empty for leaks
  //! source file and line of the instruction; empty and 0 if compiled without -lineinfo
  std::string file{};
  std::uint32_t line = 0;
  //! one or two lines: thread, block, address and, for a race, the other access
  std::string message{};
  std::uint64_t launch = 0;
  reach between = reach::warp;  //!< of a race: the least that holds both threads
};

}  // namespace device
