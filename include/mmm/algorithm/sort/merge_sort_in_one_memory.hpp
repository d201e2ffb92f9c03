// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/scatter.hpp>
#include <mmm/algorithm/sort/sort.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/machine/machine.hpp>

#include <type_traits>

//! Sorting by merging, in one memory: each thread sorts some keys in registers, and sorted runs are
//! merged two by two. All threads share the work of a merge evenly: each makes a few successive
//! words of the result, and finds their sources by a binary search along a diagonal of the two
//! runs, the "merge path".
MMM_BODIES_BEGIN
namespace mmm {
namespace detail {

//! Converts a plain number to `Number`; returns any other number unchanged.
template <class Number, class X>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto as_number(X const& x) {
  if constexpr (std::is_integral_v<X>)
    return static_cast<Number>(x);
  else
    return x;
}

//! `p && q` and `p || q` without a branch: both sides are evaluated, as by a warp.
template <class P, class Q>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto both(P const& p, Q const& q) {
  if constexpr (is_same_v<P, bool> && is_same_v<Q, bool>)
    return static_cast<bool>(static_cast<int>(p) & static_cast<int>(q));
  else
    return p && q;
}
template <class P, class Q>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto either(P const& p, Q const& q) {
  if constexpr (is_same_v<P, bool> && is_same_v<Q, bool>)
    return static_cast<bool>(static_cast<int>(p) | static_cast<int>(q));
  else
    return p || q;
}

//! The places of accesses that depend on data, among p threads in a memory of width w.
template <class Scatter>
struct data_places {
  index p;
  index w;
  template <class Item, class Place>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(Item const& i, Place const& place) const {
    return address_by<Scatter>(i, p, w, place);
  }
};

//! Sorts the keys of one thread, and their values, in registers: `Each` rounds of exchanges of
//! neighbours, at even and odd places in turn. Stable. If there are fewer keys, the first ones, for
//! which `exists(q)` holds, are sorted; the others become copies of the greatest of them.
template <index Each, class Order>
struct sort_of_own_keys {
  Order before;

  template <class Keys, class Values, class Exists>
  MMM_HOST_DEVICE constexpr void operator()(Keys& keys, Values& values,
                                            Exists const& exists) const {
    auto greatest = keys[0];
    unroll<Each - 1>([&](index before_q) {
      index const q = before_q + 1;
      keys[q] = select(exists(q), keys[q], greatest);
      greatest = select(apply(before, greatest, keys[q]), keys[q], greatest);
    });
    unroll<Each>([&](index round) {
      unroll<Each / 2>([&](index pair) {
        index const q = 2 * pair + round % 2;
        if (q + 1 < Each) exchange(keys, values, q);
      });
    });
  }

 private:
  template <class Keys, class Values>
  MMM_HOST_DEVICE constexpr void exchange(Keys& keys, Values& values, index q) const {
    auto const wrong = apply(before, keys[q + 1], keys[q]);
    swap_if(wrong, keys, q);
    if constexpr (is_vec<Values>) swap_if(wrong, values, q);
  }
  template <class Truth, class Words>
  MMM_HOST_DEVICE static constexpr void swap_if(Truth const& wrong, Words& x, index q) {
    auto const lower = select(wrong, x[q + 1], x[q]);
    x[q + 1] = select(wrong, x[q], x[q + 1]);
    x[q] = lower;
  }
};

//! A thread's part of merging two sorted runs that follow each other in one array: `Each` words of
//! the result, from the place `diagonal` on. Registers `r` describe the runs: the words from
//! `first` on and those from `second` on, up to `last`; the diagonal counts from the first word of
//! both. Among equal words, those of the first run come first. If `Bounded`, no word before word 0
//! or after `max_word` is read; otherwise one word before the first run and Each words after both
//! may be read. If `Apart`, the first run ends at `end_of_first`, and other words may stand before
//! the second.
template <class Number, index Each, bool Bounded, class Order, class Scatter, bool Apart = false>
struct path_merge {
  static constexpr index first = 0, second = 1, last = 2, diagonal = 3, low = 4;
  static constexpr index end_of_first = Apart ? 5 : second;
  static constexpr index numbers = Apart ? 6 : 5;
  Order before;
  data_places<Scatter> places;
  index max_word = 0;

