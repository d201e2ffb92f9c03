// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/source_line.hpp>
#include <mmm/execution/simulate/large_pages.hpp>
#include <mmm/execution/simulate/trace.hpp>
#include <mmm/execution/simulate/word_table.hpp>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

//! Races: exactly, word by word and step by step.
namespace mmm {

//! Two uses of one word by two threads without a barrier in between.
enum class race_kind : std::uint8_t {
  read_write,  //!< one reads what the other writes
  write_write  //!< both write
};

//! Two threads that use one word in one step, at least one of them writing, not both of them by
//! atomic updates. An update counts as a write here. On a hierarchical
//! machine also two DMMs that use one word of the global memory between two machine-wide barriers.
struct race {
  race_kind kind;
  index step;          //!< the parallel-for of the second item, numbered as mmm::profile does
  memory_space space;  //!< where the word is
  index dmm;           //!< the DMM of the second item; 0 for machines without
  index first_item;    //!< the item whose access came first in the simulation
  index second_item;   //!< the other one
  index address;       //!< the word
  source_line place;   //!< of the second item's parallel-for
  //! The parallel-for of the first item: another one only if no barrier separates the two.
  index first_step = step;
  source_line first_place = place;
  friend constexpr bool operator==(race const&, race const&) = default;
};

namespace detail {

//! A parallel-for in a program's text.
struct program_step {
  index number = 0;  //!< from 0; a loop's are the same in all trips, as in a profile
  source_line place{};
  friend constexpr bool operator==(program_step const&, program_step const&) = default;
};

//! The users of a word in one epoch: of each kind two different users, so that any third is
//! different from one of them.
struct word_users {
  struct user {
    index id;
    index item;
    std::uint32_t step;  //!< among race_detector's
  };
  index epoch = 0;
  //! by mmm::access_kind
  static constexpr int kinds = 3;
  int count[kinds] = {};
  user list[kinds][2] = {};

  [[nodiscard]] static user const* other(user const (&list)[2], int count, index id) {
    for (int k = 0; k < count; ++k)
      if (list[k].id != id) return &list[k];
    return nullptr;
  }
  static void note(user (&list)[2], int& count, user added) {
    if (count == 2 || (count == 1 && list[0].id == added.id)) return;
    list[count++] = added;
  }
  //! Notes a use; calls `found(kind, user)` for each user that it races with. Reads do not race
  //! with reads, nor updates with updates.
  template <class Found>
  void use(index now, user added, access_kind op, Found found) {
    if (epoch != now) {
      epoch = now;
      for (int& n : count) n = 0;
    }
    for (int k = 0; k < kinds; ++k) {
      auto const before = static_cast<access_kind>(k);
      if (before == op && op != access_kind::write) continue;
      bool const reads = before == access_kind::read || op == access_kind::read;
      if (user const* o = other(list[k], count[k], added.id))
        found(reads ? race_kind::read_write : race_kind::write_write, *o);
    }
    auto const own = static_cast<std::size_t>(op);
    note(list[own], count[own], added);
  }
};

//! The users of a word in one epoch, as long as they do not race. A user is the number of a use of
//! memory by a lane, from which the detector knows thread, step and DMM. An epoch is a step or, in
//! a memory that DMMs share, all steps up to the next machine-wide barrier.
//!
//! Without a race, at most one DMM writes the word. Two readers are stored: of different DMMs, or
//! of different threads of the last step in which one reads; so a use that races with any earlier
//! reader races with a stored one. Threads that only update the word in an epoch are stored in
//! place of the readers. A word that is both updated and used otherwise gets a racing_word, like
//! one with a race.
struct calm_users {
  static constexpr std::uint32_t readers = 3;  //!< their number
  static constexpr std::uint32_t written = 4;
  static constexpr std::uint32_t covered = 8;   //!< no further reader needs to be known
  static constexpr std::uint32_t racing = 16;   //!< see racing_word
  static constexpr std::uint32_t updated = 32;  //!< by the readers, who read and write at once
  static constexpr int state_bits = 6;
  std::uint32_t tag = 0;  //!< the epoch and the state
  std::uint32_t reader[2]{};
  std::uint32_t writer = 0;
};

//! Finds races, one for each step, word and kind, whatever the number of threads. One detector per
//! simulation, whose DMMs run one after the other or in turn. Memory: 16 bytes per word in use.
//! \tparam Width the machine's width_parameter. A template, so that programs that are simulated
//! without it do not compile it.
template <class Width>
class race_detector {
 public:
  //! Only the first 1000 races are reported; all are counted.
  static constexpr index max_reported = 1000;

