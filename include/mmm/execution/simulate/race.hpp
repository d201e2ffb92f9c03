// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/source_line.hpp>
#include <mmm/core/word_table.hpp>
#include <mmm/execution/simulate/word_records.hpp>
#include <mmm/execution/simulate/word_users.hpp>
#include <mmm/machine/access_kind.hpp>
#include <mmm/machine/memory_space.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

//! Races: exactly, word by word and step by step.
namespace mmm {

//! Two threads that use one word in one step, at least one of them writing, not both of them by
//! atomic updates. An update counts as a write here. On a hierarchical
//! machine also two DMMs that use one word of the global memory between two machine-wide barriers,
//! or one word of a distributed array between two barriers of their cluster.
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

//! Finds races, one for each step, word and kind, whatever the number of threads. One detector per
//! simulation, whose DMMs run one after the other or in turn. Memory: 8 bytes per word
//! in use, and 16 more per word with three users or a race between two barriers.
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
  void begin_step(index number, index dmm, program_step const& in_text) {
    finish();
    auto const d = static_cast<std::size_t>(dmm);
    if (open_.size() <= d) open_.resize(d + 1, 0);
    if (open_[d] == 0) open_[d] = next_user();
    step_epoch_ = open_[d];
    step_ = number;
    in_text_ = in_text;
    dmm_ = dmm;
  }
  //! A barrier of one DMM. `alone`: no other DMM remembers who used what.
  void end_step(index dmm, bool alone) {
    finish();
    open_[static_cast<std::size_t>(dmm)] = 0;
    if (alone) forget_users();
  }
  //! DMMs of a cluster begin a step, after a barrier of the cluster.
  void begin_cluster_step(index first_dmm, index dmms) {
    for (index d = first_dmm; d < first_dmm + dmms; ++d)
      if (static_cast<std::size_t>(d) < open_.size()) end_step(d, false);
    cluster_epoch_ = next_user();
  }
  //! A machine-wide barrier.
  void barrier() {
    finish();
    for (index& epoch : open_) epoch = 0;
    forget_users();
    phase_epoch_ = next_user();
  }
  //! A warp of the current step begins. std::length_error for more uses between two barriers than
  //! are told apart.
  void begin_warp(index first_item, index first_thread) {
    index const number = next_user();
    if (number > index{short_users::max_user} - width_.width())
      reject_length("items between two barriers while races are watched", number + width_.width(),
                    short_users::max_user);
    first_user_ = static_cast<std::uint32_t>(number);
    if (steps_.empty() || !(steps_.back() == in_text_)) steps_.push_back(in_text_);
    warps_.push_back({first_item, first_thread, static_cast<std::int32_t>(dmm_),
                      static_cast<std::uint32_t>(steps_.size() - 1), step_epoch_});
  }

  //! The lanes `t = 0 … lanes - 1` of the current warp for which `active(t)` use the `words` words
  //! from `address(t)` on. `in_a_row`: lane t's word is the one after lane t - 1's. `scattered`:
  //! the addresses are no arithmetic sequence. `between_dmms`: other DMMs use the same memory.
  template <class Address, class Active>
  MMM_ALWAYS_INLINE void use(memory_space space, int lanes, index words, Address address,
                             bool in_a_row, bool scattered, Active active, access_kind op,
                             bool between_dmms) {
    finish();
    memory& used = memory_of(space);
    index const epoch = between_dmms ? phase_epoch_ : step_epoch_;
    auto const user = [this](int t)
                          MMM_INLINED_HERE { return first_user_ + static_cast<std::uint32_t>(t); };
    if (in_a_row && active(0)) {  // the address of an inactive lane may be no word
      short_users* const row = used.records.row(address(0), lanes);
      bool all = row != nullptr;
      for (int t = 0; all && t < lanes; ++t) all = active(t);
      if (all && note_row(row, lanes, static_cast<std::uint32_t>(epoch), op)) return;
    }
    if (scattered && words == 1 && used.records.large()) {
      delayed_.op = op;
      delayed_.space = space;
      delayed_.between_dmms = between_dmms;
      for (int t = 0; t < lanes; ++t) {
        if (!active(t)) continue;
        used.records.fetch(address(t));
        delayed_.use[delayed_.count++] = {address(t), user(t)};
      }
      return;
    }
    for (int t = 0; t < lanes; ++t) {
      if (!active(t)) continue;
      for (index word = address(t), end = word + words; word < end; ++word)
        note(used, epoch, word, user(t), op, between_dmms);
    }
  }

