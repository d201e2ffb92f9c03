// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No access: every layout is optimal.
// expect(gcc, clang, nvcc): mmm: a layout is chosen for one access or more \(tile_access\)
#include <mmm/gpu/optimal_layout.hpp>

using mmm::item;
constexpr mmm::gpu::tile_shape tile{32, 32, 4};
#ifdef MMM_REJECT_CONTROL
constexpr auto best =
    mmm::gpu::optimal_layout<tile>(mmm::gpu::tile_access<mmm::gpu::load<4>>(item, 0));
#else
constexpr auto best = mmm::gpu::optimal_layout<tile>();
#endif
