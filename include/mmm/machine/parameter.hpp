// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>

namespace mmm::detail {

//! The compile error of a machine's static parameter that is too small. The numbers stand in the
//! template's arguments, where compilers print them.
template <index Got, index Least>
struct machine_parameter {
  static_assert(
      Got >= Least,
      "mmm: a machine's parameter is too small: <Got, Least>; mmm::dynamic is for run time");
  static constexpr bool accepted = Got >= Least;
};

//! The run-time values a machine was constructed from, taken one after the other.
struct parameter_source {
  index const* next;
};

//! The arguments of a machine's constructor.
template <int N>
struct given_parameters {
  index value[N];
  [[nodiscard]] constexpr parameter_source source() const { return {value}; }
};

//! The values of a machine's parameters, as far as its type does not know them.
struct parameter_list {
  index value[6] = {};
  int count = 0;
  template <index Static>
  constexpr void add(index given) {
    if constexpr (Static == dynamic) value[count++] = given;
  }
  [[nodiscard]] constexpr parameter_source source() const { return {value}; }
};

//! One parameter of a machine: empty when the type knows it, one word when only the value does.
template <class Name, index Value>
struct parameter {
  static_assert(machine_parameter<Value, 1>::accepted);
  static constexpr int values = 0;
  constexpr parameter() = default;
  constexpr explicit parameter(parameter_source&) {}
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index get() { return Value; }
  friend constexpr bool operator==(parameter const&, parameter const&) = default;
};

template <class Name>
struct parameter<Name, dynamic> {
  static constexpr int values = 1;
  index value;
  constexpr explicit parameter(parameter_source& source) : value(*source.next++) {
    if (value < 1) reject(Name::text, value, "1 or more");
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index get() const { return value; }
  friend constexpr bool operator==(parameter const&, parameter const&) = default;
};

//! The width of a machine: lanes of a warp. `max_lanes` bounds it at compile time, for arrays of
//! lanes.
template <index W>
struct width_parameter {
  static_assert(machine_parameter<W, 1>::accepted);
  static constexpr int values = 0;
  static constexpr int max_lanes = static_cast<int>(W);
  constexpr width_parameter() = default;
  constexpr explicit width_parameter(parameter_source&) {}
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index width() { return W; }
  friend constexpr bool operator==(width_parameter const&, width_parameter const&) = default;
};

//! A width that only the value knows.
template <>
struct width_parameter<dynamic> {
  static constexpr int values = 1;
  static constexpr int max_lanes = 64;
  constexpr explicit width_parameter(parameter_source& source) : value_(*source.next++) {
    if (value_ < 1 || value_ > max_lanes) reject("the width of a machine", value_, "1 to 64");
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index width() const { return value_; }
  friend constexpr bool operator==(width_parameter const&, width_parameter const&) = default;

 private:
  index value_;
};

struct latency_name {
  static constexpr char const* text = "a memory's latency";
};
struct shared_latency_name {
  static constexpr char const* text = "the shared memories' latency";
};
struct ports_name {
  static constexpr char const* text = "the number of ports";
};
struct dmms_name {
  static constexpr char const* text = "the number of DMMs";
};
struct capacity_name {
  static constexpr char const* text = "the capacity of a shared memory in words";
};

}  // namespace mmm::detail