  //! \param width lanes of a warp.
  explicit race_detector(Width const& width) : width_(width) {}

  //! A parallel-for of one DMM begins; `number` is its number in lock step, which counts a loop's
  //! trips. It belongs to the step of the parallel-fors before it that did not end in a barrier.
  //! std::length_error for more steps between two machine-wide barriers than are told apart.
  void begin_step(index number, index dmm, program_step const& in_text) {
    auto const d = static_cast<std::size_t>(dmm);
    if (open_.size() <= d) open_.resize(d + 1, 0);
    if (open_[d] == 0) {
      if (last_epoch_ == max_epochs)
        reject_length("steps between two barriers while races are watched", last_epoch_ + 1,
                      max_epochs);
      open_[d] = ++last_epoch_;
    }
    step_epoch_ = open_[d];
    step_ = number;
    in_text_ = in_text;
    dmm_ = dmm;
  }
  //! A barrier of one DMM. `alone`: no other DMM remembers who used what.
  void end_step(index dmm, bool alone) {
    open_[static_cast<std::size_t>(dmm)] = 0;
    if (alone) forget_users();
  }
  //! A machine-wide barrier.
  void barrier() {
    ++phase_epoch_;
    for (index& epoch : open_) epoch = 0;
    forget_users();
  }
  //! A warp of the current step begins. std::length_error for more uses between two barriers than
  //! are told apart.
  void begin_warp(index first_item, index first_thread) {
    index const number = static_cast<index>(warps_.size()) * width_.width();
    if (number > index{UINT32_MAX} - width_.width())
      reject_length("items between two barriers while races are watched", number + width_.width(),
                    UINT32_MAX);
    first_user_ = static_cast<std::uint32_t>(number);
    if (steps_.empty() || !(steps_.back() == in_text_)) steps_.push_back(in_text_);
    warps_.push_back({first_item, first_thread, static_cast<std::int32_t>(dmm_),
                      static_cast<std::uint32_t>(steps_.size() - 1), step_epoch_});
  }

  //! The lanes `t = 0 … lanes - 1` of the current warp for which `active(t)` use the `words` words
  //! from `address(t)` on. `in_a_row`: lane t's word is the one after lane t - 1's. `anywhere`: the
  //! addresses are no arithmetic sequence. `between_dmms`: other DMMs use the same memory.
  template <class Address, class Active>
  MMM_ALWAYS_INLINE void use(memory_space space, int lanes, index words, Address address,
                             bool in_a_row, bool anywhere, Active active, access_kind op,
                             bool between_dmms) {
    auto const number =
        space == memory_space::global ? std::size_t{0} : static_cast<std::size_t>(1 + dmm_);
    if (memories_.size() <= number) memories_.resize(number + 1);
    memory& used = memories_[number];
    used.space = space;
    index const epoch = between_dmms ? phase_epoch_ : step_epoch_;
    auto const first = static_cast<std::uint32_t>(epoch) << calm_users::state_bits;
    typename shadow::cursor records(used.records);
    if (in_a_row && active(0)) {  // the address of an inactive lane may be no word
      calm_users* const row = records.row(address(0), lanes);
      bool fresh = row != nullptr;
      if (fresh)
        for (int t = 0; t < lanes; ++t) fresh &= is_fresh(row[t], first) && active(t);
      if (fresh) {
        for (int t = 0; t < lanes; ++t)
          note_first_use(row[t], first, first_user_ + static_cast<std::uint32_t>(t), op);
        return;
      }
    } else if (anywhere && used.records.large()) {
      for (int t = 0; t < lanes; ++t)  // all are fetched before the first of them is examined
        if (active(t)) prefetch(&records.at(address(t)));
    }
    for (int t = 0; t < lanes; ++t) {
      if (!active(t)) continue;
      auto const user = first_user_ + static_cast<std::uint32_t>(t);
      for (index word = address(t), end = word + words; word < end; ++word) {
        calm_users& c = records.at(word);
        if (!is_calm(c, first, user, op)) [[unlikely]]
          use_again(used, c, epoch, word, user, op, between_dmms);
      }
    }
  }

