// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! The whole library for nvcc: mmm.hpp, the same algorithms as CUDA kernels and the fast ones
//! beside them, Thrust's calls on simulated machines, access patterns as Thrust iterators. A
//! program that only launches kernels compiles in half the time with
//! mmm/execution/kernel/cuda.cuh beside mmm.hpp, and has no kernels by warpgroups then.

#include <mmm/algorithm/product/warpgroup_kernel.cuh>
#include <mmm/execution/kernel/cuda.cuh>
#include <mmm/execution/kernel/cuda_error.cuh>
#include <mmm/fast.hpp>
#include <mmm/gpu.hpp>
#include <mmm/interop/thrust_pattern.hpp>
#include <mmm/interop/thrust_policy.hpp>
#include <mmm/mmm.hpp>
