// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/call_check.hpp>
#include <mmm/algorithm/fast/merge_sort.hpp>
#include <mmm/algorithm/fast/radix_sort.hpp>
#include <mmm/algorithm/has_fast_variants.hpp>
#include <mmm/algorithm/paper/sort.hpp>
#include <mmm/algorithm/prediction/prefers.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/machine/gpu.hpp>
#include <mmm/machine/machine.hpp>

#include <type_traits>

//! The default entries of sorts: by digits, by merging or by comparators.
namespace mmm::detail {

//! Sorts numbers by their digits where there are enough of them, in any other order by merging; few
//! keys, and those whose tiles the shared memories do not take, by comparators.
struct fastest_sort {
  //! From so many keys on the passes over all of them take less time than the network's steps
  //! (docs/gpu.md, "Sorting").
  static constexpr index least = 1 << 13;
  //! From so many keys on merging takes less time than the network's steps.
  static constexpr index least_merged = 1 << 11;

  template <class Key, class Order>
  static constexpr bool has_digits =
      std::is_arithmetic_v<Key> &&
      (std::is_same_v<Order, ascending> || std::is_same_v<Order, descending>);

  //! True if keys, and values of `Values`, are sorted by digits on machine m with p threads.
  template <class Key, class Values, hierarchical_machine M>
  [[nodiscard]] static constexpr bool by_digits(M const& m, index n, index p) {
    index const t = p / m.dmms();
    index const lanes = lanes_of(M::width);
    return n >= least && t % lanes == 0 &&
           radix_pass<keys_of_thread<Key, Values>>::template shared_words<Key, Values>(t, lanes) <=
               m.capacity();
  }
  //! True if keys, and values of `Values`, are sorted by merging on machine m with p threads.
  template <class Key, class Values, hierarchical_machine M>
  [[nodiscard]] static constexpr bool by_merging(M const& m, index n, index p) {
    return n >= least_merged &&
           merge_memory<Key, Values>::words(p / m.dmms(), M::width) <= m.capacity();
  }
  //! The handle for a program of so many threads in a block: of a kernel's threads as many as its
  //! blocks may have, one block on each multiprocessor.
  template <class On, class Threads>
  [[nodiscard]] static auto with_blocks(On const& on, Threads const& threads_of_block) {
    using machine = typename On::machine_type;
    if constexpr (requires { on.on_machine(on.machine(), mmm::threads(1)); }) {
      auto const with = [&](auto const& m) {
        index const lanes = lanes_of(machine::width);
        index const t = threads_of_block(m.dmms(), lanes, on.threads() / m.dmms());
        return on.on_machine(m, mmm::threads(m.dmms() * (t > lanes ? t - t % lanes : t)));
      };
      if constexpr (is_gpu<machine>)
        return with(gpu::device<gpu::detail::whole(machine::facts)>{});
      else
        return with(on.machine());
    } else {
      return on;
    }
  }
  //! The handle for a sort by digits: of large blocks, so that a tile has many keys of each digit.
  template <class On>
  [[nodiscard]] static auto for_digits(On const& on) {
    return with_blocks(on, [](index, index, index t) {
      return smaller(t, radix_sort_program<ascending>::most_block_threads);
    });
  }
  //! The handle for a merge sort of n keys: its tiles are as many for each DMM.
  template <index Bytes, class On>
  [[nodiscard]] static auto for_merging(On const& on, index n) {
    return with_blocks(on, [n](index d, index lanes, index t) {
      return threads_of_merge(n, d, lanes,
                              smaller(t, tile_merge_program<Bytes, ascending>::most_block_threads));
    });
  }
  //! Called as mmm::sort.
  template <class On, class Keys, class Order = ascending>
  requires(!sequence<Order>)
  void operator()(On const& on, Keys first, Keys last, Order order = {}) const {
    static_assert(call_of<On, Keys>::accepted);
    using key = iterator_value_t<Keys>;
    if constexpr (has_fast_variants<typename On::machine_type>) {
      auto const n = static_cast<index>(last - first);
      if constexpr (has_digits<key, Order>) {
        auto const all = for_digits(on);
        if (by_digits<key, no_values>(all.machine(), n, all.threads()))
          return radix_sort(all, first, last, order);
      }
      auto const merging = for_merging<sizeof(key)>(on, n);
      if (by_merging<key, no_values>(merging.machine(), n, merging.threads()))
        return merge_sort(merging, first, last, order);
    }
    sort(on, first, last, order);
  }
};
//! In place of an array of an iterator's values.
template <class Iterator>
struct values_of {
  using value_type = iterator_value_t<Iterator>;
};
struct fastest_sort_pairs {
  //! Called as mmm::sort_pairs.
  template <class On, class Keys, class Values, class Order = ascending>
  void operator()(On const& on, Keys first, Keys last, Values values, Order order = {}) const {
    static_assert(call_of<On, Keys, Values>::accepted);
    using key = iterator_value_t<Keys>;
    if constexpr (has_fast_variants<typename On::machine_type>) {
      auto const n = static_cast<index>(last - first);
      using sorts = fastest_sort;
      if constexpr (sorts::has_digits<key, Order>) {
        auto const all = sorts::for_digits(on);
        if (sorts::by_digits<key, values_of<Values>>(all.machine(), n, all.threads()))
          return radix_sort_pairs(all, first, last, values, order);
      }
      auto const merging =
          sorts::for_merging<sizeof(key) + sizeof(iterator_value_t<Values>)>(on, n);
      if (sorts::by_merging<key, values_of<Values>>(merging.machine(), n, merging.threads()))
        return merge_sort_pairs(merging, first, last, values, order);
    }
    sort_pairs(on, first, last, values, order);
  }
};

}  // namespace mmm::detail
