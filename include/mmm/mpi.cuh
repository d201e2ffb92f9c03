// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! <mmm/mpi.hpp> for nvcc: each process of MPI runs its node's part of a program as CUDA kernels on
//! a GPU. Needs <mpi.h>. Kernels that are compiled for one architecture only are in <mmm/mmm.cuh>.

#include <mmm/cluster.hpp>
#include <mmm/execution/kernel/cuda.cuh>
#include <mmm/execution/mpi/nodes.hpp>
#include <mmm/interop/mpi_device_memory.cuh>
