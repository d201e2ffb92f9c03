// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/check/thread_id.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace device::check {

//! A vector clock: for each thread of a launch, the time up to which its accesses happen before
//! what comes next. It has entries for whole blocks, for warps and for threads, the greatest of
//! which holds. A clock of more than max_entries is made coarser: it then says more than is true,
//! so that races may be missed, but none is invented.
//! Copies share their entries until one is changed. Not thread-safe.
class clock {
 public:
  static constexpr std::size_t max_entries = 1024;

  clock() = default;
  clock(clock const& o) : body_(o.body_) {
    if (body_ != nullptr) ++body_->references;
  }
  clock(clock&& o) noexcept : body_(std::exchange(o.body_, nullptr)) {}
  clock& operator=(clock o) noexcept {
    std::swap(body_, o.body_);
    return *this;
  }
  ~clock() { clear(); }

  [[nodiscard]] bool empty() const { return body_ == nullptr; }
  [[nodiscard]] bool same_as(clock const& o) const { return body_ == o.body_; }
  //! True if the thread's accesses of that time are known.
  [[nodiscard]] bool covers(thread_id, time_stamp) const;
  //! True if all that the other clock knows is known.
  [[nodiscard]] bool covers(clock const&) const;
  [[nodiscard]] std::size_t entries() const { return body_ == nullptr ? 0 : body_->entries.size(); }

  void add_block(std::uint32_t block, time_stamp t) { add(key_of(block, 0), t); }
  void add_warp(thread_id any_of_it, time_stamp t) {
    add(key_of(block_of(any_of_it), 1 + warp_of(any_of_it)), t);
  }
  void add_thread(thread_id thread, time_stamp t) {
    add(key_of(block_of(thread), thread_part + (thread & 1023U)), t);
  }
  void join(clock const&);
  void clear();
  //! Knows all accesses of all threads up to a time, and nothing more.
  void become_all(time_stamp);

 private:
  static constexpr std::uint32_t thread_part = 64;
  //! The number of a block, then 0 for all of it, 1 + warp, or thread_part + thread.
  struct entry {
    std::uint64_t key;
    time_stamp time;
  };
  struct coarse;
  struct body {
    std::uint32_t references = 1;
    time_stamp all = 0;            //!< of every thread
    std::vector<entry> entries{};  //!< by key
  };
  body* body_ = nullptr;

  [[nodiscard]] static std::uint64_t key_of(std::uint64_t block, std::uint32_t part) {
    return block << 16 | part;
  }
  void add(std::uint64_t key, time_stamp);
  void own();
  void limit();
};

}  // namespace device::check
