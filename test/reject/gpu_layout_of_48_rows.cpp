// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tile of 48 rows has no linear maps.
// expect(gcc, clang, nvcc): the rows of a tile for linear maps
#include <mmm/gpu/optimal_layout.hpp>

using mmm::item;
constexpr auto column = mmm::gpu::tile_access<mmm::gpu::load<4>>(item, 0);
#ifdef MMM_REJECT_CONTROL
constexpr auto best = mmm::gpu::optimal_layout<mmm::gpu::tile_shape{64, 32, 4}>(column);
#else
constexpr auto best = mmm::gpu::optimal_layout<mmm::gpu::tile_shape{48, 32, 4}>(column);
#endif
