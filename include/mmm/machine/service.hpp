// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/machine/machine.hpp>

//! The one count of a request: how many pipeline stages a memory needs for the addresses of a
//! warp's active lanes (docs/model.md, "Stages of one request").
//!
//! A memory is described by two numbers (`service`), those of the papers' DMM and UMM as well as
//! the phases, sectors and lines of a GPU (gpu/request.hpp). count_stages_of_units counts;
//! serve and longest_queue_of explain.
namespace mmm::detail {

//! The rule by which a memory serves the lanes of a request, or of one phase of it.
//!
//! Address `a` lies in unit `floor(a / unit)`, and unit `u` waits in queue `u mod queues`. Lanes
//! that ask for one unit are served together; in one stage each queue serves one unit. So a request
//! takes as many stages as its longest queue has different units.
class service {
 public:
  constexpr service(index addresses_of_a_unit, index number_of_queues)
      : unit_(addresses_of_a_unit),
        queues_(number_of_queues),
        unit_shift_(shift_of(addresses_of_a_unit)),
        queue_mask_(shift_of(number_of_queues) < 0 ? -1 : number_of_queues - 1) {}

  [[nodiscard]] constexpr index queues() const { return queues_; }
  //! The unit that an address lies in.
  [[nodiscard]] MMM_ALWAYS_INLINE constexpr index unit(index address) const {
    return unit_shift_ >= 0 ? address >> unit_shift_ : floor_divide(address, unit_);
  }
  //! Replaces the addresses `address[0 … count - 1]` by units, for counting: units of negative
  //! addresses have other numbers than unit() gives, but differ from each other in the same way,
  //! and wait in the same queues.
  MMM_ALWAYS_INLINE constexpr void make_units(index* address, int count) const {
    if (unit_ == 1) return;
    if (unit_shift_ >= 0)
      for (int t = 0; t < count; ++t)  // quicker than a shift of signed numbers
        address[t] = static_cast<index>(static_cast<std::uint64_t>(address[t]) >> unit_shift_);
    else
      for (int t = 0; t < count; ++t) address[t] = floor_divide(address[t], unit_);
  }
  //! The queue that a unit waits in, from 0.
  [[nodiscard]] MMM_ALWAYS_INLINE constexpr index queue(index of_unit) const {
    return queue_mask_ >= 0 ? of_unit & queue_mask_ : floor_modulo(of_unit, queues_);
  }
  //! `u & queue_mask()` is queue(u), where it is not negative.
  [[nodiscard]] constexpr index queue_mask() const { return queue_mask_; }

 private:
  //! The k with `2^k == n`; -1 if there is none.
  static constexpr int shift_of(index n) {
    return (n & (n - 1)) == 0 ? countr_zero(static_cast<std::uint64_t>(n)) : -1;
  }
  index unit_;
  index queues_;
  int unit_shift_;
  index queue_mask_;
};

//! The service of a memory with banks or address groups: the banks of a DMM are `width` queues of
//! words, and the address groups of a UMM are the units of one queue (Nakano 2012). Updates wait in
//! the queues of banks, too, each for itself.
[[nodiscard]] constexpr service service_for(conflict conflicts, index width) {
  return conflicts == conflict::groups ? service(width, 1) : service(1, width);
}
template <conflict Conflict, index W>
inline constexpr service fixed_service = service_for(Conflict, W);
//! The service for a width; a constant where the type knows the width.
template <conflict Conflict, index W>
[[nodiscard]] MMM_ALWAYS_INLINE constexpr service const& service_of(width_parameter<W>) {
  return fixed_service<Conflict, W>;
}
template <conflict Conflict>
[[nodiscard]] constexpr service service_of(width_parameter<dynamic> width) {
  return service_for(Conflict, width.width());
}

//! Finds the different units of a request, `Max` at most, by open addressing. The table is used
//! again for the next request.
//!
//! A place of the table holds a stamp: the number of a unit of a request. The stamps of earlier
//! requests are smaller than those of the current one, so that nothing needs to be cleared.
//! \tparam Sparse places for each unit: many, so that a place is rarely taken by another unit, or
//! few, to be small.
template <int Max, int Sparse = 64>
class unit_table {
  static constexpr int bits = bit_width(index{Max} * Sparse - 1);
  static constexpr size_type places = size_type{1} << bits;

