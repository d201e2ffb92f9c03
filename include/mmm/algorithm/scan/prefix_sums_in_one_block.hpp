// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/fold_forms.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/algorithm/scan/prefix_sums_one_pass.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/machine/machine.hpp>

#include <type_traits>

//! The prefix-sums of few values by one DMM of an HMM: a kernel with little code, which a GPU has
//! to load from its global memory before it runs.
MMM_BODIES_BEGIN
namespace mmm {

namespace detail {

//! The prefix-sums of the n values of `a`, written to `out`, which may be `a`, by the t threads of
//! the first DMM, in a kernel of one block of 256 threads. Tiles of `V Vecs` values per thread
//! follow each other. A thread reads `Vecs` vecs of V values at once into registers, and the lanes
//! of a group scan them, row by row; every thread adds up the groups' totals before its own and
//! those of the tile, which is what the next tile begins with. A tile has two barriers. The fewer
//! than V values after the last vec are the first thread's.
//! Time for 4w | t, w a power of two up to 32, and n = k V Vecs t: exactly
//! `2 k Vecs (ceil(V t/(w g)) + L - 1)` for the global memory, and for the groups' totals and the
//! last word `k ((u + l - 1) + u/4 (4u + l - 1)) + l` with u = t/w.
template <index V, index Vecs, class Operator = plus, class Init = no_init, bool Exclusive = false>
struct one_block_scan {
  static constexpr index words = V;  //!< words in a global access
  static constexpr index max_block_threads = 256;
  static constexpr bool fills_blocks = true;
  static constexpr bool is_preceded = is_init<Init>;  //!< an initial value precedes all
  static_assert(is_preceded || !Exclusive);
  Operator op{};
  Init initial{};

  //! The program for sequences that do not begin at multiples of V words.
  [[nodiscard]] constexpr one_block_scan<1, 2 * Vecs, Operator, Init, Exclusive> by_words() const
  requires(V > 1)
  {
    return {op, initial};
  }

  template <class On, class Iterator, class Output>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Iterator a, index n, Output out) const {
    using value = typename Iterator::value_type;
    one_block_scan const scan = *this;
    on.each_tile(
        0, 1,
        [=](auto& block, auto) {
          index const t = block.threads();
          index const vecs = n / V;
          auto totals = block.template allocate<value>(ceil_divide(t, block.lanes()));
          auto last = block.template allocate<value>(1);  // the sum of all words of the vecs
          auto carry = block.template registers<value>();
          auto x = block.template registers<value, V * Vecs>();
          auto upto = block.template registers<value, Vecs>();
          auto before = block.template registers<value, Vecs>();
          if constexpr (is_preceded)
            block.each_thread([=](auto i) { carry[i] = scan.initial.value; }, no_barrier);
          block.repeat(ceil_divide(vecs, Vecs * t), [=, &block](auto tile) {
            scan.scan_tile(block, wide<V>(a), tile * (Vecs * t), vecs, tile > 0, totals, last,
                           carry, x, upto, before, wide<V>(out));
          });
          if (n > vecs * V)
            scan.rest(block, a + vecs * V, n - vecs * V, vecs > 0, last, out + vecs * V);
        },
        no_barrier);
  }

 private:
  //! Scans a tile from vec `first` on. The sum `carry` is before it if `follows` or if there is an
  //! initial value.
  template <class Block, class Vectors, class First, class Follows, class Array, class Register,
            class Words, class Ends, class Output>
  MMM_HOST_DEVICE constexpr void scan_tile(Block& block, Vectors a, First first, index vecs,
                                           Follows follows, Array totals, Array last,
                                           Register carry, Words x, Ends upto, Ends before,
                                           Output out) const {
    using value = typename Array::value_type;
    auto const combine = op;
    index const t = block.threads();
    index const lanes = block.lanes();
    index const groups = ceil_divide(t, lanes);
    block.each_thread(
        [=](auto i) {
          auto const place = vecs_of<Vecs>(i, t, lanes);
          auto const left = vecs - first - place(0);
          auto v = make_vec<Vecs>([&](index k) {
            return load_if(left > place(k) - place(0), a[first + place(k)], value{});
          });
          unroll<Vecs>([&](index k) {
            auto own = scanned(combine, v[k]);
            unroll<V>([&](index j) { x(i, k * V + j) = own[j]; });
            upto(i, k) = own[V - 1];
          });
        },
        no_barrier);
    block.template scan_lanes<Vecs>(upto, before, op);
    block.each_thread([=](auto i) {
      store_if(i % lanes == lanes - 1 || i == t - 1, totals[i / lanes], load(upto(i, Vecs - 1)));
    });
    block.each_thread([=](auto i) {
      auto const place = vecs_of<Vecs>(i, t, lanes);
      auto const left = vecs - first - place(0);
      auto const group = i / lanes;
      auto of_tile = load(upto(i, 0));
      auto of_groups = of_tile;  // of those before the thread's own, if there are any
      auto const add = [&](index g, auto const& total) {
        of_groups = select(group >= larger(g, 1), of_tile, of_groups);
        of_tile = g == 0 ? total : apply(combine, of_tile, total);
      };
      for (index g = 0; g + 4 <= groups; g += 4) {
        auto const four = load(wide<4>(totals)[0 * i + g / 4]);
        unroll<4>([&](index k) { add(g + k, four[k]); });
      }
      for (index g = groups / 4 * 4; g < groups; ++g) add(g, load(totals[0 * i + g]));
      auto const far = load(carry[i]);
      auto const others =
          select(group > 0, after_others<Init>(combine, follows, far, of_groups), far);
      carry[i] = after_others<Init>(combine, follows, far, of_tile);
      auto const has_others = follows || group > 0;
      unroll<Vecs>([&](auto k) {
        auto const joined = after_others<Init>(combine, has_others, others, load(before(i, k)));
        auto const near = [&] {
          if constexpr (decltype(k)::value == 0)
            return select(i % lanes > 0, joined, others);
          else
            return joined;
        }();
        auto const has_near = has_others || i % lanes + index{decltype(k)::value} > 0;
        auto const sums = make_vec<V>([&](index j) {
          return after_others<Init>(combine, has_near, near, load(x(i, k * V + j)));
        });
        auto const g = first + place(k);
        auto const before_g = place(k) - place(0);
        if constexpr (Exclusive)
          store_if(left > before_g, out[g],
                   make_vec<V>([&](index j) { return j == 0 ? near : sums[j > 0 ? j - 1 : 0]; }));
        else
          store_if(left > before_g, out[g], sums);
        store_if(left == before_g + 1, last[0 * i], sums[V - 1]);
      });
    });
  }

