// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/check.hpp>
#include <mmm/algorithm/call/cluster_program.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/machine/machine.hpp>

//! Sorting by a network of comparators, which are the same for all data, so that the cost is exact
//! without the data.
//!
//! The network is Batcher's bitonic one (1968) in the form in which all comparators point upwards:
//! for h = 1, 2, 4, … a stage merges sorted runs of h words two by two. Its first step compares
//! words that are mirrored at the border of the two runs, the next ones words h/2, h/4, …, 1 apart.
//! A missing word after the end counts as larger than all others: its comparators would do nothing,
//! and are left out, so that any number of words can be sorted.
MMM_BODIES_BEGIN
namespace mmm {

//! `x < y`: the order of keys if no other order is given.
struct ascending {
  template <class T>
  [[nodiscard]] MMM_HOST_DEVICE constexpr bool operator()(T const& x, T const& y) const {
    return x < y;
  }
};
//! `y < x`.
struct descending {
  template <class T>
  [[nodiscard]] MMM_HOST_DEVICE constexpr bool operator()(T const& x, T const& y) const {
    return y < x;
  }
};

namespace detail {

//! Stands for the values of keys without values.
struct no_values {
  using value_type = no_values;
};
template <class Values>
inline constexpr bool has_values = !is_same_v<Values, no_values>;

//! Number of comparators of a step over n words in blocks of 2h. The last block has the comparators
//! whose upper word exists, which are its first ones.
[[nodiscard]] MMM_HOST_DEVICE constexpr index comparators(index n, index h) {
  index const in_whole_blocks = n / 2 / h * h;
  return in_whole_blocks + larger(0, n - 2 * in_whole_blocks - h);
}

//! `i % h` for h a power of two and `i >= 0`, without a division in a kernel.
template <class Item>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto remainder_of_power(Item const& i, index h) {
  if constexpr (integral<Item>)
    return i & (h - 1);
  else
    return i % h;
}

//! A run of words, all of which exist.
struct whole_run {
  index words;

  //! Reads a word. Word `last` has to exist for the access.
  template <class Array, class Place, class Last>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto get(Array const& a, Place const& place,
                                                   Last const&) const {
    return load(a[place]);
  }
  template <class Array, class Place, class Last, class Value>
  MMM_HOST_DEVICE constexpr void put(Array const& a, Place const& place, Last const&,
                                     Value const& x) const {
    a[place] = x;
  }
};
//! A run of words that begins at place `first` of a sequence of n words: the words with places
//! below n exist.
template <class First>
struct part_of_run {
  index words;
  First first;
  index n;

  template <class Array, class Place, class Last>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto get(Array const& a, Place const& place,
                                                   Last const& last) const {
    return load_if(first + last < n, a[place], typename Array::value_type{});
  }
  template <class Array, class Place, class Last, class Value>
  MMM_HOST_DEVICE constexpr void put(Array const& a, Place const& place, Last const& last,
                                     Value const& x) const {
    store_if(first + last < n, a[place], x);
  }
};

}  // namespace detail

//! One step of the network: comparator i has the places `low` and `high` in block i / h of 2h
//! words. If `Mirrored`, they are equally far from the middle of the block, otherwise h apart.
//! Values move with their keys.
//!
//! Where h < w, the pairs of a warp lie in two rows of w words, and the lower words in half of the
//! banks, two in each. `Turned` is for such steps: lanes with pairs in one row access their lower
//! words first, lanes with pairs in the other row their upper ones, which lie in the other half of
//! the banks. For even w and powers of two h no access then has a bank conflict, without a word of
//! padding. On a UMM every such access takes two address groups, in any order.
//! Time: four accesses of keys, and four of values, per comparator.
template <bool Mirrored, bool Turned, class Order>
struct bitonic_step {
  Order order;

