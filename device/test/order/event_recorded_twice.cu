// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: the wait is for the event's first record; what comes before the second is not waited for.
// finds: add_one
#include "ordered.hpp"

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  cudaStream_t const s = make_stream(), t = make_stream();
  int *const a = make_array(), *const b = make_array();
  cudaEvent_t const written = make_event();
  write_to<<<length / 256, 256, 0, s>>>(a, 1);
  cudaEventRecord(written, s);
  if (bad) cudaStreamWaitEvent(t, written);
  write_to<<<length / 256, 256, 0, s>>>(b, 1);
  cudaEventRecord(written, s);
  if (!bad) cudaStreamWaitEvent(t, written);
  add_one<<<length / 256, 256, 0, t>>>(b);
  bool const right = holds(a, 1) && holds(b, 2);
  cudaFree(a);
  cudaFree(b);
  return status(bad, right);
}
