// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/fold_forms.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/machine/machine.hpp>

//! The sum of n values (Nakano 2013a and 2014), for any associative and commutative operator, as
//! for std::reduce. The trees pair value i with value i + h, which makes every access contiguous
//! but does not preserve the order.
MMM_BODIES_BEGIN
namespace mmm {

//! Folds `a[0 … n)` into `a[0]`, in place. Nakano 2013a, lemma 5; Nakano 2014, theorem 1.
//! Time on a DMM or UMM: for each level of the tree, with c values left and h = ceil(c/2), the time
//! of three contiguous accesses of c - h items (the read of a[i + h] starts at h, on a UMM not
//! always at an address group).
template <class Operator = plus>
struct tree_sum {
  Operator op{};

  template <class Threads, class Iterator>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Iterator a, index n) const {
    auto const combine = op;
    for (index count = n; count > 1;) {
      index const half = detail::ceil_divide(count, 2);
      threads.each(count - half, [=](auto i) {
        auto const x = load(a[i]);
        auto const y = load(a[i + half]);
        a[i] = apply(combine, x, y);
      });
      count = half;
    }
  }
};

//! Folds each of `columns` columns of the n values, which are assigned to the columns row by row,
//! into a register. Column i of `a` starts at `a[first + i]`, and a row has `pitch` values.
//! Precondition: `first + columns <= n`.
template <class Operator>
struct column_sums {
  Operator op{};

  template <class Threads, class Iterator, class First, class Registers>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Iterator a, First first,
                                            index columns, index pitch, index n,
                                            Registers r) const {
    auto const combine = op;
    threads.each(columns, [=](auto i) { r[i] = load(a[first + i]); });
    threads.repeat(detail::ceil_divide(n, pitch) - 1, [=, &threads](auto row) {
      threads.each(columns, [=](auto i) {
        auto const place = (row + 1) * pitch + first + i;
        auto const inside = place < n;
        auto const so_far = load(r[i]);
        auto const x = load_if(inside, a[place], so_far);
        r[i] = select(inside, apply(combine, so_far, x), so_far);
      });
    });
  }
};

//! The sum on a PRAM: p columns, then a tree over their sums. Nakano 2013a, lemma 3.
//! Time: with c = min(n, p) and n > p: ceil(n/p) + 1 + 3 ceil(log2 c); with n <= p: 3 ceil(log2 n).
template <class Operator = plus>
struct pram_sum {
  Operator op{};

  template <class Threads, class Iterator>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Iterator a, index n) const {
    index const columns = detail::smaller(n, threads.threads());
    if (columns < n) {
      using value = typename Iterator::value_type;
      auto r = threads.template registers<value>();
      column_sums<Operator>{op}(threads, a, index{0}, columns, columns, n, r);
      threads.each(columns, [=](auto i) { a[i] = load(r[i]); });
    }
    tree_sum<Operator>{op}(threads, a, columns);
  }
};

//! One level of the sum on an HMM: `dmms` DMMs fold the n values of `a` into `out[0 … dmms)`. Every
//! DMM folds columns of the global memory in registers, and then the columns' sums by a tree in its
//! shared memory.
template <class Operator = plus>
struct dmm_sums {
  Operator op{};

  template <class Machine, class Iterator, class Output>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Iterator a, index n, index dmms,
                                            Output out) const {
    using value = typename Iterator::value_type;
    index const columns = detail::smaller(n, on.threads_per_dmm());
    auto const combine = op;
    on.each_dmm(dmms, [=](auto& block, auto dmm) {
      auto r = block.template registers<value>();
      auto s = block.template allocate<value>(columns);
      column_sums<Operator>{combine}(block, a, dmm * columns, columns, columns * dmms, n, r);
      block.each(columns, [=](auto i) { s[i] = load(r[i]); });
      tree_sum<Operator>{combine}(block, s, columns);
      block.each(1, [=](auto i) { out[dmm + i] = load(s[i]); });
    });
  }
};

namespace detail {

//! Number of DMMs that fold n > 1 values: as many as have at least a full row of values, and at
//! least two values, each.
[[nodiscard]] MMM_HOST_DEVICE constexpr index summing_dmms(index n, index dmms,
                                                           index threads_per_dmm) {
  return larger(1, smaller(dmms, n / larger(2, threads_per_dmm)));
}

//! Folds the n > 0 values of `a` on an HMM, by all DMMs or by one. Returns the array that begins
//! with the result.
template <bool OneDmm, class Value, class Machine, class Array, class Operator>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto fold_by_levels(Machine& on, Array a, index n,
                                                            Operator op) {
  index const tpd = on.threads_per_dmm();
  auto target = on.template allocate<Value>(on.dmms());
  auto source = on.template allocate<Value>(on.dmms());
  index count = OneDmm ? 1 : summing_dmms(n, on.dmms(), tpd);
  dmm_sums<Operator>{op}(on, a, n, count, target);
  while (count > 1) {  // the DMMs' sums are folded like the values
    auto const finished = target;
    target = source;
    source = finished;
    index const next = summing_dmms(count, on.dmms(), tpd);
    dmm_sums<Operator>{op}(on, source, count, next, target);
    count = next;
  }
  return target;
}

//! Folds n > 1 values, in `a` where the machine has one memory. Returns the array that begins with
//! the result.
template <class Operator, bool OneDmm>
struct sum_program {
  Operator op{};

