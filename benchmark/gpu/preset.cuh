// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/gpu/devices.hpp>

#ifndef MMM_GPU
#define MMM_GPU h100
#endif

namespace bench {

//! The GPU of mmm::gpu that mmm::fastest is measured on: MMM_GPU, which scripts/gpu defines, or an
//! H100.
using preset = mmm::gpu::MMM_GPU;

}  // namespace bench
