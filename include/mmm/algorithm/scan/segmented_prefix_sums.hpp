// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/fold_forms.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/algorithm/scan/prefix_sums.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>

#include <cstdint>

//! Prefix-sums that restart at the heads of segments: the scan of mmm::prefix_sums over pairs of a
//! flag and a value (Blelloch 1990).
MMM_BODIES_BEGIN
namespace mmm {
namespace detail {

//! The sum of some values within their last segment, and a flag that tells whether a segment begins
//! among them. The flag is as wide as a number of 4 or 8 bytes, so that a pair has no padding byte,
//! which nothing would write; a pair of 4 bytes each can be accessed at once.
template <class T>
struct segment_sum {
  using flag = conditional_t<(alignof(T) > 4), std::int64_t, std::int32_t>;
  alignas(sizeof(T) == 4 ? 8 : alignof(flag)) flag begins;
  T value;
  MMM_HOST_DEVICE constexpr operator T() const { return value; }  // NOLINT: is one
};

//! A value with the flag of its head.
struct with_head {
  template <class T, class Head>
  [[nodiscard]] MMM_HOST_DEVICE constexpr segment_sum<T> operator()(T const& x,
                                                                    Head const& head) const {
    using flag = typename segment_sum<T>::flag;
    return {head != Head{} ? flag{1} : flag{0}, x};
  }
};

//! The value before a word, with the flag of the word's head: at a head the initial value.
template <class T>
struct initial_at_head {
  T initial;
  template <class Head>
  [[nodiscard]] MMM_HOST_DEVICE constexpr segment_sum<T> operator()(T const& before,
                                                                    Head const& head) const {
    return with_head{}(head != Head{} ? initial : before, head);
  }
};

//! The operator on segment sums, associative if `Operator` is.
template <class Operator>
struct within_segments {
  Operator op;
  template <class T>
  [[nodiscard]] MMM_HOST_DEVICE constexpr segment_sum<T> operator()(segment_sum<T> const& x,
                                                                    segment_sum<T> const& y) const {
    if (y.begins != 0) return y;
    return {x.begins, op(x.value, y.value)};
  }
};

//! Writes the segmented prefix-sums of the n values of `a` to `out`: packs values and heads into
//! the scan's array of pairs, scans it, and unpacks the sums. With an initial value they are
//! exclusive: each pair has the value before its word, and at a head the initial value.
template <class Operator, class Init = no_init>
struct segmented_scan_program {
  Operator op;
  Init initial{};

  template <class On, class Array, class Heads, class Out>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Array a, Heads heads, index n, Out out) const {
    using value = typename Array::value_type;
    auto const sums = on.template allocate<segment_sum<value>>(n);
    if constexpr (is_init<Init>) {
      value const first = initial.value;
      on.each(n, [=](auto i) {
        auto const before = load_if(i > 0, a[i - 1], first);
        auto const head = load(heads[i]);
        sums[i] = apply(initial_at_head<value>{first}, before, head);
      });
    } else {
      on.each(n, [=](auto i) {
        auto const x = load(a[i]);
        auto const head = load(heads[i]);
        sums[i] = apply(with_head{}, x, head);
      });
    }
    scan_program<within_segments<Operator>, false>{{op}}(on, sums, n);
    on.each(n, [=](auto i) { out[i] = load(sums[i]); });
  }
};

//! The algorithm object behind mmm::segmented_prefix_sums and
//! mmm::exclusive_segmented_prefix_sums.
template <bool Exclusive>
struct segmented_prefix_sums_algorithm : sequence_call<segmented_prefix_sums_algorithm<Exclusive>> {
  static constexpr char const* name =
      Exclusive ? "exclusive-segmented-prefix-sums" : "segmented-prefix-sums";
  static constexpr char const* paper = "Blelloch 1990, on Nakano 2014, theorem 3";
  //! Chunks are as large as a shared memory has room for.
  static constexpr bool fills_capacity = true;
  static constexpr machine_kinds kinds = machine_kinds::all(Exclusive ? 19 : 18);

