// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/services.hpp>

namespace device {

//! All instructions, and the other handlers that decoding needs.
[[nodiscard]] decode::services const& execution_services();

}  // namespace device
