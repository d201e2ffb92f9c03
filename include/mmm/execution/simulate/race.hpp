// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
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

//! Two threads that use one word in one step, at least one of them writing. On a hierarchical
//! machine also two DMMs that use one word of the global memory between two machine-wide barriers.
struct race {
  race_kind kind;
  index step;          //!< parallel-fors before it, counted as model.md's lock step does, from 0
  memory_space space;  //!< where the word is
  index dmm;           //!< the DMM of the second item; 0 for machines without
  index first_item;    //!< the item whose access came first in the simulation
  index second_item;   //!< the other one
  index address;       //!< the word
  friend constexpr bool operator==(race const&, race const&) = default;
};

namespace detail {

//! The users of a word in one epoch: of each kind two different users, so that any third is
//! different from one of them.
struct word_users {
  struct user {
    index id;
    index item;
  };
  index epoch = 0;
  int readers = 0;
  int writers = 0;
  user reader[2] = {};
  user writer[2] = {};

  [[nodiscard]] static user const* other(user const (&list)[2], int count, index id) {
    for (int k = 0; k < count; ++k)
      if (list[k].id != id) return &list[k];
    return nullptr;
  }
  static void note(user (&list)[2], int& count, user who) {
    if (count == 2 || (count == 1 && list[0].id == who.id)) return;
    list[count++] = who;
  }
  //! Notes a use; calls `found(kind, item)` for users that it races with.
  template <class Found>
  void use(index now, user who, bool writes, Found found) {
    if (epoch != now) {
      epoch = now;
      readers = writers = 0;
    }
    if (writes) {
      if (user const* o = other(reader, readers, who.id)) found(race_kind::read_write, o->item);
      if (user const* o = other(writer, writers, who.id)) found(race_kind::write_write, o->item);
      note(writer, writers, who);
    } else {
      if (user const* o = other(writer, writers, who.id)) found(race_kind::read_write, o->item);
      note(reader, readers, who);
    }
  }
};

//! The users of a word in one epoch, as long as they do not race: a user is the number of a use of
//! memory by a lane, from which the detector knows the thread.
//!
//! Without a race, either one thread reads and writes the word, or any number of threads read it,
//! of which two are kept.
struct calm_users {
  std::uint64_t tag = 0;                          //!< epoch * 16 + readers * 4 + writers
  std::uint32_t user[2]{};                        //!< two readers; or a reader and a writer
  static constexpr std::uint64_t racing = 3 * 4;  //!< in place of readers: see racing_word
};

//! What is known of a word once there is a race for it.
struct racing_word {
  word_users in_step;
  word_users between;  //!< DMMs
  index reported[2] = {-1, -1};
};

//! Finds races. One per simulation, whose DMMs run one after the other or in turn. Memory: 16 bytes
//! per word that is used, 32 in the global memory of a hierarchical machine.
class race_detector {
 public:
  //! Only the first 1000 races are reported; all are counted.
  static constexpr index most_reported = 1000;

  //! \param width lanes of a warp.
  explicit race_detector(index width) : width_(width) {}

  //! A parallel-for of one DMM begins; `number` is its number in lock step. It goes on with the
  //! step of those before it that did not end in a barrier.
  void begin_step(index number, index dmm) {
    auto const d = static_cast<std::size_t>(dmm);
    if (open_.size() <= d) open_.resize(d + 1, 0);
    if (open_[d] == 0) open_[d] = ++last_epoch_;
    step_epoch_ = open_[d];
    step_ = number;
    dmm_ = dmm;
  }
  //! A barrier of one DMM. `alone`: no other DMM remembers who used what.
  void end_step(index dmm, bool alone) {
    open_[static_cast<std::size_t>(dmm)] = 0;
    if (alone) warps_.clear();
  }
  //! A machine-wide barrier.
  void barrier() {
    ++phase_epoch_;
    for (index& epoch : open_) epoch = 0;
    warps_.clear();
  }
  //! A warp of the current step begins. std::length_error for more uses between two barriers than
  //! are told apart.
  void begin_warp(index first_item, index first_thread) {
    index const number = static_cast<index>(warps_.size()) * width_;
    if (number > index{UINT32_MAX} - width_)
      reject_length("items between two barriers while races are watched", number + width_,
                    UINT32_MAX);
    first_user_ = static_cast<std::uint32_t>(number);
    warps_.push_back({first_item, first_thread, dmm_});
  }