  template <class On, class Array>
  MMM_HOST_DEVICE constexpr auto operator()(On& on, Array a, index n) const {
    using machine_type = typename On::machine_type;
    if constexpr (hierarchical_machine<machine_type>) {
      return fold_by_levels<OneDmm, typename Array::value_type>(on, a, n, op);
    } else {
      if constexpr (machine_type::conflicts == conflict::none)
        pram_sum<Operator>{op}(on, a, n);
      else
        tree_sum<Operator>{op}(on, a, n);
      return a;
    }
  }
};

//! The algorithm object behind mmm::sum and mmm::sum_on_one_dmm.
template <bool OneDmm>
struct sum_algorithm : sequence_call<sum_algorithm<OneDmm>> {
  static constexpr char const* name = OneDmm ? "sum-on-one-dmm" : "sum";
  static constexpr char const* paper =
      OneDmm ? "Nakano 2013a, lemma 6"
             : "Nakano 2013a, lemmas 3 and 5, theorem 7; Nakano 2014, theorem 1";
  static constexpr machine_kinds kinds =
      OneDmm ? machine_kinds{.hmm = 4}
             : machine_kinds{.pram = 5, .bpram = 4, .dmm = 4, .umm = 4, .hmm = 4};

  struct problem {
    natural n;
    constexpr explicit problem(size words) : n(words.count) {}

    template <class On, class In = no_data, class... Form>
    constexpr auto run(On& on, In first = {}, Form const&... form) const {
      auto const program = [](auto const& op, auto) {
        return sum_program<remove_cvref_t<decltype(op)>, OneDmm>{op};
      };
      return fold_called(on, first, n, program, form...);
    }
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      return fold_bound(m, n, OneDmm ? m.t : m.p);
    }
    //! lower_bound in letters.
    [[nodiscard]] static constexpr bound_formula lower_bound_formula(machine_terms const& m) {
      return fold_formula(m, OneDmm ? "t" : "p");
    }
    //! On an HMM the papers' expression for l = 1 and t >= w, t >= d threads per DMM; in general
    //! the trees take l log n, and the DMMs' sums take further levels.
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      if (m.pram()) return n / m.p + log2(n);
      if (!m.hmm) return n / m.w + n * m.l / m.p + m.l * log2(n);
      natural const levels = OneDmm ? natural(1) : m.levels_of_dmms();
      return n / m.at_once() + n * m.L / (OneDmm ? m.t : m.p) + m.L * levels + m.l * log2(n) +
             (m.l - 1) * levels;
    }
  };
};

}  // namespace detail

//! The sum of n words, `mmm::sum(on, first, last)`, or their fold by an associative and commutative
//! operator, `mmm::sum(on, first, last, op, mmm::init(x))`; the operator and the initial value are
//! optional. Values are combined in the initial value's type; without one, sums are added up in
//! mmm::accumulator_t, and another operator determines the type by its result. The input is not
//! changed. The fold of no values is the initial value, or `T{}` under mmm::plus. With an iterator
//! after `last`, the result is written there and nothing is returned: two more accesses of one
//! thread.
//! Errors: std::invalid_argument for no values under another operator without an initial value, and
//! for a result that overlaps the input.
//! Time: at most 4 `upper_bound`, n/w + nl/p + l log n on a BPRAM, DMM or UMM, where a tree folds
//! (Nakano 2013a, lemma 5; Nakano 2014, theorem 1); n/p + log n on a PRAM, with 5 for 4, by columns
//! and a tree (Nakano 2013a, lemma 3); n/w + nL/p + L + l log n on an HMM, by all DMMs, whose sums
//! are folded by the same algorithm, so that n >= d^2 is not needed (Nakano 2013a, theorem 7).
inline constexpr detail::sum_algorithm<false> sum{};

//! The sum as by mmm::sum on an HMM, but by the t threads of DMM 0 alone. Time: at most 4 (n/w +
//! nL/t + L + l log n). Source: Nakano 2013a, lemma 6.
inline constexpr detail::sum_algorithm<true> sum_on_one_dmm{};

}  // namespace mmm
MMM_BODIES_END
