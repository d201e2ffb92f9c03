// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/sort/merge_sort.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/interop/thrust_calls.hpp>
#include <mmm/machine/machine.hpp>

#include <type_traits>

//! Programs for a simulated machine that do the work of Thrust's sorts and merges.
namespace mmm::detail::thrust_calls {

//! Sorts n keys by mmm::merge_sort.
template <class Policy, class Keys, class Compare>
void sort_keys(Policy const& policy, char const* call, Keys first, index n, Compare compare) {
  using key = value_of<Keys>;
  auto const keys = values_for<key>(n);
  relation<key, Compare> const before{compare};
  policy.run(call, n, [&](auto on) {
    if (n == 0) return;
    fetch<key>(on, first, keys.get(), n, 0);
    merge_sort(on, keys.get(), keys.get() + n, before);
    deliver<key>(on, keys.get(), n, first);
  });
}

//! Sorts n keys with their values by mmm::merge_sort_pairs.
template <class Policy, class Keys, class Values, class Compare>
void sort_pairs_of(Policy const& policy, char const* call, Keys first, index n, Values second,
                   Compare compare) {
  using key = value_of<Keys>;
  using value = value_of<Values>;
  auto const keys = values_for<key>(n);
  auto const values = values_for<value>(n);
  relation<key, Compare> const before{compare};
  policy.run(call, n, [&](auto on) {
    if (n == 0) return;
    fetch<key>(on, first, keys.get(), n, 0);
    fetch<value>(on, second, values.get(), n, 0);
    merge_sort_pairs(on, keys.get(), keys.get() + n, values.get(), before);
    deliver<key>(on, keys.get(), n, first);
    deliver<value>(on, values.get(), n, second);
  });
}

//! Number of words of the result that an item of a merge makes: as in mmm::merge_sort, and 1 in the
//! global memory of an HMM.
template <class M>
[[nodiscard]] constexpr index words_of_merge() {
  if constexpr (hierarchical_machine<M>)
    return 1;
  else
    return keys_of_merge<M>;
}

//! Writes the merge of two sorted runs to `out`: the words [0, middle) and [middle, n) of `in`.
//! Each item finds its part of both runs by a binary search and makes e successive words, 1 on a
//! UMM and an HMM, 7 on the other machines.
//! Time: an access of n words to write them, and 2 ceil(log(m + 1)) + e + 1 accesses of n/e words
//! at places that depend on the words, where m is the length of the shorter run.
template <class Order>
struct merge_program {
  Order order;

  template <class On, class In, class Out>
  void operator()(On& on, index n, index middle, In in, Out out) const {
    constexpr index each = words_of_merge<typename On::machine_type>();
    using path = path_merge<index, each, true, Order, scatter_of_data>;
    path const all{order, {on.threads(), on.machine().width()}, n - 1};
    index const step = path::step_for(smaller(middle, n - middle));
    auto const r = on.template registers<index, path::numbers>();
    auto const x = on.template registers<typename In::value_type, each>();
    on.each(ceil_divide(n, each), [=](auto i) {
      r(i, path::first) = index{0};
      r(i, path::second) = middle;
      r(i, path::last) = n;
      r(i, path::diagonal) = i * each;
      all.find(i, step, in, r);
      all.merge(i, in, r, x, no_values{});
      unroll<each>([&](index q) {
        auto const place = i * each + q;
        store_if(place < n, out[place], load(x(i, q)));
      });
    });
  }
};

//! Merges n and m values. Both ranges are one array, the second after the first.
template <class Policy, class Left, class Right, class Output, class Compare>
Output merge_ranges(Policy const& policy, char const* call, Left first, index n, Right second,
                    index m, Output out, Compare compare) {
  using value = value_of<Left>;
  static_assert(std::is_same_v<value, value_of<Right>>,
                "mmm: a merge on a simulated machine is of two ranges with one type of values; "
                "accepted for others: a thrust::transform_iterator that converts them");
  index const all = checked_add(checked_length(n), checked_length(m));
  auto const values = values_for<value>(all);
  auto const merged = values_for<value>(all);
  using order = relation<value, Compare>;
  policy.run(call, all, [&](auto on) {
    if (all == 0) return;
    fetch<value>(on, first, values.get(), n, 0);
    fetch<value>(on, second, values.get() + n, m, 0);
    merge_program<order>{order{compare}}(on, all, n, array_of(on, values, all),
                                         array_of(on, merged, all));
    deliver<value>(on, merged.get(), all, out);
  });
  return past(out, all);
}

}  // namespace mmm::detail::thrust_calls
