// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/index/warp_mask.hpp>

//! Warp-wide indices: the argument of a body in a simulation, the indices of all lanes of a warp at
//! once.
namespace mmm {

template <int W>
class warp_index;

namespace detail {

//! Marks the values that stand for all lanes of a warp at once.
struct warp_index_base {};

template <class T>
concept is_warp_index = derived_from<remove_cvref_t<T>, warp_index_base>;

//! An operand beside a warp-wide index: an integer, known at run time or from its type.
template <class T>
concept index_scalar = (integral<remove_cvref_t<T>> && !same_as<remove_cvref_t<T>, bool>) ||
                       is_integral_constant<remove_cvref_t<T>>;

template <class L, class R>
concept warp_index_operands = (is_warp_index<L> && (is_warp_index<R> || index_scalar<R>)) ||
                              (index_scalar<L> && is_warp_index<R>);

template <index_scalar T>
[[nodiscard]] MMM_ALWAYS_INLINE constexpr index scalar_index(T const& x) {
  if constexpr (is_integral_constant<T>)
    return static_cast<index>(T::value);
  else
    return static_cast<index>(x);
}

//! `a / b` for `a >= 0`, `b > 0`, by the short division where the numbers allow it.
[[nodiscard]] MMM_ALWAYS_INLINE constexpr index quick_quotient(index a, index b) {
  if (((a | b) >> 32) == 0) return static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b);
  return a / b;
}

//! One lane of an operation, without checks: a lane may be inactive, or its result not selected. A
//! division by 0 and a shift by anything but 0 to 62 give 0, and a division by -1 wraps around as
//! the device's does instead of ending the program.
template <operation Op>
[[nodiscard]] MMM_ALWAYS_INLINE constexpr index lane_operation(index a, index b) {
  if constexpr (is(Op, operation::divide))
    return b == 0 ? 0 : b == -1 ? static_cast<index>(0 - static_cast<std::uint64_t>(a)) : a / b;
  else if constexpr (is(Op, operation::modulo))
    return b == 0 || b == -1 ? 0 : a % b;
  else if constexpr (is(Op, operation::shift_left) || is(Op, operation::shift_right))
    return b < 0 || b > 62 ? 0 : values<plain_arithmetic>().template operate<Op>(a, b);
  else
    return values<plain_arithmetic>().template operate<Op>(a, b);
}

}  // namespace detail

// An affine index leaves its lanes unset, and they are never read. g++ does not always find that
// out, least of all under sanitizers.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

//! The indices of `W` lanes: `base + stride * lane` as long as that is so, otherwise one number per
//! lane.
//!
//! The operators `+ - * / % & | ^ << >>`, `min`, `max`, `select` and comparisons are those of
//! integers, lane by lane; a shift of all lanes by a number outside of 0 … 62 is
//! std::invalid_argument. `W >= 1`. Laws: `(x op y)[t] == x[t] op y[t]`. Lanes without an item
//! hold the numbers that the formula gives there. Time: O(1) while the result is affine, O(W)
//! otherwise.
template <int W>
class warp_index : public detail::warp_index_base {
  static_assert(W >= 1);

 public:
  static constexpr int width = W;

  //! All lanes 0.
  MMM_ALWAYS_INLINE constexpr warp_index() : warp_index(0, 0) {}
  //! `base + stride * lane`.
  MMM_ALWAYS_INLINE constexpr warp_index(index base, index stride)
      : affine_(true), base_(base), stride_(stride) {
    if (detail::is_constant_evaluated())
      for (index& x : lane_) x = 0;
  }
  MMM_ALWAYS_INLINE constexpr warp_index(warp_index const& other)
      : affine_(other.affine_), base_(other.base_), stride_(other.stride_) {
    if (!affine_ || detail::is_constant_evaluated())
      for (int t = 0; t < W; ++t) lane_[t] = other.lane_[t];
  }
  MMM_ALWAYS_INLINE constexpr warp_index& operator=(warp_index const& other) {
    affine_ = other.affine_;
    base_ = other.base_;
    stride_ = other.stride_;
    if (!affine_)
      for (int t = 0; t < W; ++t) lane_[t] = other.lane_[t];
    return *this;
  }