  //! The fewer than V values after the vecs, by the first thread.
  template <class Block, class Iterator, class Array, class Output>
  MMM_HOST_DEVICE constexpr void rest(Block& block, Iterator a, index n, bool follows, Array last,
                                      Output out) const {
    using value = typename Array::value_type;
    auto const combine = op;
    auto const start = initial;
    block.each(
        1,
        [=](auto i) {
          auto const own = make_vec<larger(1, V - 1)>(
              [&](index k) { return load_if(i + k < n, a[i + k], value{}); });
          auto sum = load_if(i + index{follows} > 0, last[i], value{});
          if constexpr (is_preceded) sum = select(i + index{follows} > 0, sum, start.value);
          unroll<larger(1, V - 1)>([&](index k) {
            auto const next = after_others<Init>(combine, i + index{follows} + k > 0, sum, own[k]);
            store_if(i + k < n, out[i + k], Exclusive ? sum : next);
            sum = next;
          });
        },
        no_barrier);
  }
};

//! The algorithm object behind mmm::prefix_sums_in_one_block and its exclusive twin.
template <index V, index Vecs, bool Exclusive = false>
struct one_block_scan_algorithm : sequence_call<one_block_scan_algorithm<V, Vecs, Exclusive>> {
  static constexpr char const* name =
      Exclusive ? "exclusive-prefix-sums-in-one-block" : "prefix-sums-in-one-block";
  static constexpr char const* paper = "Nakano 2014, theorem 3, by one DMM with wide accesses";
  static constexpr machine_kinds kinds{.hmm = 4};

  struct problem {
    natural n;
    constexpr explicit problem(size words) : n(words.count) {}

    template <class On, class In = no_data, class Out = no_data, class... Form>
    constexpr void run(On& on, In first = {}, Out out = {}, Form const&... form) const {
      auto const combine = scan_combination_of<Exclusive, In>(form...);
      using initial = decltype(combine.initial);
      using value = combined_t<iterator_value_t<In>, decltype(combine.op), initial>;
      auto const op = combining_in<value>(combine.op);
      auto result = writes<value>(out, n);
      result.in_place = updates(first, n, out).in_place;
      constexpr index vecs = larger(1, Vecs * 4 / larger(4, index{sizeof(value)}));
      using scan = one_block_scan<V, vecs, std::remove_const_t<decltype(op)>, initial, Exclusive>;
      perform(on, scan{op, combine.initial}, reads<value>(first, n), n.count, result);
    }
    //! Every word is read and written by one DMM, V words in an access.
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      bound b = access_bound(m, 2 * n, V * m.t);
      b.reduction = log2(n);
      return b;
    }
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      natural const tiles = natural(n.count / (m.t * V * Vecs).count) + 1;
      natural const groups = m.t / m.w + 1;
      return 2 * (n / m.w + Vecs * tiles * m.L) + 2 * m.L + tiles * (groups + 1) * (groups + m.l);
    }
  };
};

}  // namespace detail

//! The prefix-sums of n words on an HMM by the threads of one DMM, for few words: called as
//! mmm::prefix_sums. Errors: std::invalid_argument if `out` overlaps the input without being
//! `first`, and from a kernel that is not launched with 256 threads in a block.
inline constexpr detail::one_block_scan_algorithm<4, 2> prefix_sums_in_one_block{};

//! The results of mmm::exclusive_prefix_sums by the algorithm and in the time of
//! mmm::prefix_sums_in_one_block.
inline constexpr detail::one_block_scan_algorithm<4, 2, true> exclusive_prefix_sums_in_one_block{};

}  // namespace mmm
MMM_BODIES_END
