// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/layout/swizzle.hpp>

//! Discrete Fourier transforms in the registers of a thread and in a shared memory.
MMM_BODIES_BEGIN
namespace mmm {

//! A root of unity e^(-2 pi i k/n), correctly rounded to double but for the last digit.
struct root_of_unity {
  double re;
  double im;

  //! The root for `0 <= k < n`. Time: about 10 terms of the series of an angle up to pi/4.
  [[nodiscard]] static constexpr root_of_unity make(index k, index n) {
    // the angle in eighths of a turn, and its mirror image in the first one
    index const eighth = 8 * k / n;
    index const rest = 8 * k - eighth * n;
    bool const mirrored = eighth % 2 == 1;
    double const angle = static_cast<double>(mirrored ? n - rest : rest) / static_cast<double>(n) *
                         0.78539816339744830962;
    double cosine = 0, sine = 0, term = 1;
    for (int power = 0; power < 20; ++power) {
      (power % 2 == 0 ? cosine : sine) += power % 4 < 2 ? term : -term;
      term = term * angle / (power + 1);
    }
    bool const swapped = eighth % 4 == 1 || eighth % 4 == 2;
    double const across = swapped ? sine : cosine;
    double const up = swapped ? cosine : sine;
    return {eighth >= 2 && eighth < 6 ? -across : across, eighth >= 4 ? up : -up};
  }
};

//! A complex number whose parts are values of a body: numbers, or all lanes' numbers.
template <class Value>
struct complex_value {
  Value re;
  Value im;

  [[nodiscard]] MMM_HOST_DEVICE friend constexpr complex_value operator+(complex_value const& a,
                                                                         complex_value const& b) {
    return {a.re + b.re, a.im + b.im};
  }
  [[nodiscard]] MMM_HOST_DEVICE friend constexpr complex_value operator-(complex_value const& a,
                                                                         complex_value const& b) {
    return {a.re - b.re, a.im - b.im};
  }
  [[nodiscard]] MMM_HOST_DEVICE friend constexpr complex_value operator*(complex_value const& a,
                                                                         complex_value const& b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  //! The product with the conjugate of b.
  [[nodiscard]] MMM_HOST_DEVICE constexpr complex_value times_conjugate(
      complex_value const& b) const {
    return {re * b.re + im * b.im, im * b.re - re * b.im};
  }
  //! Real and imaginary part exchanged. A transform between two exchanges is the inverse transform,
  //! times the number of points.
  [[nodiscard]] MMM_HOST_DEVICE constexpr complex_value exchanged() const { return {im, re}; }
};
template <class Value>
complex_value(Value, Value) -> complex_value<Value>;

namespace detail {

//! The type of the numbers of a body's values.
template <class Value>
struct number_of : type_identity<Value> {};
template <class Value>
requires requires { typename Value::value_type; }
struct number_of<Value> : type_identity<typename Value::value_type> {};

//! The lowest `bits` bits of k in the opposite order.
[[nodiscard]] constexpr index reversed_bits(index k, index bits) {
  index r = 0;
  for (; bits > 0; --bits, k /= 2) r = 2 * r + k % 2;
  return r;
}

//! `x * e^(-2 pi i K/N)`.
template <index K, index N, class Value>
[[nodiscard]] MMM_HOST_DEVICE constexpr complex_value<Value> times_root(
    complex_value<Value> const& x) {
  using number = typename number_of<Value>::type;
  constexpr root_of_unity root = root_of_unity::make(K, N);
  constexpr auto re = static_cast<number>(root.re);
  constexpr auto im = static_cast<number>(root.im);
  return {x.re * re - x.im * im, x.re * im + x.im * re};
}

//! `(x - y) e^(-2 pi i K/N)`, `0 <= 4 K <= 2 N`.
template <index K, index N, class Value>
[[nodiscard]] MMM_HOST_DEVICE constexpr complex_value<Value> difference_times_root(
    complex_value<Value> const& x, complex_value<Value> const& y) {
  if constexpr (K == 0)
    return x - y;
  else if constexpr (4 * K == N)
    return {x.im - y.im, y.re - x.re};
  else
    return times_root<K, N>(x - y);
}

//! The butterflies of points `Half` apart, and of those at smaller distances.
template <index Half, index R, class Value>
MMM_HOST_DEVICE constexpr void butterflies(vec<complex_value<Value>, R>& v) {
  unroll<R / 2>([&](auto number) {
    constexpr index k = decltype(number)::value % Half;
    constexpr index lower = decltype(number)::value / Half * (2 * Half) + k;
    auto const x = v[lower];
    auto const y = v[lower + Half];
    v[lower] = x + y;
    v[lower + Half] = difference_times_root<k, 2 * Half>(x, y);
  });
  if constexpr (Half > 1) butterflies<Half / 2>(v);
}

}  // namespace detail

//! The discrete Fourier transform of R points in registers, R a power of two: point k of the result
//! is the sum of `v[j] e^(-2 pi i j k/R)`.
template <index R, class Value>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto transformed(vec<complex_value<Value>, R> v) {
  static_assert(R > 1 && (R & (R - 1)) == 0, "mmm: a transform in registers has a power of two");
  detail::butterflies<R / 2>(v);
  return make_vec<R>([&](auto k) {
    constexpr index place = detail::reversed_bits(decltype(k)::value, detail::ceil_log2(R));
    return v[place];
  });
}

//! Transforms of `points` complex numbers in a shared memory, in passes of butterflies of
//! `Radices...` points, in place: the real and the imaginary part of a point are two adjacent
//! words, and a thread reads and writes both in one access. Pass 0 combines points `points/R`
//! apart, the last pass adjacent ones. The forward transform goes through the passes in their
//! order, and leaves its results in the order of their reversed digits; the inverse transform goes
//! through them in the opposite order, so that nothing is ever reordered.
//! Free of bank conflicts for widths up to 32 if the last two radices are 16: a swizzle permutes
//! the points.
template <index... Radices>
struct shared_fft {
  static_assert(sizeof...(Radices) >= 2, "mmm: a transform in shared memory has 2 passes or more");
  static constexpr index passes = sizeof...(Radices);
  static constexpr index points = (Radices * ...);

