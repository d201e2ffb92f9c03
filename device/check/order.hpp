// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/check/clock.hpp>
#include <device/check/thread_id.hpp>
#include <device/decode/operation.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

//! The happens-before order of accesses within one launch.
namespace device::check {

//! True if a scope reaches threads of other blocks. Observers see the scope of a cluster of several
//! blocks as the grid's.
[[nodiscard]] constexpr bool is_wide(scope s) { return s != scope::cta && s != scope::cluster; }

//! The accesses of others that threads know of, and those that they have fenced for others.
struct knowledge {
  clock known;          //!< happened before
  clock fenced_wide;    //!< what a strong store lets threads of all blocks know
  clock fenced_block;   //!< what it lets threads of the same block know
  clock pending_wide;   //!< what strong loads saw: known after a fence that reaches all blocks
  clock pending_block;  //!< known after any fence
  //! of what is known: what asynchronous accesses see, too, by fence.proxy.async
  clock proxy;

  void join(knowledge const&);
  void clear();
  [[nodiscard]] bool empty() const {
    return known.empty() && fenced_wide.empty() && fenced_block.empty() && pending_wide.empty() &&
           pending_block.empty() && proxy.empty();
  }
};

//! The accesses that one lane knows of and its warp does not.
struct lane_order {
  knowledge extra;
  std::array<time_stamp, lanes> own{};  //!< of the other lanes' accesses
};

struct warp_order {
  knowledge extra;             //!< what all lanes know and the block does not
  time_stamp synced = 0;       //!< all lanes know all lanes' accesses up to then
  time_stamp fenced_wide = 0;  //!< each lane has fenced its own accesses up to then
  time_stamp fenced_block = 0;
  lane_mask special = 0;  //!< lanes that know more
  std::unique_ptr<std::array<lane_order, lanes>> of_lane;
};

struct block_order {
  struct arrival {
    std::uint32_t warp;
    lane_mask lanes_of_warp;
    bool whole;  //!< all lanes of the warp that have not ended
    bool waits;
    time_stamp when;
  };

  std::uint32_t id = 0;
  time_stamp own = 0;  //!< all threads know all threads' accesses up to then
  knowledge common;    //!< what all threads know of other blocks
  clock covered;       //!< one that `common` is known to cover
  std::vector<warp_order> warps;
  std::array<std::vector<arrival>, 16> arrivals;

  void begin(std::uint32_t block, std::size_t warp_count);
};

//! The knowledge that a location of strong accesses passes on to its readers: by release patterns
//! (PTX ISA, memory consistency model).
struct released {
  clock wide;
  clock within;  //!< for threads of `block`
  clock proxy;   //!< knowledge::proxy
  std::uint32_t block = 0;
  std::uint32_t additions = 0;  //!< of atomic operations
  [[nodiscard]] bool empty() const { return wide.empty() && within.empty(); }
};

//! The time, and the rules by which threads come to know of each other.
class order {
 public:
  [[nodiscard]] time_stamp now() const { return now_; }
  //! Something was stamped with the time.
  void stamped() { stamped_ = true; }
  //! Later stamps have a greater time.
  void tick() { static_cast<void>(pass()); }
  //! Times grow over the launches of a process; here they begin again. All stamps must have been
  //! forgotten.
  void restart() {
    now_ = 1;
    stamped_ = true;
  }
  //! All stamps so far are of what happened before all that comes: none counts that is not above
  //! the returned one.
  [[nodiscard]] time_stamp begin() { return pass(); }
  void begin_launch() { exact_ = 0; }

  //! Lanes of a warp met at a synchronisation that orders memory; `alive` are those that have not
  //! ended.
  void warp_sync(block_order&, std::uint32_t warp, lane_mask members, lane_mask alive);
  void arrive(block_order&, int barrier, std::uint32_t warp, lane_mask lanes_of_warp,
              lane_mask alive, bool waits);
  //! `alive` of each warp.
  void complete(block_order&, int barrier, std::vector<lane_mask> const& alive);
  void fence(block_order&, std::uint32_t warp, lane_mask lanes_of_warp, lane_mask alive, scope);

  //! A lane's strong load of what was released.
  void acquire(block_order&, thread_id, released const&, scope, bool by_itself);
  //! A lane's strong store; an atomic operation adds to what was released. A location to which many
  //! add lets all know of all that happened before, which takes no time and hides races.
  void release(block_order&, thread_id, released&, scope, bool by_itself, bool adds);

  //! The accesses that a thread knows now, its own included: a kernel that it launches does, too.
  [[nodiscard]] clock known_to(block_order const&, thread_id);

  //! fence.proxy.async.
  void proxy_fence(block_order&, std::uint32_t warp, lane_mask lanes_of_warp, lane_mask alive);
  //! Lanes know what their helpers of a kind did up to a time, each lane's own.
  void learn(block_order&, std::uint32_t warp, lane_mask lanes_of_warp, lane_mask alive,
             std::uint32_t asynchronous_kind, std::array<time_stamp, lanes> const&);
  //! True if fence.proxy.async lets asynchronous accesses of `thread` see that of `other`.
  [[nodiscard]] static bool sees_by_proxy(block_order const&, thread_id thread, thread_id other,
                                          time_stamp when);

  //! True if the access of `other` at that time happened before what `thread` does now.
  [[nodiscard]] static bool knows(block_order const&, thread_id thread, thread_id other,
                                  time_stamp when);
  //! True if the thread knows all that the location lets know: then it has seen its latest strong
  //! store.
  [[nodiscard]] static bool knows(block_order const&, thread_id thread, released const&);

 private:
  static constexpr time_stamp last_time = 0xffff'fff0U;
  //! Additions to one location that are told apart, and those of a launch before only few are.
  static constexpr std::uint32_t max_additions = 1024;
  static constexpr std::uint64_t max_exact = 100'000;
  static constexpr std::uint32_t few_additions = 4;
  std::uint64_t exact_ = 0;
  time_stamp now_ = 1;
  bool stamped_ = true;

  [[nodiscard]] static lane_order& lane(warp_order&, std::uint32_t lane);
  static void merge_lanes(block_order&, std::uint32_t warp);
  //! The time of all stamps so far; those to come are later.
  [[nodiscard]] time_stamp pass();
  [[nodiscard]] static clock warp_clock(block_order const&, std::uint32_t warp);
  [[nodiscard]] static clock thread_clock(block_order const&, thread_id, time_stamp own);
  [[nodiscard]] static clock fenced(block_order const&, thread_id, clock knowledge::* which,
                                    time_stamp own);
  //! True if the thread has fenced anything, so that its strong stores let others know.
  [[nodiscard]] static bool has_fenced(block_order const&, thread_id);
  void complete_all(block_order&);
};

}  // namespace device::check
