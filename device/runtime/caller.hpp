// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

//! Places in the host's code of the program.
namespace device::runtime {

//! The return addresses on the stack of this thread that are outside of this library, innermost
//! first; at most eight.
[[nodiscard]] std::vector<void*> callers();
//! "main, program.cu:12" where the program has debug information (-g), else "main+0x8f of program",
//! or an offset in the file for addr2line where there is no symbol.
[[nodiscard]] std::string place_of_code(void const* address);
//! The same of the innermost of these that is no part of what `<<<…>>>` is compiled to, nor of the
//! toolkit's headers, where `kernel` is the name of the launch's function; "an unknown place" if
//! there is none.
[[nodiscard]] std::string place_of_call(std::vector<void*> const& callers,
                                        std::string const& kernel);

//! The path of the file that holds a loaded address, code or data: the program or a library; empty
//! if it is not known.
[[nodiscard]] std::string file_of(void const* address);

//! The runtime's function that the program called and this thread works for: "cudaMalloc"; empty if
//! it is not known.
[[nodiscard]] std::string called_function();
//! True if a file of the program, with its libraries, asks the dynamic linker for a function whose
//! name contains `part`, or has the runtime linked into it, of whose functions nobody knows which
//! ones it calls.
[[nodiscard]] bool program_may_call(char const* part);

}  // namespace device::runtime
