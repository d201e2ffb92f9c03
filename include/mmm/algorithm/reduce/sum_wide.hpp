// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/fold_forms.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/machine/machine.hpp>

#include <type_traits>

//! The sum of n values on an HMM by accesses of several values, for any associative and commutative
//! operator.
MMM_BODIES_BEGIN
namespace mmm {

namespace detail {

//! The operator for words in the order of a sequence: `op`, or one that gives the same results by
//! less work for operands in this order.
template <class Operator>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto in_sequence(Operator const& op) {
  if constexpr (requires { op.in_sequence(); })
    return op.in_sequence();
  else
    return op;
}

//! Folds the words of a vec by `op`, in their order.
template <class Operator, class Words>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto folded(Operator const& op, Words const& x) {
  auto fold = x[0];
  unroll<Words::words - 1>([&](index k) { fold = apply(op, fold, x[k + 1]); });
  return fold;
}

}  // namespace detail

//! Folds `s[0 … n)` in order, V words at a time as long as V divides the number of words left; each
//! level is written after the words of the level before. Needs `room(n)` words for all levels.
//! Returns the place of the result.
template <index V = 4, class Operator = plus>
struct wide_tree_sum {
  Operator op{};

  [[nodiscard]] MMM_HOST_DEVICE static constexpr index room(index n) {
    index words = n;
    for (; n % V == 0 && n > 1; n /= V) words += n / V;
    return words;
  }

  template <class Threads, class Iterator>
  MMM_HOST_DEVICE constexpr index operator()(Threads& threads, Iterator s, index n) const {
    auto const combine = op;
    index first = 0;
    for (; n % V == 0 && n > 1; n /= V) {
      index const source = first;
      index const to = first + n;
      threads.each(n / V, [=](auto i) {
        s[to + i] = detail::folded(combine, load(wide<V>(s + source)[i]));
      });
      first = to;
    }
    tree_sum<Operator>{op}(threads, s + first, n);
    return first;
  }
};

//! Folds the first registers `r` of the first n threads of a DMM: groups of lanes by shuffles, then
//! the groups' sums in `s`, which has room for `room(n, lanes)` words. Returns the place of the
//! result in `s`. Time: an access to shared memory by one lane of each group, then the time of
//! wide_tree_sum for the groups.
template <index V = 4, class Operator = plus>
struct thread_sums {
  Operator op{};

  [[nodiscard]] MMM_HOST_DEVICE static constexpr index room(index n, index lanes) {
    return wide_tree_sum<V, Operator>::room(detail::ceil_divide(n, lanes));
  }
  template <class Threads, class Registers, class Iterator>
  MMM_HOST_DEVICE constexpr index operator()(Threads& threads, Registers r, index n,
                                             Iterator s) const {
    index const lanes = threads.lanes();
    threads.fold_lanes(r, n, op);
    threads.each(n, [=](auto i) { store_if(i % lanes == 0, s[i / lanes], load(r[i])); });
    return wide_tree_sum<V, Operator>{op}(threads, s, detail::ceil_divide(n, lanes));
  }
};

//! Each of `dmms` DMMs folds its share of the n values of `a` into `out[dmm]`: its t threads fold
//! in a register each, by accesses of V words and with `Vecs` accesses in flight; the threads' sums
//! are folded in the shared memory. Precondition: n >= V p and p >= V, for p = dmms t.
//! Time for V p | n, w | t, d = dmms: exactly
//! `n/(V p) (ceil(V p/(w g)) + L - 1) + (t/w + l - 1)` until the sums are in the shared memory,
//! there 2l for each of c = t/w, t/(V w), … that V divides, 3l for each halving of the remaining
//! sums, and `l + (ceil(d/g) + L - 1)` for the write to `out`; if w is a power of two up to 32 and
//! t/w <= w.
//! \tparam Tree the words that the trees fold at once.
template <index V = 4, index Vecs = 4, class Operator = plus, index Tree = V>
struct wide_dmm_sums {
  Operator op{};

  template <class Machine, class Iterator, class Output>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Iterator a, index n, index dmms, index t,
                                            Output out) const {
    using value = typename Iterator::value_type;
    using sums = thread_sums<Tree, Operator>;
    auto const combine = op;
    index const p = dmms * t;
    index const vecs = n / V;
    index const words = n - vecs * V;              // words of n that fill no vec
    index const passes = (vecs - p) / (Vecs * p);  // passes of Vecs vecs for every thread
    // vecs of no pass: at least 1 and at most Vecs + 1 for every thread
    index const singles = vecs - passes * Vecs * p;
    auto const body = [=](auto& block, auto dmm) {
      auto r = block.template registers<value, 1>();
      block.each(
          t,
          [=](auto i) {
            auto g = dmm * t + i;
            auto x = load(wide<V>(a)[g]);
            auto more = make_vec<Vecs>([&](index k) {
              return load_if(g + (k + 1) * p < singles, wide<V>(a)[g + (k + 1) * p], value{});
            });
            auto last = load_if(g < words, a[vecs * V + g], value{});
            auto const later = detail::in_sequence(combine);
            auto total = detail::folded(later, x);
            unroll<Vecs>([&](index k) {
              total = select(g + (k + 1) * p < singles,
                             apply(later, total, detail::folded(later, more[k])), total);
            });
            r[i] = select(g < words, apply(later, total, last), total);
          },
          no_barrier);
      block.repeat(passes, [=, &block](auto pass) {
        block.each(
            t,
            [=](auto i) {
              auto g = singles + pass * (Vecs * p) + dmm * t + i;
              auto x = make_vec<Vecs>([&](index k) { return load(wide<V>(a)[g + k * p]); });
              auto total = load(r[i]);
              unroll<Vecs>([&](index k) {
                auto const next = detail::folded(detail::in_sequence(combine), x[k]);
                total = apply(combine, total, next);
              });
              r[i] = total;
            },
            no_barrier);
      });
      auto s = block.template allocate<value>(sums::room(t, block.lanes()));
      index const total = sums{combine}(block, r, t, s);
      block.each(1, [=](auto i) { out[dmm + i] = load(s[total + i]); });
    };
    on.each_tile(0, dmms, body);
  }
};

