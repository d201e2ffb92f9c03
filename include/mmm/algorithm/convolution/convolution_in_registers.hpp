// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/algorithm/tile/whole_or_part.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/machine/machine.hpp>

#include <type_traits>

//! The direct convolution z[i] = x[0] y[i] + … + x[m - 1] y[i + m - 1] on an HMM, with several
//! outputs per thread.
MMM_BODIES_BEGIN
namespace mmm {

//! The place of vec `number` of an array. Adjacent threads can write adjacent vecs, and threads
//! `Apart` vecs apart, a power of two, can read them, both without bank conflicts: vecs are
//! permuted within each row of the banks.
template <index V, index Width>
struct strided_swizzle {
  static_assert(Width % V == 0 && (Width / V & (Width / V - 1)) == 0,
                "mmm: a power of two of accesses side by side in all banks");
  static constexpr index slots = Width / V;

  template <index Apart, class Number>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto position(Number const& number) {
    static_assert((Apart & (Apart - 1)) == 0, "mmm: a power of two of vecs to a thread");
    constexpr index kinds = Apart < slots ? Apart : slots;
    constexpr index row = detail::ceil_log2(slots);
    // A division would examine the sign of the number.
    return number ^ ((number >> row) & (kinds - 1));
  }
};

//! The convolution with `Outputs` adjacent outputs in each thread's registers, in tiles that are
//! assigned to the DMMs round-robin. The words and the taps that a tile needs are in the shared
//! memory; for every `Outputs` taps a thread reads as many taps and words, V in an access, and
//! makes `Outputs^2` products with them and the words that it read before. The results pass through
//! the shared memory, too, so that the global memory is accessed in order.
//! The taps are padded with zeros to a multiple of `Outputs`, and the zeros are multiplied like
//! taps: a word that is not finite invalidates up to `Outputs - 1` more results before it.
//! Needs `Outputs t + 2 (m + Outputs + w)` words of shared memory at most, t threads per DMM. Exact
//! time: docs/algorithms.md.
template <index Outputs = 16, index V = 4, index AtOnce = V>
struct register_convolution {
  static_assert(Outputs % V == 0, "mmm: a thread has whole vecs of outputs");
  static_assert(AtOnce == 1 || AtOnce == V);
  static constexpr index words = AtOnce;  //!< words in a global access, in whole tiles
  //! threads of a block in a kernel: each thread has enough registers, and one block's words are in
  //! flight while other blocks multiply
  static constexpr index max_block_threads = 256;
  template <class Word>
  [[nodiscard]] static constexpr index blocks_side_by_side() {
    // The compiler regroups sums of integers, which takes registers.
    return sizeof(Word) > 4 ? 1 : std::is_integral_v<Word> ? 2 : 3;
  }

  [[nodiscard]] MMM_HOST_DEVICE static constexpr index filled(index m) {
    return detail::ceil_divide(m, Outputs) * Outputs;
  }
  //! Number of words of a tile in the shared memory, in whole rows of w.
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index tile_room(index t, index m, index w) {
    return detail::ceil_divide(t * Outputs + filled(m), w) * w;
  }

  template <class Machine, class Taps, class Words, class Results>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Taps x, index m, Words y, Results z,
                                            index n) const {
    index const tile = on.threads_per_dmm() * Outputs;
    index const inner = n - (filled(m) - m) - 1;  // a tile that ends before it has all its words
    index const whole = AtOnce > 1 && inner > 0 ? inner / tile : 0;
    if constexpr (AtOnce > 1) tiles<true>(on, x, m, y, z, n, 0, whole);
    tiles<false>(on, x, m, y, z, n, whole, detail::ceil_divide(n, tile) - whole);
  }
  //! The program for words and outputs that do not begin at multiples of V words.
  [[nodiscard]] static constexpr register_convolution<Outputs, V, 1> by_words()
  requires(AtOnce > 1)
  {
    return {};
  }

 private:
  static constexpr index vecs = Outputs / V;  //!< vecs of a thread's outputs

