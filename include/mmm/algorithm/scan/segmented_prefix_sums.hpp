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
//! the scan's array of pairs, scans it, and unpacks the sums.
template <class Operator>
struct segmented_scan_program {
  Operator op;

  template <class On, class Array, class Heads, class Out>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Array a, Heads heads, index n, Out out) const {
    using value = typename Array::value_type;
    auto const sums = on.template allocate<segment_sum<value>>(n);
    on.each(n, [=](auto i) {
      auto const x = load(a[i]);
      auto const head = load(heads[i]);
      sums[i] = apply(with_head{}, x, head);
    });
    scan_program<within_segments<Operator>, false>{{op}}(on, sums, n);
    on.each(n, [=](auto i) { out[i] = load(sums[i]); });
  }
};

//! The algorithm object behind mmm::segmented_prefix_sums.
struct segmented_prefix_sums_algorithm : sequence_call<segmented_prefix_sums_algorithm> {
  static constexpr char const* name = "segmented-prefix-sums";
  static constexpr char const* paper = "Blelloch 1990, on Nakano 2014, theorem 3";
  static constexpr machine_kinds kinds = machine_kinds::all(18);

  struct problem : prefix_sums_algorithm<false>::problem {
    using scan = prefix_sums_algorithm<false>::problem;
    using scan::scan;

    template <class On, class In = no_data, class Heads = no_data, class Out = no_data,
              class Operator = plus>
    constexpr void run(On& on, In first = {}, Heads heads = {}, Out out = {},
                       Operator const& op = {}) const {
      static_assert(integral<iterator_value_t<Heads>> || is_same_v<Heads, no_data>,
                    "mmm: the heads of segments, after the values, are integers");
      using value = combined_t<iterator_value_t<In>, Operator, no_init>;
      auto const combine = combining_in<value>(op);
      auto result = writes<value>(out, n);
      result.in_place = updates(first, n, out).in_place;
      perform(on, segmented_scan_program<remove_const_t<decltype(combine)>>{combine},
              reads<value>(first, n), reads(heads, n), n.count, result);
    }
    //! All words are read and written but the first head, and one segment may contain all values.
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      if (n == 0) return {};
      bound b = access_bound(m, 3 * n - 1, m.p);
      b.reduction = fold_bound(m, n, m.p).reduction;
      return b;
    }
    //! lower_bound in letters.
    [[nodiscard]] static constexpr bound_formula lower_bound_formula(machine_terms const& m) {
      bound_formula f = access_formula(m, "(3n - 1)");
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
inline constexpr detail::segmented_prefix_sums_algorithm segmented_prefix_sums{};

}  // namespace mmm
MMM_BODIES_END
