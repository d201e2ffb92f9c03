// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <span>
#include <unordered_map>
#include <vector>

namespace device {

//! Memory in which stores become visible late. A plain store waits in its thread, where only that
//! thread sees it; then in its block, where the block's threads see it; then it is in memory. It
//! goes on at a random time, stores to different addresses in any order, those to one address in
//! theirs, unless a barrier, a fence or a release orders it.
//! If nobody stores any more, all is visible soon, so that who waits for a store sees it.
//! Loads are never early: each sees what its thread may see when it is executed.
//!
//! Threads are named by their block's number and their own in it. Stores to shared memory are in
//! memory as soon as they have left their thread. Not thread-safe: all blocks run on one host
//! thread.
class weak_memory {
 public:
  //! \param seed decides when stores go on, and how patient they are on the whole.
  explicit weak_memory(std::uint64_t seed);
  ~weak_memory();
  weak_memory(weak_memory const&) = delete;
  weak_memory& operator=(weak_memory const&) = delete;

  //! A plain store of up to 16 bytes, aligned to their size (an access of a vector is one for each
  //! element).
  void store(std::uint64_t block, std::uint32_t thread, bool shared, std::byte* to,
             std::byte const* value, int bytes);
  //! A plain load: what the thread sees of `bytes` at `source`.
  void load(std::uint64_t block, std::uint32_t thread, std::byte const* source, std::byte* value,
            int bytes);
  //! Before a volatile, relaxed or atomic access, which goes to memory at once: earlier stores to
  //! these bytes that the thread has seen are in memory before it.
  void settle(std::uint64_t block, std::uint32_t thread, std::byte const* address, int bytes);

  //! The block sees the thread's stores: a fence or release of a block's scope, a barrier of a
  //! warp's lanes.
  void show_block(std::uint64_t block, std::uint32_t thread);
  //! The block's barrier is complete: it sees all its threads' stores.
  void show_block(std::uint64_t block);
  //! All see the thread's stores and those of its block that the thread has seen: a fence or
  //! release of a greater scope.
  void show_all(std::uint64_t block, std::uint32_t thread);
  //! The block has ended, and with it its shared memory.
  void end_block(std::uint64_t block);
  //! The kernel has ended: all is in memory.
  void end();

  //! cp.async: bytes that are copied at some time before wait_copies. `bytes` of them are zero from
  //! `given` on.
  void copy(std::uint64_t block, std::uint32_t thread, std::byte* to, std::byte const* source,
            int bytes, int given);
  //! cp.async.commit_group: the copies so far are a group.
  void commit_copies(std::uint64_t block, std::uint32_t thread);
  //! cp.async.wait_group: all but the thread's `pending` newest groups are complete.
  void wait_copies(std::uint64_t block, std::uint32_t thread, std::uint64_t pending);
  //! cp.async.wait_all: also those of no group.
  void wait_all_copies(std::uint64_t block, std::uint32_t thread);

  //! Stores that are not in memory yet.
  [[nodiscard]] std::size_t waiting() const { return waiting_; }

 private:
  //! A store of an element.
  struct pending {
    std::uint8_t offset;  //!< in its 16 bytes
    std::uint8_t bytes;
    bool shared;
    std::byte value[16];
  };
  //! The stores to 16 aligned bytes, oldest first.
  struct cell {
    std::vector<pending> stores;
    std::size_t place = 0;  //!< in buffer::order
  };
  //! The stores that a thread, or a block, has not handed on.
  struct buffer {
    std::unordered_map<std::uint64_t, cell> cells;  //!< by address
    std::vector<std::uint64_t> order;               //!< their addresses, to choose one at random
    std::size_t place = 0;                          //!< in busy_, if it has any
  };
  struct async_copy {
    std::byte* to;
    std::byte const* source;
    int bytes;
    int given;
    std::uint64_t group;
  };
  struct thread_state {
    std::uint64_t block = 0;
    std::uint32_t number = 0;
    buffer stores;
    std::deque<async_copy> copies;
    std::uint64_t groups = 0;  //!< committed
  };
  struct block_state {
    std::uint64_t number = 0;
    //! by number; null for those that stored nothing
    std::vector<std::unique_ptr<thread_state>> threads;
    buffer stores;
  };
  //! A buffer that is not empty, for random choice.
  struct busy {
    block_state* block;
    thread_state* thread;  //!< null: the block's own
  };

  block_state& block_of(std::uint64_t number);
  thread_state& thread_of(block_state&, std::uint32_t number);
  buffer& buffer_of(busy const& b) {
    return b.thread != nullptr ? b.thread->stores : b.block->stores;
  }

  void put(busy const& into, std::uint64_t address, pending const&);
  void hand_on(busy const& source, std::uint64_t address, pending const&);
  void remove_cell(busy const& source, std::uint64_t address);
  void drain(busy const&);
  void drain_cell(busy const&, std::uint64_t address);
  void drain_overlapping(busy const&, std::uint64_t address, std::uint64_t first,
                         std::uint64_t end);
  void drain_some();
  void drain_random();
  void finish(block_state&, thread_state&, async_copy const&);
  static void overlay(buffer const&, std::uint64_t source, std::byte* value, std::uint64_t bytes);

  std::uint64_t random() { return engine_(); }

  std::mt19937_64 engine_;
  std::uint64_t patience_ = 1;
  // accesses since the last store: threads that wait for one must see it in the end
  std::uint64_t quiet_ = 0;
  std::unordered_map<std::uint64_t, std::unique_ptr<block_state>> blocks_;
  std::vector<busy> busy_;
  std::size_t waiting_ = 0;
};

}  // namespace device
