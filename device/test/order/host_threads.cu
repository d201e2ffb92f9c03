// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: two threads of the host use one array, each in its own default stream.
// says: the default stream of thread
// finds: add_one
#include "ordered.hpp"

#include <thread>

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int* const a = make_array();
  cudaDeviceSynchronize();
  std::thread other([&] {
    write_to<<<length / 256, 256, 0, cudaStreamPerThread>>>(a, 1);
    if (!bad) cudaStreamSynchronize(cudaStreamPerThread);
  });
  other.join();
  add_one<<<length / 256, 256, 0, cudaStreamPerThread>>>(a);
  bool const right = holds(a, 2);
  cudaFree(a);
  return status(bad, right);
}
