// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: the host waits for another stream than the one whose work is used.
// finds: add_one
#include "ordered.hpp"

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  cudaStream_t const s = make_stream(), t = make_stream();
  int* const a = make_array();
  write_to<<<length / 256, 256, 0, s>>>(a, 1);
  cudaStreamSynchronize(bad ? t : s);
  add_one<<<length / 256, 256, 0, t>>>(a);
  bool const right = holds(a, 2);
  cudaFree(a);
  return status(bad, right);
}
