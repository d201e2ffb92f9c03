// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/algorithm/scan/prefix_sums.hpp>
#include <mmm/algorithm/scan/segmented_prefix_sums.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/interop/thrust_calls.hpp>

#include <thrust/pair.h>

#include <functional>
#include <type_traits>

//! Programs for a simulated machine that do the work of Thrust's calls by key, and of those that
//! select a part of their range. A pass flags the values that are selected, or begin a segment,
//! with 1 and all others with 0; the prefix-sums of the flags are the places of the results.
namespace mmm::detail::thrust_calls {

//! A unary predicate of the caller's on values of type T. The second argument means nothing.
template <class T, class Predicate>
struct holds {
  static_assert(std::is_invocable_r_v<bool, Predicate&, T const&>,
                "mmm: a predicate of a simulated call is called with one value of its range; "
                "accepted: a function of a T const& whose result is converted to bool");
  mutable Predicate predicate;  // as in Thrust
  [[nodiscard]] constexpr bool operator()(stored<T> const& x, int) const {
    return static_cast<bool>(std::invoke(predicate, static_cast<T const&>(x)));
  }
};

//! `flags[i]` is 1 where a predicate holds for `values[i]`, otherwise 0. Time: two accesses of n
//! words.
template <class Predicate>
struct flag_values {
  Predicate predicate;
  template <class On, class Values, class Flags>
  void operator()(On& on, index n, Values values, Flags flags) const {
    auto const chosen = predicate;
    on.each(n, [=](auto i) { flags[i] = select(apply(chosen, load(values[i]), 0), index{1}, 0); });
  }
};

//! `heads[i]` is 1 where a segment of equal keys begins, otherwise 0. Time: two accesses of n
//! words, and one of the n - 1 words before an item.
template <class Equal>
struct flag_heads {
  Equal equal;
  template <class On, class Keys, class Heads>
  void operator()(On& on, index n, Keys keys, Heads heads) const {
    auto const same = equal;
    on.each(n, [=](auto i) {
      auto const key = load(keys[i]);
      auto const before = load_if(i > 0, keys[i - 1], key);
      heads[i] = select(i > 0 && apply(same, before, key), index{0}, 1);
    });
  }
};

//! Writes the flagged values to `out`, the k-th of them to place k - 1; `places` has the
//! prefix-sums of the flags. Time: three accesses of n words, and a write of the flagged values.
struct write_selected {
  template <class On, class Values, class Flags, class Places, class Out>
  void operator()(On& on, index n, Values values, Flags flags, Places places, Out out) const {
    on.each(n, [=](auto i) {
      auto const x = load(values[i]);
      auto const selected = load(flags[i]) != 0;
      auto const place = as_index(load(places[i]));
      store_if(selected, out[place - 1], x);
    });
  }
};

//! Writes the first key of each segment and the last of its sums. Time: six accesses of n words,
//! one of them of n - 1, and two of as many words as there are segments.
struct write_segments {
  template <class On, class Keys, class Sums, class Heads, class Places, class OutKeys,
            class OutSums>
  void operator()(On& on, index n, Keys keys, Sums sums, Heads heads, Places places,
                  OutKeys out_keys, OutSums out_sums) const {
    on.each(n, [=](auto i) {
      auto const key = load(keys[i]);
      auto const sum_up_to = load(sums[i]);
      auto const begins = load(heads[i]) != 0;
      auto const ends = load_if(i + 1 < n, heads[i + 1], index{1}) != 0;
      auto const place = as_index(load(places[i]));
      store_if(begins, out_keys[place - 1], key);
      store_if(ends, out_sums[place - 1], sum_up_to);
    });
  }
};

//! Values and their flags on the host, n of each, and the places of those that are selected.
template <class T>
struct selection {
  index n;
  values_of<T> values = values_for<T>(n);
  values_of<index> flags = values_for<index>(n);
  values_of<index> places = values_for<index>(n);
  values_of<T> selected = values_for<T>(n);

