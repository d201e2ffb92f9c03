// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/driver/entry.hpp>

namespace device::driver {

//! A box of bytes as the runtime describes it, and back.
[[nodiscard]] cudaMemcpy3DParms box_of(process&, CUDA_MEMCPY3D const&);
[[nodiscard]] CUDA_MEMCPY3D copy_of(process&, cudaMemcpy3DParms const&);

}  // namespace device::driver