  struct problem : prefix_sums_algorithm<false>::problem {
    using scan = prefix_sums_algorithm<false>::problem;
    using scan::n;
    using scan::scan;

    template <class On, class In = no_data, class Heads = no_data, class Out = no_data,
              class... Form>
    constexpr void run(On& on, In first = {}, Heads heads = {}, Out out = {},
                       Form const&... form) const {
      static_assert(integral<iterator_value_t<Heads>> || is_same_v<Heads, no_data>,
                    "mmm: the heads of segments, after the values, are integers");
      auto const combine = scan_combination_of<Exclusive, In>(form...);
      using initial = decltype(combine.initial);
      static_assert(Exclusive || !is_init<initial>,
                    "mmm: mmm::init(x) is for mmm::exclusive_segmented_prefix_sums");
      using value = combined_t<iterator_value_t<In>, decltype(combine.op), initial>;
      auto const op = combining_in<value>(combine.op);
      auto result = writes<value>(out, n);
      result.in_place = updates(first, n, out).in_place;
      perform(on,
              segmented_scan_program<remove_const_t<decltype(op)>, initial>{op, combine.initial},
              reads<value>(first, n), reads(heads, n), n.count, result);
    }
    //! All words are read and written but the first head, and exclusive sums do not read the last
    //! value. One segment may contain all values: the last exclusive sum depends on n - 1 values
    //! and n - 1 heads, which are n words or more.
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      if (n == 0) return {};
      bound b = access_bound(m, 3 * n - (Exclusive ? 2 : 1), m.p);
      b.reduction = fold_bound(m, n, m.p).reduction;
      return b;
    }
    //! lower_bound in letters.
    [[nodiscard]] static constexpr bound_formula lower_bound_formula(machine_terms const& m) {
      bound_formula f = access_formula(m, Exclusive ? "(3n - 2)" : "(3n - 1)");
      f.reduction = fold_formula(m).reduction;
      return f;
    }
    //! The upper bound of mmm::prefix_sums and a latency: a single value is read and written, too.
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      return scan::upper_bound(m) + m.L;
    }
  };
};

}  // namespace detail

//! The prefix-sums of n words in segments, `mmm::segmented_prefix_sums(on, first, last, heads, out,
//! op)`; the operator is optional. `heads` has n integers: a segment begins at word 0 and wherever
//! `heads[i]` is not 0. Writes `first[h] + … + first[i]` to `out[i]` for every i, where h is the
//! last word up to i at which a segment begins; `out` may be `first`. The operator is associative
//! and need not be commutative; values are combined in the type in which mmm::prefix_sums combines
//! them.
//! Errors: std::invalid_argument if `out` overlaps the words or the heads otherwise;
//! std::length_error as for mmm::prefix_sums; a compile error for heads that are not integers.
//! Time, for any data: that of mmm::prefix_sums of n words, which are pairs of a flag and a value,
//! and five contiguous accesses of n words: the words and heads are read and the pairs written,
//! then the pairs read and the results written. At most 18 (n/w + nl/p + l log n + l); on an HMM 18
//! times mmm::prefix_sums' expression and L. Memory: n pairs more than mmm::prefix_sums.
//! Source: Blelloch 1990, section 1.5, for the pairs.
inline constexpr detail::segmented_prefix_sums_algorithm<false> segmented_prefix_sums{};

//! The exclusive prefix-sums of n words in segments: writes `x + first[h] + … + first[i - 1]` to
//! `out[i]` for every i, and so x where a segment begins. `mmm::exclusive_segmented_prefix_sums(on,
//! first, last, heads, out, op, mmm::init(x))`, called as mmm::segmented_prefix_sums; without an
//! operator and an initial value x is 0. An initial value is needed under another operator than
//! mmm::plus; values are combined in its type.
//! Time, for any data: that of mmm::segmented_prefix_sums, where word i - 1 is read in place of
//! word i for the n - 1 items i > 0: at most one more address group for each warp on a UMM. At most
//! 19 for 18.
inline constexpr detail::segmented_prefix_sums_algorithm<true> exclusive_segmented_prefix_sums{};

}  // namespace mmm
MMM_BODIES_END
