// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/operation.hpp>
#include <device/execute/observer.hpp>
#include <device/execute/warp.hpp>
#include <device/memory/memory.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace device {

struct dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  [[nodiscard]] std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

struct block;

class linked_module;    // decode/linked_module.hpp
class weak_memory;      // memory/weak_memory.hpp
class device_runtime;   // execute/device_runtime.hpp
class texture_objects;  // memory/texture.hpp

//! The kernel that launched a kernel, and what has happened before that launch begins. The launches
//! of a kernel, of those that it launches, and so on, are its family: they are one operation of the
//! host's stream.
struct launch_origin {
  std::uint64_t family = 0;  //!< launch::number of the one that the host launched
  std::uint64_t parent = 0;  //!< launch::number of the kernel that launches
  std::string kernel{};      //!< its name, demangled
  std::uint64_t number = 0;  //!< of this launch in its family, from 1 (observer::launches)
  //! launches of the family that it comes after, by their stream's order
  std::vector<std::uint64_t> after{};
  bool is_tail = false;  //!< it comes after all that its family has done before
};

//! The arguments of a kernel's launch, and its device.
struct launch {
  linked_module* code = nullptr;
  program const* kernel = nullptr;
  dim3 grid, block;
  dim3 cluster;                   //!< blocks that run together; the grid is a multiple of it
  bool explicit_cluster = false;  //!< the program gave its size
  std::uint32_t dynamic_shared = 0;
  std::vector<std::byte> params;  //!< the kernel's parameters, as its parameter list lays them out
  bool cooperative = false;
  int device = 0;
  std::uint64_t number = 0;  //!< of this launch in the program, from 0
  std::uint64_t grid_workspace =
      0;  //!< address of zeroed bytes for cooperative groups' grid barrier; 0 if not cooperative
  std::uint64_t graph = 0;  //!< the handle of its graph, if device code may launch that; else 0
  std::optional<launch_origin> by{};  //!< none: the host
  //! blocks of its family that were launched before
  std::uint64_t first_block = 0;
  [[nodiscard]] std::uint64_t family() const { return by ? by->family : number; }

  // --- of the device
  global_memory* memory = nullptr;
  texture_objects const* textures = nullptr;  //!< null: there are none
  int multiprocessors = 132;
  int resident_blocks = 1;  //!< of one multiprocessor, as occupancy allows
  std::uint64_t seed = 0;
  //! Operations are executed and counted one by one, as a second opinion for tests.
  bool stepwise = false;
  bool mixed = false;  //!< warps and blocks take turns at random, by the seed; otherwise in order
  //! The most blocks that are executed, spread evenly over the grid, the first and the last among
  //! them (whole clusters); 0: all.
  std::uint64_t sampled_blocks = 0;
  int workers = 1;    //!< host threads
  bool weak = false;  //!< stores are delayed at random
  //! generic addresses of local memory name their thread, so that another one's use is found
  bool names_owners = false;
  bool notes_tiles =
      false;  //!< block::tiles are kept: an observer clears those that are overwritten
  //! The observers of each worker (workers lists); may be empty.
  std::vector<std::vector<observer*>> observers;
  //! Receives the findings that execution itself makes (bounds, misaligned, free, barrier,
  //! deadlock); see core/finding.hpp.
  std::function<void(struct finding const&)> report;
  //! Is called when a block ends: blocks that have ended, and operations of warps in them. May be
  //! empty; several workers call it at once.
  std::function<void(std::uint64_t, std::uint64_t)> progress;
  //! Serves the calls of the CUDA runtime in device code; null if nobody does.
  device_runtime* runtime = nullptr;
  //! Receives the text that device code prints.
  std::function<void(std::string const&)> print;
};

//! The clusters of a launch that are executed: all, or some that are spread evenly.
struct executed_clusters {
  explicit executed_clusters(launch const&);
  std::uint64_t all = 0;   //!< in the grid
  std::uint64_t some = 0;  //!< of them those that are executed
  //! The number in the grid of the k-th of them.
  [[nodiscard]] std::uint64_t number(std::uint64_t k) const;
};

//! Why a launch ended early; becomes a CUDA error that stays with the program.
class device_fault : public std::runtime_error {
 public:
  enum class kind_type {
    illegal_address,
    misaligned_address,
    illegal_instruction,
    assertion,
    trap,
    deadlock,
    hardware_stack
  };
  device_fault(kind_type kind, std::string const& message)
      : std::runtime_error(message), kind_(kind) {}
  [[nodiscard]] kind_type kind() const { return kind_; }

 private:
  kind_type kind_;
};