  template <bool Whole, class Machine, class Taps, class Words, class Results>
  MMM_HOST_DEVICE static constexpr void tiles(Machine& on, Taps x, index m, Words y, Results z,
                                              index n, index first, index count) {
    using value = typename Results::value_type;
    constexpr index w = Machine::machine_type::width();
    using swizzle = strided_swizzle<V, w>;
    constexpr index together = Whole ? AtOnce : 1;  // words in an access of the global memory
    index const t = on.threads_per_dmm();
    index const tile_words = t * Outputs;
    index const given = n + m - 1;
    index const needed = tile_words + filled(m);
    index const taps_filled = filled(m);
    auto const body = [=](auto& block, auto tile) {
      auto taps = block.template allocate<value>(taps_filled);
      auto s = block.template allocate<value>(tile_room(t, m, w));
      auto sums = block.template registers<value, Outputs>();
      auto had = block.template registers<value, Outputs>();
      block.each(taps_filled, [=](auto i) { taps[i] = load_if(i < m, x[i], value{}); }, no_barrier);
      auto const word_or_vec = [=](auto i) {
        auto place = tile * (tile_words / together) + i;
        return detail::load_within<Whole>(place < given, wide<together>(y)[place]);
      };
      // All words of a tile are in flight at once.
      constexpr index loads = Outputs / together;
      index const first_ones = loads * t;
      block.each(
          t,
          [=](auto i) {
            auto v = make_vec<loads>([&](index q) { return word_or_vec(i + q * t); });
            unroll<loads>([&](index q) { store_words<together, swizzle>(s, i + q * t, v[q]); });
          },
          no_barrier);
      block.each(needed / together - first_ones, [=](auto i) {
        store_words<together, swizzle>(s, first_ones + i, word_or_vec(first_ones + i));
      });
      block.each(
          t,
          [=](auto i) {
            unroll<vecs>([&](index q) {
              auto v = load(wide<V>(s)[swizzle::template position<vecs>(i * vecs + q)]);
              unroll<V>([&](index k) {
                had(i, q * V + k) = v[k];
                sums(i, q * V + k) = value{};
              });
            });
          },
          no_barrier);
      // Two steps at a time: the words of one step are the previous words of the next one.
      index const steps = taps_filled / Outputs;
      block.repeat(steps / 2, [=, &block](auto pair) {
        block.each(
            t,
            [=](auto i) {
              auto const own = held_words(had, i);
              auto const next = words_after<swizzle>(s, i, 2 * pair);
              add_products(taps, 2 * pair, i, own, next, sums);
              auto const last = words_after<swizzle>(s, i, 2 * pair + 1);
              add_products(taps, 2 * pair + 1, i, next, last, sums);
              unroll<Outputs>([&](index r) { had(i, r) = last[r / V][r % V]; });
            },
            no_barrier);
      });
      if (steps % 2 > 0)
        block.each(
            t,
            [=](auto i) {
              auto const next = words_after<swizzle>(s, i, steps - 1);
              add_products(taps, steps - 1, i, held_words(had, i), next, sums);
              // Otherwise a compiler merges the products with the same words before the loop.
              unroll<Outputs>([&](index r) { had(i, r) = next[r / V][r % V]; });
            },
            no_barrier);
      block.each(0, [](auto) {});  // a barrier: all threads have read their words
      block.each(t, [=](auto i) {
        unroll<vecs>([&](index q) {
          wide<V>(s)[swizzle::template position<vecs>(i * vecs + q)] =
              make_vec<V>([&](index k) { return load(sums(i, q * V + k)); });
        });
      });
      block.each(tile_words / together, [=](auto i) {
        auto place = tile * (tile_words / together) + i;
        detail::store_within<Whole>(place < n, wide<together>(z)[place],
                                    load_words<together, swizzle, Whole>(s, i, place < n));
      });
    };
    on.each_tile(first, count, body, no_barrier);
  }

