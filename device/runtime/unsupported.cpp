// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process.hpp"

// Every function of the CUDA runtime exists, so that programs can be linked and started: those that
// no other file of this folder defines are these, which end the program with the function's name.
// The linker prefers a definition that is not weak.
#define MMM_CUDA_FUNCTION(name)                                                 \
  extern "C" [[gnu::weak, gnu::visibility("default")]] void name() {            \
    device::runtime::end_unsupported(#name " is not supported by this device"); \
  }
#include "functions.def"
