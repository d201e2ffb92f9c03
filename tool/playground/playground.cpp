// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The playground's program, compiled to WebAssembly: one function, which page/playground.js calls.
#include "answer.hpp"

#include <string>

//! The answer lives until the next call.
extern "C" char const* mmm_answer(char const* question) {
  static std::string text;
  text = playground::answer(question);
  return text.c_str();
}
