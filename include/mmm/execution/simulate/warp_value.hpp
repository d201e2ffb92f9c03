// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/index/warp_index.hpp>
#include <mmm/index/warp_mask.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

//! Values of all lanes of a warp at once, and the operations of bodies on them.
namespace mmm {

//! The values of a warp's `W` lanes, one per lane, as a load returns them. Arithmetic, comparisons,
//! `min`, `max`, `select` and `apply` work lane by lane, with other warp values, with warp-wide
//! indices and with plain values. Integers divided by 0 give 0, since the lane may be inactive or
//! not selected. Free of cost. Lanes that loaded nothing hold a copy of one that did.
template <class T, int W>
struct warp_value : detail::interpreted {
  using value_type = T;
  static constexpr int width = W;
  T lane[W];

  warp_value() = default;
  //! The same value in all lanes.
  MMM_ALWAYS_INLINE constexpr warp_value(T const& x) {
    for (T& to : lane) to = x;
  }
  //! Every lane's index, as a value.
  MMM_ALWAYS_INLINE constexpr explicit(!std::integral<T>) warp_value(warp_index<W> const& x)
  requires std::is_arithmetic_v<T>
  {
    for (int t = 0; t < W; ++t) lane[t] = static_cast<T>(x[t]);
  }
  //! A conversion of every lane.
  template <class U>
  requires(!std::same_as<U, T> && std::is_convertible_v<U, T>)
  MMM_ALWAYS_INLINE constexpr warp_value(warp_value<U, W> const& x) {
    for (int t = 0; t < W; ++t) lane[t] = static_cast<T>(x.lane[t]);
  }
  //! Lane t's value, `0 <= t < W`.
  [[nodiscard]] MMM_ALWAYS_INLINE constexpr T const& operator[](int t) const { return lane[t]; }
};

namespace detail {

//! The base of references `a[e]` of a simulation: an access is made when one is read or assigned
//! to.
struct proxy_base : interpreted {};
//! The base of references to several words at once.
struct wide_proxy_base : proxy_base {};

template <class T>
concept access_proxy = std::derived_from<std::remove_cvref_t<T>, proxy_base>;

template <class T>
struct warp_value_traits : std::false_type {};
template <class T, int W>
struct warp_value_traits<warp_value<T, W>> : std::true_type {};
template <class T>
concept is_warp_value = warp_value_traits<std::remove_cvref_t<T>>::value;

//! A named reference. To read it twice would access twice without showing it, so operations on it
//! do not compile.
template <class T>
concept named_proxy = access_proxy<T> && std::is_lvalue_reference_v<T>;

template <class T>
concept lane_operand =
    is_warp_value<T> ||
    (access_proxy<T> && !std::derived_from<std::remove_cvref_t<T>, wide_proxy_base>);

template <class X>
struct word_type {
  using type = void;
};
template <lane_operand X>
struct word_type<X> {
  using type = typename X::value_type;
};

template <class T>
concept number_operand =
    lane_operand<T> || is_warp_index<T> || std::is_arithmetic_v<std::remove_cvref_t<T>>;

//! A second operand beside a value: another value, an index, a number, or a word of the same type.
template <class T, class Beside>
concept operand_beside =
    number_operand<T> ||
    std::same_as<std::remove_cvref_t<T>, typename word_type<std::remove_cvref_t<Beside>>::type>;

//! The operands of a lanewise operator: at least one value of a simulation, and no named reference.
template <class L, class R>
concept lanewise = (lane_operand<L> || lane_operand<R>) && operand_beside<L, R> &&
                   operand_beside<R, L> && !named_proxy<L> && !named_proxy<R>;

//! The arguments of a lanewise `op(x, y)`: at least one value of a simulation, of any type.
template <class X, class Y>
concept lanewise_arguments = (lane_operand<X> || lane_operand<Y>) && !named_proxy<X> &&
                             !named_proxy<Y> && !expression<X> && !expression<Y>;

//! The value of an operand: a reference is loaded, anything else is returned unchanged.
template <class X>
requires(!named_proxy<X>)
[[nodiscard]] MMM_ALWAYS_INLINE constexpr decltype(auto) evaluate(X&& x) {
  if constexpr (access_proxy<X>)
    return static_cast<X&&>(x).load();
  else
    return static_cast<std::remove_cvref_t<X> const&>(x);
}

template <class X>
struct lane_count {
  static constexpr int value = 0;
};
template <class T, int W>
struct lane_count<warp_value<T, W>> {
  static constexpr int value = W;
};
template <int W>
struct lane_count<warp_index<W>> {
  static constexpr int value = W;
};
template <int W>
struct lane_count<warp_mask<W>> {
  static constexpr int value = W;
};
template <class L, class R>
inline constexpr int common_lanes =
    lane_count<L>::value != 0 ? lane_count<L>::value : lane_count<R>::value;

template <class X>
struct lane_type {
  using type = X;
};
template <class T, int W>
struct lane_type<warp_value<T, W>> {
  using type = T;
};
template <int W>
struct lane_type<warp_index<W>> {
  using type = index;
};

//! Lane t of an operand; an index beside a floating-point value is converted to such a value.
template <class Beside, class X>
[[nodiscard]] MMM_ALWAYS_INLINE constexpr decltype(auto) lane_at(X const& x,
                                                                 [[maybe_unused]] int t) {
  if constexpr (is_warp_value<X>)
    return static_cast<typename X::value_type const&>(x.lane[t]);
  else if constexpr (is_warp_index<X> && std::is_floating_point_v<Beside>)
    return static_cast<Beside>(x[t]);
  else if constexpr (is_warp_index<X>)
    return x[t];
  else
    return static_cast<X const&>(x);
}

//! Applies `f(l, r)` lane by lane; of two plain values the result is plain.
template <class F, class L, class R>
[[nodiscard]] MMM_ALWAYS_INLINE constexpr auto by_lane(F f, L const& l, R const& r) {
  constexpr int width = common_lanes<L, R>;
  if constexpr (width == 0) {
    return f(l, r);
  } else {
    using left = typename lane_type<L>::type;
    using right = typename lane_type<R>::type;
    using result = std::remove_cvref_t<decltype(f(lane_at<right>(l, 0), lane_at<left>(r, 0)))>;
    if constexpr (std::same_as<result, bool>) {
      return warp_mask<width>::by_lane(
          [&](int t) { return f(lane_at<right>(l, t), lane_at<left>(r, t)); });
    } else {
      warp_value<result, width> values;
      for (int t = 0; t < width; ++t) values.lane[t] = f(lane_at<right>(l, t), lane_at<left>(r, t));
      return values;
    }
  }
}

template <class L, class R>
[[nodiscard]] MMM_ALWAYS_INLINE constexpr auto safe_quotient(L const& l, R const& r) {
  using result = decltype(l / r);
  if constexpr (std::integral<L> && std::integral<R>)
    return r == 0 ? result{} : l / r;
  else
    return l / r;
}
template <class L, class R>
[[nodiscard]] MMM_ALWAYS_INLINE constexpr auto safe_remainder(L const& l, R const& r) {
  using result = decltype(l % r);
  if constexpr (std::integral<L> && std::integral<R>)
    return r == 0 ? result{} : l % r;
  else
    return l % r;
}

//! One operand of an operation; of two numbers, as their common type.
template <class X, class Y>
[[nodiscard]] MMM_ALWAYS_INLINE constexpr decltype(auto) unified(X const& x, Y const&) {
  if constexpr (std::is_arithmetic_v<X> && std::is_arithmetic_v<Y>)
    return static_cast<std::common_type_t<X, Y>>(x);
  else
    return static_cast<X const&>(x);
}

//! Loads the left side, then the right side, and combines them.
template <class F, class L, class R>
[[nodiscard]] MMM_ALWAYS_INLINE constexpr auto load_and_combine(F f, L&& l, R&& r) {
  decltype(auto) left = evaluate(static_cast<L&&>(l));
  decltype(auto) right = evaluate(static_cast<R&&>(r));
  return by_lane(f, left, right);
}

}  // namespace detail

#define MMM_DETAIL_OPERATOR(symbol, operands, result)                   \
  template <class L, class R>                                           \
  requires detail::operands<L, R>                                       \
  [[nodiscard]] MMM_ALWAYS_INLINE constexpr auto symbol(L&& l, R&& r) { \
    return detail::load_and_combine(                                    \
        [](auto const& p, auto const& q) {                              \
          decltype(auto) x = detail::unified(p, q);                     \
          decltype(auto) y = detail::unified(q, p);                     \
          return result;                                                \
        },                                                              \
        static_cast<L&&>(l), static_cast<R&&>(r));                      \
  }
MMM_DETAIL_OPERATOR(operator+, lanewise, x + y)
MMM_DETAIL_OPERATOR(operator-, lanewise, x - y)
MMM_DETAIL_OPERATOR(operator*, lanewise, x* y)
MMM_DETAIL_OPERATOR(operator/, lanewise, detail::safe_quotient(x, y))
MMM_DETAIL_OPERATOR(operator%, lanewise, detail::safe_remainder(x, y))
MMM_DETAIL_OPERATOR(operator&, lanewise, x& y)
MMM_DETAIL_OPERATOR(operator|, lanewise, x | y)
MMM_DETAIL_OPERATOR(operator^, lanewise, x ^ y)
MMM_DETAIL_OPERATOR(operator<, lanewise, x < y)
MMM_DETAIL_OPERATOR(operator>, lanewise, x > y)
MMM_DETAIL_OPERATOR(operator<=, lanewise, x <= y)
MMM_DETAIL_OPERATOR(operator>=, lanewise, x >= y)
MMM_DETAIL_OPERATOR(operator==, lanewise, x == y)
MMM_DETAIL_OPERATOR(operator!=, lanewise, x != y)
MMM_DETAIL_OPERATOR(min, lanewise, (y < x ? y : x))
MMM_DETAIL_OPERATOR(max, lanewise, (x < y ? y : x))
#undef MMM_DETAIL_OPERATOR

template <class L, class R>
requires detail::lanewise<L, R>
[[nodiscard]] MMM_ALWAYS_INLINE constexpr auto operator<<(L&& l, R&& r) {
  return detail::load_and_combine([](auto const& x, auto const& y) { return x << y; },
                                  static_cast<L&&>(l), static_cast<R&&>(r));
}
template <class L, class R>
requires detail::lanewise<L, R>
[[nodiscard]] MMM_ALWAYS_INLINE constexpr auto operator>>(L&& l, R&& r) {
  return detail::load_and_combine([](auto const& x, auto const& y) { return x >> y; },
                                  static_cast<L&&>(l), static_cast<R&&>(r));
}

//! The negated value, lane by lane.
template <class X>
requires(detail::lane_operand<X> && !detail::named_proxy<X>)
[[nodiscard]] MMM_ALWAYS_INLINE constexpr auto operator-(X&& x) {
  return detail::load_and_combine([](auto const& value, int) { return -value; },
                                  static_cast<X&&>(x), 0);
}

//! Applies `op(x, y)` lane by lane; references are loaded, the left one first.
template <class Op, class X, class Y>
requires detail::lanewise_arguments<X, Y>
[[nodiscard]] MMM_ALWAYS_INLINE constexpr auto apply(Op const& op, X&& x, Y&& y) {
  return detail::load_and_combine([&op](auto const& l, auto const& r) { return op(l, r); },
                                  static_cast<X&&>(x), static_cast<Y&&>(y));
}

//! Selects `condition ? a : b` lane by lane. Both sides are evaluated, references loaded in all
//! lanes, the left one first.
template <int W, class A, class B>
requires(!detail::warp_index_operands<A, B> && !detail::named_proxy<A> && !detail::named_proxy<B>)
[[nodiscard]] MMM_ALWAYS_INLINE constexpr auto select(warp_mask<W> const& condition, A&& a, B&& b) {
  decltype(auto) left = detail::evaluate(static_cast<A&&>(a));
  decltype(auto) right = detail::evaluate(static_cast<B&&>(b));
  using left_lane = typename detail::lane_type<std::remove_cvref_t<decltype(left)>>::type;
  using right_lane = typename detail::lane_type<std::remove_cvref_t<decltype(right)>>::type;
  using result = std::common_type_t<left_lane, right_lane>;
  warp_value<result, W> values;
  if (condition.all()) {
    for (int t = 0; t < W; ++t)
      values.lane[t] = static_cast<result>(detail::lane_at<right_lane>(left, t));
    return values;
  }
  for (int t = 0; t < W; ++t)
    values.lane[t] = condition[t] ? static_cast<result>(detail::lane_at<right_lane>(left, t))
                                  : static_cast<result>(detail::lane_at<left_lane>(right, t));
  return values;
}

//! Converts values to addresses, lane by lane: `a[mmm::as_index(mmm::load(b[i]))]`;
//! `a[mmm::load(b[i])]` does so as well.
template <std::integral T, int W>
[[nodiscard]] MMM_ALWAYS_INLINE constexpr warp_index<W> as_index(warp_value<T, W> const& x) {
  return warp_index<W>::by_lane([&x](int t) { return static_cast<index>(x.lane[t]); });
}
template <int W>
[[nodiscard]] MMM_ALWAYS_INLINE constexpr warp_index<W> as_index(warp_index<W> const& x) {
  return x;
}
template <detail::access_proxy X>
requires(!detail::named_proxy<X>)
[[nodiscard]] MMM_ALWAYS_INLINE constexpr auto as_index(X&& x) {
  return as_index(static_cast<X&&>(x).load());
}

//! The value of `a[e]`: one access of the lanes that have an item.
template <detail::access_proxy X>
requires(!detail::named_proxy<X>)
[[nodiscard]] MMM_ALWAYS_INLINE constexpr auto load(X&& x) {
  return static_cast<X&&>(x).load();
}

//! Returns a value that is loaded already, so that generic bodies may load any operand.
template <detail::is_warp_value X>
[[nodiscard]] MMM_ALWAYS_INLINE constexpr auto load(X const& x) {
  return x;
}

namespace detail {

//! Stores `otherwise` in the lanes for which the condition does not hold.
template <class T, int W, class Condition, class U>
MMM_ALWAYS_INLINE constexpr void fill_unless(warp_value<T, W>& values, Condition const& condition,
                                             U const& otherwise) {
  for (int t = 0; t < W; ++t) {
    if constexpr (std::same_as<Condition, bool>) {
      if (!condition) values.lane[t] = static_cast<T>(lane_at<T>(otherwise, t));
    } else {
      values.lane[t] = condition[t] ? values.lane[t] : static_cast<T>(lane_at<T>(otherwise, t));
    }
  }
}

}  // namespace detail

//! The value of `a[e]` in the lanes for which the condition holds; the others access nothing and
//! get `otherwise`. For V words at once, `otherwise` is V words, or one in place of each.
template <class Condition, detail::access_proxy X, class U>
requires(!detail::named_proxy<X> && !detail::named_proxy<U>)
[[nodiscard]] MMM_ALWAYS_INLINE constexpr auto load_if(Condition const& condition, X&& x,
                                                       U&& otherwise) {
  auto values = static_cast<X&&>(x).load_if(condition);
  decltype(auto) other = detail::evaluate(static_cast<U&&>(otherwise));
  if constexpr (detail::is_vec<decltype(values)>) {
    unroll<decltype(values)::words>([&](index k) {
      if constexpr (detail::is_vec<decltype(other)>)
        detail::fill_unless(values[k], condition, other[k]);
      else
        detail::fill_unless(values[k], condition, other);
    });
  } else {
    if constexpr (!std::same_as<Condition, bool>)
      if (condition.all()) return values;
    detail::fill_unless(values, condition, other);
  }
  return values;
}

//! `a[e] = value` in the lanes for which the condition holds; the others access nothing. The value
//! is evaluated first.
template <class Condition, detail::access_proxy X, class U>
requires(!detail::named_proxy<X> && !detail::named_proxy<U>)
MMM_ALWAYS_INLINE constexpr void store_if(Condition const& condition, X&& x, U&& value) {
  static_cast<X&&>(x).store_if(condition, detail::evaluate(static_cast<U&&>(value)));
}

}  // namespace mmm
