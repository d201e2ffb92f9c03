// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of halves by wgmma, with tensor maps and a producer warp, added up in floats.
// for sm_90a only
// row product of halves, 128x256 by wgmma: GemmUniversal.*256; threads=384; shared=200704
#define NDEBUG  // assertions are calls, for which ptxas lets every wgmma end
#include <cutlass/cutlass.h>
#include <cutlass/device_kernel.h>
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/gemm/dispatch_policy.hpp>
#include <cutlass/gemm/kernel/gemm_universal.hpp>

using tile_shape = cute::Shape<cute::_128, cute::_256, cute::_64>;
using cluster = cute::Shape<cute::_1, cute::_1, cute::_1>;
using row = cutlass::layout::RowMajor;
using epilogue = cutlass::epilogue::collective::CollectiveBuilder<
    cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, tile_shape, cluster,
    cutlass::epilogue::collective::EpilogueTileAuto, float, float, float, row, 4, float, row, 4,
    cutlass::epilogue::TmaWarpSpecializedCooperative>::CollectiveOp;
using mainloop = cutlass::gemm::collective::CollectiveBuilder<
    cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, cutlass::half_t, row, 8, cutlass::half_t,
    row, 8, float, tile_shape, cluster, cutlass::gemm::collective::StageCount<4>,
    cutlass::gemm::KernelTmaWarpSpecializedCooperative>::CollectiveOp;
using kernel =
    cutlass::gemm::kernel::GemmUniversal<cute::Shape<int, int, int, int>, mainloop, epilogue>;

template __global__ void cutlass::device_kernel<kernel>(CUTLASS_GRID_CONSTANT kernel::Params const);
