// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! <mmm/mpi.cuh> with messages between the memories of GPUs by NCCL:
//! `mmm::mpi::on<mmm::mpi::nccl_memory>(MPI_COMM_WORLD, mmm::cuda::on<mmm::gpu::h200>(stream))`.
//! Needs <mpi.h> and <nccl.h>, and the library nccl when the program is linked.

#include <mmm/interop/nccl_memory.cuh>
#include <mmm/mpi.cuh>
