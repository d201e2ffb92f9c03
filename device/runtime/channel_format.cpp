// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process.hpp"

namespace device::runtime {

using namespace abi;

//! Only describes: arrays and textures of that format are refused where they are made.
MMM_CUDA_API cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                         cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

}  // namespace device::runtime
