// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process.hpp"

// Every function of the CUDA runtime exists, so that programs can be linked and started: those that
// no other file of this folder defines are these, which refuse the call by the function's name
// (end_unsupported). The linker prefers a definition that is not weak.
#define MMM_CUDA_FUNCTION(name)                                                          \
  extern "C" [[gnu::weak, gnu::visibility("default")]] device::abi::cudaError_t name() { \
    return device::runtime::end_unsupported(#name " is not supported by this device");   \
  }
#include "functions.def"
