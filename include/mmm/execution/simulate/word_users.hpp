// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/machine/access_kind.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

//! The users of a word, as the race detector stores them: in 8 bytes as long as there are two, in
//! 16 more as long as they do not race, and otherwise in a list for each kind of access.
namespace mmm {

//! Two uses of one word by two threads without a barrier in between.
enum class race_kind : std::uint8_t {
  read_write,  //!< one reads what the other writes
  write_write  //!< both write
};

namespace detail {

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

//! One or two users of a word in an epoch, in 8 bytes. A user is the number of a use of memory by a
//! lane, from which the detector knows thread, step and DMM. An epoch is a step or, in a memory
//! that DMMs share, all steps up to the next machine-wide barrier. Numbers are given out in
//! ascending order, so that a word with a user below the epoch's first one has not been used in the
//! epoch.
class short_users {
 public:
  enum state : std::uint32_t {
    reads,
    writes,
    updates,
    reads_and_writes,  //!< the first user reads, the second one, maybe the same, writes
    two_readers,
    two_covering_readers,   //!< further ones need not be known
    two_covering_updaters,  //!< the same for updates
    others                  //!< see calm_users
  };
  static constexpr int state_bits = 3;
  static constexpr std::uint32_t max_user = UINT32_MAX >> state_bits;

  short_users() = default;
  MMM_ALWAYS_INLINE constexpr short_users(state s, std::uint32_t first, std::uint32_t second)
      : first_(first << state_bits | s), second_(second) {}

  [[nodiscard]] constexpr std::uint32_t first() const { return first_ >> state_bits; }
  [[nodiscard]] constexpr std::uint32_t second() const { return second_; }
  [[nodiscard]] constexpr state is() const {
    return static_cast<state>(first_ & ((1U << state_bits) - 1));
  }
  //! True if nobody has used the word since `user` was the next one.
  [[nodiscard]] MMM_ALWAYS_INLINE constexpr bool before(std::uint32_t user) const {
    return first_ < user << state_bits;
  }
  //! Notes the first use in an epoch.
  MMM_ALWAYS_INLINE constexpr void note_first(std::uint32_t user, access_kind op) {
    first_ = user << state_bits | static_cast<std::uint32_t>(op == access_kind::read    ? reads
                                                             : op == access_kind::write ? writes
                                                                                        : updates);
  }
  //! Notes the most frequent uses of a word that has been used in the epoch: by the same lane, or
  //! reads of a word that others read, or updates of one that others update. False if it is another
  //! one.
  [[nodiscard]] MMM_ALWAYS_INLINE constexpr bool note(std::uint32_t user, access_kind op) {
    std::uint32_t const own = user << state_bits;
    if (op == access_kind::update)
      return first_ == (own | updates) || is() == two_covering_updaters;
    if (op == access_kind::read)
      return first_ == (own | reads) || first_ == (own | reads_and_writes) ||
             is() == two_covering_readers;
    if (first_ == (own | reads)) *this = short_users(reads_and_writes, user, user);
    return first_ == (own | writes) || (first_ == (own | reads_and_writes) && second_ == user);
  }

 private:
  std::uint32_t first_ = 0;
  std::uint32_t second_ = 0;
};

//! The users of a word in one epoch, as long as they do not race.
//!
//! Without a race, at most one DMM writes the word. Two readers are stored: of different DMMs, or
//! of different threads of the last step in which one reads; so a use that races with any earlier
//! reader races with a stored one. Threads that only update the word in an epoch are stored in
//! place of the readers. A word that is both updated and used otherwise gets a racing_word, like
//! one with a race.
struct calm_users {
  std::uint32_t reader[2]{};
  std::uint32_t writer = 0;
  std::uint8_t readers : 2 = 0;  //!< their number
  bool written : 1 = false;
  bool updated : 1 = false;  //!< by the readers, who read and write at once
  bool covered : 1 = false;  //!< no further reader needs to be known
  bool racing : 1 = false;   //!< see racing_word

  calm_users() = default;
  //! The users of a short record that says them all.
  explicit calm_users(short_users const& word) {
    using is = short_users;
    auto const state = word.is();
    bool const two = state == is::two_readers || state == is::two_covering_readers ||
                     state == is::two_covering_updaters;
    readers = state == is::writes ? 0U : two ? 2U : 1U;
    written = state == is::writes || state == is::reads_and_writes;
    updated = state == is::updates || state == is::two_covering_updaters;
    covered = state == is::two_covering_readers || state == is::two_covering_updaters;
    reader[0] = word.first();
    reader[1] = word.second();
    writer = state == is::writes ? word.first() : word.second();
  }
  //! The short record after a use by `user`. If its state is `others`, the users have to be stored.
  [[nodiscard]] short_users shortened(std::uint32_t user) const {
    using is = short_users;
    if (racing || (readers == 2 && (written || (updated && !covered))))
      return {is::others, user, 0};
    if (readers == 0) return {is::writes, writer, 0};
    if (written) return {is::reads_and_writes, reader[0], writer};
    if (readers == 1) return {updated ? is::updates : is::reads, reader[0], 0};
    return {!covered  ? is::two_readers
            : updated ? is::two_covering_updaters
                      : is::two_covering_readers,
            reader[0], reader[1]};
  }
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

}  // namespace detail
}  // namespace mmm
