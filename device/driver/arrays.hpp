// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/driver/abi_textures.hpp>

//! The descriptions of arrays' channels, as the driver and the runtime have them.
namespace device::driver {

//! Throws unsupported for compressed and planar formats.
[[nodiscard]] abi::cudaChannelFormatDesc channels_of(abi::CUarray_format, unsigned channels);

struct driver_format {
  abi::CUarray_format format;
  unsigned channels;
};
[[nodiscard]] driver_format format_of(abi::cudaChannelFormatDesc const&);

}  // namespace device::driver