  //! The largest step of a search where the shorter run has so many words: the largest power of two
  //! that is not greater; 0 for no words.
  [[nodiscard]] MMM_HOST_DEVICE static constexpr Number step_for(index words) {
    return words == 0 ? Number{0} : static_cast<Number>(index{1} << (ceil_log2(words + 1) - 1));
  }

  //! Sets `low` to the number of words of the first run that the result has before the diagonal:
  //! the largest number whose last word does not stand after the word of the second run that is
  //! opposite on the diagonal. Precondition: the shorter run has fewer than twice as many words as
  //! the largest step.
  //! Time: 2 accesses for each step, a power of two, at places that depend on the words.
  template <class Item, class Words, class R>
  MMM_HOST_DEVICE constexpr void find(Item const& i, Number largest_step, Words s,
                                      R const& r) const {
    auto const of_both = load(r(i, second)) + load(r(i, diagonal));
    auto const least = load(r(i, diagonal)) - (load(r(i, last)) - load(r(i, second)));
    auto const longest = min(load(r(i, diagonal)), load(r(i, end_of_first)) - load(r(i, first)));
    auto found = max(least, Number{0});
    auto const before_first = load(r(i, first)) - Number{1};
    data_places<typename scatter_of_lanes<Scatter>::neighbouring> const of_first{places.p,
                                                                                 places.w};
    for (Number step = largest_step; step > 0; step /= 2) {
      auto const upto = min(found + step, longest);
      auto const x = load(s[of_first(i, from_0(before_first + upto))]);
      auto const y = load(s[places(i, up_to_max(of_both - upto))]);
      found = select(apply(before, y, x), found, upto);
    }
    r(i, low) = found;
  }
  //! Writes the words from the diagonal on to `x(i, 0 … Each - 1)`, and the source of each to
  //! `sources`, unless that is no_values. Words after the last one of both runs are unspecified.
  //! Time: Each + 1 accesses, at places that depend on the words.
  template <class Item, class Words, class R, class X, class Sources>
  MMM_HOST_DEVICE constexpr void merge(Item const& i, Words s, R const& r, X const& x,
                                       Sources sources) const {
    auto a = load(r(i, first)) + load(r(i, low));
    auto b = load(r(i, second)) + load(r(i, diagonal)) - load(r(i, low));
    auto const end_of_a = load(r(i, end_of_first));
    auto const end_of_b = load(r(i, last));
    auto of_a = load(s[places(i, up_to_max(a))]);
    auto of_b = load(s[places(i, up_to_max(b))]);
    unroll<Each>([&](index q) {
      auto const takes_a = both(a < end_of_a, either(!(b < end_of_b), !apply(before, of_b, of_a)));
      x(i, q) = select(takes_a, of_a, of_b);
      auto const taken = select(takes_a, a, b);
      if constexpr (has_values<Sources>) sources(i, q) = up_to_max(taken);
      auto const next = taken + Number{1};
      a = select(takes_a, next, a);
      b = select(takes_a, b, next);
      if (q + 1 < Each) {
        auto const of_next = load(s[places(i, up_to_max(next))]);
        of_a = select(takes_a, of_next, of_a);
        of_b = select(takes_a, of_b, of_next);
      }
    });
  }

 private:
  template <class Place>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto from_0(Place const& place) {
    if constexpr (Bounded)
      return max(place, Number{0});
    else
      return place;
  }
  template <class Place>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto up_to_max(Place const& place) const {
    if constexpr (Bounded)
      return min(place, static_cast<Number>(max_word));
    else
      return place;
  }
};

//! Number of keys that a thread sorts in registers, and of words of a merged run that it makes: 1
//! on a UMM, where neighbouring threads then read and write neighbouring words, elsewhere 7. It is
//! odd, so that threads whose words are that far apart have no bank conflict if w is a power of
//! two.
template <class M>
inline constexpr index keys_of_merge = M::conflicts == conflict::groups ? 1 : 7;

//! Sorts n keys in one memory, and their values with them: sections of `e = keys_of_merge` keys in
//! registers, then runs of e, 2e, 4e, … keys by merging them two by two from array to array.
//! Time: for each level with runs of r keys an access of n keys to write them, one to read them,
//! and 2 ceil(log(r + 1)) + 1 of n/e keys for the searches; for the sections two of n keys.
template <class Order, class Scatter = scatter_of_data>
struct run_merge_program {
  Order order{};