  //! One number per lane: `number(0) … number(W - 1)`. Time: O(W).
  template <class Number>
  [[nodiscard]] MMM_ALWAYS_INLINE static constexpr warp_index by_lane(Number number) {
    warp_index result;
    result.affine_ = false;
    for (int t = 0; t < W; ++t) result.lane_[t] = number(t);
    return result;
  }

  [[nodiscard]] MMM_ALWAYS_INLINE constexpr bool affine() const { return affine_; }
  //! Lane 0's number; of an affine index only.
  [[nodiscard]] MMM_ALWAYS_INLINE constexpr index base() const { return base_; }
  //! The difference between consecutive lanes' numbers; of an affine index only.
  [[nodiscard]] MMM_ALWAYS_INLINE constexpr index stride() const { return stride_; }
  //! The lanes' numbers; of an index that is not affine only.
  [[nodiscard]] MMM_ALWAYS_INLINE constexpr index const* lanes() const { return lane_; }
  //! Lane t's number, `0 <= t < W`.
  [[nodiscard]] MMM_ALWAYS_INLINE constexpr index operator[](int t) const {
    return affine_ ? base_ + stride_ * t : lane_[t];
  }

  //! Adds the same number to all lanes.
  [[nodiscard]] MMM_ALWAYS_INLINE constexpr warp_index moved(index by) const {
    if (affine_) return warp_index(base_ + by, stride_);
    return by_lane([this, by](int t) MMM_INLINED_HERE { return lane_[t] + by; });
  }

  template <detail::operation Op>
  [[nodiscard]] MMM_ALWAYS_INLINE static constexpr warp_index combine(warp_index const& a,
                                                                      index b) {
    using detail::operation;
    if constexpr (is(Op, operation::shift_left) || is(Op, operation::shift_right))
      static_cast<void>(detail::checked_arithmetic::shift(b));
    if (a.affine_) {
      if constexpr (is(Op, operation::add)) {
        return warp_index(a.base_ + b, a.stride_);
      } else if constexpr (is(Op, operation::subtract)) {
        return warp_index(a.base_ - b, a.stride_);
      } else if constexpr (is(Op, operation::multiply)) {
        return warp_index(a.base_ * b, a.stride_ * b);
      } else if constexpr (is(Op, operation::shift_left)) {
        return warp_index(a.base_ * (index{1} << b), a.stride_ * (index{1} << b));
      } else {
        if (a.stride_ == 0) return warp_index(detail::lane_operation<Op>(a.base_, b), 0);
        index const last = a.base_ + a.stride_ * (W - 1);
        index const low = detail::smaller(a.base_, last);
        index const high = detail::larger(a.base_, last);
        if constexpr (is(Op, operation::minimum)) {
          if (high <= b) return a;
          if (low >= b) return warp_index(b, 0);
        } else if constexpr (is(Op, operation::maximum)) {
          if (low >= b) return a;
          if (high <= b) return warp_index(b, 0);
        } else if constexpr (is(Op, operation::shift_right)) {
          if (low >= 0) return quotient(a, low, high, index{1} << b);
        } else if constexpr (is(Op, operation::divide)) {
          if (low >= 0 && b > 0) return quotient(a, low, high, b);
        } else if constexpr (is(Op, operation::modulo)) {
          if (low >= 0 && b > 0) return remainder(a, low, high, b);
        } else if constexpr (is(Op, operation::bit_and)) {
          if (low >= 0 && b >= 0 && b < INT64_MAX && (b & (b + 1)) == 0)
            return remainder(a, low, high, b + 1);
        }
      }
    }
    return by_lane([&](int t) MMM_INLINED_HERE { return detail::lane_operation<Op>(a[t], b); });
  }

  template <detail::operation Op>
  [[nodiscard]] MMM_ALWAYS_INLINE static constexpr warp_index combine(index a,
                                                                      warp_index const& b) {
    using detail::operation;
    if constexpr (is(Op, operation::add) || is(Op, operation::multiply) ||
                  is(Op, operation::minimum) || is(Op, operation::maximum) ||
                  is(Op, operation::bit_and) || is(Op, operation::bit_or) ||
                  is(Op, operation::bit_xor))
      return combine<Op>(b, a);
    if constexpr (is(Op, operation::subtract))
      if (b.affine_) return warp_index(a - b.base_, -b.stride_);
    if (b.affine_ && b.stride_ == 0) return warp_index(detail::lane_operation<Op>(a, b.base_), 0);
    return by_lane([&](int t) MMM_INLINED_HERE { return detail::lane_operation<Op>(a, b[t]); });
  }

