// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! The library for any C++20 compiler: <mmm/model.hpp>, and the simulation, on which algorithms run
//! on data. No CUDA, nothing of Thrust.

#include <mmm/algorithm/triangulation/matrix_chain_order.hpp>
#include <mmm/algorithm/triangulation/polygon_triangulation.hpp>
#include <mmm/execution/simulate/simulate.hpp>
#include <mmm/interop/thrust_proxy.hpp>
#include <mmm/model.hpp>