  //! Writes the places of the selected values; returns their number, n >= 1.
  template <class On>
  index find_places(On& on) const {
    prefix_sums(on, flags.get(), flags.get() + n, places.get());
    return places[static_cast<std::size_t>(n - 1)];
  }
  //! Flags the places where a predicate holds for `tested`, values of type U.
  template <class U, class On, class Predicate>
  void flag_by(On& on, values_of<U> const& tested, Predicate const& predicate) const {
    using holding = holds<U, Predicate>;
    flag_values<holding>{holding{predicate}}(on, n, array_of(on, tested, n),
                                             array_of(on, flags, n));
  }
  //! Flags the values that differ from the one before.
  template <class On, class Equal>
  void flag_heads_by(On& on, Equal const& equal) const {
    using predicate = relation<T, Equal>;
    flag_heads<predicate>{predicate{equal}}(on, n, array_of(on, values, n), array_of(on, flags, n));
  }
  //! Writes the selected ones of n values to `target`.
  template <class On, class Values>
  void write(On& on, Values const& source, Values const& target) const {
    write_selected{}(on, n, array_of(on, source, n), array_of(on, flags, n),
                     array_of(on, places, n), array_of(on, target, n));
  }
};

//! Copies n values to where others were, by a parallel-for.
template <class On, class Values>
void copy_back(On& on, index n, Values const& values, Values const& others) {
  auto const source = array_of(on, values, n);
  auto const target = array_of(on, others, n);
  on.each(n, [=](auto i) { target[i] = load(source[i]); });
}

//! The stencil of values that are tested themselves.
struct no_stencil {};

//! Copies the values for whose stencil a predicate holds, in their order.
template <class Policy, class Input, class Stencil, class Output, class Predicate>
Output select_values(Policy const& policy, char const* call, Input in, index n, Stencil stencil,
                     Output out, Predicate predicate) {
  using T = value_of<Input>;
  selection<T> const all{checked_length(n)};
  index const count = policy.run(call, n, [&](auto on) -> index {
    if (n == 0) return 0;
    fetch<T>(on, in, all.values.get(), n, 0);
    if constexpr (std::is_same_v<Stencil, no_stencil>) {
      all.template flag_by<T>(on, all.values, predicate);
    } else {
      using tested = value_of<Stencil>;
      auto const stencils = values_for<tested>(n);
      fetch<tested>(on, stencil, stencils.get(), n, 0);
      all.template flag_by<tested>(on, stencils, predicate);
    }
    index const found = all.find_places(on);
    all.write(on, all.values, all.selected);
    deliver<T>(on, all.selected.get(), found, out);
    return found;
  });
  return past(out, count);
}

//! Copies the first value of each segment of equal ones to `out`. If `out` is the input, a
//! parallel-for copies them back from an array of their own.
template <bool InPlace, class Policy, class Input, class Output, class Equal>
Output select_heads(Policy const& policy, char const* call, Input in, index n, Output out,
                    Equal equal) {
  using T = value_of<Input>;
  selection<T> const all{checked_length(n)};
  index const count = policy.run(call, n, [&](auto on) -> index {
    if (n == 0) return 0;
    fetch<T>(on, in, all.values.get(), n, 0);
    all.flag_heads_by(on, equal);
    index const heads = all.find_places(on);
    all.write(on, all.values, all.selected);
    if constexpr (InPlace) copy_back(on, heads, all.selected, all.values);
    deliver<T>(on, InPlace ? all.values.get() : all.selected.get(), heads, out);
    return heads;
  });
  return past(out, count);
}

//! The number of segments of equal values: the sum of the flags of their heads.
template <class Policy, class Input, class Equal>
index count_heads(Policy const& policy, char const* call, Input in, index n, Equal equal) {
  using T = value_of<Input>;
  selection<T> const all{checked_length(n)};
  return policy.run(call, n, [&](auto on) -> index {
    if (n == 0) return 0;
    fetch<T>(on, in, all.values.get(), n, 0);
    all.flag_heads_by(on, equal);
    return sum(on, all.flags.get(), all.flags.get() + n);
  });
}

//! Copies the first key of each segment of equal ones, with its value.
template <bool InPlace, class Policy, class Keys, class Values, class OutKeys, class OutValues,
          class Equal>
thrust::pair<OutKeys, OutValues> select_head_pairs(Policy const& policy, char const* call,
                                                   Keys first, index n, Values second,
                                                   OutKeys out_keys, OutValues out_values,
                                                   Equal equal) {
  using key = value_of<Keys>;
  using value = value_of<Values>;
  selection<key> const all{checked_length(n)};
  auto const values = values_for<value>(n);
  auto const selected = values_for<value>(n);
  index const count = policy.run(call, n, [&](auto on) -> index {
    if (n == 0) return 0;
    fetch<key>(on, first, all.values.get(), n, 0);
    fetch<value>(on, second, values.get(), n, 0);
    all.flag_heads_by(on, equal);
    index const heads = all.find_places(on);
    all.write(on, all.values, all.selected);
    all.write(on, values, selected);
    if constexpr (InPlace) {
      copy_back(on, heads, all.selected, all.values);
      copy_back(on, heads, selected, values);
    }
    deliver<key>(on, InPlace ? all.values.get() : all.selected.get(), heads, out_keys);
    deliver<value>(on, InPlace ? values.get() : selected.get(), heads, out_values);
    return heads;
  });
  return {past(out_keys, count), past(out_values, count)};
}

//! Scans n values in segments of equal keys, in values of type T: `sums(on, values, heads)`
//! replaces the values by their sums.
template <class T, class Policy, class Keys, class Input, class Output, class Equal, class Sums>
Output scan_segments(Policy const& policy, char const* call, Keys first, index n, Input in,
                     Output out, Equal equal, Sums const& sums) {
  selection<value_of<Keys>> const all{checked_length(n)};
  auto const values = values_for<T>(n);
  policy.run(call, n, [&](auto on) {
    if (n == 0) return;
    fetch<value_of<Keys>>(on, first, all.values.get(), n, 0);
    fetch<T>(on, in, values.get(), n, 0);
    all.flag_heads_by(on, equal);
    sums(on, values.get(), all.flags.get());
    deliver<T>(on, values.get(), n, out);
  });
  return past(out, n);
}

//! The sums of values of equal successive keys, after the first key of each segment.
template <class Policy, class Keys, class Values, class OutKeys, class OutValues, class Equal,
          class Operator>
thrust::pair<OutKeys, OutValues> fold_segments(Policy const& policy, char const* call, Keys first,
                                               index n, Values second, OutKeys out_keys,
                                               OutValues out_values, Equal equal, Operator op) {
  using key = value_of<Keys>;
  using value = value_of<Values>;
  selection<key> const all{checked_length(n)};
  auto const sums = values_for<value>(n);
  auto const selected = values_for<value>(n);
  on_values<value, Operator> const combine{op};
  index const count = policy.run(call, n, [&](auto on) -> index {
    if (n == 0) return 0;
    fetch<key>(on, first, all.values.get(), n, 0);
    fetch<value>(on, second, sums.get(), n, 0);
    all.flag_heads_by(on, equal);
    segmented_prefix_sums(on, sums.get(), sums.get() + n, all.flags.get(), sums.get(), combine);
    index const segments = all.find_places(on);
    write_segments{}(on, n, array_of(on, all.values, n), array_of(on, sums, n),
                     array_of(on, all.flags, n), array_of(on, all.places, n),
                     array_of(on, all.selected, n), array_of(on, selected, n));
    deliver<key>(on, all.selected.get(), segments, out_keys);
    deliver<value>(on, selected.get(), segments, out_values);
    return segments;
  });
  return {past(out_keys, count), past(out_values, count)};
}

}  // namespace mmm::detail::thrust_calls
