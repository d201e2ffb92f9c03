// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/check.hpp>
#include <mmm/algorithm/scan/prefix_sums.hpp>
#include <mmm/algorithm/sort/radix_pass.hpp>
#include <mmm/algorithm/sort/radix_sort_in_one_memory.hpp>
#include <mmm/algorithm/sort/sort.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/machine/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

//! Radix sort: sorting numbers by their digits, on an HMM, from the least significant digit on. The
//! places to which words are moved depend on the data, and so does the cost: mmm::simulate computes
//! it for given data, mmm::cost_of its least and greatest value, and mmm::upper_bound a bound for
//! all data.
MMM_BODIES_BEGIN
namespace mmm {
namespace detail {

//! Number of keys for each thread of a tile: as many as its registers hold, with the places of keys
//! that have values.
[[nodiscard]] MMM_HOST_DEVICE constexpr index keys_each(index key_bytes, index value_bytes) {
  index const bytes = key_bytes + value_bytes;
  return bytes <= 4 ? 22 : bytes > 8 ? 7 : key_bytes <= 4 ? 17 : 14;
}
template <class Values>
inline constexpr index value_bytes = 0;
template <class Values>
requires(has_values<Values>)
inline constexpr index value_bytes<Values> = sizeof(typename Values::value_type);
template <class Key, class Values>
inline constexpr index keys_of_thread = keys_each(sizeof(Key), value_bytes<Values>);

//! Sorts n keys of `bits` bits in place, and their values with them: counts the digits of all
//! passes, and makes a pass for each digit, to another array and back.
template <class Order, class Scatter = scatter_of_data, bool Full = false>
struct radix_sort_program {
  static constexpr index max_block_threads = 320;
  static constexpr int phase_kernels = 3;
  static constexpr bool fills_blocks = Full;
  //! Number of blocks on a multiprocessor: of three full ones a thread has up to 64 registers.
  template <class Word>
  [[nodiscard]] static constexpr index blocks_side_by_side() {
    return Full ? 3 : 1;
  }
  index bits;

  //! The program for blocks of `max_block_threads` threads.
  [[nodiscard]] constexpr auto with_full_blocks() const
  requires(!Full)
  {
    return radix_sort_program<Order, Scatter, true>{bits};
  }

  template <class On, class Keys, class Values = no_values>
  MMM_HOST_DEVICE constexpr void operator()(On& on, index n, Keys keys, Values values = {}) const {
    if (n <= 1) return;
    using key = typename Keys::value_type;
    using pass = radix_pass<keys_of_thread<key, Values>, Order, Scatter>;
    constexpr index digits = pass::digits;
    auto const others = on.template allocate<key>(n);
    auto const other_values = [&] {
      if constexpr (has_values<Values>)
        return on.template allocate<typename Values::value_type>(n);
      else
        return Values{};
    }();
    // a second pass, over a digit that all keys share, brings keys of one byte back
    index const passes = larger(2, bits / pass::bits);
    index const of_tiles = digits * pass::tiles_of(n, on.threads_per_dmm(), on.lanes());
    auto const starts = on.template allocate<index>(digits * passes);
    auto const sums = on.tile_sums(of_tiles);
    auto const next = on.tile_sums(of_tiles);
    on.template each_phase<0>(1, [=, &on](index) MMM_INLINED {
      on.each(of_tiles, [=](auto j) { sums[j] = 0 * j; }, no_barrier);
      on.each(digits * passes, [=](auto j) { starts[j] = 0 * j; });
      count_all_digits<Order, Scatter>{passes}(on, n, keys, starts);
      on.each_tile(0, passes, [=](auto& block, auto p) MMM_INLINED {
        auto const s = block.template allocate<index>(digits);
        block.each(digits, [=](auto j) { s[j] = load(starts[p * digits + j]); });
        scan_digits(block, s);
        block.each(digits, [=](auto j) { starts[p * digits + j] = load(s[j]); });
      });
    });
    auto const pass_of = [](index p) { return pass{static_cast<int>(p * pass::bits)}; };
    on.template each_phase<1>(
        passes,
        [=, &on](index p) MMM_INLINED {
          pass_of(p)(on, n, keys, others, values, other_values, starts + p * digits, sums, next);
        },
        [=, &on](index p) MMM_INLINED {
          pass_of(p)(on, n, others, keys, other_values, values, starts + p * digits, next, sums);
        });
  }
};

//! The problem of sorting n numbers by their digits, each with a value of 4 bytes if `Pairs`.
template <bool Pairs>
struct radix_sort_problem {
  static constexpr index sequences = Pairs ? 2 : 1;
  natural n;
  index bits;
  scatter places;
  constexpr explicit radix_sort_problem(size words, key_bits width = key_bits(32),
                                        scatter s = scatter::unknown)
      : n(words.count), bits(width.count), places(s) {}
  constexpr radix_sort_problem(size words, scatter s)
      : radix_sort_problem(words, key_bits(32), s) {}

