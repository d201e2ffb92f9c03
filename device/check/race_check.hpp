// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/check/order.hpp>
#include <device/check/race_shadow.hpp>
#include <device/check/sites.hpp>
#include <device/execute/launch.hpp>
#include <device/execute/observer.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace device::check {

class cells_of;

//! The state of the race check for a block that is being executed.
struct raced_block {
  static constexpr std::uint64_t max_shared = std::uint64_t{256} << 10;

  block_order order;
  shadow_memory shared{0, max_shared};
  time_stamp dead = 0;    //!< stamps up to here in `shared` are of other blocks
  time_stamp loaded = 0;  //!< when one of its threads made a strong load last
  //! of the first block of a cluster: what its threads let each other know at the cluster's barrier
  released at_cluster;
  //! by helper: when its groups that nobody has waited for were committed
  std::unordered_map<thread_id, std::vector<time_stamp>> groups{};
};

//! Finds data races: two threads access one byte, at least one writes, not both accesses are
//! strong, and nothing orders them.
//!
//! A thread's own accesses are ordered; bar.warp.sync orders lanes, barriers order warps, and a
//! release pattern and an acquire pattern on one location order all threads (PTX ISA, memory
//! consistency model). All reads of a place since its last write are remembered, within the limits
//! of reader_lists; of its strong accesses the latest read and write are. A kernel that a thread
//! launches knows what the thread knew then. Memory of the kernels' own heap is not checked any
//! more once some of it was freed. Takes 7 bytes for each byte that was accessed, where accesses
//! are of 4 bytes or more, 14 or 28 for pages with accesses of 2 bytes or one, a quarter for pages
//! of which warps accessed rows of 32 words only, and up to 24 MiB for
//! earlier readers.
class race_check {
 public:
  //! \param begin,end the addresses of most of the global memory, [begin, end).
  race_check(std::uint64_t begin, std::uint64_t end) : global_(begin, end) {}

  void begin(launch const&);
  void begin(block const&, raced_block&);
  //! \param owner the block whose shared memory it is.
  void access(memory_access const&, raced_block&, raced_block& owner);
  //! Groups of asynchronous accesses.
  void commit(warp const&, asynchronous, lane_mask, raced_block&);
  void wait(warp const&, asynchronous, lane_mask, std::uint64_t pending, raced_block&);
  //! The barrier of a cluster, whose state `of_cluster` holds.
  void arrive_at_cluster(warp const&, lane_mask, raced_block&, raced_block& of_cluster,
                         bool releases);
  void wait_for_cluster(warp const&, lane_mask, raced_block&, raced_block& of_cluster);
  [[nodiscard]] order& ordering() { return order_; }
  //! A lane launches a kernel of the family, launch_origin::number.
  void launches(warp const&, int lane, std::uint64_t number, raced_block&);

 private:
  //! A grid of the family that a launch by the host begins, and what its threads know at first.
  struct member {
    launch shape;  //!< without what it runs with
    clock known{};
  };
  //! The access at hand, with times that decide most checks quickly.
  struct view {
    memory_access const* access;
    raced_block* raced;
    shadow_memory* memory;
    time_stamp dead;    //!< stamps up to here are of what happened before
    time_stamp own;     //!< those of the same block
    time_stamp synced;  //!< those of the same warp
    thread_id first;    //!< the warp's first thread
    site_id site;
    bool reported = false;

    //! The thread whose access it is, for the access's lane t.
    [[nodiscard]] thread_id thread(std::uint32_t t) const {
      return first + (access->issuer < 0 ? t : static_cast<std::uint32_t>(access->issuer));
    }
    //! The one that makes it: the thread, or its helper.
    [[nodiscard]] thread_id maker(std::uint32_t t) const {
      return helper_of(thread(t), static_cast<std::uint32_t>(access->by));
    }
  };
  //! The kind of the other access, for the message.
  enum class earlier : std::uint8_t {
    read,
    write,
    strong_read,
    strong_write,
    same_instruction,
    without_proxy_fence
  };

