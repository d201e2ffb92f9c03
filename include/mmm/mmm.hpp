// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! The whole library for any C++20 compiler: machines, index expressions, layouts, costs,
//! estimates, simulation, algorithms. No CUDA, nothing of Thrust.

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/bound.hpp>
#include <mmm/algorithm/paper/contiguous.hpp>
#include <mmm/algorithm/paper/convolution.hpp>
#include <mmm/algorithm/paper/copy_through_shared.hpp>
#include <mmm/algorithm/paper/image_convolution.hpp>
#include <mmm/algorithm/paper/matrix_multiply.hpp>
#include <mmm/algorithm/paper/prefix_sums.hpp>
#include <mmm/algorithm/paper/sequential_read.hpp>
#include <mmm/algorithm/paper/stride.hpp>
#include <mmm/algorithm/paper/sum.hpp>
#include <mmm/algorithm/paper/transpose.hpp>
#include <mmm/algorithm/paper/triangulation.hpp>
#include <mmm/algorithm/paper/triangulation_blocked.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/algorithm/perform.hpp>
#include <mmm/algorithm/polygon.hpp>
#include <mmm/algorithm/regime.hpp>
#include <mmm/cost/assert.hpp>
#include <mmm/cost/cost.hpp>
#include <mmm/execution/estimate/estimate.hpp>
#include <mmm/execution/simulate/simulate.hpp>
#include <mmm/index/period.hpp>
#include <mmm/index/trapezoid.hpp>
#include <mmm/index/warp_split.hpp>
#include <mmm/interop/thrust_proxy.hpp>
#include <mmm/layout/layout.hpp>
#include <mmm/layout/row_major.hpp>
#include <mmm/layout/swizzled.hpp>
#include <mmm/machine/machine.hpp>