  template <class On, class Order = ascending, class Keys = no_data, class Values = no_data>
  constexpr void run(On& on, Order = {}, Keys keys = {}, Values values = {}) const {
    if constexpr (!std::is_same_v<Keys, no_data>) {
      if constexpr (hierarchical_machine<typename On::machine_type>) demand_groups(on);
      start<Order>(on, scatter_of_data{}, keys, values);
    } else {
      if (places == scatter::unknown)
        throw_invalid_argument(failure_text(
            "mmm: the cost of a radix sort depends on its keys: write mmm::scatter::contiguous or "
            "mmm::scatter::conflicting after the threads, or mmm::simulate it on data"));
      places == scatter::contiguous ? start<Order>(on, scatter_contiguous{})
                                    : start<Order>(on, scatter_conflicting{});
    }
  }
  //! Starts the program whose accesses go to the places that `Scatter` assumes.
  template <class Order = ascending, class On, class Scatter, class Keys = no_data,
            class Values = no_data>
  constexpr void start(On& on, Scatter, Keys keys = {}, Values values = {}) const {
    auto const with = [&](auto const& program) {
      perform_sort<Pairs>(on, program, n.count, keys, values);
    };
    if constexpr (hierarchical_machine<typename On::machine_type>)
      with(radix_sort_program<Order, Scatter>{bits});
    else
      with(section_sort_program<Order, Scatter>{bits});
  }
  //! Throws std::invalid_argument for a kernel whose blocks' last warp is not whole.
  template <class On>
  static constexpr void demand_groups(On const& on) {
    if constexpr (requires { typename On::launches_programs; }) {
      index const lanes = lanes_of(on.machine().width());
      if (on.threads_per_dmm() % lanes != 0)
        reject("the number of threads of a block", on.threads_per_dmm(),
               "a multiple of the lanes of a warp");
    }
  }

