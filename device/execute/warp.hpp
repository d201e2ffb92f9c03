// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/operation.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace device {

struct block;

//! A call of a function by lanes of a warp: its registers, its place in local memory, its
//! arguments.
struct frame {
  program const* code = nullptr;
  frame* caller = nullptr;
  operation const* call = nullptr;  //!< in the caller; what it gets back is there
  std::byte* registers = nullptr;   //!< program::register_bytes, zero at first
  std::byte* params = nullptr;      //!< program::param_bytes for each lane, lane after lane
  //! first byte of its local variables in each lane's local memory
  std::uint32_t local_base = 0;
  //! Bytes that each lane has allocated behind them (alloca); null before the first time.
  std::unique_ptr<std::array<std::uint32_t, lanes>> allocated{};
  std::uint32_t max_allocated = 0;  //!< of any lane

  //! The first byte behind all that its lanes have in local memory.
  [[nodiscard]] std::uint32_t local_end() const {
    return local_base + code->local_bytes + max_allocated;
  }
  std::unique_ptr<std::byte[]> storage{};  //!< of registers and params
};

//! The place where diverged lanes reconverge: once all `expected` lanes have arrived, they continue
//! as one group.
struct reconvergence_point {
  std::uint32_t pc = 0;      //!< the operation with which they continue
  bool of_call = false;      //!< lanes arrive by returning, not by reaching pc
  frame* current = nullptr;  //!< the frame in which they continue
  lane_mask expected = 0;
  lane_mask arrived = 0;
  reconvergence_point* outer = nullptr;
  frame* callee = nullptr;  //!< of a call: the frame that ends then
};

//! Lanes of a warp that execute together.
struct lane_group {
  enum class state_type : std::uint8_t {
    ready,
    at_warp_sync,  //!< waits for the lanes of `members` at a warp-wide instruction
    at_barrier,    //!< waits at the block's barrier number `barrier`
    at_cluster     //!< waits at the cluster's barrier
  };
  state_type state = state_type::ready;
  std::uint32_t pc = 0;
  lane_mask mask = 0;
  frame* current = nullptr;
  reconvergence_point* until = nullptr;
  lane_mask members = 0;
  lane_mask arriving = 0;  //!< the lanes that execute the instruction waited at (its guard holds)
  int barrier = -1;
  operation const* waits_for = nullptr;  //!< the instruction waited at
};

//! 32 threads. The members in front are what handlers use.
struct warp {
  //! Register values of the current frame, [0], and constants of its program, [1].
  std::byte* base[2] = {nullptr, nullptr};
  //! the lanes for which the operation at hand is executed; never 0 in a handler
  lane_mask active = 0;
  lane_mask mask = 0;    //!< the lanes of the current group
  std::uint32_t pc = 0;  //!< of the next operation; handlers of branches change it
  frame* current = nullptr;
  reconvergence_point* until = nullptr;
  block* of_block = nullptr;
  lane_mask alive = 0;       //!< threads that exist and have not exited
  lane_mask present = 0;     //!< threads that exist
  std::uint32_t number = 0;  //!< in its block
  //! threads that have arrived in the current phase of the cluster's barrier
  lane_mask at_cluster = 0;

  //! The values of a source.
  template <class T>
  [[nodiscard]] T const* source(slot s) const {
    return reinterpret_cast<T const*>(base[s >> 31] + (s & ~in_constants));
  }
  //! The values of a destination; only those of active lanes may be written.
  template <class T>
  [[nodiscard]] T* destination(slot s) const {
    return reinterpret_cast<T*>(base[0] + s);
  }
  [[nodiscard]] lane_mask predicate(slot s) const { return *source<lane_mask>(s); }
  //! Sets a predicate of the active lanes.
  void set_predicate(slot s, lane_mask values) const {
    lane_mask& p = *destination<lane_mask>(s);
    p = (p & ~active) | (values & active);
  }
  //! `f(lane)` for every active lane.
  template <class F>
  void each_active(F const& f) const {
    if (active == all_lanes) {
      for (int t = 0; t < lanes; ++t) f(t);
    } else {
      for (lane_mask left = active; left != 0; left &= left - 1) f(std::countr_zero(left));
    }
  }

  // --- what the scheduler keeps ------------------------------------------------------------------
  std::vector<lane_group> groups;              //!< but for the current one
  std::vector<std::unique_ptr<frame>> frames;  //!< all, those in use and those to be used again
  std::vector<std::unique_ptr<reconvergence_point>> reconvergence_points;  //!< the same
  std::vector<frame*> free_frames;
  std::vector<reconvergence_point*> free_reconvergence_points;
  //! waits of the current group that found nothing changed, since something did
  std::uint32_t polls = 0;
  std::uint32_t quiet = 0;  //!< operations since the last poll
  //! The mbarrier whose phase the latest wait did not find over, and its offset in shared memory;
  //! null if that wait found it over.
  std::byte const* waited_mbarrier = nullptr;
  std::uint64_t waited_offset = 0;
  //! another group or frame is current than when the operation began
  bool switched = false;
  bool yielded = false;          //!< the current group gives its turn away (nanosleep, a poll)
  std::vector<std::byte> local;  //!< local memory: local_stride bytes for each lane
  std::uint32_t local_stride = 0;
  std::uint32_t local_bytes = 0;  //!< of them those that some frame has had
  std::uint64_t sync_count = 0;   //!< of warp-wide synchronisations, for observers
  void* observed = nullptr;       //!< of an observer
  //! An observer follows values of its registers: it is notified of each operation.
  bool followed = false;
};

}  // namespace device
