// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program of the playground's kernels, compiled to WebAssembly: one function, which
// page/playground.js calls.
#include "kernel.hpp"

#include <string>

//! The answer lives until the next call.
extern "C" char const* mmm_kernel(char const* question) {
  static std::string text;
  text = playground::kernel(question);
  return text.c_str();
}