  //! Every word is read, and is written if its place at first holds another key; the first word
  //! becomes the least of all, as in a fold. Keys are not compared.
  [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
    if (n <= 1) return {};
    bound b = fold_bound(m, n, m.p);
    bound const once = access_bound(m, 2 * n * sequences, m.p);
    b.bandwidth = once.bandwidth;
    b.latency = larger(natural(b.latency), once.latency);
    b.speed_up = once.speed_up;
    return b;
  }
  //! lower_bound in letters.
  [[nodiscard]] static constexpr bound_formula lower_bound_formula(machine_terms const& m) {
    bound_formula f = fold_formula(m);
    bound_formula const once = access_formula(m, sequences == 2 ? "4n" : "2n");
    f.bandwidth = once.bandwidth;
    if (!m.pram()) f.latency = formula("max(") + f.latency + ", " + once.latency + ")";
    f.speed_up = once.speed_up;
    return f;
  }
  //! For all data. In one memory, with s = n or p sections, whichever is less, and b bits:
  //! `b/4 (n + nl/p + l + 16 (s/w + l) + U(prefix-sums of 16 s))`; a PRAM has `n/p` and a BPRAM
  //! `n/w` for n.
  //!
  //! On an HMM, with b/8 passes over 8 bits, e keys for each thread of a tile, T = n/(et) tiles,
  //! R = T/d of them for a DMM, q = 256/t and h = 256 t/lanes counters, L plus
  //! `b/8 (n/w + 256 T + R (e + q) L + R (et + el + h/w + hl/t + 256 + 64 l) + 256 d/w + q (L + l)
  //! + 256)`: the global memory serves all words, 256 runs of each tile; the shared memories serve
  //! all words one by one, as where all words of a warp go to one bank.
  [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
    if (n <= 1) return 0;
    auto const scan = [&m](natural counters) {
      return prefix_sums_algorithm<false>::problem(size(counters)).upper_bound(m);
    };
    if (!m.hmm) {
      natural const s = smaller(n, m.p);
      natural const at_once = m.conflicts == conflict::none     ? m.p
                              : m.conflicts == conflict::amount ? m.w
                                                                : natural(1);
      natural const words = n / at_once + n * m.l / m.p + m.l;
      natural const of_counts = section_pass<ascending>::digits * (s / m.w + m.l);
      return bits / section_pass<ascending>::bits *
             (words * sequences + of_counts + scan(section_pass<ascending>::digits * s));
    }
    natural const digits = radix_pass<>::digits;
    natural const e = keys_each(bits / 8, Pairs ? 4 : 0);
    natural const tiles = n / (e * m.t);
    natural const of_dmm = tiles / m.d;
    natural const rows = digits / m.t;
    natural const counters = digits * (m.t / natural(lanes_of(m.w.count)));
    natural const of_global = n / m.w + digits * tiles + of_dmm * (e + rows) * m.L;
    natural const of_shared = of_dmm * (e * m.t + e * m.l + counters / m.w + counters / m.t * m.l +
                                        digits + digits / 4 * m.l);
    natural const of_counts = digits * (m.d / m.w) + rows * (m.L + m.l) + digits;
    return natural(larger(2, bits / radix_pass<>::bits)) *
               ((of_global + of_shared) * sequences + of_counts) +
           m.L;
  }
};

//! The algorithm object behind mmm::radix_sort.
struct radix_sort_algorithm : keys_call<radix_sort_algorithm> {
  static constexpr char const* name = "radix-sort";
  static constexpr char const* paper = "Satish, Harris and Garland 2009, Adinets and Merrill 2022";
  static constexpr machine_kinds kinds{.pram = 4, .bpram = 6, .dmm = 6, .umm = 6, .hmm = 16};
  using problem = radix_sort_problem<false>;
};
//! The algorithm object behind mmm::radix_sort_pairs.
struct radix_sort_pairs_algorithm : pairs_call<radix_sort_pairs_algorithm> {
  static constexpr char const* name = "radix-sort-pairs";
  static constexpr char const* paper = radix_sort_algorithm::paper;
  static constexpr machine_kinds kinds = radix_sort_algorithm::kinds;
  using problem = radix_sort_problem<true>;
};

}  // namespace detail

//! Sorts the n numbers [first, last) in place: `mmm::radix_sort(on, first, last)`, or with
//! mmm::descending{}. Stable. Accepts integers of any sign and floating-point numbers: -0 stands
//! before 0, NaNs at the ends. In one memory it sorts by 4 bits at a time, with n more words and 16
//! for each thread; on an HMM by 8 bits, with n more words and 512 for each tile, and in a shared
//! memory, with t threads per DMM, about 20 t words of 4 bytes, 256 for each group of lanes, and
//! 1152.
//! Errors: std::length_error if a shared memory is too small; std::invalid_argument for a kernel's
//! blocks of more than 320 threads, or of a number that is not a multiple of its groups' lanes, and
//! from mmm::cost_of without a mmm::scatter: `mmm::cost_of<M>(mmm::radix_sort, mmm::size(n),
//! mmm::threads(p), mmm::scatter::contiguous)`, or with mmm::key_bits(b) before it for keys that do
//! not have 4 bytes.
//! Time: depends on the keys, and a simulation computes it for given ones; for any keys, at most `6
//! U` in one memory and `16 U` on an HMM, where U is mmm::upper_bound. Only the places at which
//! each pass counts digits and to which it moves keys and values are unknown: mmm::cost_of is never
//! more than the time with mmm::scatter::contiguous, and never less with mmm::scatter::conflicting.
//! Source: Satish, Harris and Garland 2009; on an HMM Adinets and Merrill 2022.
inline constexpr detail::radix_sort_algorithm radix_sort{};

//! Sorts n numbers as mmm::radix_sort, and with them their values, from `values` on:
//! `mmm::radix_sort_pairs(on, first, last, values)`. Stable: values of equal keys remain in their
//! order. Errors: std::invalid_argument if keys and values overlap; otherwise those of
//! mmm::radix_sort.
inline constexpr detail::radix_sort_pairs_algorithm radix_sort_pairs{};

}  // namespace mmm
MMM_BODIES_END
