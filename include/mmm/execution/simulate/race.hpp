// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/simulate/trace.hpp>

#include <cstddef>
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

//! Finds races. One per simulation, whose DMMs run one after the other or in turn. Memory: a cell
//! per word that is used.
class race_detector {
 public:
  //! Only the first 1000 races are reported; all are counted.
  static constexpr index most_reported = 1000;

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
  //! A barrier of one DMM.
  void end_step(index dmm) { open_[static_cast<std::size_t>(dmm)] = 0; }
  //! A machine-wide barrier.
  void barrier() {
    ++phase_epoch_;
    for (index& epoch : open_) epoch = 0;
  }

  //! A thread of the current step uses a word. `between_dmms`: other DMMs use the same memory.
  void use(memory_space space, index address, index thread, index item, bool writes,
           bool between_dmms) {
    auto const memory =
        space == memory_space::global ? std::size_t{0} : static_cast<std::size_t>(1 + dmm_);
    if (cells_.size() <= memory) cells_.resize(memory + 1);
    std::vector<cell>& cells = cells_[memory];
    auto const at = static_cast<std::size_t>(address);
    if (cells.size() <= at) cells.resize(at + 1 + at / 2);
    cell& c = cells[at];
    // A step is known by its epoch, between DMMs by its number, as both of them may see it.
    index const key = between_dmms ? step_ : step_epoch_;
    auto const found = [&](race_kind kind, index other_item) {
      index& reported = c.reported[kind == race_kind::read_write ? 0 : 1];
      if (reported == key) return;
      reported = key;
      ++count_;
      if (count_ <= most_reported)
        list_.push_back(race{kind, step_, space, dmm_, other_item, item, address});
    };
    c.in_step.use(step_epoch_, {thread, item}, writes, found);
    if (between_dmms) {
      if (between_.size() < cells.size()) between_.resize(cells.size());
      between_[at].use(phase_epoch_, {dmm_, item}, writes, found);
    }
  }

  [[nodiscard]] index count() const { return count_; }
  [[nodiscard]] std::vector<race>& list() { return list_; }

 private:
  struct cell {
    word_users in_step;
    index reported[2] = {-1, -1};
  };
  std::vector<std::vector<cell>> cells_;  //!< of the global memory, then of every DMM's
  std::vector<word_users> between_;
  std::vector<index> open_;  //!< every DMM's step: 0 after a barrier
  index last_epoch_ = 0;
  index step_epoch_ = 0;
  index phase_epoch_ = 1;
  index step_ = 0;
  index dmm_ = 0;
  index count_ = 0;
  std::vector<race> list_;
};

}  // namespace detail
}  // namespace mmm
