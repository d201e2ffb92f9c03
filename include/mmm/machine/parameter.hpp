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
  constexpr explicit parameter(parameter_source& from) : value(*from.next++) {
    if (value < 1) reject(Name::text, value, "1 or more");
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index get() const { return value; }
  friend constexpr bool operator==(parameter const&, parameter const&) = default;
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
