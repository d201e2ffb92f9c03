// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>

//! What the programs with one error each have in common: the argument `bad` or `good` chooses the
//! program with the error or its mended twin. Lines at which the error is to be found end with a
//! comment `finding: CHECK`.
inline bool chosen_bad(int count, char** arguments) {
  if (count == 2 && std::strcmp(arguments[1], "bad") == 0) return true;
  if (count == 2 && std::strcmp(arguments[1], "good") == 0) return false;
  std::puts("argument: bad or good");
  std::exit(9);
}

//! The program's exit status: a mended twin must have given the right result; of the other nothing
//! is known.
inline int status(bool bad, bool right) {
  if (bad || right) return 0;
  std::puts("wrong result");
  return 1;
}
