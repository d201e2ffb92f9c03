// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace run {

//! The path of libmmm_device.so: the environment variable MMM_RUN_LIBRARY, or else the place beside
//! this program where the library is built or installed.
//! Throws tool::failure that names the folders that were searched.
[[nodiscard]] std::string find_library();

//! A folder beside the library; empty if there is none. `cuda` has the names of the driver's
//! library and of the runtime's, `triton` the assembler for Triton.
[[nodiscard]] std::string folder_beside(std::string const& library, char const* name);

//! A file beside the library; empty if there is none.
[[nodiscard]] std::string file_beside(std::string const& library, char const* name);

}  // namespace run
