// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/runtime/launch_progress.hpp>
#include <device/runtime/modules.hpp>
#include <device/runtime/work.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace device::runtime {

//! A launch of a kernel on the current device, its parameters copied from `arguments`, a pointer
//! for each, or from the buffer that `extra` describes (CU_LAUNCH_PARAM_BUFFER_POINTER), if that is
//! not null.
[[nodiscard]] kernel_work kernel_work_of(process&, void const* function, abi::dim3 grid,
                                         abi::dim3 block, std::size_t shared,
                                         void* const* arguments, void* const* extra = nullptr);

//! A launch that runs, or that waits for memory that others change.
class running_kernel {
 public:
  running_kernel(process&, kernel_work);
  ~running_kernel();
  running_kernel(running_kernel const&) = delete;
  running_kernel& operator=(running_kernel const&) = delete;

  //! Executes until the launch has ended, also by a fault, which becomes the device's: true; or
  //! until its threads only wait for memory.
  [[nodiscard]] bool advance();
  //! True if the last advance did more than to wait.
  [[nodiscard]] bool made_progress() const { return execution_->made_progress(); }
  //! Ends it as a deadlock.
  void give_up();

 private:
  process& process_;
  kernel_work work_;
  launch launch_;
  std::optional<launch_progress> progress_{};
  std::optional<execution> execution_;
  std::uint64_t findings_before_ = 0;

  void failed(device_fault const&);
};

//! Adds an attribute of cudaLaunchKernelEx or of a kernel node.
void set_attribute(kernel_work&, abi::cudaLaunchAttributeID, abi::cudaLaunchAttributeValue const&);

}  // namespace device::runtime