  [[nodiscard]] index count() const { return count_; }
  [[nodiscard]] std::vector<race>& list() { return list_; }

 private:
  //! A warp that used memory.
  struct warp {
    index first_item;
    index first_thread;
    std::int32_t dmm;
    std::uint32_t step;  //!< among steps_
    index step_epoch;
  };
  //! A record for every word, in blocks that are there once one of their words is used. Where many
  //! are, a whole group of blocks is made at once, so that it can lie in large pages.
  class shadow {
    static constexpr std::size_t block = 1024;     // words
    static constexpr std::size_t group = 1024;     // blocks, of which only those in use cost memory
    static constexpr std::size_t max_single = 64;  // blocks

   public:
    //! Finds records; quicker where they are near the one before.
    class cursor {
     public:
      MMM_ALWAYS_INLINE explicit cursor(shadow& records) : shadow_(records) {}
      //! The records of `count` words in a row; null if they are not in one block.
      [[nodiscard]] MMM_ALWAYS_INLINE calm_users* row(index word, index count) {
        auto const place = static_cast<std::size_t>(word) % block;
        return place + static_cast<std::size_t>(count) <= block ? &at(word) : nullptr;
      }
      [[nodiscard]] MMM_ALWAYS_INLINE calm_users& at(index word) {
        auto const place = static_cast<std::size_t>(word);
        if (place / block != number_) [[unlikely]] {
          number_ = place / block;
          records_ = shadow_.block_at(number_);
        }
        return records_[place % block];
      }

     private:
      shadow& shadow_;
      std::size_t number_ = SIZE_MAX;
      calm_users* records_ = nullptr;
    };

    //! True if the records do not fit in a processor's nearer caches.
    [[nodiscard]] MMM_ALWAYS_INLINE bool large() const { return memory_.size() >= max_single; }

   private:
    [[nodiscard]] MMM_ALWAYS_INLINE calm_users* block_at(std::size_t number) {
      if (number >= blocks_.size() || blocks_[number] == nullptr) [[unlikely]]
        add(number);
      return blocks_[number];
    }
    [[gnu::noinline]] void add(std::size_t number) {
      bool const single = memory_.size() < max_single;
      std::size_t const first = single ? number : number / group * group;
      std::size_t const count = single ? 1 : group;
      if (blocks_.size() < first + count) blocks_.resize(first + count);
      memory_.reserve(memory_.size() + 1);
      // calloc, since the system may have pages of zeros at hand.
      auto* const records =
          static_cast<calm_users*>(std::calloc(count * block, sizeof(calm_users)));
      if (records == nullptr) throw std::bad_alloc();
      memory_.emplace_back(records);
      prefer_large_pages(records, count * block * sizeof(calm_users));
      for (std::size_t k = 0; k < count; ++k)
        if (blocks_[first + k] == nullptr) blocks_[first + k] = records + k * block;
    }
    struct owned_records {
      calm_users* first = nullptr;
      explicit owned_records(calm_users* records) : first(records) {}
      owned_records(owned_records&& other) noexcept : first(other.first) { other.first = nullptr; }
      owned_records& operator=(owned_records&&) = delete;
      ~owned_records() { std::free(first); }
    };
    std::vector<calm_users*> blocks_{};
    std::vector<owned_records> memory_{};
  };
  //! The users of a word with a race, or of one that is both updated and used otherwise.
  struct racing_word {
    struct users_of_dmm {
      index dmm;
      word_users users;
    };
    index epoch = 0;
    word_users between{};                 //!< DMMs
    std::vector<users_of_dmm> in_step{};  //!< in the last step of each DMM
    std::vector<index> reported[2]{};     //!< steps of this epoch, for each kind of race, ascending

