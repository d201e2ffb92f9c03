// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/estimate/watched.hpp>
#include <mmm/execution/handle.hpp>
#include <mmm/timing/timing_model.hpp>

//! Record and replay of an estimate's events.
namespace mmm::detail {

//! Watches an estimate: forwards its events to a timing model, and records them, so that a second
//! pass over the same program is replayed and needs no second estimate.
class program_record {
 public:
  //! \param recording false for an estimate that is the last one
  constexpr program_record(timing_model& model, bool recording)
      : model_(&model), recording_(recording) {}
  program_record(program_record const&) = delete;
  program_record& operator=(program_record const&) = delete;
  constexpr ~program_record() { delete[] events_; }

  [[nodiscard]] constexpr timing_model& model() const { return *model_; }
  //! True if every event is recorded: false for programs of more than `max_events`.
  [[nodiscard]] constexpr bool complete() const { return recording_; }
  //! Sends the recorded events to another model.
  constexpr void replay(timing_model& model) const {
    for (index k = 0; k < count_; ++k) replay(events_[k], model);
  }

  constexpr void begin_step(watched_step const& s) {
    append(
        {event_kind::step_begin, s.machine_wide, s.barrier, {s.items, s.threads, s.dmms, s.times}});
    model_->begin_step(s);
  }
  constexpr void access(watched_access const& a) {
    append({event_kind::access,
            a.shared,
            false,
            {static_cast<index>(a.kind), a.words, a.stages, a.rounds, a.partial_sectors}});
    model_->access(a);
  }
  template <class Address>
  [[nodiscard]] constexpr index partial_sectors(watched_access const& a,
                                                Address const& address) const {
    return model_->partial_sectors(a, address);
  }
  template <class Address>
  [[nodiscard]] constexpr index served(watched_access const& a, Address const& address) const {
    return model_->served(a, address);
  }
  constexpr void end_step() {
    append({event_kind::step_end, false, false, {}});
    model_->end_step();
  }
  constexpr void assign_tiles(dmm_range const& dmms, index first, index tiles, index times) {
    append({event_kind::tiles, false, false, {dmms.first, dmms.count, first, tiles, times}});
    model_->assign_tiles(dmms, first, tiles, times);
  }
  constexpr void machine_wide_barrier(index times) {
    append({event_kind::machine_wide_barrier, false, false, {times}});
    model_->machine_wide_barrier(times);
  }
  constexpr void first_alone() {
    append({event_kind::first_alone, false, false, {}});
    model_->first_alone();
  }
  constexpr void look_back_states(index tiles) {
    append({event_kind::look_back_states, false, false, {tiles}});
    model_->look_back_states(tiles);
  }
  constexpr void look_back(index window, index tiles) {
    append({event_kind::look_back, false, false, {window, tiles}});
    model_->look_back(window, tiles);
  }
  constexpr void await_copies(index latest) {
    append({event_kind::await_copies, false, false, {latest}});
    model_->await_copies(latest);
  }
  constexpr void multiply(int bits, index products, index dmms, index times) {
    append({event_kind::multiply, false, false, {bits, products, dmms, times}});
    model_->multiply(bits, products, dmms, times);
  }
  constexpr void allocated(bool shared, index words) {
    append({event_kind::allocation, shared, false, {words}});
    model_->allocated(shared, words);
  }
  constexpr void argument(argument_use use, index given, index words, bool in_place) {
    append({event_kind::argument, in_place, false, {static_cast<index>(use), given, words}});
    model_->argument(use, given, words, in_place);
  }

 private:
  enum class event_kind : std::uint8_t {
    step_begin,
    access,
    step_end,
    tiles,
    machine_wide_barrier,
    first_alone,
    look_back_states,
    look_back,
    await_copies,
    multiply,
    allocation,
    argument
  };
  //! An event and its arguments, in the order of the function that records it.
  struct event {
    event_kind kind;
    bool first_flag;
    bool second_flag;
    index number[5];
  };
  static constexpr index max_events = index{1} << 16;

  constexpr void append(event const& e) {
    if (!recording_) return;
    if (count_ == capacity_) {
      if (capacity_ == max_events) {
        recording_ = false;
        return;
      }
      capacity_ = capacity_ == 0 ? 64 : 2 * capacity_;
      event* const grown = new event[static_cast<size_type>(capacity_)];
      for (index k = 0; k < count_; ++k) grown[k] = events_[k];
      delete[] events_;
      events_ = grown;
    }
    events_[count_++] = e;
  }
  static constexpr void replay(event const& e, timing_model& model) {
    auto const& n = e.number;
    switch (e.kind) {
      case event_kind::step_begin:
        return model.begin_step({n[0], n[1], n[2], e.first_flag, n[3], e.second_flag});
      case event_kind::access:
        return model.access(
            {e.first_flag, static_cast<access_kind>(n[0]), n[1], n[2], n[3], false, n[4]});
      case event_kind::step_end:
        return model.end_step();
      case event_kind::tiles:
        return model.assign_tiles({n[0], n[1]}, n[2], n[3], n[4]);
      case event_kind::machine_wide_barrier:
        return model.machine_wide_barrier(n[0]);
      case event_kind::first_alone:
        return model.first_alone();
      case event_kind::look_back_states:
        return model.look_back_states(n[0]);
      case event_kind::look_back:
        return model.look_back(n[0], n[1]);
      case event_kind::await_copies:
        return model.await_copies(n[0]);
      case event_kind::multiply:
        return model.multiply(static_cast<int>(n[0]), n[1], n[2], n[3]);
      case event_kind::allocation:
        return model.allocated(e.first_flag, n[0]);
      case event_kind::argument:
        return model.argument(static_cast<argument_use>(n[0]), n[1], n[2], e.first_flag);
    }
  }

  timing_model* model_;
  bool recording_;
  index count_ = 0;
  index capacity_ = 0;
  event* events_ = nullptr;
};

}  // namespace mmm::detail
