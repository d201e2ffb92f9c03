// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! The whole library for nvcc: mmm.hpp, and the same algorithms as CUDA kernels.

#include <mmm/execution/cuda.cuh>
#include <mmm/execution/cuda_error.cuh>
#include <mmm/mmm.hpp>