  template <class Threads, class Run, class Keys, class Values>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Run run, index h, Keys keys,
                                            Values values) const {
    auto const before = order;
    index const half = detail::larger(threads.machine().width() / 2, 1);
    threads.each(detail::comparators(run.words, h), [=](auto i) {
      auto const inner = detail::remainder_of_power(i, h);
      auto const distance = [&] {
        if constexpr (Mirrored)
          return 2 * inner + 1;
        else
          return h;
      }();
      auto const high = 2 * i - inner + h;
      auto const low = high - distance;
      if constexpr (Turned) {
        auto const turned = i / half % 2;
        auto const by = turned * distance;
        exchange(run, before, turned == 1, low + by, high - by, high, keys, values);
      } else {
        exchange(run, before, false, low, high, high, keys, values);
      }
    });
  }

 private:
  //! Exchanges the words at two places if they are in the wrong order and the upper one exists.
  //! `second` is the lower place where `turned`.
  template <class Run, class Truth, class First, class Second, class High, class Keys, class Values>
  MMM_HOST_DEVICE static constexpr void exchange(Run const& run, Order const& before,
                                                 Truth const& turned, First const& first,
                                                 Second const& second, High const& high, Keys keys,
                                                 Values values) {
    auto const x = run.get(keys, first, high);
    auto const y = run.get(keys, second, high);
    auto const wrong = [&] {
      if constexpr (Turned)
        return apply(before, select(turned, x, y), select(turned, y, x));
      else
        return apply(before, y, x);
    }();
    run.put(keys, first, high, select(wrong, y, x));
    run.put(keys, second, high, select(wrong, x, y));
    if constexpr (detail::has_values<Values>) {
      auto const of_x = run.get(values, first, high);
      auto const of_y = run.get(values, second, high);
      run.put(values, first, high, select(wrong, of_y, of_x));
      run.put(values, second, high, select(wrong, of_x, of_y));
    }
  }
};

//! The network over sequences in one memory.
//! Time of n = 2^k words on a DMM, k (k + 1)/2 steps of 4 contiguous accesses of n/2 words.
template <class Order = ascending>
struct bitonic_network {
  Order order{};

  //! Sorts a run.
  template <class Threads, class Run, class Keys, class Values>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Run run, Keys keys,
                                            Values values) const {
    for (index h = 1; h < run.words; h *= 2) {
      step<true>(threads, run, h, keys, values);
      finish(threads, run, h / 2, 1, keys, values);
    }
  }
  //! Executes the steps of a stage from distance `h` down to `least`.
  template <class Threads, class Run, class Keys, class Values>
  MMM_HOST_DEVICE constexpr void finish(Threads& threads, Run run, index h, index least, Keys keys,
                                        Values values) const {
    for (; h >= least; h /= 2) step<false>(threads, run, h, keys, values);
  }
  template <bool Mirrored, class Threads, class Run, class Keys, class Values>
  MMM_HOST_DEVICE constexpr void step(Threads& threads, Run run, index h, Keys keys,
                                      Values values) const {
    if (h < threads.machine().width())
      bitonic_step<Mirrored, true, Order>{order}(threads, run, h, keys, values);
    else
      bitonic_step<Mirrored, false, Order>{order}(threads, run, h, keys, values);
  }
};

//! The network on an HMM: tiles of 2^m words are assigned to the DMMs, and each is sorted in a
//! shared memory. In each later stage, the steps over distances of at least a tile's words are made
//! in the global memory by all threads, and the other steps again in the shared memories, tile by
//! tile.
template <class Order = ascending>
struct tiled_bitonic_network {
  Order order{};

