// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace tool {

//! The largest input file, in bytes: 256 MiB. A device or pipe that never ends is refused after
//! that many.
inline constexpr std::size_t largest_file = std::size_t{256} << 20;

//! All bytes of a file, a device or a pipe. Throws failure, which names the file, if it is a
//! folder, cannot be read, is empty or has more than largest_file bytes.
[[nodiscard]] std::string file_contents(std::filesystem::path const& file);

}  // namespace tool
