// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of 1, 2, 4, 8 and 16 bytes to shared and global memory: whole and partial warps,
// strides, misaligned rows, one address for all lanes. The expected counts are in
// expected_counts.py, in the order of the launches.
#include "access.cuh"

namespace {

using namespace counts;

template <class Word>
__global__ void shared_load(pattern p) {
  extern __shared__ __align__(128) char own[];
  if (takes_part(p)) load_shared(Word{}, place(p, __cvta_generic_to_shared(own)));
}
template <class Word>
__global__ void shared_store(pattern p) {
  extern __shared__ __align__(128) char own[];
  if (takes_part(p)) store_shared(Word{}, place(p, __cvta_generic_to_shared(own)));
}
template <class Word>
__global__ void global_load(char const* a, pattern p) {
  if (takes_part(p)) load_global(Word{}, place(p, __cvta_generic_to_global(a)));
}
template <class Word>
__global__ void global_store(char* a, pattern p) {
  if (takes_part(p)) store_global(Word{}, place(p, __cvta_generic_to_global(a)));
}

template <class Word>
void all(char* memory, pattern const& p) {
  constexpr int shared = 32768;
  shared_load<Word><<<1, 32, shared>>>(p);
  shared_store<Word><<<1, 32, shared>>>(p);
  global_load<Word><<<1, 32>>>(memory, p);
  global_store<Word><<<1, 32>>>(memory, p);
}

template <class Word>
void patterns(char* memory) {
  constexpr int b = sizeof(Word);
  all<Word>(memory, {0, b, 0, 32, 1});   // consecutive elements
  all<Word>(memory, {0, b, 0, 20, 1});   // a partial warp
  all<Word>(memory, {0, b, 15, 17, 1});  // two lanes in the middle
  // consecutive elements that begin in the middle of a sector
  all<Word>(memory, {16, b, 0, 32, 1});
  all<Word>(memory, {0, 2 * b, 0, 32, 1});                  // every second element
  all<Word>(memory, {0, 128, 0, 32, 1});                    // one column
  all<Word>(memory, {0, b < 4 ? 132 : 128 + b, 0, 32, 1});  // a padded column
  all<Word>(memory, {64, 0, 0, 32, 1});                     // one address for all lanes
  all<Word>(memory, {0, b, 0, 32, 2});                      // two lanes share an address
}

}  // namespace

int main() {
  char* memory = nullptr;
  cudaMalloc(&memory, 65536);
  cudaMemset(memory, 0, 65536);
  patterns<std::uint8_t>(memory);
  patterns<std::uint16_t>(memory);
  patterns<std::uint32_t>(memory);
  patterns<std::uint64_t>(memory);
  patterns<uint4>(memory);
  int const result = finish();
  cudaFree(memory);
  return result;
}
