// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace run {

//! The path of libmmm_device.so: MMM_RUN_LIBRARY, or beside this program, where it is built or
//! installed. Throws tool::failure that names the places.
[[nodiscard]] std::string find_library();

}  // namespace run