  //! The radix of a pass.
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index radix(index pass) {
    index const all[] = {Radices...};
    return all[pass];
  }
  //! Distance of the points of a butterfly of a pass.
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index distance(index pass) {
    index apart = points;
    for (index k = 0; k <= pass; ++k) apart /= radix(k);
    return apart;
  }
  //! Number of butterflies of a pass.
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index butterflies(index pass) {
    return points / radix(pass);
  }
  //! Number of the roots' table before those of a pass; of all for the last pass, which needs none.
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index roots_before(index pass) {
    index all = 0;
    for (index k = 0; k < pass; ++k) all += distance(k);
    return all;
  }
  static constexpr index last = passes - 1;
  static constexpr index root_words = 2 * roots_before(last);  //!< words of the roots' table

  //! Fills the table of the passes' roots: for every pass but the last one, e^(-2 pi i j/(R
  //! distance)) for all j < distance. Sixteen roots are constants; others are products of two.
  template <class Block, class Words>
  MMM_HOST_DEVICE static constexpr void fill_roots(Block& block, Words roots) {
    using number = typename Words::value_type;
    unroll<last>([&](auto pass) {
      constexpr index p = decltype(pass)::value;
      constexpr index count = distance(p);
      constexpr index turn = count * radix(p);
      constexpr index first = roots_before(p);
      constexpr index known = detail::smaller(count, 16);
      block.each(1, [=](auto i) {
        unroll<known>([&](auto k) {
          constexpr root_of_unity root = root_of_unity::make(decltype(k)::value, turn);
          constexpr auto re = static_cast<number>(root.re);
          constexpr auto im = static_cast<number>(root.im);
          wide<2>(roots)[i + (first + decltype(k)::value)] = vec<number, 2>{{re, im}};
        });
      });
      multiply_roots<known, count, turn, first>(block, roots);
    });
  }

  //! The points of a thread's butterfly, with the number of the thread's item.
  template <index Pass, class Words, class Item>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto read(Words s, Item const& i) {
    auto const first = first_place<Pass>(i);
    return make_vec<radix(Pass)>(
        [&](auto k) { return loaded(wide<2>(s)[place<Pass, decltype(k)::value>(first)]); });
  }
  template <index Pass, class Words, class Item, class Points>
  MMM_HOST_DEVICE static constexpr void write(Words s, Item const& i, Points const& v) {
    auto const first = first_place<Pass>(i);
    unroll<radix(Pass)>([&](auto k) {
      wide<2>(s)[place<Pass, decltype(k)::value>(first)] = stored(v[decltype(k)::value]);
    });
  }
  //! The points times the powers of the butterfly's root: point k times power k.
  template <index Pass, class Words, class Item, class Points>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr Points turned(Words roots, Item const& i,
                                                               Points v) {
    constexpr index first = roots_before(Pass);
    auto const root = loaded(wide<2>(roots)[(i & (distance(Pass) - 1)) + first]);
    Points powers = v;
    powers[1] = root;
    v[1] = v[1] * root;
    unroll<radix(Pass) - 2>([&](auto number) {
      constexpr index k = decltype(number)::value + 2;
      powers[k] = powers[k / 2] * powers[k - k / 2];
      v[k] = v[k] * powers[k];
    });
    return v;
  }

