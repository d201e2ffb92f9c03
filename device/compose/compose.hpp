// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/runtime/parts.hpp>

namespace device {

//! The parts that this device is composed of. Above all layers: what a lower layer needs of a
//! higher one is handed in here, and nowhere else.
[[nodiscard]] runtime::parts const& composed();

}  // namespace device