  //! The same for a distributed array's words, of the part that DMM `owner` has.
  template <class Address, class Active>
  void use_distributed(index owner, int lanes, index words, Address address, Active active,
                       access_kind op) {
    finish();
    if (distributed_.size() <= static_cast<std::size_t>(owner))
      distributed_.resize(static_cast<std::size_t>(owner) + 1);
    for (int t = 0; t < lanes; ++t) {
      if (!active(t)) continue;
      for (index word = address(t), end = word + words; word < end; ++word)
        note(distributed_[static_cast<std::size_t>(owner)], cluster_epoch_, word,
             first_user_ + static_cast<std::uint32_t>(t), op, true);
    }
  }

  [[nodiscard]] index count() {
    finish();
    return count_;
  }
  [[nodiscard]] std::vector<race>& list() {
    finish();
    return list_;
  }

 private:
  //! A warp that used memory.
  struct warp {
    index first_item;
    index first_thread;
    std::int32_t dmm;
    std::uint32_t step;  //!< among steps_
    index step_epoch;    //!< the first user of its step
  };
  struct memory {
    word_records<short_users> records{};
    word_records<calm_users> others{};  //!< of words in the state `others`
    word_table<racing_word> racing{};
    memory_space space = memory_space::shared;
  };

  //! The uses of scattered words by a warp. They are noted when the next ones come, so that the
  //! words' records are fetched meanwhile.
  struct delayed_uses {
    struct one {
      index word;
      std::uint32_t user;
    };
    int count = 0;
    access_kind op = access_kind::read;
    memory_space space = memory_space::shared;
    bool between_dmms = false;
    one use[Width::max_lanes];
  };
  MMM_ALWAYS_INLINE void finish() {
    if (delayed_.count != 0) note_delayed();
  }
  [[gnu::noinline]] void note_delayed() {
    memory& used = memory_of(delayed_.space);
    index const epoch = delayed_.between_dmms ? phase_epoch_ : step_epoch_;
    for (int k = 0; k < delayed_.count; ++k)
      note(used, epoch, delayed_.use[k].word, delayed_.use[k].user, delayed_.op,
           delayed_.between_dmms);
    delayed_.count = 0;
  }
  //! Notes the use of a word. `epoch`: the first user of its epoch.
  MMM_ALWAYS_INLINE void note(memory& used, index epoch, index word, std::uint32_t user,
                              access_kind op, bool between_dmms) {
    short_users& r = used.records.at(word);
    if (r.before(static_cast<std::uint32_t>(epoch)))
      r.note_first(user, op);
    else if (!r.note(user, op)) [[unlikely]]
      use_again(used, r, epoch, word, user, op, between_dmms);
  }

  [[nodiscard]] MMM_ALWAYS_INLINE memory& memory_of(memory_space space) {
    auto const number =
        space == memory_space::global ? std::size_t{0} : static_cast<std::size_t>(1 + dmm_);
    if (memories_.size() <= number) [[unlikely]]
      memories_.resize(number + 1);
    memory& used = memories_[number];
    used.space = space;
    return used;
  }

  //! Notes that the lanes use words in a row, if each word is used for the first time in the epoch.
  //! Returns false otherwise.
  [[nodiscard]] MMM_ALWAYS_INLINE bool note_row(short_users* row, int lanes, std::uint32_t first,
                                                access_kind op) const {
    bool fresh = true;
    for (int t = 0; t < lanes; ++t) fresh &= row[t].before(first);
    if (fresh)
      for (int t = 0; t < lanes; ++t)
        row[t].note_first(first_user_ + static_cast<std::uint32_t>(t), op);
    return fresh;
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
    if (c.racing || c.updated != (op == access_kind::update)) return false;
    if (c.written && race_of(c.writer, user)) return false;
    if (op == access_kind::write) {
      for (int k = 0; k < c.readers; ++k)
        if (race_of(c.reader[k], user)) return false;
      c.writer = user;
      c.written = true;
      return true;
    }
    if (c.covered) return true;
    warp const& own = warp_of(user);
    warp const& last = warp_of(c.reader[0]);
    if (c.readers == 0 || (last.dmm == own.dmm && last.step_epoch != own.step_epoch)) {
      c.reader[0] = user;
      c.readers = 1;
    } else if (race_of(c.reader[0], user) && (c.readers == 1 || last.dmm != own.dmm)) {
      c.reader[1] = user;
      c.readers = 2;
      c.covered = !between_dmms || last.dmm != own.dmm;
    }
    return true;
  }

