// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ldmatrix for a fragment of doubles: the error says what it moves.
// expect: mmm: ldmatrix and stmatrix move fragments whose lanes hold registers of 32 bits
#include <mmm/gpu/fragment_load.hpp>
#include <mmm/layout/row_major.hpp>

#ifdef MMM_REJECT_CONTROL
using fragment = mmm::gpu::mma<16, 8, 16, mmm::gpu::data_type::f16>::a;
#else
using fragment = mmm::gpu::mma<16, 8, 16, mmm::gpu::data_type::f64>::a;
#endif
static_assert(mmm::gpu::loads<fragment, mmm::gpu::ldmatrix<4>>(mmm::row_major(16, 16)));
