// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

//! The port of a memory in pipelined time, with the warps that wait for it and its requests in
//! flight.
namespace mmm::detail {

//! The set of ready warps, searched in cyclic order. Time: O(1) for a change, O(warps / 4096 + 1)
//! for a search.
//! \tparam W as that of the dispatcher: only code that dispatches compiles it.
template <int W>
class ready_set {
 public:
  void resize(index warps) {
    words_.assign(static_cast<std::size_t>(warps / 64 + 1), 0);
    summary_.assign(words_.size() / 64 + 1, 0);
  }
  [[nodiscard]] bool any() const { return count_ != 0; }
  void insert(index warp) {
    auto const w = static_cast<std::size_t>(warp);
    words_[w / 64] |= std::uint64_t{1} << (w % 64);
    summary_[w / 4096] |= std::uint64_t{1} << (w / 64 % 64);
    ++count_;
  }
  //! Inserts `count` warps from `first` on, none of which is in the set.
  void insert_all(index first, index count) {
    for (index w = first, end = first + count; w < end;) {
      index const of_word = smaller(64 - w % 64, end - w);
      words_[static_cast<std::size_t>(w / 64)] |= (~std::uint64_t{0} >> (64 - of_word)) << (w % 64);
      summary_[static_cast<std::size_t>(w / 4096)] |= std::uint64_t{1} << (w / 64 % 64);
      w += of_word;
    }
    count_ += count;
  }
  //! The first warp of the set from `warp` on, cyclically. The set is not empty.
  [[nodiscard]] index first_from(index warp) const {
    index const found = find(static_cast<std::size_t>(warp));
    return found < 0 ? find(0) : found;
  }
  [[nodiscard]] bool has(index warp) const {
    auto const w = static_cast<std::size_t>(warp);
    return ((words_[w / 64] >> (w % 64)) & 1U) != 0;
  }
  void remove(index warp) {
    auto const w = static_cast<std::size_t>(warp);
    words_[w / 64] &= ~(std::uint64_t{1} << (w % 64));
    if (words_[w / 64] == 0) summary_[w / 4096] &= ~(std::uint64_t{1} << (w / 64 % 64));
    --count_;
  }

 private:
  [[nodiscard]] static index lowest(std::uint64_t bits) { return __builtin_ctzll(bits); }
  [[nodiscard]] index find(std::size_t warp) const {
    std::size_t word = warp / 64;
    if (word >= words_.size()) return -1;
    std::uint64_t const here = words_[word] & (~std::uint64_t{0} << (warp % 64));
    if (here != 0) return static_cast<index>(word * 64) + lowest(here);
    ++word;
    for (std::size_t s = word / 64; s < summary_.size(); ++s) {
      std::uint64_t const bits =
          s == word / 64 ? summary_[s] & (~std::uint64_t{0} << (word % 64)) : summary_[s];
      if (bits == 0) continue;
      auto const place = s * 64 + static_cast<std::size_t>(lowest(bits));
      return static_cast<index>(place * 64) + lowest(words_[place]);
    }
    return -1;
  }
  std::vector<std::uint64_t> words_{};
  std::vector<std::uint64_t> summary_{};
  index count_ = 0;
};

//! A port and the requests that it has accepted. They complete in the order in which they were
//! accepted.
//! \tparam W as that of the dispatcher.
template <int W>
struct pipeline_port {
  index per_unit = 1;  //!< stages accepted per time unit
  index latency = 1;
  index free_slot = 0;  //!< the next free slot: unit * per_unit + number within the unit
  index last = -1;      //!< the warp dispatched last
  ready_set<W> ready{};
  struct completion {
    index time;
    index warp;
  };
  std::vector<completion> in_flight{};  //!< a ring buffer buffer
  std::size_t head = 0;
  std::size_t flying = 0;

  pipeline_port(index slots, index l) : per_unit(slots), latency(l) {}
  void resize(index warps) {
    ready.resize(warps);
    in_flight.resize(static_cast<std::size_t>(warps) + 1);
  }
  void push(index time, index warp) {
    std::size_t place = head + flying++;
    if (place >= in_flight.size()) place -= in_flight.size();
    in_flight[place] = {time, warp};
  }
  [[nodiscard]] index pop() {
    index const warp = in_flight[head].warp;
    if (++head == in_flight.size()) head = 0;
    --flying;
    return warp;
  }
  //! The time unit of a slot; most machines have one slot in each unit.
  [[nodiscard]] MMM_ALWAYS_INLINE index unit_of(index slot) const {
    return per_unit == 1 ? slot : slot / per_unit;
  }
  //! Accepts a request of `stages` stages in unit `now` or as soon as a slot is free; returns when
  //! it completes.
  [[nodiscard]] index accept(index now, index stages) {
    index const start = larger(free_slot, now * per_unit);
    free_slot = start + stages;
    return unit_of(free_slot - 1) + latency;
  }
};

}  // namespace mmm::detail