  template <class Machine, class Keys, class Values>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, index n, index tile, Keys keys,
                                            Values values) const {
    bitonic_network<Order> const network{order};
    detail::whole_run const all{n};
    in_tiles(on, n, tile, true, keys, values);
    for (index h = tile; h < n; h *= 2) {
      network.template step<true>(on, all, h, keys, values);
      network.finish(on, all, h / 2, tile, keys, values);
      in_tiles(on, n, tile, false, keys, values);
    }
  }

 private:
  //! Sorts all tiles, or makes the last steps of a stage within each.
  template <class Machine, class Keys, class Values>
  MMM_HOST_DEVICE constexpr void in_tiles(Machine& on, index n, index tile, bool sorts, Keys keys,
                                          Values values) const {
    auto const self = *this;
    if (n % tile == 0)
      on.each_tile(0, n / tile, [=](auto& block, auto k) {
        self.in_shared(block, detail::whole_run{tile}, k * tile, sorts, keys, values);
      });
    else
      on.each_tile(0, n / tile + 1, [=](auto& block, auto k) {
        auto const first = k * tile;
        using part = detail::part_of_run<detail::remove_const_t<decltype(first)>>;
        self.in_shared(block, part{tile, first, n}, first, sorts, keys, values);
      });
  }
  //! Sorts the words from `first` on, or makes the last steps of a stage on them, in a shared
  //! memory.
  template <class Block, class Run, class First, class Keys, class Values>
  MMM_HOST_DEVICE constexpr void in_shared(Block& block, Run run, First first, bool sorts,
                                           Keys keys, Values values) const {
    bitonic_network<Order> const network{order};
    auto s = block.template allocate<typename Keys::value_type>(run.words);
    auto of_s = values_in_shared<Values>(block, run.words);
    copy(block, run, keys, first, s, 0);
    if constexpr (detail::has_values<Values>) copy(block, run, values, first, of_s, 0);
    if (sorts)
      network(block, run, s, of_s);
    else
      network.finish(block, run, run.words / 2, 1, s, of_s);
    copy(block, run, s, 0, keys, first);
    if constexpr (detail::has_values<Values>) copy(block, run, of_s, 0, values, first);
  }
  template <class Values, class Block>
  MMM_HOST_DEVICE static constexpr auto values_in_shared([[maybe_unused]] Block& block,
                                                         [[maybe_unused]] index words) {
    if constexpr (detail::has_values<Values>)
      return block.template allocate<typename Values::value_type>(words);
    else
      return Values{};
  }
  template <class Block, class Run, class Source, class First, class Target, class Place>
  MMM_HOST_DEVICE static constexpr void copy(Block& block, Run run, Source source, First first,
                                             Target target, Place place) {
    block.each(run.words,
               [=](auto i) { run.put(target, place + i, i, run.get(source, first + i, i)); });
  }
};

namespace detail {

//! The least power of two that is at least n.
[[nodiscard]] MMM_HOST_DEVICE constexpr index power_of_two_from(index n) {
  return index{1} << ceil_log2(n);
}

//! Number of words that a DMM sorts at once: a power of two, enough for an even share of all words
//! and for a row of w words, at most as many as `arrays` arrays of them fit its shared memory; at
//! least 2.
template <hierarchical_machine M>
[[nodiscard]] MMM_HOST_DEVICE constexpr index sort_tile(M const& m, index n, index arrays) {
  index tile = power_of_two_from(larger(larger(ceil_divide(n, m.dmms()), m.width()), 2));
  while (tile > 2 && tile > m.capacity() / arrays) tile /= 2;
  return tile;
}

//! Sorts n keys in place, and their values with them.
template <class Order>
struct sort_program {
  Order order{};

  template <class On, class Keys, class Values = no_values>
  MMM_HOST_DEVICE constexpr void operator()(On& on, index n, Keys keys, Values values = {}) const {
    if (n <= 1) return;
    if constexpr (hierarchical_machine<typename On::machine_type>)
      tiled_bitonic_network<Order>{order}(
          on, n, sort_tile(on.machine(), n, has_values<Values> ? 2 : 1), keys, values);
    else
      bitonic_network<Order>{order}(on, whole_run{n}, keys, values);
  }
};

//! Performs a program that sorts n keys in place, each with a value if `Pairs`.
template <bool Pairs, class On, class Program, class Keys, class Values>
constexpr void perform_sort(On& on, Program const& program, index n, Keys keys, Values values) {
  if constexpr (Pairs)
    perform(on, program, n, updates(keys, n), updates(values, n));
  else
    perform(on, program, n, updates(keys, n));
}

//! The problem of sorting n keys, each with a value if `Pairs`.
template <bool Pairs>
struct sort_problem {
  natural n;
  constexpr explicit sort_problem(size words) : n(words.count) {}

  //! Number of sequences of n words.
  static constexpr index sequences = Pairs ? 2 : 1;

