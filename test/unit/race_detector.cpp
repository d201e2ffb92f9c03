// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The race detector's short records against a detector that keeps all users of every word.
#include <mmm/execution/simulate/race.hpp>

#include "catch.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace {

using mmm::index;
using mmm::memory_space;
using mmm::race_kind;

//! Keeps everything, word by word.
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
    ++phase_epoch_;
    open_.clear();
  }
  void use(memory_space space, index address, index thread, index item, bool writes,
           bool between_dmms) {
    word& w = words_[{space == memory_space::global ? -1 : dmm_, address}];
    index const key = between_dmms ? step_ : step_epoch_;
    auto const found = [&](race_kind kind, index other_item) {
      index& reported = w.reported[kind == race_kind::read_write ? 0 : 1];
      if (std::exchange(reported, key) != key)
        list.push_back({kind, step_, space, dmm_, other_item, item, address});
    };
    w.in_step.use(step_epoch_, {thread, item}, writes, found);
    if (between_dmms) w.between.use(phase_epoch_, {dmm_, item}, writes, found);
  }
  std::vector<mmm::race> list{};

 private:
  struct word {
    mmm::detail::word_users in_step;
    mmm::detail::word_users between;
    index reported[2] = {-1, -1};
  };
  std::map<std::pair<index, index>, word> words_{};
  std::map<index, index> open_{};
  index last_epoch_ = 0;
  index step_epoch_ = 0;
  index phase_epoch_ = 1;
  index step_ = 0;
  index dmm_ = 0;
};

//! A random program of parallel-fors on some DMMs, `words` words for its accesses to choose from.
//! Returns the number of races.
index compare(std::mt19937& random, int width, index dmms, index words) {
  auto const below = [&](index n) {
    return std::uniform_int_distribution<index>(0, n - 1)(random);
  };
  mmm::detail::race_detector detector(width);
  plain_detector plain;
  index const threads = 1 + below(3 * width);
  for (index step = 0; step < 12; ++step) {
    for (index dmm = 0; dmm < dmms; ++dmm) {
      if (below(8) == 0) continue;
      detector.begin_step(step, dmm);
      plain.begin_step(step, dmm);
      for (index chunk = 0; chunk < 2; ++chunk)
        for (index thread = 0; thread < threads; thread += width) {
          index const first_item = (chunk * dmms + dmm) * threads + thread;
          auto const lanes = static_cast<int>(std::min<index>(width, threads - thread));
          detector.begin_warp(first_item, thread);
          for (index access = below(4); access >= 0; --access) {
            bool const global = dmms > 1 && below(2) == 0;
            auto const space = global ? memory_space::global : memory_space::shared;
            bool const writes = below(3) == 0;
            index const wide = 1 + below(2);
            index const stride = below(4) - 1;
            index const base = below(words) + (stride < 0 ? width : 0);
            bool const own = below(2) == 0;
            std::vector<index> address(static_cast<std::size_t>(lanes));
            std::vector<bool> active(address.size());
            for (std::size_t t = 0; t < address.size(); ++t) {
              address[t] =
                  own ? first_item + static_cast<index>(t) : base + stride * static_cast<index>(t);
              active[t] = below(6) != 0;
            }
            auto const at = [&](int t) { return address[static_cast<std::size_t>(t)]; };
            auto const is_active = [&](int t) { return bool{active[static_cast<std::size_t>(t)]}; };
            detector.use(space, lanes, wide, at, is_active, writes, global);
            for (int t = 0; t < lanes; ++t)
              for (index word = at(t); is_active(t) && word < at(t) + wide; ++word)
                plain.use(space, word, thread + t, first_item + t, writes, global);
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
  auto const races = static_cast<index>(plain.list.size());
  CHECK(detector.count() == races);
  plain.list.resize(
      static_cast<std::size_t>(std::min(races, mmm::detail::race_detector::most_reported)));
  CHECK(detector.list() == plain.list);
  return races;
}

TEST_CASE("short records find the races that whole ones find", "[simulate]") {
  std::mt19937 random(7);
  index races = 0;
  index without = 0;
  for (int run = 0; run < 120; ++run)
    for (int const width : {1, 4, 32})
      for (index const dmms : {1, 3}) {
        index const found = compare(random, width, dmms, run % 2 == 0 ? 8 : 5000);
        races += found;
        without += found == 0 ? 1 : 0;
      }
  CHECK(races > 10000);
  CHECK(without > 0);
}

}  // namespace
