// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace checks {

//! Only what a sanitizer can follow in seconds: small sizes, fewer of them (`--small`).
[[nodiscard]] bool small_only();

}  // namespace checks