  //! Runs the program; on data, with the order and the sequences of keys and of values.
  template <class On, class Order = ascending, class Keys = no_data, class Values = no_data>
  constexpr void run(On& on, Order order = {}, Keys keys = {}, Values values = {}) const {
    perform_sort<Pairs>(on, sort_program<Order>{order}, n.count, keys, values);
  }

  //! The bound for keys that are compared two by two.
  //! - bandwidth and latency: every word has to be read, and written if its place at first holds
  //!   another key: `2n/w`, `2nL/p`;
  //! - reduction: that of a fold, since the first word becomes the least of all;
  //! - bandwidth and latency of the shared memories on an HMM, of the memory elsewhere: there are
  //!   n! orders and a comparison separates two sets of them, so that for some data log n!
  //!   comparisons are made; `log n!` is at least the sum of the logarithms of 1 … n, each rounded
  //!   down. As in the bounds of a product, a comparison reads one of its words by one access: a
  //!   thread that holds more words before it compares gains a factor of the logarithm of their
  //!   number.
  [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
    if (n <= 1) return {};
    bound b = fold_bound(m, n, m.p);
    bound const once = access_bound(m, 2 * n * sequences, m.p);
    bound const compared = access_bound(m, comparisons(), m.p);
    b.bandwidth = once.bandwidth;
    b.latency = larger(natural(b.latency), once.latency);
    if (m.hmm) {
      b.shared_bandwidth = comparisons() / ((m.d + m.g) * m.w);
      b.shared_latency = comparisons() * smaller(m.l, m.L) / m.p;
    } else {
      b.bandwidth = larger(natural(b.bandwidth), compared.bandwidth);
      b.latency = larger(natural(b.latency), compared.latency);
      b.speed_up = larger(natural(once.speed_up), compared.speed_up);
    }
    return b;
  }
  //! lower_bound in letters.
  [[nodiscard]] static constexpr bound_formula lower_bound_formula(machine_terms const& m) {
    bound_formula f = fold_formula(m);
    formula const words = Pairs ? "4n" : "2n";
    bound_formula const once = access_formula(m, words);
    f.bandwidth = once.bandwidth;
    f.latency = formula("max(") + f.latency + ", " + once.latency;
    if (m.hmm) {
      f.latency = f.latency + ")";
      f.shared_bandwidth = quotient("log n!", memories_letters(m));
      f.shared_latency = "min(l, L) log n!/p";
    } else if (m.pram()) {
      f.speed_up = formula("max(") + words + ", log n!)/p";
    } else {
      f.bandwidth = quotient(formula("max(") + words + ", log n!)", formula("w") + ports_letter(m));
      f.latency = f.latency + ", " + reduction_formula(m, "log n!") + "/p)";
    }
    return f;
  }
  //! For k = log n, rounded up: `(n/w + nl/p + l) k (k + 1)/2`, the access of all words and a
  //! latency for each of the network's steps.
  //! On an HMM with j = log d: `(n/w + nL/p + L) (j + 1) (j + 2)/2` for the steps over more words
  //! than a DMM's share and for the copies of tiles to the shared memories and back, and `(n/(dw) +
  //! nl/t/d + l) (k (k + 1)/2 + j + 1)` for the shared memories, where k is at least log w, since a
  //! tile has w words or more. Where w does not divide t, the first w is at_once(). The bound holds
  //! if the shared memories hold a DMM's share of the words, up to a power of two.
  [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
    if (n <= 1) return 0;
    natural const k = log2(n);
    natural const steps = k * (k + 1) / 2;
    natural const words = n * sequences;
    natural const arrays = sequences;
    if (m.pram()) return (words / m.p + arrays) * steps;
    if (!m.hmm) return (words / m.w + words * m.l / m.p + arrays * m.l) * steps;
    natural const j = log2(m.d);
    natural const rows = n / m.d / m.w;  // rows of w words per DMM
    natural const in_tiles = log2(larger(n, m.w));
    return (words / m.at_once() + words * m.L / m.p + arrays * m.L) * ((j + 1) * (j + 2) / 2) +
           arrays * (rows + rows * m.w * m.l / m.t + m.l) * (in_tiles * (in_tiles + 1) / 2 + j + 1);
  }

