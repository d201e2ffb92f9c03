// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! <mmm/cluster.hpp>, and its programs on the processes of MPI. Needs <mpi.h>.

#include <mmm/cluster.hpp>
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/execution/mpi/nodes.hpp>
