// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace run {

//! The path of libmmm_device.so: the environment variable MMM_RUN_LIBRARY, or else the place beside
//! this program where the library is built or installed.
//! Throws tool::failure that names the folders that were searched.
[[nodiscard]] std::string find_library();

//! The folder beside the library in which it has the names of the driver's library and of the
//! runtime's; empty if there is none.
[[nodiscard]] std::string cuda_folder(std::string const& library);

}  // namespace run