  order order_;
  shadow_memory global_;
  site_table sites_;
  time_stamp dead_ = 0;
  std::uint64_t latest_block_ = 0;
  //! by block_id: when one of its threads made a strong store last
  std::vector<time_stamp> stored_;
  std::uint64_t generation_ = 0;             //!< of global memory, when the launch began
  std::map<std::uint64_t, member> members_;  //!< by launch::first_block
  //! what is known when a launch has ended, as far as its own accesses and what it knew at first
  //! are; until it begins, what the thread that launches knows: by launch_origin::number
  std::unordered_map<std::uint64_t, clock> known_at_;
  std::unordered_map<std::uint64_t, std::uint64_t> begun_;  //!< its launch::first_block

  reader_lists readers_;

  [[nodiscard]] clock known_at_begin(launch const&);
  //! True for accesses of threads themselves to one, two or four words.
  [[nodiscard]] static bool has_words(memory_access const&);
  //! For the usual case: aligned accesses of this kind where no strong accesses are remembered.
  //! Gives the first cell of each active lane's; false if it is another case, with nothing done.
  [[nodiscard]] static bool find_words(view const&, cell* (&first)[lanes]);
  //! `f(cell, lane, thread, word)` for the words of each active lane, after the order with their
  //! latest writes was checked.
  template <int Words, class F>
  void each_word(view&, cell* const (&first)[lanes], F const& f);
  //! Notes that lanes read word k of lane t's, whose thread is `me`.
  void note_read(view const&, cell&, std::uint32_t t, thread_id me, int k, lane_mask readers);
  //! The row of words that a warp accesses lane by lane.
  struct row_place {
    shadow_page* page = nullptr;  //!< null: it is another case
    std::size_t number = 0;

    [[nodiscard]] bool is_whole() const {
      return page != nullptr && (page->whole >> number & 1) != 0;
    }
    void make_whole() const { page->whole = static_cast<std::uint8_t>(page->whole | 1U << number); }
    [[nodiscard]] cell& row() const { return page->row[number]; }
  };
  [[nodiscard]] static row_place find_row(view const&);
  //! True if each lane's access comes after the latest write of its word, by a quick look.
  [[nodiscard]] static bool row_is_ordered(view const&, cell const& row);
  //! load() and store() of rows; false if it is another case, with nothing done.
  [[nodiscard]] bool load_row(view const&);
  [[nodiscard]] bool store_row(view&);
  //! load() of lanes that all read the same words, in the usual case; false if it is another case,
  //! or a race, with nothing done.
  [[nodiscard]] bool load_same_words(view&);
  //! Checks the order of stores of as many words for each lane.
  template <int Words>
  void check_stores(view&, cell* const (&first)[lanes]);
  //! load() and store() of as many words for each lane.
  template <int Words>
  void load_words(view&, cell* const (&first)[lanes]);
  template <int Words>
  void store_words(view&, cell* const (&first)[lanes]);
  void load(view&);
  //! A place's latest read becomes an earlier one, unless it is known to have been before the new.
  void add_earlier_read(view const&, cell&, thread_id maker, std::uint32_t byte);
  void store(view&);
  void strong(view&);
  void strong_lane(view&, std::uint32_t lane, cells_of&);
  void write_twice(view&);
  //! True if a block may have notified another one, without a fence, that it has read a word: a
  //! value computed from the word cannot be seen before the word was read. The look-back of
  //! algorithms that write over their input relies on it.
  [[nodiscard]] bool may_have_notified(view const&, thread_id me, thread_id reader,
                                       time_stamp when) const;
  //! Lanes' writes after plain reads of `byte` of its page.
  void meet_reads(view&, std::uint32_t lane, std::uint64_t address, cell const&,
                  std::uint32_t byte);
  [[nodiscard]] static bool ordered(view const&, thread_id me, thread_id other, time_stamp when);
  //! A plain access meets strong ones.
  void meet_strong(view&, std::uint32_t lane, std::uint64_t address, strong_cell&, bool writes);
  //! Another lane of the warp of `me` that comes after what `other`, of another warp, did then: an
  //! acquire by one lane, for instance, whose result the others learn by a shuffle.
  [[nodiscard]] static std::optional<thread_id> lane_after(view const&, thread_id me,
                                                           thread_id other, time_stamp when);
  void report(view&, std::uint32_t lane, std::uint64_t address, thread_id other, time_stamp when,
              site_id, earlier);
};

}  // namespace device::check
