// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>

//! Facilities of the programs with one error each. The argument `bad` or `good` selects the program
//! with the error or its corrected twin. A line at which the error must be found ends with a
//! comment `finding: CHECK`.
inline bool chosen_bad(int count, char** arguments) {
  if (count == 2 && std::strcmp(arguments[1], "bad") == 0) return true;
  if (count == 2 && std::strcmp(arguments[1], "good") == 0) return false;
  std::puts("argument: bad or good");
  std::exit(9);
}

//! The program's exit status: the corrected twin must have the right result; the result of the
//! other is not checked.
inline int status(bool bad, bool right) {
  if (bad || right) return 0;
  std::puts("wrong result");
  return 1;
}
