// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: the event is recorded before the work that is to be waited for.
// finds: add_one
#include "ordered.hpp"

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  cudaStream_t const s = make_stream(), t = make_stream();
  int* const a = make_array();
  cudaEvent_t const written = make_event();
  if (bad) cudaEventRecord(written, s);
  write_to<<<length / 256, 256, 0, s>>>(a, 1);
  if (!bad) cudaEventRecord(written, s);
  cudaStreamWaitEvent(t, written);
  add_one<<<length / 256, 256, 0, t>>>(a);
  bool const right = holds(a, 2);
  cudaFree(a);
  return status(bad, right);
}