  template <class On, class Keys, class Values = no_values>
  MMM_HOST_DEVICE constexpr void operator()(On& on, index n, Keys keys, Values values = {}) const {
    if (n <= 1) return;
    constexpr index each = keys_of_merge<typename On::machine_type>;
    auto const other = on.template allocate<typename Keys::value_type>(n);
    auto const other_values = [&] {
      if constexpr (has_values<Values>)
        return on.template allocate<typename Values::value_type>(n);
      else
        return Values{};
    }();
    index const levels = ceil_log2(ceil_divide(n, each));
    bool at_home = levels % 2 == 0;  // the last level writes the keys to their own array
    if (!at_home)
      sort_sections<each>(on, n, keys, other, values, other_values);
    else if (each > 1)
      sort_sections<each>(on, n, keys, keys, values, values);
    auto const r = on.template registers<index, merge<each>::numbers>();
    auto const x = on.template registers<typename Keys::value_type, each>();
    auto const sources = [&] {
      if constexpr (has_values<Values>)
        return on.template registers<index, each>();
      else
        return no_values{};
    }();
    index step = merge<each>::step_for(each);
    for (index run = each; run < n; run *= 2, step *= 2) {
      if (at_home)
        merge_runs<each>(on, n, run, step, keys, other, values, other_values, r, x, sources);
      else
        merge_runs<each>(on, n, run, step, other, keys, other_values, values, r, x, sources);
      at_home = !at_home;
    }
  }

 private:
  template <index Each>
  using merge = path_merge<index, Each, true, Order, Scatter>;

  template <index Each, class On, class In, class Out, class OfIn, class OfOut>
  MMM_HOST_DEVICE constexpr void sort_sections(On& on, index n, In in, Out out, OfIn of_in,
                                               OfOut of_out) const {
    sort_of_own_keys<Each, Order> const sorted{order};
    on.each(ceil_divide(n, Each), [=](auto i) {
      auto const first = i * Each;
      auto keys = make_vec<Each>([&](index q) { return load(in[min(first + q, n - 1)]); });
      auto values = [&] {
        if constexpr (has_values<OfIn>)
          return make_vec<Each>([&](index q) { return load(of_in[min(first + q, n - 1)]); });
        else
          return OfIn{};
      }();
      sorted(keys, values, [&](index q) { return first + q < n; });
      unroll<Each>([&](index q) {
        store_if(first + q < n, out[first + q], keys[q]);
        if constexpr (has_values<OfIn>) store_if(first + q < n, of_out[first + q], values[q]);
      });
    });
  }

  template <index Each, class On, class In, class Out, class OfIn, class OfOut, class R, class X,
            class Sources>
  MMM_HOST_DEVICE constexpr void merge_runs(On& on, index n, index run, index step, In in, Out out,
                                            OfIn of_in, OfOut of_out, R r, X x,
                                            Sources sources) const {
    using path = merge<Each>;
    path const all{order, {on.threads(), on.machine().width()}, n - 1};
    on.each(ceil_divide(n, Each), [=](auto i) {
      auto const inner = remainder_of_power(i, 2 * run / Each);
      auto const begin = (i - inner) * Each;
      r(i, path::first) = begin;
      r(i, path::second) = min(begin + run, n);
      r(i, path::last) = min(begin + 2 * run, n);
      r(i, path::diagonal) = inner * Each;
      all.find(i, step, in, r);
      all.merge(i, in, r, x, sources);
      unroll<Each>([&](index q) {
        auto const place = i * Each + q;
        store_if(place < n, out[place], load(x(i, q)));
        if constexpr (has_values<OfIn>)
          store_if(place < n, of_out[place], load(of_in[all.places(i, load(sources(i, q)))]));
      });
    });
  }
};

}  // namespace detail
}  // namespace mmm
MMM_BODIES_END
