// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/scan/prefix_sums.hpp>
#include <mmm/algorithm/scatter.hpp>
#include <mmm/algorithm/sort/sort.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/machine/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

//! Radix sort in one memory, from the least significant digit on. Only the last access of a pass
//! depends on the data: the access that moves a key to its place.
MMM_BODIES_BEGIN
namespace mmm {

namespace detail {

template <std::size_t Bytes>
struct bits_of_size;
template <>
struct bits_of_size<1> : std::type_identity<std::uint8_t> {};
template <>
struct bits_of_size<2> : std::type_identity<std::uint16_t> {};
template <>
struct bits_of_size<4> : std::type_identity<std::uint32_t> {};
template <>
struct bits_of_size<8> : std::type_identity<std::uint64_t> {};

//! Converts a number to bits whose order as unsigned integers is that of the numbers.
//! Floating-point numbers are in their total order: -0 before 0, NaNs at the ends by their sign.
template <class Key>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto ordered_bits(Key const& x) {
  static_assert(std::is_arithmetic_v<Key> && sizeof(Key) <= 8,
                "mmm: a radix sort is for numbers of up to 8 bytes; mmm::sort takes any order");
  using bits = typename bits_of_size<sizeof(Key)>::type;
  constexpr auto sign = static_cast<bits>(bits{1} << (8 * sizeof(Key) - 1));
  auto const own = __builtin_bit_cast(bits, x);
  if constexpr (std::is_floating_point_v<Key>)
    return static_cast<bits>((own & sign) != 0 ? ~own : own | sign);
  else if constexpr (std::is_signed_v<Key>)
    return static_cast<bits>(own ^ sign);
  else
    return own;
}

//! The digit of a key in its order: `Bits` bits from bit `shift` on.
template <index Bits, class Order>
struct digit_at {
  static_assert(std::is_same_v<Order, ascending> || std::is_same_v<Order, descending>,
                "mmm: a radix sort is ascending or descending; mmm::sort takes any order");
  template <class Key>
  [[nodiscard]] MMM_HOST_DEVICE constexpr std::int32_t operator()(Key const& x, int shift) const {
    constexpr std::uint32_t all = (std::uint32_t{1} << Bits) - 1;
    auto const digit = static_cast<std::uint32_t>(ordered_bits(x) >> shift) & all;
    return static_cast<std::int32_t>(std::is_same_v<Order, descending> ? all - digit : digit);
  }
};

//! The division of keys into sections: each of `count` threads has a section of successive keys, of
//! `max_keys` keys or one less, the longer ones first. Key j of section t lies at j * count + t, so
//! that the threads access their sections in rows.
struct sections {
  index n;
  index count;
  index max_keys;

  //! The division of n keys into at most `count` sections.
  [[nodiscard]] MMM_HOST_DEVICE static constexpr sections make(index n, index count) {
    index const own = smaller(n, count);
    return {n, own, ceil_divide(n, own)};
  }
  //! Number of sections of `max_keys` keys.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index longer() const {
    return n - (max_keys - 1) * count;
  }
  //! The number of the key that lies at place i.
  template <class Item>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto key_at(Item const& i) const {
    auto const t = i % count;
    return t * max_keys + i / count - max(t - longer(), 0);
  }
};
//! The place of key q of n in that many sections.
struct place_in_sections {
  index n;
  MMM_HOST_DEVICE constexpr index operator()(index q, index count) const {
    auto const all = sections::make(n, count);
    index const in_longer = all.longer() * all.max_keys;
    if (q < in_longer) return q % all.max_keys * count + q / all.max_keys;
    index const after = q - in_longer, words = all.max_keys - 1;
    return after % words * count + all.longer() + after / words;
  }
};
//! The place of key q where keys lie in their order: q.
struct own_place {
  MMM_HOST_DEVICE constexpr index operator()(index q, index) const { return q; }
};

//! One stable pass over n keys in sections, and over their values: sorts by one 4-bit digit, from
//! `in` to the places `to` in `out`. Every thread counts the digits of its section in registers;
//! the prefix-sums of all counts, digit by digit, are the places of its keys with each digit.
//! `counts` has 16 words for each section.
//! Time, for s sections: three accesses of n keys and two of n values, the last one of either at
//! places that depend on the keys; 32 contiguous accesses of s words, and the prefix-sums of 16 s.
template <class Order, class Scatter = scatter_of_data>
struct section_pass {
  static constexpr index bits = 4;
  static constexpr index digits = index{1} << bits;
  static constexpr bool of_data = std::is_same_v<Scatter, scatter_of_data>;
  int shift;

