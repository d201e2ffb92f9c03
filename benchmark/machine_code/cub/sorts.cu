// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// row radix sort of keys: DeviceRadixSortOnesweepKernel<.*NullType; whole
// row radix sort of pairs: DeviceRadixSortOnesweepKernel<(?!.*NullType); whole
#include <cub/device/device_radix_sort.cuh>

void sorts(void* room, std::size_t bytes, unsigned* a, unsigned* b, unsigned* c, unsigned* d,
           int n) {
  static_cast<void>(cub::DeviceRadixSort::SortKeys(room, bytes, a, b, n));
  static_cast<void>(cub::DeviceRadixSort::SortPairs(room, bytes, a, b, c, d, n));
}
