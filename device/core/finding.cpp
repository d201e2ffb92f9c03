// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/core/finding.hpp>

#include <array>
#include <cstddef>

namespace device {

char const* name_of(check_kind k) {
  static constexpr std::array<char const*, check_kinds> names{
      "bounds",   "misaligned", "free",    "uninitialized", "race", "barrier",
      "deadlock", "leak",       "shuffle", "descriptor",    "api"};
  return names[static_cast<std::size_t>(k)];
}

}  // namespace device