  template <detail::operation Op>
  [[nodiscard]] MMM_ALWAYS_INLINE static constexpr warp_index combine(warp_index const& a,
                                                                      warp_index const& b) {
    using detail::operation;
    if (a.affine_ && b.affine_) {
      if constexpr (is(Op, operation::add))
        return warp_index(a.base_ + b.base_, a.stride_ + b.stride_);
      if constexpr (is(Op, operation::subtract))
        return warp_index(a.base_ - b.base_, a.stride_ - b.stride_);
      if (b.stride_ == 0) return combine<Op>(a, b.base_);
      if (a.stride_ == 0) return combine<Op>(a.base_, b);
    }
    return by_lane([&](int t) MMM_INLINED_HERE { return detail::lane_operation<Op>(a[t], b[t]); });
  }

 private:
  //! a / c for lanes in [low, high], low >= 0, c > 0.
  [[nodiscard]] MMM_ALWAYS_INLINE static constexpr warp_index quotient(warp_index const& a,
                                                                       index low, index high,
                                                                       index c) {
    index const q = detail::quick_quotient(low, c);
    if (high - q * c < c) return warp_index(q, 0);
    if (a.stride_ % c == 0) return warp_index(detail::quick_quotient(a.base_, c), a.stride_ / c);
    return walk<true>(a, low, q, c);
  }

  //! a % c for lanes in [low, high], low >= 0, c > 0.
  [[nodiscard]] MMM_ALWAYS_INLINE static constexpr warp_index remainder(warp_index const& a,
                                                                        index low, index high,
                                                                        index c) {
    index const q = detail::quick_quotient(low, c);
    if (high - q * c < c) return warp_index(a.base_ - q * c, a.stride_);
    if (a.stride_ % c == 0) return warp_index(low - q * c, 0);
    return walk<false>(a, low, q, c);
  }

  //! Quotients or remainders lane by lane, from the least number upwards, without dividing where
  //! strides are short.
  template <bool Quotient>
  [[nodiscard]] static constexpr warp_index walk(warp_index const& a, index low, index q, index c) {
    warp_index result;
    result.affine_ = false;
    bool const up = a.stride_ > 0;
    index const step = up ? a.stride_ : -a.stride_;
    if (step >= c) {
      for (int t = 0; t < W; ++t) {
        index const x = a.base_ + a.stride_ * t;
        index const quotient_here = detail::quick_quotient(x, c);
        result.lane_[t] = Quotient ? quotient_here : x - quotient_here * c;
      }
      return result;
    }
    index r = low - q * c;
    for (int k = 0; k < W; ++k) {
      result.lane_[up ? k : W - 1 - k] = Quotient ? q : r;
      r += step;
      bool const over = r >= c;
      q += over;
      r -= over ? c : 0;
    }
    return result;
  }

  bool affine_;
  index base_;
  index stride_;
  index lane_[W];
};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

