// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a stream uses what a host function of another one writes.
// finds: add_one
#include "ordered.hpp"

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  cudaStream_t const s = make_stream(), t = make_stream();
  int* const a = make_pinned();
  cudaEvent_t const written = make_event();
  cudaLaunchHostFunc(s, [](void* data) { static_cast<int volatile*>(data)[7] = 1; }, a);
  cudaEventRecord(written, s);
  if (!bad) cudaStreamWaitEvent(t, written);
  add_one<<<length / 256, 256, 0, t>>>(a);
  bool const right = holds(a, 2);
  cudaFreeHost(a);
  return status(bad, right);
}