  template <class On, class In, class Out, class OfIn, class OfOut, class Counts, class To>
  MMM_HOST_DEVICE constexpr void operator()(On& on, sections const& all, In in, Out out, OfIn of_in,
                                            OfOut of_out, Counts counts, To const& to) const {
    auto const self = *this;
    index const s = all.count;
    index const w = on.machine().width();
    auto const c = on.template registers<index, digits>();
    on.each(s, [=](auto i) { unroll<digits>([&](index k) { c(i, k) = 0 * i; }); }, no_barrier);
    on.each(
        all.n,
        [=](auto i) {
          auto const key = load(in[i]);
          if constexpr (of_data) {
            auto const d = self.digit_of(key);
            c.chosen(i, d) = load(c.chosen(i, d)) + 1;
          }
        },
        no_barrier);
    on.each(s,
            [=](auto i) { unroll<digits>([&](index k) { counts[k * s + i] = load(c(i, k)); }); });
    scan_program<plus, false>{}(on, counts, digits * s);
    on.each(
        s,
        [=](auto i) {
          unroll<digits>([&](index k) { c(i, k) = load(counts[k * s + i]) - load(c(i, k)); });
        },
        no_barrier);
    on.each(all.n, [=](auto i) {
      auto const key = load(in[i]);
      auto const place = [&] {
        if constexpr (of_data) {
          auto const d = self.digit_of(key);
          auto const q = load(c.chosen(i, d));
          c.chosen(i, d) = q + 1;
          return as_index(apply(to, q, s));
        } else {
          return Scatter{}(i, s, w);
        }
      }();
      out[place] = key;
      if constexpr (has_values<OfIn>) of_out[place] = load(of_in[i]);
    });
  }

 private:
  template <class Key>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto digit_of(Key const& x) const {
    return as_index(apply(digit_at<bits, Order>{}, x, shift));
  }
};

//! Sorts n keys of `bits` bits in place, and their values with them, in one memory. The passes go
//! from array to array, and the last one to the keys' own places. Values make the order of equal
//! keys visible: keys with values are first brought into sections; keys without values are taken in
//! the order in which they lie.
template <class Order, class Scatter = scatter_of_data>
struct section_sort_program {
  index bits;

  template <class On, class Keys, class Values = no_values>
  MMM_HOST_DEVICE constexpr void operator()(On& on, index n, Keys keys, Values values = {}) const {
    if (n <= 1) return;
    using pass = section_pass<Order, Scatter>;
    using key = typename Keys::value_type;
    auto const all = sections::make(n, on.threads());
    auto const other = on.template allocate<key>(n);
    auto const counts = on.template allocate<index>(pass::digits * all.count);
    if constexpr (has_values<Values>) {
      using value = typename Values::value_type;
      auto const other_values = on.template allocate<value>(n);
      auto const third = on.template allocate<key>(n);
      auto const third_values = on.template allocate<value>(n);
      on.each(n, [=](auto i) {
        auto const source = all.key_at(i);
        third[i] = load(keys[source]);
        third_values[i] = load(values[source]);
      });
      passes(on, all, third, other, keys, third_values, other_values, values, counts);
    } else {
      passes(on, all, keys, other, keys, values, values, values, counts);
    }
  }

 private:
  //! Makes the passes from `a` to `b` and back, and the last one from `b` to `out`.
  template <class On, class A, class B, class Out, class OfA, class OfB, class OfOut, class Counts>
  MMM_HOST_DEVICE constexpr void passes(On& on, sections const& all, A a, B b, Out out, OfA of_a,
                                        OfB of_b, OfOut of_out, Counts counts) const {
    using pass = section_pass<Order, Scatter>;
    int const last = static_cast<int>(bits - pass::bits);
    place_in_sections const to{all.n};
    for (int shift = 0; shift < last; shift += 2 * static_cast<int>(pass::bits)) {
      pass{shift}(on, all, a, b, of_a, of_b, counts, to);
      pass const second{shift + static_cast<int>(pass::bits)};
      if (second.shift < last)
        second(on, all, b, a, of_b, of_a, counts, to);
      else
        second(on, all, b, out, of_b, of_out, counts, own_place{});
    }
  }
};

}  // namespace detail
}  // namespace mmm
MMM_BODIES_END
