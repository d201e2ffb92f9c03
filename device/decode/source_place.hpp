// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/core/finding.hpp>
#include <device/decode/operation.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

//! The source lines of operations.
namespace device::decode {

//! True for a header of the CUDA toolkit: one below the `include` of a folder `local/cuda`,
//! `opt/cuda`, `cuda-13.0`, `targets/…` or `nvidia/…`, or below `cccl`.
[[nodiscard]] bool is_of_toolkit(std::string_view file);
//! True for a header of the toolkit or of mmm, whose lines the author of a kernel did not write.
[[nodiscard]] bool is_of_libraries(std::string_view file);

//! The line of an operation, the line that its function is inlined at, and so on outwards; empty if
//! the program was compiled without -lineinfo.
[[nodiscard]] std::vector<source_line> path_of(program const&, std::uint32_t operation);
//! The line of a path that the kernel's author wrote: the innermost one outside of the libraries,
//! or the innermost one if there is none. The path is not empty.
[[nodiscard]] source_line const& own_line(std::vector<source_line> const& path);

//! "file.cu:12" of an operation's own line, or the line of the PTX; the program may be null.
[[nodiscard]] std::string place_text(program const*, std::uint32_t operation);
//! Gives a finding the path and the line of an operation; nothing if the program is null.
void set_place(finding&, program const*, std::uint32_t operation);
//! Gives a race, which has its own path, that of the earlier access.
void set_other_place(finding&, program const*, std::uint32_t operation);

}  // namespace device::decode
