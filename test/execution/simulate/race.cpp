// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The race detector's short records against a detector that keeps all users of every word.
#include <mmm/execution/simulate/race.hpp>

#include "catch.hpp"
#include "support/long_tests.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

using mmm::access_kind;
using mmm::index;
using mmm::memory_space;
using mmm::race_kind;

int line_of(index step) { return static_cast<int>(100 + step); }

//! Keeps every use of every word since the last barrier, and compares each with all before it.
class plain_detector {
 public:
  void begin_step(index number, index dmm) {
    if (open_[dmm] == 0) open_[dmm] = ++last_epoch_;
    step_epoch_ = open_[dmm];
    step_ = number;
    dmm_ = dmm;
  }
  void end_step(index dmm) { open_[dmm] = 0; }
  void barrier() {
    words_.clear();
    open_.clear();
  }
  void use(memory_space space, index address, index thread, index item, access_kind op,
           bool between_dmms) {
    word& w = words_[{space == memory_space::global ? -1 : dmm_, address}];
    index const key = between_dmms ? step_ : step_epoch_;
    for (user const& u : w.users) {
      bool const apart =
          u.dmm != dmm_ ? between_dmms : u.epoch == step_epoch_ && u.thread != thread;
      if (!apart || (u.op == op && op != access_kind::write)) continue;
      auto const kind = u.op == access_kind::read || op == access_kind::read
                            ? race_kind::read_write
                            : race_kind::write_write;
      found_race& r = found_[{space == memory_space::global ? -1 : dmm_, address, kind, key}];
      if (r.second_item < 0) r = {step_, dmm_, item, {}};
      if (r.second_item == item && r.dmm == dmm_) r.first.insert({u.item, u.step});
    }
    w.users.push_back({dmm_, step_epoch_, step_, thread, item, op});
  }
  [[nodiscard]] index count() const { return static_cast<index>(found_.size()); }
  //! True if it has found this race.
  [[nodiscard]] bool knows(mmm::race const& r) const {
    for (auto const& [at, own] : found_)
      if (at.memory == (r.space == memory_space::global ? -1 : r.dmm) && at.address == r.address &&
          at.kind == r.kind && own.step == r.step && own.dmm == r.dmm &&
          own.second_item == r.second_item && own.first.count({r.first_item, r.first_step}) != 0 &&
          r.first_place.line == line_of(r.first_step) && r.place.line == line_of(r.step))
        return true;
    return false;
  }

 private:
  struct user {
    index dmm;
    index epoch;
    index step;
    index thread;
    index item;
    access_kind op;
  };
  struct word {
    std::vector<user> users;
  };
  //! The races of one step, word and kind: the first use that races, and the items that it races
  //! with.
  struct place {
    index memory;
    index address;
    race_kind kind;
    index key;
    auto operator<=>(place const&) const = default;
  };
  struct found_race {
    index step = 0;
    index dmm = 0;
    index second_item = -1;
    std::set<std::pair<index, index>> first{};  //!< items and their steps
  };
  std::map<std::pair<index, index>, word> words_{};
  std::map<place, found_race> found_{};
  std::map<index, index> open_{};
  index last_epoch_ = 0;
  index step_epoch_ = 0;
  index step_ = 0;
  index dmm_ = 0;
};

//! A width that the detector asks for.
struct lanes {
  static constexpr int max_lanes = 64;
  index count;
  [[nodiscard]] index width() const { return count; }
};

