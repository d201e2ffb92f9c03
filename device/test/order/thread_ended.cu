// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error: a thread ends without having waited for its default stream; another thread's is another
// stream, though the system may give both threads one identifier.
// finds: add_one
#include "ordered.hpp"

#include <thread>

int main(int count, char** arguments) {
  bool const bad = chosen_bad(count, arguments);
  int* const a = make_array();
  std::thread([=] {
    write_to<<<length / 256, 256, 0, cudaStreamPerThread>>>(a, 1);
    if (!bad) cudaStreamSynchronize(cudaStreamPerThread);
  }).join();
  std::thread([=] { add_one<<<length / 256, 256, 0, cudaStreamPerThread>>>(a); }).join();
  bool const right = holds(a, 2);
  cudaFree(a);
  return status(bad, right);
}