 public:
  //! True if the `count` units are different; may be false for some that are. Quicker than visit.
  //! Time: O(count).
  [[nodiscard]] MMM_ALWAYS_INLINE constexpr bool all_differ(index const* unit, int count) {
    std::uint32_t const first = begin();
    bool repeated = false;
    for (int t = 0; t < count; ++t) {
      std::uint32_t& stamp = stamp_[place_of(unit[t])];
      repeated |= stamp >= first;
      stamp = first;
    }
    return !repeated;
  }

  //! Calls `use(t, first)` for the units `unit[t]`, `t = 0 … count - 1`; `first` is the place of
  //! the first of them that is the same unit: `t` where the unit is not among those before. Time:
  //! O(count) expected.
  template <class Use>
  MMM_ALWAYS_INLINE constexpr void visit(index const* unit, int count, Use use) {
    std::uint32_t const first = begin();
    for (int t = 0; t < count; ++t) {
      size_type place = place_of(unit[t]);
      int same = t;
      while (stamp_[place] >= first) {
        auto const other = static_cast<int>(stamp_[place] - first);
        if (unit[other] == unit[t]) {
          same = other;
          break;
        }
        place = (place + 1) % places;
      }
      if (same == t) stamp_[place] = first + static_cast<std::uint32_t>(t);
      use(t, same);
    }
  }

  //! The table of functions that have none of their own.
  [[nodiscard]] static unit_table& of_this_thread() {
    static constinit thread_local unit_table table;
    return table;
  }