namespace detail {

template <class L, class R>
struct warp_index_of_operands {
  static constexpr int width = 0;
};
template <class L, class R>
requires is_warp_index<L>
struct warp_index_of_operands<L, R> {
  static constexpr int width = L::width;
};
template <class L, class R>
requires(!is_warp_index<L> && is_warp_index<R>)
struct warp_index_of_operands<L, R> {
  static constexpr int width = R::width;
};

template <operation Op, class L, class R>
[[nodiscard]] MMM_ALWAYS_INLINE constexpr auto combine_indices(L const& l, R const& r) {
  using result = warp_index<warp_index_of_operands<L, R>::width>;
  if constexpr (!is_warp_index<L>)
    return result::template combine<Op>(scalar_index(l), r);
  else if constexpr (!is_warp_index<R>)
    return result::template combine<Op>(l, scalar_index(r));
  else
    return result::template combine<Op>(l, r);
}

//! The number of lanes of an affine index that are below `bound`: a prefix of them if the stride is
//! positive.
[[nodiscard]] MMM_ALWAYS_INLINE constexpr index lanes_below(index base, index stride, index bound) {
  if (base >= bound) return 0;
  return stride == 1 ? bound - base : (bound - base - 1) / stride + 1;
}

//! Lane by lane `l < r`, without a comparison per lane where a prefix of the lanes is the answer.
template <class L, class R>
[[nodiscard]] MMM_ALWAYS_INLINE constexpr auto lanes_less(L const& l, R const& r) {
  constexpr int width = warp_index_of_operands<L, R>::width;
  warp_index<width> const difference = combine_indices<operation::subtract>(l, r);
  if (difference.affine()) {
    if (difference.stride() == 0)
      return warp_mask<width>::prefix(difference.base() < 0 ? width : 0);
    if (difference.stride() > 0)
      return warp_mask<width>::prefix(lanes_below(difference.base(), difference.stride(), 0));
    return !warp_mask<width>::prefix(lanes_below(-difference.base(), -difference.stride(), 1));
  }
  return warp_mask<width>::by_lane([&](int t) MMM_INLINED_HERE { return difference[t] < 0; });
}
//! Lane by lane `l == r`.
template <class L, class R>
[[nodiscard]] MMM_ALWAYS_INLINE constexpr auto lanes_equal(L const& l, R const& r) {
  constexpr int width = warp_index_of_operands<L, R>::width;
  warp_index<width> const difference = combine_indices<operation::subtract>(l, r);
  return warp_mask<width>::by_lane([&](int t) MMM_INLINED_HERE { return difference[t] == 0; });
}

template <relation Relation, class L, class R>
[[nodiscard]] MMM_ALWAYS_INLINE constexpr auto compare_indices(L const& l, R const& r) {
  if constexpr (is(Relation, relation::less))
    return lanes_less(l, r);
  else if constexpr (is(Relation, relation::greater))
    return lanes_less(r, l);
  else if constexpr (is(Relation, relation::at_most))
    return !lanes_less(r, l);
  else if constexpr (is(Relation, relation::at_least))
    return !lanes_less(l, r);
  else if constexpr (is(Relation, relation::equal))
    return lanes_equal(l, r);
  else
    return !lanes_equal(l, r);
}

template <int W>
[[nodiscard]] MMM_ALWAYS_INLINE constexpr index lane_of(warp_index<W> const& x, int t) {
  return x[t];
}
template <index_scalar T>
[[nodiscard]] MMM_ALWAYS_INLINE constexpr index lane_of(T const& x, int) {
  return scalar_index(x);
}

}  // namespace detail

#define MMM_DETAIL_OPERATOR(function, name, symbol, binding)                        \
  template <class L, class R>                                                       \
  requires detail::warp_index_operands<L, R>                                        \
  [[nodiscard]] MMM_ALWAYS_INLINE constexpr auto function(L const& l, R const& r) { \
    return detail::combine_indices<detail::operation::name>(l, r);                  \
  }
MMM_DETAIL_OPERATORS(MMM_DETAIL_OPERATOR)
#undef MMM_DETAIL_OPERATOR

//! The index with its sign changed, lane by lane.
template <int W>
[[nodiscard]] MMM_ALWAYS_INLINE constexpr warp_index<W> operator-(warp_index<W> const& x) {
  return warp_index<W>::template combine<detail::operation::subtract>(index{0}, x);
}

#define MMM_DETAIL_RELATION(function, name, symbol, binding)                        \
  template <class L, class R>                                                       \
  requires detail::warp_index_operands<L, R>                                        \
  [[nodiscard]] MMM_ALWAYS_INLINE constexpr auto function(L const& l, R const& r) { \
    return detail::compare_indices<detail::relation::name>(l, r);                   \
  }
MMM_DETAIL_RELATIONS(MMM_DETAIL_RELATION)
#undef MMM_DETAIL_RELATION

//! `condition ? a : b` lane by lane, for indices.
template <int W, class A, class B>
requires detail::warp_index_operands<A, B>
[[nodiscard]] MMM_ALWAYS_INLINE constexpr warp_index<W> select(warp_mask<W> const& condition,
                                                               A const& a, B const& b) {
  return warp_index<W>::by_lane([&](int t) MMM_INLINED_HERE {
    return condition[t] ? detail::lane_of(a, t) : detail::lane_of(b, t);
  });
}

}  // namespace mmm
