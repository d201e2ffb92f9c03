// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a kernel of the default stream is launched before the non-blocking stream is made that
// goes on with its array, and nothing lets that stream wait.
// finds: add_one
#include "ordered.hpp"

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int* const a = make_array();
  write_to<<<length / 256, 256>>>(a, 1);
  cudaStream_t const s = make_stream(bad ? cudaStreamNonBlocking : cudaStreamDefault);
  add_one<<<length / 256, 256, 0, s>>>(a);
  bool const right = holds(a, 2);
  cudaFree(a);
  return status(bad, right);
}