  //! A pass of the forward transform: `load(i)` returns the points of butterfly i.
  template <index Pass, class Block, class Words, class Load>
  MMM_HOST_DEVICE static constexpr void forward(Block& block, Words roots, Words s,
                                                Load const& load_points) {
    block.each(butterflies(Pass), [=](auto i) {
      write<Pass>(s, i, turned<Pass>(roots, i, transformed(load_points(i))));
    });
  }
  //! The passes of the forward transform between the first and the last one.
  template <class Block, class Words>
  MMM_HOST_DEVICE static constexpr void forward_between(Block& block, Words roots, Words s) {
    unroll<passes - 2>([&](auto number) {
      constexpr index pass = decltype(number)::value + 1;
      forward<pass>(block, roots, s, [=](auto const& i) { return read<pass>(s, i); });
    });
  }
  //! A pass of the inverse transform: `store(i, points)` stores the points of butterfly i.
  template <index Pass, class Block, class Words, class Store>
  MMM_HOST_DEVICE static constexpr void backward(Block& block, Words roots, Words s,
                                                 Store const& store_points) {
    block.each(butterflies(Pass), [=](auto i) {
      store_points(i, transformed(turned<Pass>(roots, i, read<Pass>(s, i))));
    });
  }
  //! The passes of the inverse transform between the last and the first one.
  template <class Block, class Words>
  MMM_HOST_DEVICE static constexpr void backward_between(Block& block, Words roots, Words s) {
    unroll<passes - 2>([&](auto number) {
      constexpr index pass = last - 1 - decltype(number)::value;
      backward<pass>(block, roots, s, [=](auto const& i, auto const& v) { write<pass>(s, i, v); });
    });
  }

 private:
  //! The last radix permutes adjacent points.
  static constexpr int bits = static_cast<int>(detail::ceil_log2(radix(last)));
  using order = swizzle<bits, 0, bits>;

  //! The place of a butterfly's first point.
  template <index Pass, class Item>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto first_place(Item const& i) {
    constexpr index apart = distance(Pass);
    if constexpr (Pass == 0)
      return order{}(i);
    else if constexpr (apart == 1)
      return order{}(i * radix(Pass));
    else
      return order{}(((i >> detail::ceil_log2(apart)) * (apart * radix(Pass))) | (i & (apart - 1)));
  }
  //! The place of point K of the butterfly whose first point is at `first`: the swizzle is linear
  //! in the bits of a number.
  template <index Pass, index K, class First>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto place(First const& first) {
    constexpr index offset = K * distance(Pass);
    if constexpr (distance(Pass) >= radix(last) * radix(last))
      return first + offset;
    else
      return first ^ order {}(offset);
  }
  template <class Reference>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto loaded(Reference&& words) {
    auto const v = load(static_cast<Reference&&>(words));
    return complex_value{v[0], v[1]};
  }
  template <class Value>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr vec<Value, 2> stored(
      complex_value<Value> const& x) {
    return {{x.re, x.im}};
  }

  //! Fills roots `Known` to `Count - 1` of a pass, each the product of an earlier one and a
  //! constant.
  template <index Known, index Count, index Turn, index First, class Block, class Words>
  MMM_HOST_DEVICE static constexpr void multiply_roots(Block& block, Words roots) {
    if constexpr (Known < Count) {
      constexpr index factors = detail::smaller(16, Count / Known);
      block.each(Known, [=](auto i) {
        auto const root = loaded(wide<2>(roots)[i + First]);
        unroll<factors - 1>([&](auto number) {
          constexpr index offset = (decltype(number)::value + 1) * Known;
          wide<2>(roots)[i + (First + offset)] = stored(detail::times_root<offset, Turn>(root));
        });
      });
      multiply_roots<Known * factors, Count, Turn, First>(block, roots);
    }
  }
};

}  // namespace mmm
MMM_BODIES_END
