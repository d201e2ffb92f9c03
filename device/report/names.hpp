// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace device::report {

//! A kernel's name without the result, the arguments of templates and the parameters:
//! "transpose_tiles".
[[nodiscard]] std::string bare_name(std::string_view demangled);
//! The name as it fits into `max_size` characters: without parameters, then without what is in
//! templates, then cut.
[[nodiscard]] std::string short_name(std::string_view demangled, std::size_t max_size);
//! True if a pattern (device::matches) is the kernel's whole name, or the name without its
//! parameters, result or template arguments.
[[nodiscard]] bool matches_kernel(std::string_view pattern, std::string_view demangled);
//! True if `file` is the path, or its end after a `/`.
[[nodiscard]] bool is_file(std::string_view file, std::string_view path);

}  // namespace device::report
