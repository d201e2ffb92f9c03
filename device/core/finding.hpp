// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

//! A line of a source file, or the call of an inlined function there.
struct source_line {
  std::string file{};  //!< empty and line 0 if compiled without -lineinfo
  std::uint32_t line = 0;
  std::string function{};  //!< mangled: the inlined function that has the line; else empty
};

//! An error in a program: the kind, the place, and the thread that made it.
struct finding {
  check_kind check = check_kind::bounds;
  std::string kernel{};  //!< demangled; empty for leaks
  //! The innermost line of `path` outside of the CUDA toolkit and of mmm; the innermost of all if
  //! there is none. Empty and 0 if compiled without -lineinfo.
  std::string file{};
  std::uint32_t line = 0;
  //! one or two lines: thread, block, address and, for a race, the other access
  std::string message{};
  std::uint64_t launch = 0;
  reach between = reach::warp;  //!< of a race: the least that holds both threads
  //! The instruction's line, the line that its function is inlined at, and so on outwards.
  std::vector<source_line> path{};
  std::vector<source_line> other_path{};  //!< of a race: that of the earlier access
  //! Global memory that the message is about, whose allocation the runtime names; 0: none.
  std::uint64_t address = 0;
  bool in_toolkit = false;  //!< a race, both of whose sides are in headers of the CUDA toolkit
  bool fails = true;        //!< counts for the exit status; a leak does if it was asked for by name
};

}  // namespace device
