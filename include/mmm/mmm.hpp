// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! The whole library for any C++20 compiler: machines, index expressions, layouts, costs,
//! estimates, simulation, algorithms. No CUDA, nothing of Thrust.

#include <mmm/algorithm/access.hpp>
#include <mmm/algorithm/blocked_triangulation.hpp>
#include <mmm/algorithm/bound.hpp>
#include <mmm/algorithm/convolution.hpp>
#include <mmm/algorithm/copy.hpp>
#include <mmm/algorithm/image_convolution.hpp>
#include <mmm/algorithm/matrix_multiply.hpp>
#include <mmm/algorithm/polygon.hpp>
#include <mmm/algorithm/prefix_sums.hpp>
#include <mmm/algorithm/problem.hpp>
#include <mmm/algorithm/regime.hpp>
#include <mmm/algorithm/sequential.hpp>
#include <mmm/algorithm/sum.hpp>
#include <mmm/algorithm/transpose.hpp>
#include <mmm/algorithm/triangulation.hpp>
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