  //! The lanes `t = 0 … lanes - 1` of the current warp for which `active(t)` use the `words` words
  //! from `address(t)` on. `between_dmms`: other DMMs use the same memory.
  template <class Address, class Active>
  MMM_ALWAYS_INLINE void use(memory_space space, int lanes, index words, Address address,
                             Active active, bool writes, bool between_dmms) {
    auto const number =
        space == memory_space::global ? std::size_t{0} : static_cast<std::size_t>(1 + dmm_);
    if (memories_.size() <= number) memories_.resize(number + 1);
    memory& of = memories_[number];
    of.space = space;
    auto const step_epoch = static_cast<std::uint64_t>(step_epoch_);
    shadow::cursor in_step(of.in_step);
    shadow::cursor between(of.between);
    for (int t = 0; t < lanes; ++t) {
      if (!active(t)) continue;
      auto const user = first_user_ + static_cast<std::uint32_t>(t);
      for (index word = address(t), end = word + words; word < end; ++word) {
        calm_users& c = in_step.at(word);
        if (!is_calm(c, step_epoch, user, writes)) [[unlikely]]
          use_in_step(of, c, word, user, writes, between_dmms);
        if (between_dmms) {
          calm_users& b = between.at(word);
          if (!is_calm(b, static_cast<std::uint64_t>(phase_epoch_), user, writes)) [[unlikely]]
            use_between(of, b, word, user, writes);
        }
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
    index dmm;
  };
  //! A record for every word, in blocks that are there once one of their words is used.
  class shadow {
    static constexpr std::size_t block = 1024;

   public:
    //! Finds records; quicker where they are near the one before.
    class cursor {
     public:
      MMM_ALWAYS_INLINE explicit cursor(shadow& of) : of_(of) {}
      [[nodiscard]] MMM_ALWAYS_INLINE calm_users& at(index word) {
        auto const place = static_cast<std::size_t>(word);
        if (place / block != number_) [[unlikely]] {
          number_ = place / block;
          records_ = of_.block_at(number_);
        }
        return records_[place % block];
      }

     private:
      shadow& of_;
      std::size_t number_ = SIZE_MAX;
      calm_users* records_ = nullptr;
    };

   private:
    [[nodiscard]] MMM_ALWAYS_INLINE calm_users* block_at(std::size_t number) {
      if (number >= blocks_.size() || blocks_[number].first == nullptr) [[unlikely]]
        add(number);
      return blocks_[number].first;
    }
    [[gnu::noinline]] void add(std::size_t number) {
      if (number >= blocks_.size()) blocks_.resize(number + 1);
      // As zeros that the system may have at hand.
      auto* const records = static_cast<calm_users*>(std::calloc(block, sizeof(calm_users)));
      if (records == nullptr) throw std::bad_alloc();
      blocks_[number].first = records;
    }
    struct records_of_block {
      calm_users* first = nullptr;
      records_of_block() = default;
      records_of_block(records_of_block&& other) noexcept : first(other.first) {
        other.first = nullptr;
      }
      records_of_block& operator=(records_of_block&&) = delete;
      ~records_of_block() { std::free(first); }
    };
    std::vector<records_of_block> blocks_{};
  };
  struct memory {
    shadow in_step{};
    shadow between{};
    word_table<racing_word> racing{};
    memory_space space = memory_space::shared;
  };

  //! Notes the uses that are most frequent: the first one, and those of the same lane after it, or
  //! reads of a word that others read. False if it is another one.
  [[nodiscard]] MMM_ALWAYS_INLINE static bool is_calm(calm_users& c, std::uint64_t epoch,
                                                      std::uint32_t user, bool writes) {
    std::uint64_t const first = epoch << 4;
    if (c.tag >> 4 != epoch) {
      c.tag = first | (writes ? 1 : 4);
      c.user[writes ? 1 : 0] = user;
      return true;
    }
    if (!writes) return c.tag == (first | 8) || (c.tag == (first | 4) && c.user[0] == user);
    if (c.tag != (first | 4) || c.user[0] != user) return false;
    c.tag = first | 5;
    c.user[1] = user;
    return true;
  }

  //! The same for all uses. `same(a, b)`: whether two users are one thread, or of one DMM. False if
  //! there is a race.
  template <class Same>
  [[nodiscard]] static bool stays_calm(calm_users& c, std::uint32_t user, bool writes, Same same) {
    std::uint64_t const readers = c.tag >> 2 & 3;
    std::uint64_t const writers = c.tag & 3;
    if (readers == 3) return false;
    if (readers == 2) return !writes;
    if (writers == 1 && !same(c.user[1], user)) return false;
    if (writes) {
      if (readers == 1 && !same(c.user[0], user)) return false;
      if (writers == 0) c.user[1] = user;
      c.tag |= 1;
    } else if (readers == 0) {
      c.user[0] = user;
      c.tag += 4;
    } else if (!same(c.user[0], user)) {
      c.user[1] = user;  // there is no writer: it would be the reader of before
      c.tag += 4;
    }
    return true;
  }

  //! What `calm` knows, for users whose identity is `id(user)`.
  template <class Id>
  [[nodiscard]] word_users all_of(calm_users const& calm, index epoch, Id id) const {
    word_users all;
    all.epoch = epoch;
    all.readers = static_cast<int>(calm.tag >> 2 & 3);
    all.writers = static_cast<int>(calm.tag & 3);
    auto const as_user = [&](std::uint32_t u) { return word_users::user{id(u), item_of(u)}; };
    for (int k = 0; k < all.readers; ++k) all.reader[k] = as_user(calm.user[k]);
    if (all.writers == 1) all.writer[0] = as_user(calm.user[1]);
    return all;
  }

  [[gnu::noinline]] void use_in_step(memory& of, calm_users& c, index word, std::uint32_t user,
                                     bool writes, bool between_dmms) {
    auto const thread = [this](std::uint32_t u) { return thread_of(u); };
    auto const same = [&](std::uint32_t a, std::uint32_t b) { return thread(a) == thread(b); };
    if (stays_calm(c, user, writes, same)) return;
    racing_word& racing = of.racing[word];
    if ((c.tag & calm_users::racing) != calm_users::racing)
      racing.in_step = all_of(c, step_epoch_, thread);
    c.tag |= calm_users::racing;
    racing.in_step.use(
        step_epoch_, {thread(user), item_of(user)}, writes, [&](race_kind kind, index other_item) {
          found(racing, kind, other_item, item_of(user), word, between_dmms, of.space);
        });
  }
  [[gnu::noinline]] void use_between(memory& of, calm_users& c, index word, std::uint32_t user,
                                     bool writes) {
    auto const dmm = [this](std::uint32_t u) { return warp_of(u).dmm; };
    auto const same = [&](std::uint32_t a, std::uint32_t b) { return dmm(a) == dmm(b); };
    if (stays_calm(c, user, writes, same)) return;
    racing_word& racing = of.racing[word];
    if ((c.tag & calm_users::racing) != calm_users::racing)
      racing.between = all_of(c, phase_epoch_, dmm);
    c.tag |= calm_users::racing;
    racing.between.use(phase_epoch_, {dmm(user), item_of(user)}, writes,
                       [&](race_kind kind, index other_item) {
                         found(racing, kind, other_item, item_of(user), word, true, of.space);
                       });
  }

  //! A step is known by its epoch, between DMMs by its number, as both of them may see it.
  void found(racing_word& at, race_kind kind, index first_item, index second_item, index address,
             bool between_dmms, memory_space space) {
    index const key = between_dmms ? step_ : step_epoch_;
    index& reported = at.reported[kind == race_kind::read_write ? 0 : 1];
    if (reported == key) return;
    reported = key;
    ++count_;
    if (count_ <= most_reported)
      list_.push_back(race{kind, step_, space, dmm_, first_item, second_item, address});
  }

  [[nodiscard]] warp const& warp_of(std::uint32_t user) const {
    return warps_[static_cast<std::size_t>(index{user} / width_)];
  }
  [[nodiscard]] index item_of(std::uint32_t user) const {
    return warp_of(user).first_item + index{user} % width_;
  }
  [[nodiscard]] index thread_of(std::uint32_t user) const {
    return warp_of(user).first_thread + index{user} % width_;
  }

  index width_;
  std::vector<memory> memories_{};  //!< the global one, then every DMM's
  std::vector<warp> warps_{};       //!< since all users were forgotten last
  std::uint32_t first_user_ = 0;    //!< the first lane of the current warp
  std::vector<index> open_{};       //!< every DMM's step: 0 after a barrier
  index last_epoch_ = 0;
  index step_epoch_ = 0;
  index phase_epoch_ = 1;
  index step_ = 0;
  index dmm_ = 0;
  index count_ = 0;
  std::vector<race> list_{};
};

}  // namespace detail
}  // namespace mmm
