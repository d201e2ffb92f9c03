// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/execute/lane/lanewise_row.hpp>
#include <device/execute/warp.hpp>

#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

#ifndef DEVICE_ISA
#define DEVICE_ISA baseline
#endif

//! Handlers made of functions of one lane's values. A predicate operand is a bool; other values are
//! kept as integers of their size, so that no object is read through another type.
namespace device::DEVICE_ISA {

__extension__ using int128 = __int128;
__extension__ using uint128 = unsigned __int128;

//! 16 bytes, aligned to 8 only.
struct two_words {
  std::uint64_t low, high;
};

template <int Bytes>
struct raw_of;
// clang-format off
template <> struct raw_of<1> { using type = std::uint8_t; };
template <> struct raw_of<2> { using type = std::uint16_t; };
template <> struct raw_of<4> { using type = std::uint32_t; };
template <> struct raw_of<8> { using type = std::uint64_t; };
template <> struct raw_of<16> { using type = two_words; };
// clang-format on
template <class T>
using raw = typename raw_of<sizeof(T)>::type;

//! The bit of the lane that element i belongs to, PerLane elements a lane.
template <int PerLane>
struct bit_table {
  lane_mask bit[lanes * PerLane]{};
  constexpr bit_table() {
    for (int i = 0; i < lanes * PerLane; ++i) bit[i] = lane_mask{1} << (i / PerLane);
  }
};
template <int PerLane>
inline constexpr bit_table<PerLane> lane_bit;

//! A value from its bits.
template <class T>
T value_of(raw<T> bits) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(bits);
  else
    return std::bit_cast<T>(bits);
}

template <class T, int PerLane>
struct reader {
  raw<T> const* values;
  reader(warp const& w, slot s) : values(w.source<raw<T>>(s)) {}
  T operator[](int i) const { return value_of<T>(values[i]); }
};
template <int PerLane>
struct reader<bool, PerLane> {
  lane_mask mask;
  reader(warp const& w, slot s) : mask(w.predicate(s)) {}
  bool operator[](int i) const { return (mask & lane_bit<PerLane>.bit[i]) != 0; }
};

template <std::size_t I>
slot source_slot(operation const& o) {
  static_assert(I < 4);
  if constexpr (I == 0)
    return o.a;
  else if constexpr (I == 1)
    return o.b;
  else if constexpr (I == 2)
    return o.c;
  else
    return o.list[0];
}

//! The bits of a result. f32 has one pattern for all NaN, the device's (0x7fffffff), not the
//! host's. f64 keeps the host's: an operand's or, of numbers, 0xfff8000000000000, as on the device.
template <class T>
raw<T> bits_of_result(T value) {
  if constexpr (std::is_same_v<T, float>)
    return value == value ? std::bit_cast<std::uint32_t>(value) : 0x7fffffffU;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<raw<T>>(value);
  else
    return std::bit_cast<raw<T>>(value);
}

//! Writes the active lanes' values to the destination. A loop of its own: g++ 12 multiplies wrongly
//! (pmulhuw for signed values of 16 bits) where it turns a loop with a product's upper half and a
//! choice into vectors.
template <int PerLane, class B>
[[gnu::noinline]] void store_active(warp const& w, operation const& o, B const* values) {
  B* const d = w.destination<B>(o.d);
#pragma GCC ivdep
  for (int i = 0; i < lanes * PerLane; ++i)
    d[i] = (w.active & lane_bit<PerLane>.bit[i]) != 0 ? values[i] : d[i];
}

//! The handler that applies F to every lane, PerLane elements of each. If Cheap, all lanes are
//! computed, the inactive ones' results dropped: F has a value for any operands and no side effect,
//! and costs less than to ask for each lane.
template <auto F, int PerLane = 1, bool Cheap = true>
struct lanewise;

template <class R, class... A, R (*F)(A...), int PerLane, bool Cheap>
struct lanewise<F, PerLane, Cheap> {
  static void run(warp& w, operation const& o) { run(w, o, std::index_sequence_for<A...>{}); }

  static constexpr operand_class of_result() { return class_of<R>(); }
  static constexpr row describe(char const* name, instruction_kind kind) {
    row r{name, &run, kind};
    r.sources = sizeof...(A);
    r.d = class_of<R>();
    int i = 0;
    ((r.source[i++] = class_of<A>()), ...);
    return r;
  }

 private:
  template <class T>
  static constexpr operand_class class_of() {
    if constexpr (std::is_same_v<T, bool>)
      return {0, false};
    else
      return {static_cast<std::uint8_t>(sizeof(T) * PerLane),
              std::is_floating_point_v<T> && PerLane == 1};
  }

  template <std::size_t... I>
  static void run(warp& w, operation const& o, std::index_sequence<I...>) {
    loop(w, o, reader<A, PerLane>(w, source_slot<I>(o))...);
  }

  static void loop(warp& w, operation const& o, reader<A, PerLane> const... in) {
    if constexpr (std::is_same_v<R, bool>) {
      static_assert(PerLane == 1);
      lane_mask m = 0;
      for (int t = 0; t < lanes; ++t) m |= F(in[t]...) ? lane_bit<1>.bit[t] : 0U;
      w.set_predicate(o.d, m);
    } else if constexpr (!Cheap) {
      raw<R>* const d = w.destination<raw<R>>(o.d);
      for (lane_mask left = w.active; left != 0; left &= left - 1) {
        int const t = std::countr_zero(left) * PerLane;
        for (int k = t; k < t + PerLane; ++k) d[k] = bits_of_result(F(in[k]...));
      }
    } else if (w.active == all_lanes) {
      compute(w.destination<raw<R>>(o.d), in...);
    } else {
      raw<R> all[lanes * PerLane];
      compute(all, in...);
      store_active<PerLane>(w, o, all);
    }
  }

  //! Computes the results of all lanes. The destination is one of the sources or overlaps none: no
  //! lane depends on another's result.
  [[gnu::noinline]] static void compute(raw<R>* d, reader<A, PerLane> const... in) {
#pragma GCC ivdep
    for (int i = 0; i < lanes * PerLane; ++i) d[i] = bits_of_result(F(in[i]...));
  }
};

template <auto F, int PerLane = 1>
constexpr row row_of(char const* name, instruction_kind kind, std::uint16_t allowed = 0) {
  row r = lanewise<F, PerLane>::describe(name, kind);
  r.allowed = allowed;
  return r;
}
//! For a function that costs much more than a branch.
template <auto F, int PerLane = 1>
constexpr row costly_row_of(char const* name, instruction_kind kind, std::uint16_t allowed = 0) {
  row r = lanewise<F, PerLane, false>::describe(name, kind);
  r.allowed = allowed;
  return r;
}

}  // namespace device::DEVICE_ISA
