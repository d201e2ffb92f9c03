// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations on distinct words, on one word, and on words of one bank. The expected counts
// are in expected_counts.py.
#include "access.cuh"

namespace {

using namespace counts;

__global__ void shared_atomic(pattern p) {
  extern __shared__ __align__(128) char own[];
  if (!takes_part(p)) return;
  asm volatile("red.shared.add.u32 [%0], 1;"
               :
               : "l"(place(p, __cvta_generic_to_shared(own)))
               : "memory");
}
__global__ void global_atomic(char* a, pattern p) {
  if (!takes_part(p)) return;
  asm volatile("{ .reg .u32 old; atom.global.add.u32 old, [%0], 1; }"
               :
               : "l"(place(p, __cvta_generic_to_global(a)))
               : "memory");
}

void all(char* memory, pattern const& p) {
  shared_atomic<<<1, 32, 8192>>>(p);
  global_atomic<<<1, 32>>>(memory, p);
}

}  // namespace

int main() {
  char* memory = nullptr;
  cudaMalloc(&memory, 8192);
  cudaMemset(memory, 0, 8192);
  all(memory, {0, 4, 0, 32, 1});    // consecutive words
  all(memory, {0, 0, 0, 32, 1});    // one word
  all(memory, {0, 128, 0, 32, 1});  // one bank
  all(memory, {0, 4, 0, 32, 4});    // four lanes to a word
  all(memory, {0, 0, 3, 13, 1});    // one word, ten lanes
  int const result = finish();
  cudaFree(memory);
  return result;
}
