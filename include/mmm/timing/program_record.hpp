// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/estimate/watched.hpp>
#include <mmm/execution/handle.hpp>
#include <mmm/timing/timing_model.hpp>

//! What an estimate tells of a program, kept for a model of the same program.
namespace mmm::detail {

//! Watches an estimate for a model, and keeps what it is told, so that a second model of the
//! same program needs no estimate. Of a program that tells more than `most` things, nothing.
class program_record {
 public:
  //! \param keeps false for an estimate that is the last one.
  constexpr program_record(timing_model& model, bool keeps) : model_(&model), keeps_(keeps) {}
  program_record(program_record const&) = delete;
  program_record& operator=(program_record const&) = delete;
  constexpr ~program_record() { delete[] events_; }

  [[nodiscard]] constexpr timing_model& model() const { return *model_; }
  //! True if all is kept.
  [[nodiscard]] constexpr bool complete() const { return keeps_; }
  //! Tells another model the same.
  constexpr void tell(timing_model& to) const {
    for (index k = 0; k < count_; ++k) tell(events_[k], to);
  }

  constexpr void begin_step(watched_step const& s) {
    keep({told::step_begins, s.machine_wide, s.barrier, {s.items, s.threads, s.dmms, s.times}});
    model_->begin_step(s);
  }
  constexpr void access(watched_access const& a) {
    keep({told::an_access,
          a.shared,
          false,
          {static_cast<index>(a.kind), a.words, a.stages, a.rounds}});
    model_->access(a);
  }
  template <class Address>
  [[nodiscard]] constexpr index served(watched_access const& a, Address const& address) const {
    return model_->served(a, address);
  }
  constexpr void end_step() {
    keep({told::step_ends, false, false, {}});
    model_->end_step();
  }
  constexpr void deal_tiles(dmm_range const& dmms, index first, index tiles, index times) {
    keep({told::tiles_are_dealt, false, false, {dmms.first, dmms.count, first, tiles, times}});
    model_->deal_tiles(dmms, first, tiles, times);
  }
  constexpr void machine_wide_barrier() {
    keep({told::all_wait, false, false, {}});
    model_->machine_wide_barrier();
  }
  constexpr void first_alone() {
    keep({told::one_remains, false, false, {}});
    model_->first_alone();
  }
  constexpr void look_back_states(index tiles) {
    keep({told::states_are_cleared, false, false, {tiles}});
    model_->look_back_states(tiles);
  }
  constexpr void look_back(index at_once) {
    keep({told::tile_looks_back, false, false, {at_once}});
    model_->look_back(at_once);
  }
  constexpr void allocated(bool shared, index words) {
    keep({told::words_are_allocated, shared, false, {words}});
    model_->allocated(shared, words);
  }
  constexpr void argument(argument_use use, index given, index words, bool in_place) {
    keep({told::an_argument, in_place, false, {static_cast<index>(use), given, words}});
    model_->argument(use, given, words, in_place);
  }

 private:
  enum class told : std::uint8_t {
    step_begins,
    an_access,
    step_ends,
    tiles_are_dealt,
    all_wait,
    one_remains,
    states_are_cleared,
    tile_looks_back,
    words_are_allocated,
    an_argument
  };
  struct event {
    told is;
    bool first;
    bool second;
    index number[5];
  };
  static constexpr index most = index{1} << 16;

  constexpr void keep(event const& e) {
    if (!keeps_) return;
    if (count_ == room_) {
      if (room_ == most) {
        keeps_ = false;
        return;
      }
      room_ = room_ == 0 ? 64 : 2 * room_;
      event* const larger_room = new event[static_cast<size_type>(room_)];
      for (index k = 0; k < count_; ++k) larger_room[k] = events_[k];
      delete[] events_;
      events_ = larger_room;
    }
    events_[count_++] = e;
  }
  static constexpr void tell(event const& e, timing_model& to) {
    auto const& n = e.number;
    switch (e.is) {
      case told::step_begins:
        return to.begin_step({n[0], n[1], n[2], e.first, n[3], e.second});
      case told::an_access:
        return to.access({e.first, static_cast<access_kind>(n[0]), n[1], n[2], n[3]});
      case told::step_ends:
        return to.end_step();
      case told::tiles_are_dealt:
        return to.deal_tiles({n[0], n[1]}, n[2], n[3], n[4]);
      case told::all_wait:
        return to.machine_wide_barrier();
      case told::one_remains:
        return to.first_alone();
      case told::states_are_cleared:
        return to.look_back_states(n[0]);
      case told::tile_looks_back:
        return to.look_back(n[0]);
      case told::words_are_allocated:
        return to.allocated(e.first, n[0]);
      case told::an_argument:
        return to.argument(static_cast<argument_use>(n[0]), n[1], n[2], e.first);
    }
  }

  timing_model* model_;
  bool keeps_;
  index count_ = 0;
  index room_ = 0;
  event* events_ = nullptr;
};

}  // namespace mmm::detail