    //! Forgets what was before `now`.
    void enter(index now) {
      if (epoch == now) return;
      epoch = now;
      between = {};
      in_step.clear();
      for (auto& list : reported) list.clear();
    }
    [[nodiscard]] word_users& of_dmm(index dmm) {
      for (users_of_dmm& own : in_step)
        if (own.dmm == dmm) return own.users;
      in_step.push_back({dmm, {}});
      return in_step.back().users;
    }
    //! True unless a race of this kind was reported for the step.
    [[nodiscard]] bool is_new(race_kind kind, index step) {
      auto& list = reported[kind == race_kind::read_write ? 0 : 1];
      std::size_t low = 0;
      for (std::size_t high = list.size(); low < high;) {
        std::size_t const middle = (low + high) / 2;
        if (list[middle] < step)
          low = middle + 1;
        else
          high = middle;
      }
      if (low < list.size() && list[low] == step) return false;
      list.insert(list.begin() + static_cast<std::ptrdiff_t>(low), step);
      return true;
    }
  };
  struct memory {
    shadow records{};
    word_table<racing_word> racing{};
    memory_space space = memory_space::shared;
  };

  static constexpr index max_epochs = (index{1} << (32 - calm_users::state_bits)) - 1;

  MMM_ALWAYS_INLINE static void prefetch([[maybe_unused]] void const* cell) {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(cell, 1);
#endif
  }

  //! True if nobody has used the word in the epoch. `first`: the epoch's tag without a state.
  [[nodiscard]] MMM_ALWAYS_INLINE static bool is_fresh(calm_users const& c, std::uint32_t first) {
    return (c.tag - first) >> calm_users::state_bits != 0;
  }
  //! Notes the use of a fresh word.
  MMM_ALWAYS_INLINE static void note_first_use(calm_users& c, std::uint32_t first,
                                               std::uint32_t user, access_kind op) {
    bool const writes = op == access_kind::write;
    c.tag = first | (writes ? calm_users::written : 1) |
            (op == access_kind::update ? calm_users::updated : 0);
    (writes ? c.writer : c.reader[0]) = user;
  }

  //! Notes the uses that are most frequent: the first one, and those of the same lane after it, or
  //! reads of a word that others read, or updates of one that others update. False if it is another
  //! one.
  [[nodiscard]] MMM_ALWAYS_INLINE static bool is_calm(calm_users& c, std::uint32_t first,
                                                      std::uint32_t user, access_kind op) {
    bool const writes = op == access_kind::write;
    std::uint32_t state = c.tag - first;
    if (is_fresh(c, first)) {
      note_first_use(c, first, user, op);
      return true;
    }
    if (op == access_kind::update) state ^= calm_users::updated;
    if (!writes)
      return state == (2 | calm_users::covered) ||
             ((state & ~calm_users::written) == 1 && c.reader[0] == user);
    if (state == 1 && c.reader[0] == user) {
      c.tag |= calm_users::written;
      c.writer = user;
      return true;
    }
    return state == calm_users::written && c.writer == user;
  }

  //! True if users `a` and `b` race, should one of them write.
  [[nodiscard]] bool race_of(std::uint32_t a, std::uint32_t b) const {
    warp const& of_a = warp_of(a);
    warp const& of_b = warp_of(b);
    if (of_a.dmm != of_b.dmm) return true;
    return of_a.step_epoch == of_b.step_epoch && thread_of(a) != thread_of(b);
  }

  //! Notes a use as calm_users says. False if there is a race.
  [[nodiscard]] bool stays_calm(calm_users& c, std::uint32_t user, access_kind op,
                                bool between_dmms) const {
    if ((c.tag & calm_users::racing) != 0) return false;
    if (((c.tag & calm_users::updated) != 0) != (op == access_kind::update)) return false;
    bool const writes = op == access_kind::write;
    std::uint32_t const readers = c.tag & calm_users::readers;
    if ((c.tag & calm_users::written) != 0 && race_of(c.writer, user)) return false;
    if (writes) {
      for (std::uint32_t k = 0; k < readers; ++k)
        if (race_of(c.reader[k], user)) return false;
      c.writer = user;
      c.tag |= calm_users::written;
      return true;
    }
    if ((c.tag & calm_users::covered) != 0) return true;
    warp const& own = warp_of(user);
    warp const& last = warp_of(c.reader[0]);
    if (readers == 0 || (last.dmm == own.dmm && last.step_epoch != own.step_epoch)) {
      c.reader[0] = user;
      c.tag = (c.tag & ~calm_users::readers) | 1;
    } else if (race_of(c.reader[0], user) && (readers == 1 || last.dmm != own.dmm)) {
      c.reader[1] = user;
      c.tag = (c.tag & ~calm_users::readers) | 2;
      if (!between_dmms || last.dmm != own.dmm) c.tag |= calm_users::covered;
    }
    return true;
  }

