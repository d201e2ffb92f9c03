// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local memory: the words with the same index of a warp's 32 threads are consecutive, so that lanes
// with equal indices access 128 consecutive bytes. The expected counts are in expected_counts.py.
#include "access.cuh"

namespace {

using namespace counts;

#define LOCAL(bytes, type, suffix, constraint)                                                   \
  __device__ inline type load_local(type, std::uint64_t address) {                               \
    type x;                                                                                      \
    asm volatile("ld.local." suffix " %0, [%1];" : "=" constraint(x) : "l"(address) : "memory"); \
    return x;                                                                                    \
  }                                                                                              \
  __device__ inline void store_local(type x, std::uint64_t address) {                            \
    asm volatile("st.local." suffix " [%0], %1;" : : "l"(address), constraint(x) : "memory");    \
  }
LOCAL(2, std::uint16_t, "u16", "h")
LOCAL(4, std::uint32_t, "u32", "r")
LOCAL(8, std::uint64_t, "u64", "l")
#undef LOCAL

//! Lanes `from` to `to - 1` store and load at index `lane % different`.
template <class Word>
__global__ void local_access(int from, int to, int different) {
  __align__(16) char own[512];
  int const lane = static_cast<int>(threadIdx.x);
  std::uint64_t const address =
      __cvta_generic_to_local(own) + static_cast<std::uint64_t>(lane % different) * sizeof(Word);
  if (lane < from || lane >= to) return;
  store_local(Word{7}, address);
  load_local(Word{}, address);
}

}  // namespace

int main() {
  local_access<std::uint32_t><<<1, 32>>>(0, 32, 1);
  local_access<std::uint32_t><<<1, 32>>>(0, 20, 1);
  local_access<std::uint32_t><<<1, 32>>>(0, 32, 2);
  local_access<std::uint32_t><<<1, 32>>>(0, 32, 32);
  local_access<std::uint64_t><<<1, 32>>>(0, 32, 1);
  local_access<std::uint16_t><<<1, 32>>>(8, 24, 1);
  return finish();
}
