// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace checks {

//! True if `--small` was given: few and small sizes only, which a sanitizer handles in seconds.
[[nodiscard]] bool small_only();

}  // namespace checks
