// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/operation.hpp>
#include <device/runtime/gpus.hpp>
#include <device/runtime/modules.hpp>

#include <cstddef>

namespace device::runtime {

//! The product of a kernel's declared extents (.reqntid, .maxntid, a cluster's): 0 if it declares
//! none; an extent that is not given counts as 1.
[[nodiscard]] int extent_product(int const (&extents)[3]);

//! The resources of a multiprocessor that a block of a kernel takes.
struct kernel_needs {
  int registers = 0;            //!< of a thread
  std::size_t shared = 0;       //!< static, bytes
  int max_threads = 1024;       //!< of a block, as the kernel declares: __launch_bounds__
  std::size_t max_dynamic = 0;  //!< bytes of dynamic shared memory that may be asked for
};

//! Registers of a thread: the estimate, and no more than the kernel's launch bounds leave, since
//! ptxas keeps to them.
[[nodiscard]] kernel_needs needs_of(program const&, std::size_t max_dynamic);
//! A kernel's on a device, as its attributes say.
[[nodiscard]] kernel_needs needs_of(process&, kernel&, int device);

//! The most threads of a block that a multiprocessor has registers for, by the kernel's bounds too.
[[nodiscard]] int max_threads(kernel_needs const&);

//! Blocks of that many threads and that much dynamic shared memory that a multiprocessor holds at
//! once; 0 if it holds none.
[[nodiscard]] int resident_blocks(gpu const&, kernel_needs const&, int threads,
                                  std::size_t dynamic_shared);

//! The most dynamic shared memory with which `blocks` blocks fit.
[[nodiscard]] std::size_t available_dynamic_shared(gpu const&, kernel_needs const&, int blocks);

}  // namespace device::runtime
