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

struct graph_node;

//! Work that can be left while a kernel waits for memory that others change.
class long_work {
 public:
  long_work() = default;
  virtual ~long_work() = default;
  long_work(long_work const&) = delete;
  long_work& operator=(long_work const&) = delete;

  //! Executes until all is complete, also by a fault, which becomes the device's: true; or until
  //! the grid that runs only waits for memory.
  [[nodiscard]] virtual bool advance() = 0;
  //! True if the last advance did more than to wait.
  [[nodiscard]] virtual bool made_progress() const = 0;
  //! Ends it as a deadlock.
  virtual void give_up() = 0;
};

//! A kernel that the host launched, with all kernels that it and they launch: complete when the
//! last of them is. One grid runs at a time. A grid's launches begin when it has ended, or when it
//! waits for memory, or for room for further launches; its tail launches when those are complete.
class running_kernel final : public long_work {
 public:
  running_kernel(process&, kernel_work);
  ~running_kernel() override;

  [[nodiscard]] bool advance() override;
  [[nodiscard]] bool made_progress() const override;
  void give_up() override;

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

//! A conditional node of a graph that runs, or graphs that its kernels have launched: their nodes,
//! one after the other.
class running_condition final : public long_work {
 public:
  running_condition(process&, condition_work const&);
  running_condition(process&, launched_work const&);

  [[nodiscard]] bool advance() override;
  [[nodiscard]] bool made_progress() const override { return kernel_->made_progress(); }
  void give_up() override;

 private:
  //! A graph that is executed, or conditions that choose one.
  struct level {
    executable_graph* of_graph = nullptr;       //!< that the nodes belong to
    condition_work const* condition = nullptr;  //!< null of a graph of its own
    bool is_whole = false;                      //!< it is of_graph, not a part of it
    std::uint64_t executed = 0;                 //!< bodies
    std::vector<graph_node*> left{};            //!< nodes, the next one last
  };

  process& process_;
  std::vector<level> levels_;
  std::unique_ptr<running_kernel> kernel_;
  int device_ = 0;  //!< of the kernel that began last: its fault ends all

  void begin(graph_node const&);
  [[nodiscard]] bool begin_launched();
};

}  // namespace device::runtime