  //! A use that is not the first one of its word in the epoch.
  [[gnu::noinline]] void use_again(memory& used, calm_users& c, index epoch, index word,
                                   std::uint32_t user, access_kind op, bool between_dmms) {
    if (stays_calm(c, user, op, between_dmms)) return;
    racing_word& racing = used.racing[word];
    racing.enter(epoch);
    if ((c.tag & calm_users::racing) == 0) note_all(racing, c);
    c.tag |= calm_users::racing;
    note(racing, user, op, [&](race_kind kind, word_users::user const& other) {
      if (racing.is_new(kind, between_dmms ? step_ : step_epoch_))
        found(kind, other, item_of(user), word, used.space);
    });
  }
  //! Calls `found(kind, user)` for users that this one races with.
  template <class Found>
  void note(racing_word& racing, std::uint32_t user, access_kind op, Found const& found) {
    warp const& own = warp_of(user);
    racing.of_dmm(own.dmm).use(own.step_epoch, {thread_of(user), item_of(user), own.step}, op,
                               found);
    racing.between.use(racing.epoch, {own.dmm, item_of(user), own.step}, op, found);
  }
  //! Notes the users of a word that have not raced, in the order of their steps.
  void note_all(racing_word& racing, calm_users const& c) {
    auto const nothing = [](race_kind, word_users::user const&) {};
    std::uint32_t const readers = c.tag & calm_users::readers;
    bool const writer = (c.tag & calm_users::written) != 0;
    bool const writer_first =
        writer && readers != 0 && warp_of(c.writer).step_epoch < warp_of(c.reader[0]).step_epoch;
    auto const reads = (c.tag & calm_users::updated) != 0 ? access_kind::update : access_kind::read;
    if (writer_first) note(racing, c.writer, access_kind::write, nothing);
    for (std::uint32_t k = 0; k < readers; ++k) note(racing, c.reader[k], reads, nothing);
    if (writer && !writer_first) note(racing, c.writer, access_kind::write, nothing);
  }

  void found(race_kind kind, word_users::user const& first, index second_item, index address,
             memory_space space) {
    ++count_;
    if (count_ > max_reported) return;
    program_step const& before = steps_[first.step];
    list_.push_back(race{kind, in_text_.number, space, dmm_, first.item, second_item, address,
                         in_text_.place, before.number, before.place});
  }

  //! Nobody races with a use of before. With it go the epochs, once half of their numbers are used.
  void forget_users() {
    warps_.clear();
    steps_.clear();
    if (last_epoch_ < max_epochs / 2 && phase_epoch_ < max_epochs / 2) return;
    memories_.clear();
    last_epoch_ = 0;
    phase_epoch_ = 1;
  }

  [[nodiscard]] warp const& warp_of(std::uint32_t user) const {
    return warps_[static_cast<std::size_t>(index{user} / width_.width())];
  }
  [[nodiscard]] index item_of(std::uint32_t user) const {
    return warp_of(user).first_item + index{user} % width_.width();
  }
  [[nodiscard]] index thread_of(std::uint32_t user) const {
    return warp_of(user).first_thread + index{user} % width_.width();
  }

  [[no_unique_address]] Width width_;
  std::vector<memory> memories_{};     //!< the global one, then every DMM's
  std::vector<warp> warps_{};          //!< since all users were forgotten last
  std::vector<program_step> steps_{};  //!< those of the warps, one after the other
  std::uint32_t first_user_ = 0;       //!< the first lane of the current warp
  std::vector<index> open_{};          //!< every DMM's step: 0 after a barrier
  index last_epoch_ = 0;
  index step_epoch_ = 0;
  index phase_epoch_ = 1;
  index step_ = 0;
  program_step in_text_{};
  index dmm_ = 0;
  index count_ = 0;
  std::vector<race> list_{};
};

}  // namespace detail
}  // namespace mmm
