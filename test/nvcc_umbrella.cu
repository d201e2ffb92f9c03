// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The umbrella header in a CUDA source, used on both sides: no warning, and no need for --expt-relaxed-constexpr.
#include <mmm/mmm.hpp>

__global__ void padded_column(int* addresses) {
  int const row = static_cast<int>(threadIdx.x);
  addresses[row] = static_cast<int>(mmm::row_major(32, 33)(row, 0));
}

void launch(int* addresses) { padded_column<<<1, 32>>>(addresses); }

static_assert(mmm::stages<mmm::dmm<32, 1>>(mmm::row_major(32, 33)(mmm::item, 0)) == 1);