  //! The words of thread i in registers, as vecs.
  template <class Registers, class Item>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto held_words(Registers had, Item const& i) {
    return make_vec<vecs>(
        [&](index q) { return make_vec<V>([&](index k) { return load(had(i, q * V + k)); }); });
  }
  //! The words that follow those of a step.
  template <class Swizzle, class Shared, class Item, class Step>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto words_after(Shared s, Item const& i,
                                                                  Step const& step) {
    return make_vec<vecs>([&](index q) {
      return load(wide<V>(s)[Swizzle::template position<vecs>((i + step + 1) * vecs + q)]);
    });
  }
  //! Adds the products of a step's taps with the words of the step and those that follow.
  template <class Taps, class Step, class Item, class Words, class Sums>
  MMM_HOST_DEVICE static constexpr void add_products(Taps taps, Step const& step, Item const& i,
                                                     Words const& own, Words const& next,
                                                     Sums sums) {
    auto const factors =
        make_vec<vecs>([&](index q) { return load(wide<V>(taps)[step * vecs + q]); });
    // V taps at a time: of the orders that were compiled, the one with the fewest FFMA that read
    // three registers (docs/machine-code.md).
    unroll<vecs>([&](index q) {
      unroll<Outputs>([&](index r) {
        unroll<V>([&](index j) {
          index const k = q * V + j;
          index const word = (r + k) % Outputs;
          auto const& words = r + k < Outputs ? own : next;
          sums(i, r) = load(sums(i, r)) + factors[q][j] * words[word / V][word % V];
        });
      });
    });
  }

  //! Stores the words from number `words * i` on in the shared memory.
  template <index Words, class Swizzle, class Shared, class Item, class Value>
  MMM_HOST_DEVICE static constexpr void store_words(Shared s, Item const& i, Value const& v) {
    wide<Words>(
        s)[Swizzle::template position<vecs>(i / (V / Words)) * (V / Words) + i % (V / Words)] = v;
  }
  //! Loads the words from number `words * i` on from the shared memory, as far as they are needed.
  template <index Words, class Swizzle, bool Whole, class Shared, class Item, class Needed>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto load_words(Shared s, Item const& i,
                                                                 Needed const& needed) {
    return detail::load_within<Whole>(
        needed,
        wide<Words>(
            s)[Swizzle::template position<vecs>(i / (V / Words)) * (V / Words) + i % (V / Words)]);
  }
};

namespace detail {

//! The algorithm object behind mmm::convolution_in_registers.
template <index Outputs, index V>
struct register_convolution_algorithm
    : convolution_call<register_convolution_algorithm<Outputs, V>> {
  static constexpr char const* name = "convolution-in-registers";
  static constexpr char const* paper = "Nakano 2013a, theorem 9, with several outputs to a thread";
  static constexpr machine_kinds kinds{.hmm = 2};

  struct problem : convolution_sizes {
    using convolution_sizes::convolution_sizes;

    template <class On, class Taps = no_data, class Words = no_data, class Out = no_data,
              class... Form>
    constexpr void run(On& on, Taps x = {}, Words y = {}, Out z = {}, Form const&...) const {
      using value = accumulated_t<typename named_accumulator<Form...>::type, Out, Taps, Words>;
      if (n == 0) return;
      perform(on, register_convolution<Outputs, V>{}, reads<value>(x, m), m.count,
              reads<value>(y, words()), writes<value>(z, n), n.count);
    }
    //! The bound for algorithms whose threads have so many outputs: a word from the shared memory
    //! is a factor of as many products.
    [[nodiscard]] constexpr bound lower_bound(auto const& t) const {
      if (n == 0) return {};
      bound b = access_bound(t, 2 * n, V * t.p);
      natural const factors = n * m / Outputs;
      b.shared_bandwidth = factors / (t.d * t.w);
      b.shared_latency = factors * t.l / (V * t.p);
      return b;
    }
    //! The bound for outputs padded to whole passes of the DMMs over their tiles: words and taps
    //! from the global memory and through the shared ones, two shared words for every `Outputs`
    //! products, and a latency for every access of a thread.
    [[nodiscard]] constexpr natural upper_bound(auto const& t) const {
      if (n == 0) return 0;
      natural const filled = m / Outputs * Outputs;
      natural const tile = t.t * Outputs;
      natural const passes = natural(n.count / tile.count) / t.d + 2;
      natural const copied = 2 * tile + 2 * filled;
      natural const at_once = smaller(t.w, t.t);
      natural const global = t.d * (copied / at_once) + copied / t.t * t.L;
      natural const read = (tile + filled) * (2 * (filled / Outputs + 3)) / at_once;
      natural const shared = read + (copied / t.t + filled + 2 * Outputs) * t.l;
      return passes * (global + shared);
    }
  };
};

}  // namespace detail

//! The direct convolution on an HMM with 16 outputs per thread, four words in an access; called as
//! mmm::convolution.
inline constexpr detail::register_convolution_algorithm<16, 4> convolution_in_registers{};

}  // namespace mmm
MMM_BODIES_END
