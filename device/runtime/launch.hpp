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

//! A grid that runs, or that waits for memory that others change: without those that it launches.
class running_grid {
 public:
  //! \param by null for a launch by the host \param first_block launch::first_block
  running_grid(process&, kernel_work, std::optional<launch_origin> by, std::uint64_t first_block,
               device_runtime&);
  ~running_grid();
  running_grid(running_grid const&) = delete;
  running_grid& operator=(running_grid const&) = delete;

  //! Executes until the grid has ended, also by a fault, which becomes the device's: true; or
  //! until its threads only wait for memory.
  [[nodiscard]] bool advance();
  //! True if the last advance did more than to wait.
  [[nodiscard]] bool made_progress() const { return execution_->made_progress(); }
  //! Ends it as a deadlock.
  void give_up();
  //! True if a fault has ended it.
  [[nodiscard]] bool has_failed() const { return failed_; }
  [[nodiscard]] launch const& launched() const { return launch_; }

 private:
  process& process_;
  kernel_work work_;
  launch launch_;
  std::optional<launch_progress> progress_{};
  std::optional<execution> execution_;
  std::uint64_t findings_before_ = 0;
  bool failed_ = false;

  void failed(device_fault const&);
};

//! Adds an attribute of a launch or of a kernel node, which is no event.
void set_attribute(kernel_work&, abi::cudaLaunchAttributeID, abi::cudaLaunchAttributeValue const&);

//! Launches a kernel with attributes. An event among them is to be recorded when the kernel's
//! blocks have begun, or have allowed the launches that depend on them: it is recorded behind the
//! kernel, which is late enough.
void issue_with_attributes(process&, abi::cudaStream_t, kernel_work,
                           abi::cudaLaunchAttribute const* attributes, unsigned count);

}  // namespace device::runtime
