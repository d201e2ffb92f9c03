// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AMD's GPUs have no ldmatrix.
// expect-first(gcc, clang, nvcc): access_of_other_gpus.*pattern<(mmm::expression_text<\d+>\{"item \* 16"\}|mmm::words::item, mmm::words::times, 16L?)>
// expect-first(gcc, clang, nvcc): served_by<mmm::gpu::amd_rdna3, mmm::gpu::ldmatrix<4L?>
// expect-first(sentence): error: .*: mmm: access of other gpus: item \* 16; served by amd rdna3, ldmatrix 4
#include <mmm/gpu/assert.hpp>

using namespace mmm::gpu;
#ifdef MMM_REJECT_CONTROL
static_assert(mmm::assert_conflict_free<ldmatrix<4>, mmm::item * 16>);
#else
static_assert(mmm::assert_conflict_free<served_by<amd_rdna3, ldmatrix<4>>, mmm::item * 16>);
#endif