//! The number of times that an operation was executed.
struct operation_count {
  std::uint64_t executed = 0;  //!< by warps (groups of lanes)
  std::uint64_t lanes = 0;     //!< by threads

  void operator+=(operation_count const& other) {
    executed += other.executed;
    lanes += other.lanes;
  }
  void operator-=(operation_count const& other) {
    executed -= other.executed;
    lanes -= other.lanes;
  }
};

//! One program's operations' counts, of one worker; merged by whoever reports.
using operation_counts = std::vector<operation_count>;

//! The results of a launch besides the calls of observers.
struct launch_result {
  //! For each program that ran (by its number in the linked module): its operations' counts, all
  //! workers together.
  std::vector<std::pair<program const*, operation_counts>> counts;
  std::uint64_t barriers = 0;  //!< times that a block's barrier was complete
};

//! A launch that is being executed. It can be left when its threads wait for memory that none of
//! them changes, and go on later, on any thread of the host.
class execution {
 public:
  //! The launch must live as long.
  explicit execution(launch const&);
  ~execution();
  execution(execution const&) = delete;
  execution& operator=(execution const&) = delete;

  //! Executes until the launch has ended, or until its threads only wait for memory.
  //! \return true if it has ended. Throws device_fault, device::unsupported.
  [[nodiscard]] bool advance();
  //! True if the last advance did more than to wait.
  [[nodiscard]] bool made_progress() const;
  //! Nobody will change the memory that the threads wait for: reports a deadlock, throws
  //! device_fault.
  [[noreturn]] void give_up();
  //! The counts of a launch that has ended, or that a fault has ended; called once.
  [[nodiscard]] launch_result result();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

//! Runs a kernel to its end. Throws device_fault, device::unsupported.
[[nodiscard]] launch_result run(launch const&);

//! A barrier of a block.
struct block_barrier {
  std::uint32_t arrived = 0;       //!< threads
  std::uint32_t expected = 0;      //!< threads; 0: all that have not exited
  std::uint32_t population = 0;    //!< bar.red: threads whose predicate holds, so far
  std::uint32_t participants = 0;  //!< bar.red: threads that gave a predicate, so far
  //! A warp of which lanes have arrived at a barrier that counts whole warps.
  struct part {
    std::uint32_t warp = 0;
    lane_mask arrived = 0;
  };
  std::vector<part> parts{};
};

//! The place of 16 bytes of shared memory in the box that a tensor copy wrote there.
struct tile_chunk {
  std::uint32_t copy = 0;  //!< number of the copy in its block, from 1; 0: none, or overwritten
  std::int32_t row = 0;
  std::int16_t column = 0;   //!< in 16 bytes
  std::uint8_t swizzle = 0;  //!< mmm::gpu::tensor_swizzle
};

//! Blocks that run together: they reach each other's shared memory, and have a barrier. One worker
//! executes them all.
struct cluster {
  std::vector<block*> blocks{};  //!< by rank
  [[nodiscard]] bool is_over() const;
};

//! A block of threads that is being executed.
struct block {
  launch const* of_launch = nullptr;
  std::shared_ptr<cluster> of_cluster{};  //!< null of a block that is a cluster of its own
  std::uint32_t rank = 0;                 //!< in its cluster
  dim3 index;
  std::uint64_t number = 0;  //!< x + grid.x * (y + grid.y * z)
  std::vector<warp> warps;
  std::vector<std::byte> shared;  //!< static, then dynamic
  //! where in it the system's part begins (%reserved_smem_offset_1); 0: none
  std::uint32_t reserved_shared = 0;
  std::array<block_barrier, 16> barriers{};
  std::uint32_t threads_alive = 0;
  int multiprocessor = 0;  //!< %smid
  std::vector<observer*> const* observers = nullptr;
  weak_memory* weak = nullptr;                      //!< null in strong memory
  void* observed = nullptr;                         //!< of an observer
  std::vector<operation_counts>* counts = nullptr;  //!< by number of program
  std::uint64_t executed = 0;                       //!< operations so far: the block's clock
  std::uint64_t barriers_complete = 0;
  //! allocations that accesses led to, by operation::index modulo 8
  std::array<known_range, 8> known{};
  //! how tensor copies wrote shared memory; empty before the first one
  std::vector<tile_chunk> tiles;
  std::uint32_t copies = 0;  //!< tensor copies so far

  //! Blocks in its cluster.
  [[nodiscard]] std::uint32_t cluster_size() const {
    return of_cluster == nullptr ? 1 : static_cast<std::uint32_t>(of_cluster->blocks.size());
  }
};

inline bool cluster::is_over() const {
  for (block const* const b : blocks)
    if (b->threads_alive != 0) return false;
  return true;
}

}  // namespace device