 private:
  //! The sum of the logarithms of 1 … n, each rounded down: n + 1 numbers of k bits or fewer.
  [[nodiscard]] constexpr natural comparisons() const {
    index const k = bit_width(n) - 1;
    return (n + 1) * k + 2 - (natural(index{1} << k) * 2);
  }
};

//! The problem of sorting n keys of a type; some problems depend on the keys' bits.
template <class Problem, class Key>
[[nodiscard]] constexpr Problem sorting_problem_of(size n) {
  if constexpr (requires { Problem(n, key_bits(8)); })
    return Problem(n, key_bits(8 * sizeof(Key)));
  else
    return Problem(n);
}

//! The call form of an algorithm that sorts keys, which derives from it.
template <class Algorithm>
struct keys_call {
  template <class On, class Keys, class Order = ascending>
  void operator()(On on, Keys first, Keys last, Order order = {}) const {
    static_assert(call_of<On, Keys>::accepted);
    called<Algorithm>(on, [&] {
      using problem = problem_on_t<On, Algorithm>;
      size const n(last - first);
      sorting_problem_of<problem, iterator_value_t<Keys>>(n).run(on, order, first);
    });
  }
};
//! The call form of an algorithm that sorts keys with their values. Keys and values do not overlap.
template <class Algorithm>
struct pairs_call {
  template <class On, class Keys, class Values, class Order = ascending>
  void operator()(On on, Keys first, Keys last, Values values, Order order = {}) const {
    static_assert(call_of<On, Keys, Values>::accepted);
    called<Algorithm>(on, [&] {
      using problem = problem_on_t<On, Algorithm>;
      size const n(last - first);
      overlap_check<Keys, Values>::reject(first, n.count, values, n.count);
      sorting_problem_of<problem, iterator_value_t<Keys>>(n).run(on, order, first, values);
    });
  }
};

//! The algorithm object behind mmm::sort.
struct sort_algorithm : keys_call<sort_algorithm> {
  static constexpr char const* name = "sort";
  static constexpr char const* paper = "Batcher 1968";
  //! Tiles on an HMM are as large as a shared memory has room for.
  static constexpr bool fills_capacity = true;
  static constexpr machine_kinds kinds{.pram = 2, .bpram = 2, .dmm = 2, .umm = 4, .hmm = 2};
  using problem = sort_problem<false>;
};

//! The algorithm object behind mmm::sort_pairs.
struct sort_pairs_algorithm : pairs_call<sort_pairs_algorithm> {
  static constexpr char const* name = "sort-pairs";
  static constexpr char const* paper = "Batcher 1968";
  //! Tiles on an HMM are as large as a shared memory has room for.
  static constexpr bool fills_capacity = true;
  static constexpr machine_kinds kinds = sort_algorithm::kinds;
  using problem = sort_problem<true>;
};

}  // namespace detail

//! Sorts the n words [first, last) in place: `mmm::sort(on, first, last, before)`. `before(x, y)`
//! is true where x has to stand before y, a strict weak order; without it the order is `x < y`. Not
//! stable: equal words may change places. mmm::sort_pairs sorts keys together with values.
//! Errors: std::length_error if a shared memory has no room for two words.
//! Time: at most 2 (n/w + nl/p + l) k (k + 1)/2 on a DMM, k = log n rounded up, twice that on a
//! UMM; on an HMM, where j = log d, `2 ((n/w + nL/p + L) (j + 1) (j + 2)/2 + (n/(dw) + nl/p + l) (k
//! (k + 1)/2 + j + 1))`. The same for all data. Source: Batcher 1968.
inline constexpr detail::sort_algorithm sort{};

//! Sorts the n keys [first, last) in place, and with them their values, from `values` on:
//! `mmm::sort_pairs(on, first, last, values, before)`. Not stable: values of equal keys may change
//! places. Errors: std::invalid_argument if keys and values overlap; otherwise those of mmm::sort.
//! Time: that of mmm::sort for twice the words.
inline constexpr detail::sort_pairs_algorithm sort_pairs{};

}  // namespace mmm
MMM_BODIES_END