  //! A use that is not the first one of its word in the epoch.
  [[gnu::noinline]] void use_again(memory& used, short_users& r, index epoch, index word,
                                   std::uint32_t user, access_kind op, bool between_dmms) {
    bool const stored = r.is() == short_users::others;
    calm_users c = stored ? used.others.at(word) : calm_users(r);
    if (!stays_calm(c, user, op, between_dmms)) {
      racing_word& racing = used.racing[word];
      racing.enter(epoch);
      if (!c.racing) note_all(racing, c);
      c.racing = true;
      note(racing, user, op, [&](race_kind kind, word_users::user const& other) {
        if (racing.is_new(kind, between_dmms ? step_ : step_epoch_))
          found(kind, other, item_of(user), word, used.space);
      });
    }
    r = c.shortened(user);
    if (r.is() == short_users::others) used.others.at(word) = c;
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
    bool const writer_first = c.written && c.readers != 0 &&
                              warp_of(c.writer).step_epoch < warp_of(c.reader[0]).step_epoch;
    auto const reads = c.updated ? access_kind::update : access_kind::read;
    if (writer_first) note(racing, c.writer, access_kind::write, nothing);
    for (int k = 0; k < c.readers; ++k) note(racing, c.reader[k], reads, nothing);
    if (c.written && !writer_first) note(racing, c.writer, access_kind::write, nothing);
  }

  void found(race_kind kind, word_users::user const& first, index second_item, index address,
             memory_space space) {
    ++count_;
    if (count_ > max_reported) return;
    program_step const& before = steps_[first.step];
    list_.push_back(race{kind, in_text_.number, space, dmm_, first.item, second_item, address,
                         in_text_.place, before.number, before.place});
  }

  //! The number of the next use of memory by a lane; 1 or more.
  [[nodiscard]] index next_user() const {
    return (forgotten_warps_ + static_cast<index>(warps_.size())) * width_.width();
  }
  //! Nobody races with a use of before. The numbers of users begin again once a quarter of them is
  //! given out.
  void forget_users() {
    forgotten_warps_ += static_cast<index>(warps_.size());
    warps_.clear();
    steps_.clear();
    if (next_user() < short_users::max_user / 4) return;
    memories_.clear();
    distributed_.clear();
    forgotten_warps_ = 1;
  }

  [[nodiscard]] warp const& warp_of(std::uint32_t user) const {
    return warps_[static_cast<std::size_t>(index{user} / width_.width() - forgotten_warps_)];
  }
  [[nodiscard]] index item_of(std::uint32_t user) const {
    return warp_of(user).first_item + index{user} % width_.width();
  }
  [[nodiscard]] index thread_of(std::uint32_t user) const {
    return warp_of(user).first_thread + index{user} % width_.width();
  }

  [[no_unique_address]] Width width_;
  std::vector<memory> memories_{};     //!< the global one, then every DMM's
  std::vector<memory> distributed_{};  //!< every DMM's parts of distributed arrays
  std::vector<warp> warps_{};          //!< since all users were forgotten last
  std::vector<program_step> steps_{};  //!< those of the warps, one after the other
  std::uint32_t first_user_ = 0;       //!< the first lane of the current warp
  delayed_uses delayed_{};
  index forgotten_warps_ = 1;  //!< those of before, since the numbers began
  std::vector<index> open_{};  //!< the first user of every DMM's step: 0 after a barrier
  index step_epoch_ = 0;       //!< the first user of the current step
  index phase_epoch_ = 1;      //!< the first user since the last machine-wide barrier
  index cluster_epoch_ = 1;    //!< the first user since the last barrier of the running cluster
  index step_ = 0;
  program_step in_text_{};
  index dmm_ = 0;
  index count_ = 0;
  std::vector<race> list_{};
};

}  // namespace detail
}  // namespace mmm