 private:
  [[nodiscard]] MMM_ALWAYS_INLINE static constexpr size_type place_of(index unit) {
    return static_cast<size_type>((static_cast<std::uint64_t>(unit) * 0x9E3779B97F4A7C15U) >>
                                  (64 - bits));
  }
  //! The first stamp of a request.
  [[nodiscard]] MMM_ALWAYS_INLINE constexpr std::uint32_t begin() {
    if (next_ - 1 >= UINT32_MAX - 2 * Max) [[unlikely]]  // at the start, too
      start_again();
    std::uint32_t const first = next_;
    next_ += Max;
    return first;
  }
  [[gnu::noinline]] constexpr void start_again() {
    if (next_ != 0)
      for (std::uint32_t& stamp : stamp_) stamp = 0;
    next_ = 1;
  }
  std::uint32_t next_ = 0;
  std::uint32_t stamp_[places] = {};
};

//! Finds the different units of single requests, also in constant expressions; it has no memory of
//! its own.
template <int Max>
struct shared_unit_table {
  [[nodiscard]] constexpr bool all_differ(index const* unit, int count) const {
    return !is_constant_evaluated() && unit_table<Max>::of_this_thread().all_differ(unit, count);
  }
  template <class Use>
  constexpr void visit(index const* unit, int count, Use use) const {
    bool ascending = true;
    for (int t = 1; t < count; ++t) ascending &= unit[t - 1] <= unit[t];
    if (ascending)
      for (int t = 0, first = 0; t < count; ++t) {
        first = unit[t] == unit[first] ? first : t;
        use(t, first);
      }
    else if (is_constant_evaluated())
      unit_table<Max, 2>().visit(unit, count, use);
    else
      unit_table<Max>::of_this_thread().visit(unit, count, use);
  }
};

//! Stages of a request whose lanes ask for the units `unit[0 … count - 1]`; at most `Max` lanes
//! and queues. Time: O(count) expected.
template <int Max, class Table>
[[nodiscard]] MMM_ALWAYS_INLINE constexpr int count_stages_of_units(service const& by,
                                                                    index const* unit, int count,
                                                                    Table&& table) {
  if (by.queues() == 1) {
    if (table.all_differ(unit, count)) return count;
    int distinct = 0;
    table.visit(unit, count,
                [&](int t, int first) MMM_INLINED_HERE { distinct += first == t ? 1 : 0; });
    return distinct;
  }
  if (by.queues() <= 64) {
    std::uint64_t asked = 0;
    std::uint64_t asked_twice = 0;
    index const mask = by.queue_mask();
    for (int t = 0; t < count; ++t) {
      index const number = mask >= 0 ? unit[t] & mask : by.queue(unit[t]);  // quicker to evaluate
      std::uint64_t const queue = std::uint64_t{1} << number;
      asked_twice |= asked & queue;
      asked |= queue;
    }
    if (asked_twice == 0) return count != 0;
  }
  using length = conditional_t<(Max < 256), std::uint8_t, std::uint32_t>;
  length waiting[Max] = {};
  auto const wait = [&](int t, int first) MMM_INLINED_HERE {
    length& own = waiting[by.queue(unit[t])];
    own = static_cast<length>(own + (first == t ? 1 : 0));
  };
  if (table.all_differ(unit, count))
    for (int t = 0; t < count; ++t) wait(t, t);
  else
    table.visit(unit, count, wait);
  length longest = 0;
  for (index q = 0; q < by.queues(); ++q) longest = longest < waiting[q] ? waiting[q] : longest;
  return longest;
}

//! The most lanes that wait in one queue, each served for itself.
template <int Max>
[[nodiscard]] MMM_ALWAYS_INLINE constexpr index longest_queue_of_lanes(service const& by,
                                                                       index const* unit,
                                                                       int count) {
  int waiting[Max] = {};
  int longest = 0;
  for (int t = 0; t < count; ++t) {
    int const own = ++waiting[by.queue(unit[t])];
    longest = longest < own ? own : longest;
  }
  return longest;
}

//! The amount that a request adds to its round: its stages on banks or address groups, its accesses
//! on a PRAM or BPRAM, where only the round has stages (cost_of_round).
//! `address_of(0) … address_of(count - 1)` are the addresses of the active lanes, w at most. \param
//! table a unit_table, where there are many requests one after the other. Time: O(count) expected.
template <conflict Conflict, class Width, class AddressOf,
          class Table = shared_unit_table<Width::max_lanes>>
[[nodiscard]] MMM_ALWAYS_INLINE constexpr index request_amount([[maybe_unused]] Width const& width,
                                                               int count, AddressOf address_of,
                                                               Table&& table = {}) {
  if constexpr (is(Conflict, conflict::none) || is(Conflict, conflict::amount)) {
    return count;
  } else {
    index unit[Width::max_lanes];
    for (int t = 0; t < count; ++t) unit[t] = address_of(t);
    auto const& by = service_of<Conflict>(width);
    if constexpr (is(Conflict, conflict::updates))
      return longest_queue_of_lanes<Width::max_lanes>(by, unit, count);
    by.make_units(unit, count);
    return count_stages_of_units<Width::max_lanes>(by, unit, count, table);
  }
}

//! request_amount of the addresses `address_of(t)` of those lanes `t = 0 … lanes - 1` for which
//! `active(t)`.
template <conflict Conflict, class Width, class AddressOf, class Active>
[[nodiscard]] constexpr index count_stages(Width const& width, int lanes, AddressOf address_of,
                                           Active active) {
  index address[Width::max_lanes];
  int count = 0;
  for (int t = 0; t < lanes; ++t)
    if (active(t)) address[count++] = address_of(t);
  return request_amount<Conflict>(width, count, [&](int t) { return address[t]; });
}

//! The most of `lanes > 0` lanes that wait in one of `queues` queues, where lane t has unit
//! `first + t * stride`. Time: O(1) if the queues are a power of two, otherwise O(log queues).
[[nodiscard]] MMM_ALWAYS_INLINE constexpr index max_lanes_of_a_queue(index queues, index stride,
                                                                     int lanes) {
  if ((queues & (queues - 1)) == 0) {  // quicker than a division
    auto const apart = static_cast<std::uint64_t>(stride | queues);
    return ((lanes - 1) >> (countr_zero(static_cast<std::uint64_t>(queues)) - countr_zero(apart))) +
           1;
  }
  return ceil_divide(lanes, queues / gcd(floor_modulo(stride, queues), queues));
}

//! request_amount of the addresses `first, first + stride, …` of `lanes > 0` lanes. Time: O(1) for
//! the strides 0 and 1, otherwise O(log w).
template <conflict Conflict, class Width>
[[nodiscard]] MMM_ALWAYS_INLINE constexpr index count_affine_stages(
    [[maybe_unused]] Width const& width, index first, index stride, int lanes) {
  if constexpr (is(Conflict, conflict::none) || is(Conflict, conflict::amount)) {
    return lanes;
  } else {
    constexpr bool updates = is(Conflict, conflict::updates);
    if (!updates && stride == 0) return 1;
    if constexpr (!is(Conflict, conflict::groups)) {
      if (stride == 1) return 1;
      return max_lanes_of_a_queue(width.width(), stride, lanes);
    } else {
      auto const& by = service_of<Conflict>(width);
      index const w = width.width();
      if (stride >= w || stride <= -w) return lanes;
      index const last = first + stride * (lanes - 1);
      return by.unit(larger(first, last)) - by.unit(smaller(first, last)) + 1;
    }
  }
}

//! The place of a lane's access in the service of its request.
struct served_lane {
  index unit;
  index queue;
  index stage;  //!< that serves it, from 0: the units before it in its queue
  bool first;   //!< no lane before asked for the unit
};

//! Serves the addresses `address_of(0) … address_of(count - 1)`, each queue in the order of the
//! lanes, and writes their places to `lanes[0 … count - 1]`. Returns the number of stages, as
//! count_stages_of_units does. Time: O(count^2).
template <class AddressOf>
constexpr index serve(service const& by, int count, AddressOf address_of, served_lane* lanes) {
  index stages = 0;
  for (int t = 0; t < count; ++t) {
    index const unit = by.unit(address_of(t));
    served_lane own{unit, by.queue(unit), 0, true};
    for (int s = 0; s < t && own.first; ++s) {
      if (lanes[s].queue != own.queue || !lanes[s].first) continue;
      own.first = lanes[s].unit != own.unit;
      if (own.first) ++own.stage;
    }
    lanes[t] = own;
    stages = larger(stages, own.stage + 1);
  }
  return stages;
}

//! The reason for a request's number of stages: the first of its longest queues.
template <int Max>
struct longest_queue {
  int stages = 0;  //!< the different units that wait in it
  index queue = 0;
  index unit[Max] = {};  //!< the units, in the order in which they are served
  int place[Max] = {};   //!< the k of the address `address_of(k)` that asks for each of them first
};

//! The longest queue of the addresses `address_of(0) … address_of(count - 1)`, at most `Max`.
//! Time: O(count^2).
template <int Max, class AddressOf>
[[nodiscard]] constexpr longest_queue<Max> longest_queue_of(service const& by, int count,
                                                            AddressOf address_of) {
  longest_queue<Max> longest;
  served_lane lanes[Max] = {};
  index const stages = serve(by, count, address_of, lanes);
  for (int t = count - 1; t >= 0; --t)
    if (lanes[t].stage == stages - 1) longest.queue = lanes[t].queue;
  for (int t = 0; t < count; ++t) {
    if (!lanes[t].first || lanes[t].queue != longest.queue) continue;
    longest.unit[longest.stages] = lanes[t].unit;
    longest.place[longest.stages++] = t;
  }
  return longest;
}

//! The stages of a synchronous round, and its time in time units.
struct round_cost {
  index stages;
  index time;
};

//! The cost of a round whose requests add up to `amount` (request_amount); nothing for 0.
//! round_time() is its time on a machine with banks or address groups.
template <memory M>
[[nodiscard]] constexpr round_cost cost_of_round(M const& m, index amount) {
  index stages = amount;
  if constexpr (is(M::conflicts, conflict::none)) stages = amount != 0;
  if constexpr (is(M::conflicts, conflict::amount)) stages = ceil_divide(amount, m.width());
  return {stages, round_time(m, stages)};
}

}  // namespace mmm::detail
