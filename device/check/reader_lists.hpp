// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/check/thread_id.hpp>
#include <device/decode/operation.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace device::check {

//! Number of an operation that accesses memory, in a launch; 0: not known any more.
using site_id = std::uint16_t;

//! The reads of one place by one instruction of a warp.
struct warp_read {
  thread_id warp = 0;  //!< any thread of it
  time_stamp time = 0;
  lane_mask lanes = 0;  //!< those that read the place
  site_id site = 0;

  //! The thread of one of the lanes.
  [[nodiscard]] thread_id thread(int lane) const {
    return (warp & ~31U) | static_cast<std::uint32_t>(lane);
  }
};

//! A list of reads, the latest first; 0: none.
using reader_list = std::uint32_t;

//! A read's place: the byte in its page, and log2 of the bytes that each lane reads there.
struct read_place {
  std::uint32_t byte = 0;
  std::uint8_t shift = 0;
};

//! The reads of places before the latest one: FastTrack's vector of readers (Flanagan and Freund,
//! "FastTrack: efficient and precise dynamic race detection", PLDI 2009), as lists that places
//! share. Lanes are kept relative to the place, so that a row of words that a warp reads lane by
//! lane makes one entry.
//!
//! A list has at most max_depth reads; of all lists together the latest max_reads are known. Reads
//! that are forgotten may hide a race and never invent one.
class reader_lists {
 public:
  static constexpr std::uint8_t max_depth = 64;
  static constexpr std::uint32_t max_reads = 1U << 20;

  //! Forgets all. No list from before may be used.
  void clear() {
    entries_.clear();
    next_ = 1;
    latest_.fill(0);
    last_ = {};
    last_list_ = trimmed_from_ = trimmed_to_ = 0;
  }

  //! The list with a read of a place in front.
  [[nodiscard]] reader_list add(reader_list l, warp_read const& read, read_place place) {
    auto const number = static_cast<int>((place.byte >> place.shift) % lanes);
    entry const e{l, read.warp & ~31U, read.time, std::rotr(read.lanes, number), read.site,
                  0, place.shift,      false};
    if (!(e == last_)) {
      last_ = e;
      last_list_ = add(e);
    }
    return last_list_;
  }
  //! True if all of the list is by the block of a thread.
  [[nodiscard]] bool is_within_block(reader_list l, thread_id t) const {
    if (!knows(l)) return true;
    entry const& e = at(l);
    return e.one_block && same_block(e.warp, t);
  }
  //! `f(warp_read)` for each read of a place, the latest first, until it returns true. \return
  //! whether it did.
  template <class F>
  bool find(reader_list l, std::uint32_t byte, F const& f) const {
    for (; knows(l); l = at(l).earlier)
      if (f(read_of(at(l), byte))) return true;
    return false;
  }

 private:
  struct entry {
    reader_list earlier;
    thread_id warp;
    time_stamp time;
    lane_mask lanes;  //!< rotated by the place's number
    site_id site;
    std::uint8_t depth;
    std::uint8_t shift;
    bool one_block;

    [[nodiscard]] bool operator==(entry const&) const = default;
  };
  static_assert(sizeof(entry) == 24);

  std::vector<entry> entries_;
  std::uint32_t next_ = 1;
  std::array<reader_list, 64> latest_{};  //!< made last, by their contents
  entry last_{};  //!< given to add last: the next place of a row is the same
  reader_list last_list_ = 0;
  reader_list trimmed_from_ = 0;
  reader_list trimmed_to_ = 0;

  [[nodiscard]] bool knows(reader_list l) const { return l != 0 && next_ - l <= max_reads; }
  [[nodiscard]] entry const& at(reader_list l) const { return entries_[(l - 1) % max_reads]; }
  [[nodiscard]] static warp_read read_of(entry const& e, std::uint32_t byte) {
    return {e.warp, e.time, std::rotl(e.lanes, static_cast<int>((byte >> e.shift) % lanes)),
            e.site};
  }
  [[nodiscard]] reader_list add(entry);
  [[nodiscard]] reader_list made(entry const&);
  [[nodiscard]] reader_list trimmed(reader_list);
};

}  // namespace device::check
