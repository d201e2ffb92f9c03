// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! The whole library for any C++20 compiler: machines, index expressions, layouts, costs, estimates, simulation,
//! algorithms. No CUDA, no Thrust.

#include <mmm/cost/cost.hpp>
#include <mmm/execution/estimate.hpp>
#include <mmm/machine/machine.hpp>
