// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace device::static_runtime {

//! The place where an ELF file is loaded.
struct loaded_file {
  char const* path;
  std::uint64_t base;  //!< added to the addresses in the file
};

//! Finds the functions of the CUDA runtime in the library of the device.
void find_device(loaded_file const&);

//! Makes each function of a CUDA runtime of version 13 that is linked into a file jump to the
//! device's of the same name. Either all of them or none are changed: none in a file without
//! symbols, of another version, whose functions overlap or whose loaded code is not the file's.
//! Needs find_device before; must be called before code of the file runs.
void replace_runtime(loaded_file const&);

}  // namespace device::static_runtime
