// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "arithmetic_machine.hpp"
#include "catch.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <iomanip>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

//! Compares instructions with independent computations, on edge cases of the types and on random
//! values.
namespace checks {

__extension__ using int128 = __int128;
__extension__ using uint128 = unsigned __int128;

//! The bits of an f16 or bf16 register, or of a pair of them.
struct half_bits {
  std::uint16_t bits;
};
struct brain_bits {
  std::uint16_t bits;
};
struct half_pair {
  std::uint32_t bits;
};

template <class T>
using bits_of = std::conditional_t<
    sizeof(T) == 1, std::uint8_t,
    std::conditional_t<sizeof(T) == 2, std::uint16_t,
                       std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

//! The name of register number n of a type.
template <class T>
std::string register_of(int n) {
  char const kind = std::is_same_v<T, bool> ? 'p'
                    : sizeof(T) == 2        ? 'h'
                    : sizeof(T) == 4        ? 'r'
                                            : 'd';
  return std::string("%") + kind + std::to_string(n);
}

template <class T>
std::vector<bits_of<T>> edges() {
  using B = bits_of<T>;
  if constexpr (std::is_same_v<T, float>)
    return {0,           0x8000'0000, 1,           0x8000'0001, 0x007f'ffff, 0x0080'0000,
            0x8080'0000, 0x3f80'0000, 0x3f80'0001, 0xbf80'0000, 0x3f7f'ffff, 0x4b7f'ffff,
            0x4b80'0000, 0x4b00'0001, 0x3f00'0000, 0xbf00'0000, 0x3fc0'0000, 0x4020'0000,
            0xc020'0000, 0x4f00'0000, 0x4eff'ffff, 0xcf00'0000, 0x4f80'0000, 0x5f00'0000,
            0x7f7f'ffff, 0xff7f'ffff, 0x7f80'0000, 0xff80'0000, 0x7fc0'0000, 0xffc1'2345,
            0x477f'e000, 0x477f'f000, 0x3380'0000, 0x3300'0000, 0x3300'0001, 0x3880'0000,
            0x387f'ffff};
  if constexpr (std::is_same_v<T, double>)
    return {0,
            1,
            std::uint64_t{1} << 63,
            0x000f'ffff'ffff'ffff,
            0x0010'0000'0000'0000,
            0x3ff0'0000'0000'0000,
            0x3ff0'0000'0000'0001,
            0xbff0'0000'0000'0000,
            0x3fe0'0000'0000'0000,
            0xbfe0'0000'0000'0000,
            0x4004'0000'0000'0000,
            0x41df'ffff'ffc0'0000,
            0x41e0'0000'0000'0000,
            0xc1e0'0000'0000'0000,
            0xc1e0'0000'0020'0000,
            0x43df'ffff'ffff'ffff,
            0x43e0'0000'0000'0000,
            0x43f0'0000'0000'0000,
            0x4340'0000'0000'0001,
            0x7fef'ffff'ffff'ffff,
            0x7ff0'0000'0000'0000,
            0xfff0'0000'0000'0000,
            0x7ff8'0000'0000'0000,
            0x36a0'0000'0000'0000,
            0x380f'ffff'f000'0000,
            0x47ef'ffff'f000'0000,
            0x40ef'fdff'ffff'ffff,
            0x40ef'fe00'0000'0000};
  if constexpr (std::is_same_v<T, half_bits>)
    return {0,      0x8000, 1,      0x8001, 0x3ff,  0x400,  0x8400, 0x3c00, 0x3c01, 0xbc00, 0x3bff,
            0x3800, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x6400, 0x67ff, 0x1400, 0x0bff};
  if constexpr (std::is_same_v<T, brain_bits>)
    return {0,      0x8000, 1,      0x8001, 0x7f,   0x80,   0x8080, 0x3f80, 0x3f81, 0xbf80, 0x3f7f,
            0x3f00, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0, 0xffc1, 0x4300, 0x437f, 0x0100, 0x3e80};
  if constexpr (std::is_integral_v<T> || std::is_same_v<T, half_pair>) {
    constexpr B top = static_cast<B>(B{1} << (8 * sizeof(B) - 1));
    return {0,
            1,
            2,
            3,
            7,
            8,
            15,
            16,
            31,
            32,
            33,
            63,
            64,
            65,
            static_cast<B>(~B{0}),
            static_cast<B>(~B{0} - 1),
            top,
            static_cast<B>(top + 1),
            static_cast<B>(top - 1),
            static_cast<B>(top >> 1),
            static_cast<B>(0x5555'5555'5555'5555U),
            static_cast<B>(0x8000),
            static_cast<B>(0x7fff),
            static_cast<B>(0xff80)};
  }
}

//! Random values: edge cases, small numbers, and arbitrary bits; for floating types also values
//! with similar exponents.
class value_source {
 public:
  explicit value_source(std::uint64_t seed) : random_(seed) {}

  template <class T>
  T next() {
    using B = bits_of<T>;
    if constexpr (std::is_same_v<T, bool>) {
      return (random_() & 1) != 0;
    } else {
      static std::vector<B> const special = edges<T>();
      std::uint64_t const r = random_();
      B const all = static_cast<B>(random_());
      switch (r % 4) {
        case 0:
          return std::bit_cast<T>(special[(r >> 8) % special.size()]);
        case 1:
          return std::bit_cast<T>(near_one<T>(all, r >> 8));
        case 2:
          // few ones, which gives ties
          return std::bit_cast<T>(static_cast<B>(all & (all >> 1) & (all << 1)));
        default:
          return std::bit_cast<T>(all);
      }
    }
  }
  std::uint64_t bits() { return random_(); }

 private:
  //! A floating-point number with an exponent near 0, or a small integer, of either sign.
  template <class T>
  static bits_of<T> near_one(bits_of<T> all, std::uint64_t r) {
    using B = bits_of<T>;
    constexpr int fraction = std::is_same_v<T, float>       ? 23
                             : std::is_same_v<T, double>    ? 52
                             : std::is_same_v<T, half_bits> ? 10
                                                            : 7;
    if constexpr (std::is_integral_v<T> || std::is_same_v<T, half_pair>) {
      return static_cast<B>(static_cast<std::int64_t>(r % 512) - 256);
    } else {
      constexpr B bias = static_cast<B>(std::is_same_v<T, double>      ? 1023
                                        : std::is_same_v<T, half_bits> ? 15
                                                                       : 127);
      auto const exponent = static_cast<B>(static_cast<B>(bias + (r % 13) - 6) << fraction);
      constexpr B kept =
          static_cast<B>((B{1} << fraction) - 1) | static_cast<B>(B{1} << (8 * sizeof(B) - 1));
      return static_cast<B>((all & kept) | exponent);
    }
  }

  std::mt19937_64 random_;
};

template <class T>
bool is_nan(T v) {
  if constexpr (std::is_floating_point_v<T>)
    return v != v;
  else if constexpr (std::is_same_v<T, half_bits>)
    return (v.bits & 0x7fff) > 0x7c00;
  else if constexpr (std::is_same_v<T, brain_bits>)
    return (v.bits & 0x7fff) > 0x7f80;
  else
    return false;
}
//! True if all bits are equal. Any NaN equals any other, except in f32, f16 and bf16, where the
//! device has a canonical NaN.
template <class T>
bool same(T found, T expected) {
  if constexpr (std::is_same_v<T, bool>) {
    return found == expected;
  } else {
    if (!is_nan(expected))
      return std::bit_cast<bits_of<T>>(found) == std::bit_cast<bits_of<T>>(expected);
    if constexpr (std::is_same_v<T, double>)
      return is_nan(found);
    else
      return std::bit_cast<bits_of<T>>(found) ==
             static_cast<bits_of<T>>(sizeof(T) == 4 ? 0x7fff'ffffU : 0x7fffU);
  }
}
template <class T>
std::string text_of(T v) {
  std::ostringstream out;
  if constexpr (std::is_same_v<T, bool>)
    out << v;
  else
    out << "0x" << std::hex << std::uint64_t{std::bit_cast<bits_of<T>>(v)};
  return out.str();
}

//! The bits of a value in each lane.
using lane_bits = std::array<std::uint64_t, 32>;

template <class T>
std::uint64_t as_bits(T v) {
  if constexpr (std::is_same_v<T, bool>)
    return v ? 1 : 0;
  else
    return std::bit_cast<bits_of<T>>(v);
}
template <class T>
T value_of(std::uint64_t bits) {
  if constexpr (std::is_same_v<T, bool>)
    return bits != 0;
  else
    return std::bit_cast<T>(static_cast<bits_of<T>>(bits));
}

template <class T>
lane_bits values_of(lane_machine& m, std::string const& name) {
  lane_bits values{};
  if constexpr (std::is_same_v<T, bool>) {
    device::lane_mask const mask = m.predicate(name);
    for (std::size_t t = 0; t < 32; ++t) values[t] = (mask >> t) & 1;
  } else {
    auto const lanes = m.get<T>(name);
    for (std::size_t t = 0; t < 32; ++t) values[t] = as_bits(lanes[t]);
  }
  return values;
}
template <class T>
void set_values(lane_machine& m, std::string const& name, lane_bits const& values) {
  if constexpr (std::is_same_v<T, bool>) {
    device::lane_mask mask = 0;
    for (std::size_t t = 0; t < 32; ++t) mask |= static_cast<device::lane_mask>(values[t] << t);
    m.set_predicate(name, mask);
  } else {
    std::array<T, 32> lanes{};
    for (std::size_t t = 0; t < 32; ++t) lanes[t] = value_of<T>(values[t]);
    m.set(name, lanes);
  }
}

//! The operations of a check on the values of a type. Checks know values by their bits, so that
//! they are compiled once, not once for each list of types.
struct value_type {
  std::string (*name)(int n);
  std::uint64_t (*next)(value_source&);
  lane_bits (*values)(lane_machine&, std::string const& name);
  void (*set)(lane_machine&, std::string const& name, lane_bits const&);
  bool (*same)(std::uint64_t found, std::uint64_t expected);
  std::string (*text)(std::uint64_t);

  [[nodiscard]] lane_bits random_values(value_source& random) const {
    lane_bits r{};
    for (std::uint64_t& v : r) v = next(random);
    return r;
  }
};
template <class T>
value_type const* value_type_of() {
  static constexpr value_type type{register_of<T>,
                                   [](value_source& random) { return as_bits(random.next<T>()); },
                                   values_of<T>,
                                   set_values<T>,
                                   [](std::uint64_t found, std::uint64_t expected) {
                                     return same(value_of<T>(found), value_of<T>(expected));
                                   },
                                   [](std::uint64_t bits) { return text_of(value_of<T>(bits)); }};
  return &type;
}

//! The value that an instruction must put into its destination: a function of its sources, and
//! their types.
//! It refers to the function.
struct expectation {
  value_type const* result;
  std::vector<value_type const*> sources;
  void const* function;
  std::uint64_t (*call)(void const* function, std::uint64_t const* sources);

  //! of the values of one lane
  [[nodiscard]] std::uint64_t operator()(std::vector<lane_bits> const& in, std::size_t lane) const {
    std::array<std::uint64_t, 8> values{};
    for (std::size_t k = 0; k < in.size(); ++k) values.at(k) = in[k][lane];
    return call(function, values.data());
  }
  //! Sets the registers 1, 2, … to random values of the sources' types.
  [[nodiscard]] std::vector<lane_bits> set_sources(lane_machine& m, value_source& random) const {
    std::vector<lane_bits> in;
    for (value_type const* type : sources) in.push_back(type->random_values(random));
    for (std::size_t k = 0; k < in.size(); ++k)
      sources[k]->set(m, sources[k]->name(static_cast<int>(k) + 1), in[k]);
    return in;
  }
};
template <class D, class... A, class F, std::size_t... K>
expectation expects(F const& f, std::index_sequence<K...> /*sources*/) {
  return {value_type_of<D>(),
          {value_type_of<A>()...},
          &f,
          [](void const* function, std::uint64_t const* sources) {
            return as_bits<D>(D((*static_cast<F const*>(function))(value_of<A>(sources[K])...)));
          }};
}

inline void check_text_of(lane_machine& m, std::string const& text, expectation const& expected,
                          int rounds) {
  INFO(text);
  auto const program = m.compile(text);
  value_source random(std::hash<std::string>{}(text));
  value_type const& result = *expected.result;
  int failures = 0;
  for (int round = 0; round < rounds && failures == 0; ++round) {
    std::vector<lane_bits> const in = expected.set_sources(m, random);
    lane_bits const before = result.random_values(random);
    result.set(m, result.name(0), before);
    device::lane_mask const active =
        round % 3 == 0
            ? device::all_lanes
            : static_cast<device::lane_mask>(random.bits() & random.bits()) | (1U << (round % 32));
    m.run(program, active);
    lane_bits const found = result.values(m, result.name(0));
    for (std::size_t t = 0; t < 32 && failures == 0; ++t) {
      bool const is_active = ((active >> t) & 1) != 0;
      std::uint64_t const wanted = is_active ? expected(in, t) : before[t];
      if (is_active ? result.same(found[t], wanted) : found[t] == wanted) continue;
      ++failures;
      std::string operands;
      for (std::size_t k = 0; k < in.size(); ++k)
        operands += " " + expected.sources[k]->text(in[k][t]);
      FAIL_CHECK("lane " << t << (is_active ? "" : " (inactive)") << ", of" << operands << ": "
                         << result.text(found[t]) << " instead of " << result.text(wanted));
    }
  }
  CHECK(failures == 0);
}
//! Runs `text`, whose destination is register 0 of type D and whose sources are registers 1, 2, …
//! of types A, for many values and masks, and compares each active lane with `expected`. Inactive
//! lanes must keep their values.
template <class D, class... A, class F>
void check_text(lane_machine& m, std::string const& text, F expected, int rounds = 60) {
  static_assert(sizeof...(A) >= 1);
  check_text_of(m, text, expects<D, A...>(expected, std::index_sequence_for<A...>{}), rounds);
}

inline void check_opcode_of(lane_machine& m, std::string const& opcode, expectation const& expected,
                            int rounds) {
  std::string sources;
  for (std::size_t k = 0; k < expected.sources.size(); ++k)
    sources += ", " + expected.sources[k]->name(static_cast<int>(k) + 1);
  value_type const& result = *expected.result;
  check_text_of(m, opcode + " " + result.name(0) + sources + ";", expected, rounds);

  if (expected.result != expected.sources.front() || expected.result == value_type_of<bool>())
    return;
  std::string const first = result.name(1);
  auto const program = m.compile(opcode + " " + first + sources + ";");
  value_source random(7);
  std::vector<lane_bits> const in = expected.set_sources(m, random);
  device::lane_mask const active = 0xa5ff'3c01U;
  m.run(program, active);
  lane_bits const found = result.values(m, first);
  bool all = true;
  for (std::size_t t = 0; t < 32; ++t)
    all = all && (((active >> t) & 1) != 0 ? result.same(found[t], expected(in, t))
                                           : found[t] == in.front()[t]);
  INFO(opcode << " in place");
  CHECK(all);
}
//! Checks `opcode d, a, …;`, and, if the types are equal, also with a destination that is the first
//! source.
template <class D, class... A, class F>
void check(lane_machine& m, std::string const& opcode, F expected, int rounds = 60) {
  static_assert(sizeof...(A) >= 1);
  check_opcode_of(m, opcode, expects<D, A...>(expected, std::index_sequence_for<A...>{}), rounds);
}

}  // namespace checks