//! A random program of parallel-fors on some DMMs, `words` words for its accesses to choose from,
//! each `apart` words after the one before. Returns the number of races.
index compare(std::mt19937& random, int width, index dmms, index words, index apart) {
  auto const below = [&](index n) {
    return std::uniform_int_distribution<index>(0, n - 1)(random);
  };
  mmm::detail::race_detector detector(lanes{width});
  plain_detector plain;
  index const threads = 1 + below(3 * width);
  for (index step = 0; step < 12; ++step) {
    for (index dmm = 0; dmm < dmms; ++dmm) {
      if (below(8) == 0) continue;
      auto const usual = below(2) == 0 ? access_kind::read : access_kind::update;
      detector.begin_step(step, dmm, {step, {"", line_of(step)}});
      plain.begin_step(step, dmm);
      for (index chunk = 0; chunk < 2; ++chunk)
        for (index thread = 0; thread < threads; thread += width) {
          index const first_item = (chunk * dmms + dmm) * threads + thread;
          auto const lanes = static_cast<int>(std::min<index>(width, threads - thread));
          detector.begin_warp(first_item, thread);
          for (index access = below(4); access >= 0; --access) {
            bool const global = dmms > 1 && below(2) == 0;
            auto const space = global ? memory_space::global : memory_space::shared;
            auto const op = below(3) != 0 ? usual : static_cast<access_kind>(below(3));
            index const wide = 1 + below(2);
            index const stride = below(4) - 1;
            // lanes before the memory's first word take no part
            index const base = below(words) + (stride < 0 ? width : stride == 1 ? -2 : 0);
            bool const own = below(2) == 0;
            bool const whole = below(2) == 0;
            bool const in_a_row = wide == 1 && apart == 1 && (own || stride == 1);
            std::vector<index> address(static_cast<std::size_t>(lanes));
            std::vector<bool> active(address.size());
            for (std::size_t t = 0; t < address.size(); ++t) {
              auto const lane = static_cast<index>(t);
              address[t] = apart * (own ? first_item + lane : base + stride * lane);
              active[t] = address[t] >= 0 && (whole || below(6) != 0);
            }
            auto const at = [&](int t) { return address[static_cast<std::size_t>(t)]; };
            auto const is_active = [&](int t) { return bool{active[static_cast<std::size_t>(t)]}; };
            detector.use(space, lanes, wide, at, in_a_row, !in_a_row, is_active, op, global);
            for (int t = 0; t < lanes; ++t)
              for (index word = at(t); is_active(t) && word < at(t) + wide; ++word)
                plain.use(space, word, thread + t, first_item + t, op, global);
          }
        }
      if (below(2) == 0) {
        detector.end_step(dmm, dmms == 1);
        plain.end_step(dmm);
      }
    }
    if (dmms > 1 && below(3) == 0) {
      detector.barrier();
      plain.barrier();
    }
  }
  CHECK(detector.count() == plain.count());
  CHECK(static_cast<index>(detector.list().size()) ==
        std::min(plain.count(), decltype(detector)::max_reported));
  for (mmm::race const& r : detector.list()) CHECK(plain.knows(r));
  return plain.count();
}

TEST_CASE("short records find the races that whole ones find", "[simulate]") {
  std::mt19937 random(7);
  index races = 0;
  index without = 0;
  int const runs = checks::long_tests() ? 120 : 40;
  for (int run = 0; run < runs; ++run)
    for (int const width : {1, 4, 32})
      for (index const dmms : {1, 3}) {
        // Some words in more blocks of records than are made one by one.
        index const apart = run == 0 ? 6000 : 1;
        index const found = compare(random, width, dmms, run % 2 == 0 ? 8 : 5000, apart);
        races += found;
        without += found == 0 ? 1 : 0;
      }
  CHECK(races > 10000);
  CHECK(without > 0);
}

TEST_CASE("the numbers of users begin again after a quarter of them", "[simulate]") {
  constexpr int width = 1 << 20;
  mmm::detail::race_detector detector(lanes{width});
  auto const writes_word = [&](index step, index warps) {
    detector.begin_step(step, 0, {step, {"", line_of(step)}});
    for (index k = 0; k < warps; ++k) {
      detector.begin_warp(width * k, 0);
      detector.use(
          memory_space::shared, 1, 1, [](int) { return index{5}; }, false, false,
          [](int) { return true; }, access_kind::write, false);
    }
    detector.end_step(0, true);
  };
  index const numbers = mmm::detail::short_users::max_user / width;
  for (index step = 0; step < numbers; ++step) {
    writes_word(step, 1);  // one thread a step
    REQUIRE(detector.count() == 0);
  }
  detector.begin_step(numbers, 0, {});
  for (index k = 0; k < numbers / 2; ++k) detector.begin_warp(0, 0);
  CHECK_THROWS_AS(
      [&] {
        for (;;) detector.begin_warp(0, 0);
      }(),
      std::length_error);
}

}  // namespace
