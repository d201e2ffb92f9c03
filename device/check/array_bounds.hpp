// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/execute/observer.hpp>

namespace device::check {

//! Reports lanes of an access to shared memory that leave the array from whose address theirs are
//! computed, be it into another array or into bytes of none.
void check_array_bounds(memory_access const&);

}  // namespace device::check
