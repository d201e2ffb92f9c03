// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! Kernels that NVRTC compiles at run time, for programs that any C++20 compiler compiles:
//! mmm::jit::kernel, the one that is chosen for a problem on the current GPU, and mmm::jit::on. Not
//! part of <mmm/mmm.hpp>; needs the headers of CUDA's driver and of NVRTC.

#include <mmm/jit/compiler.hpp>
#include <mmm/jit/device.hpp>
#include <mmm/jit/device_array.hpp>
#include <mmm/jit/disk_cache.hpp>
#include <mmm/jit/error.hpp>
#include <mmm/jit/kernel.hpp>
#include <mmm/jit/launcher.hpp>
