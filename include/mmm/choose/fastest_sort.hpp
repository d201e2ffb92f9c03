// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/call/check.hpp>
#include <mmm/algorithm/call/has_fast_variants.hpp>
#include <mmm/algorithm/sort/merge_sort.hpp>
#include <mmm/algorithm/sort/radix_sort.hpp>
#include <mmm/algorithm/sort/sort.hpp>
#include <mmm/choose/prefers.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/gpu/devices.hpp>
#include <mmm/machine/machine.hpp>

#include <type_traits>

//! The default entries of sorts: radix sort, merge sort or the network of comparators.
namespace mmm::detail {

//! Stands for an array of an iterator's values.
template <class Iterator>
struct values_of {
  using value_type = iterator_value_t<Iterator>;
};

//! Sorts numbers by radix sort or merge sort, and other keys and orders by merge sort; keys whose
//! tiles do not fit the shared memories, and all keys on machines without fast variants, by the
//! network of comparators. On a GPU numbers are sorted by the candidate with the least predicted
//! time, elsewhere by a candidate that depends on their number. The network of comparators is no
//! candidate where the others can run: for no GPU and number of keys is it predicted to take less
//! time than merge sort (test/timing/predict_sorts.cpp).
template <bool Pairs>
struct fastest_sort_algorithm {
  //! Number of keys, where nothing is predicted, from which on radix sort's passes over all keys
  //! take less time than the network's steps (docs/gpu.md, "Sorting").
  static constexpr index least = 1 << 13;
  //! Number of keys, where nothing is predicted, from which on merge sort takes less time than the
  //! network.
  static constexpr index least_merged = 1 << 11;

  //! Called as mmm::sort.
  template <class On, class Keys, class Order = ascending>
  requires(!Pairs && !sequence<Order>)
  void operator()(On const& on, Keys first, Keys last, Order order = {}) const {
    static_assert(call_of<On, Keys>::accepted);
    start<no_values>(on, first, last, order);
  }
  //! Called as mmm::sort_pairs.
  template <class On, class Keys, class Values, class Order = ascending>
  requires Pairs
  void operator()(On const& on, Keys first, Keys last, Values values, Order order = {}) const {
    static_assert(call_of<On, Keys, Values>::accepted);
    start<values_of<Values>>(on, first, last, order, values);
  }

  //! True if keys, and values of `Values`, can be sorted by radix sort on machine m with p threads.
  template <class Key, class Values, hierarchical_machine M>
  [[nodiscard]] static constexpr bool has_tiles(M const& m, index p) {
    index const t = p / m.dmms();
    index const lanes = lanes_of(M::width());
    return t > 0 && t % lanes == 0 &&
           radix_pass<keys_of_thread<Key, Values>>::template shared_words<Key, Values>(t, lanes) <=
               m.capacity();
  }
  //! True if keys, and values of `Values`, can be sorted by merge sort on machine m with p threads.
  template <class Key, class Values, hierarchical_machine M>
  [[nodiscard]] static constexpr bool merges(M const& m, index p) {
    return p >= m.dmms() &&
           merge_memory<Key, Values>::words(p / m.dmms(), M::width()) <= m.capacity();
  }
  //! A number of keys with the same quickest candidate as n: it has four significant bits, and at
  //! most as many tiles for each DMM as the ranking depends on, since further ones add the same
  //! time to every candidate again.
  [[nodiscard]] static constexpr index typical(index n, index dmms) {
    index const max_keys = checked_multiply(dmms, 64 * keys_of_tile_merge * 512);
    n = smaller(larger(n, 16), max_keys);
    index const unit = index{1} << larger(0, ceil_log2(n) - 4);
    return ceil_divide(n, unit) * unit;
  }