namespace detail {

//! Folds n > 1 values and returns the array that begins with the result. One DMM folds n values
//! that its threads can load at once; larger n are folded by as many DMMs as have a vec for each
//! thread. With too few values or threads for a vec, as mmm::sum.
//! \tparam Words the accesses in flight of a sequence that does not begin at a multiple of V words.
template <index V, index Vecs, class Operator = plus, index Tree = V, index Words = V * Vecs>
struct wide_sum_program {
  static constexpr index words = V;  //!< words in an access
  Operator op{};

  //! The program for a sequence that does not begin at a multiple of V words.
  [[nodiscard]] constexpr wide_sum_program<1, Words, Operator, Tree> by_words() const
  requires(V > 1)
  {
    return {op};
  }

  template <class On, class Array>
  MMM_HOST_DEVICE constexpr auto operator()(On& on, Array a, index n) const {
    using value = typename Array::value_type;
    index const t = on.threads_per_dmm();
    index const dmms = n <= V * Vecs * t ? 1 : larger(1, smaller(on.dmms(), n / (V * t)));
    index const of_dmm = smaller(t, n / V);
    if (dmms * of_dmm < larger(V, Tree)) return fold_by_levels<false, value>(on, a, n, op);
    auto sums = on.template allocate<value>(dmms);
    if (dmms == 1) on.first_alone();
    wide_dmm_sums<V, Vecs, Operator, Tree>{op}(on, a, n, dmms, of_dmm, sums);
    if (dmms == 1) return sums;
    on.first_alone();
    auto target = on.template allocate<value>(1);
    sum_of_dmms(on, sums, dmms, target);
    return target;
  }

 private:
  //! The first DMM alone folds the sums of all DMMs. A later parallel-for over one item is executed
  //! by the thread that has written the result, so that no barrier is needed.
  template <class On, class Array>
  MMM_HOST_DEVICE constexpr void sum_of_dmms(On& on, Array sums, index n, Array target) const {
    using value = typename Array::value_type;
    using last_sums = thread_sums<Tree, Operator>;
    auto const combine = op;
    index const columns = smaller(n, on.threads_per_dmm());
    on.each_tile(
        0, 1,
        [=](auto& block, auto tile) {
          auto r = block.template registers<value>();
          auto s = block.template allocate<value>(last_sums::room(columns, block.lanes()));
          column_sums<Operator>{combine}(block, sums, index{0}, columns, columns, n, r);
          index const total = last_sums{combine}(block, r, columns, s);
          block.each(1, [=](auto i) { target[tile + i] = load(s[total + i]); });
        },
        no_barrier);
  }
};

//! Number of bytes that a thread loads for a word of a sequence. A word that is made from another
//! word counts as the other one.
template <class In>
[[nodiscard]] constexpr index bytes_of_word() {
  if constexpr (requires { typename In::made_of; })
    return sizeof(typename In::made_of);
  else
    return sizeof(iterator_value_t<In>);
}

//! The algorithm object behind mmm::sum_wide. A thread has `Vecs` vecs of V words in flight; one
//! vec if a value takes more than two registers, but ceil(3/4 Vecs) vecs if the word that is loaded
//! for it has 4 bytes or less, as for values with their places. Word by word, it has as many bytes
//! in flight as of words of 4 bytes, and at least V words.
template <index V, index Vecs>
struct wide_sum_algorithm : sequence_call<wide_sum_algorithm<V, Vecs>> {
  static constexpr char const* name = "sum-wide";
  static constexpr char const* paper = "Nakano 2013a, theorem 7, with wide accesses";
  static constexpr machine_kinds kinds{.hmm = 4};

  struct problem {
    natural n;
    constexpr explicit problem(size words) : n(words.count) {}

    template <class On, class In = no_data, class... Form>
    constexpr auto run(On& on, In first = {}, Form const&... form) const {
      auto const program = [](auto const& op, auto type) {
        // values in more registers, such as values with their places, leave room for fewer words
        constexpr auto bytes = static_cast<index>(sizeof(typename decltype(type)::type));
        constexpr bool of_narrow_words = bytes_of_word<In>() <= 4;
        constexpr index vecs = bytes <= 8 ? Vecs : of_narrow_words ? ceil_divide(3 * Vecs, 4) : 1;
        constexpr index words = bytes <= 4 ? V * Vecs : larger(V, V * Vecs / ceil_divide(bytes, 4));
        return wide_sum_program<V, vecs, std::remove_cvref_t<decltype(op)>, V, words>{op};
      };
      return fold_called(on, first, n, program, form...);
    }
    //! A thread completes one access of V words in l time units.
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      return fold_bound(m, n, V * m.p);
    }
    //! The upper bound of mmm::sum with V times as many threads.
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      return n / m.at_once() + n * m.L / (V * m.p) + m.L * m.levels_of_dmms() + m.l * log2(n);
    }
  };
};

}  // namespace detail

//! The sum of n words on an HMM by accesses of four words; the first DMM folds the DMMs' sums.
//! Called as mmm::sum. Time: at most 4 (n/w + nL/(4p) + L + l log n).
inline constexpr detail::wide_sum_algorithm<4, 4> sum_wide{};

}  // namespace mmm
MMM_BODIES_END
