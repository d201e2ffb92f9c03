// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: cudaMemcpy within the device returns before the copy has ended.
// says: a copy in the legacy default stream
// finds: add_one
#include "ordered.hpp"

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  cudaStream_t const s = make_stream();
  int *const a = make_array(), *const b = make_array();
  write_to<<<length / 256, 256>>>(b, 1);
  cudaMemcpy(a, b, length * sizeof(int), cudaMemcpyDeviceToDevice);
  if (!bad) cudaDeviceSynchronize();
  add_one<<<length / 256, 256, 0, s>>>(a);
  cudaFree(b);
  bool const right = holds(a, 2);
  cudaFree(a);
  return status(bad, right);
}
