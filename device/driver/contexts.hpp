// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/driver/entry.hpp>

namespace device::driver {

inline CUcontext handle_of(runtime::context& c) { return reinterpret_cast<CUcontext>(&c); }
//! The context of a handle; fails with cudaErrorDeviceUninitialized, or
//! cudaErrorContextIsDestroyed.
[[nodiscard]] runtime::context& context_of(process&, CUcontext);
//! The device of a handle that may be null: the current one then.
[[nodiscard]] int device_of(process&, CUcontext);

}  // namespace device::driver