  //! The number of the quickest candidate for n numbers: 0 radix sort on `digits`, 1 merge sort; -1
  //! if the machine has room for neither.
  template <class Key, class Values, class On, class Digits>
  [[nodiscard]] static int chosen(On const& on, index n, Digits const& digits) {
    constexpr bool predicts = is_gpu<typename On::machine_type>;
    constexpr index bytes = bytes_of_item<Key, Values>();
    size const like(predicts ? typical(n, on.machine().dmms()) : n);
    auto const by_digits = [like](auto const& run) {
      key_bits const bits(8 * sizeof(Key));
      if constexpr (Pairs)
        return run(radix_sort_pairs, like, bits);
      else
        return run(radix_sort, like, bits);
    };
    auto const by_merging = [like](auto const& run) {
      if constexpr (Pairs)
        return run(merge_sort_pairs, like);
      else
        return run(merge_sort, like);
    };
    bool const can_count =
        (predicts || n >= least) && has_tiles<Key, Values>(digits.machine(), digits.threads());
    auto const merging = for_merging<bytes>(on, like.count);
    bool const can_merge = (predicts || n >= least_merged) &&
                           merges<Key, Values>(merging.machine(), merging.threads());
    return chosen_candidate(on.machine(), Pairs ? bytes / 2 : bytes, {like.count},
                            candidate_on(digits, can_count, by_digits),
                            candidate_on(merging, can_merge, by_merging));
  }

 private:
  template <class Key, class Order>
  static constexpr bool has_digits =
      std::is_arithmetic_v<Key> &&
      (std::is_same_v<Order, ascending> || std::is_same_v<Order, descending>);
  template <class Key, class Values>
  static constexpr index bytes_of_item() {
    index bytes = sizeof(Key);
    if constexpr (has_values<Values>) bytes += sizeof(typename Values::value_type);
    return bytes;
  }

  //! The handle for a radix sort: on each multiprocessor up to three blocks, as many as its shared
  //! memory has room for, so that one works while another waits. Blocks are full if the caller has
  //! as many threads for a multiprocessor. Two blocks are no candidate: for 2^20 keys on an H100
  //! they are predicted to take 4 % less (docs/choices.md), predictions of others' sorts are off by
  //! more (docs/prediction.md), and all kernels would be compiled once more.
  static constexpr index max_radix_threads = radix_sort_program<ascending>::max_block_threads;
  template <class Key, class Values, class On>
  [[nodiscard]] static auto for_digits(On const& on) {
    return with_blocks<radix_blocks<Key, Values, typename On::machine_type>()>(
        on, [](index, index, index t) { return smaller(t, max_radix_threads); });
  }
  template <class Key, class Values, class M>
  [[nodiscard]] static constexpr index radix_blocks() {
    if constexpr (is_gpu<M>) {
      index const bytes =
          4 * radix_pass<keys_of_thread<Key, Values>>::template shared_words<Key, Values>(
                  max_radix_threads, lanes_of(M::width()));
      for (index blocks = 3; blocks > 1; --blocks)
        if (gpu::detail::split(gpu::detail::whole(M::facts), blocks).shared_bytes_per_block >=
            bytes)
          return blocks;
    }
    return 1;
  }
  //! The handle for a merge sort of n keys, with equally many tiles for each DMM.
  template <index Bytes, class On>
  [[nodiscard]] static auto for_merging(On const& on, index n) {
    return with_blocks(on, [n](index d, index lanes, index t) {
      return threads_of_merge(n, d, lanes,
                              smaller(t, tile_merge_program<Bytes, ascending>::max_block_threads));
    });
  }

  template <class Values, class On, class Keys, class Order, class... OfKeys>
  static void start(On const& on, Keys first, Keys last, Order order, OfKeys... values) {
    using key = iterator_value_t<Keys>;
    if constexpr (has_fast_variants<typename On::machine_type>) {
      auto const n = static_cast<index>(last - first);
      auto const merging = for_merging<bytes_of_item<key, Values>()>(on, n);
      bool merging_is_best = false;
      if constexpr (has_digits<key, Order>) {
        auto const digits = for_digits<key, Values>(on);
        int const taken = chosen<key, Values>(on, n, digits);
        if (taken == 0) {
          if constexpr (Pairs)
            return radix_sort_pairs(digits, first, last, values..., order);
          else
            return radix_sort(digits, first, last, order);
        }
        merging_is_best = taken == 1;
      } else {
        merging_is_best = (is_gpu<typename On::machine_type> || n >= least_merged) &&
                          merges<key, Values>(merging.machine(), merging.threads());
      }
      if (merging_is_best) {
        if constexpr (Pairs)
          return merge_sort_pairs(merging, first, last, values..., order);
        else
          return merge_sort(merging, first, last, order);
      }
    }
    if constexpr (Pairs)
      sort_pairs(on, first, last, values..., order);
    else
      sort(on, first, last, order);
  }
};
using fastest_sort = fastest_sort_algorithm<false>;
using fastest_sort_pairs = fastest_sort_algorithm<true>;

}  // namespace mmm::detail
