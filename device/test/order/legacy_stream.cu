// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a stream that does not wait for the legacy one uses what a kernel of that one writes.
// says: the legacy default stream
// finds: add_one
#include "ordered.hpp"

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  cudaStream_t const s = make_stream(bad ? cudaStreamNonBlocking : cudaStreamDefault);
  int* const a = make_array();
  write_to<<<length / 256, 256>>>(a, 1);
  add_one<<<length / 256, 256, 0, s>>>(a);
  bool const right = holds(a, 2);
  cudaFree(a);
  return status(bad, right);
}
