// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

//! An operator of a user, which the host's compiler and NVRTC read.
namespace own {

//! The one of two numbers that is farther from zero.
struct farther {
  MMM_HOST_DEVICE constexpr float operator()(float a, float b) const {
    return a * a < b * b ? b : a;
  }
};

}  // namespace own
