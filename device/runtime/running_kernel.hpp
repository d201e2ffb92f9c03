// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/runtime/launch.hpp>
#include <device/runtime/nested_launches.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <vector>

namespace device::runtime {

//! A kernel that the host launched, with all kernels that it and they launch: complete when the
//! last of them is. One grid runs at a time. A grid's launches begin when it has ended, or when it
//! waits for memory, or for room for further launches; its tail launches when those are complete.
class running_kernel {
 public:
  running_kernel(process&, kernel_work);
  ~running_kernel();
  running_kernel(running_kernel const&) = delete;
  running_kernel& operator=(running_kernel const&) = delete;

  //! Executes until all is complete, also by a fault, which becomes the device's: true; or until
  //! the grid that runs only waits for memory.
  [[nodiscard]] bool advance();
  //! True if the last advance did more than to wait.
  [[nodiscard]] bool made_progress() const;
  //! Ends it as a deadlock.
  void give_up();

 private:
  //! A grid that is not complete.
  struct level {
    std::unique_ptr<nested_launches> nested;
    std::unique_ptr<running_grid> grid;  //!< null when it has ended
    //! launches of the level below, complete when this one is
    std::vector<std::uint64_t> numbers{};
  };

  process& process_;
  family_numbers numbers_{};
  std::uint64_t blocks_ = 0;   //!< of all grids that have begun
  std::vector<level> levels_;  //!< innermost last
  std::uint64_t family_ = 0;
  std::mt19937_64 random_;
  bool has_moved_ = false;

  void begin(kernel_work, std::optional<launch_origin>, std::vector<std::uint64_t> numbers);
  void begin(nested_work);
  void end_level();
  [[nodiscard]] bool finish();
};

}  // namespace device::runtime
