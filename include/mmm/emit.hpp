// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! CUDA source of the kernel with the least predicted time for a problem on a GPU: mmm::emit. Not
//! part of <mmm/mmm.hpp>.

#include <mmm/emit/chosen_kernel.hpp>
#include <mmm/emit/emit.hpp>
#include <mmm/emit/kernel_problem.hpp>
