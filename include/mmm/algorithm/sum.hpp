// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/bound.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/machine/machine.hpp>

#include <iterator>

//! The sum of n values (papers 000 and 004), for any associative and commutative operator, as for
//! std::reduce: the trees pair value i with value i + h, which keeps every access contiguous and
//! does not keep the order.
MMM_BODIES_BEGIN
namespace mmm {

//! `x + y`, for words, values and lanes alike.
struct plus {
  template <class X, class Y>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(X const& x, Y const& y) const {
    return x + y;
  }
};

//! Folds `a[0 … n)` into `a[0]`, in place. Paper 000, lemma 5; paper 004, theorem 1.
//! Time on a DMM or UMM: for each level of the tree, with c values left and h = ceil(c/2), that of
//! three contiguous accesses of c - h items (the read of a[i + h] starts at h, on a UMM not always
//! at an address group).
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

//! Folds each of `columns` columns of the n values, which are dealt to them row by row, into a
//! register; column i of `a` starts at `a[first + i]`, and a row is `pitch` values. Needs
//! `first + columns <= n` in every column's first row.
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
        auto const at = (row + 1) * pitch + first + i;
        auto const inside = at < n;
        auto const so_far = load(r[i]);
        auto const x = load_if(inside, a[at], so_far);
        r[i] = select(inside, apply(combine, so_far, x), so_far);
      });
    });
  }
};

//! The sum on a PRAM: p columns, then a tree over their sums. Paper 000, lemma 3.
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

//! One level of the sum on an HMM: `dmms` DMMs fold the n values of `a` into `out[0 … dmms)`.
//! Every DMM folds columns of the global memory in registers, then its columns' sums by a tree in
//! its shared memory.
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

//! DMMs that take part in folding n > 1 values: as many as have a full row of values, and two
//! values at least, each.
[[nodiscard]] MMM_HOST_DEVICE constexpr index summing_dmms(index n, index dmms,
                                                           index threads_per_dmm) {
  return larger(1, smaller(dmms, n / larger(2, threads_per_dmm)));
}

//! Folds the n > 0 values of `a` on an HMM, by all DMMs or by one; returns where the result is.
template <bool OneDmm, class Value, class Machine, class Array, class Operator>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto fold_by_levels(Machine& on, Array a, index n,
                                                            Operator op) {
  index const tpd = on.threads_per_dmm();
  auto target = on.template allocate<Value>(on.dmms());
  auto source = on.template allocate<Value>(on.dmms());
  index count = OneDmm ? 1 : summing_dmms(n, on.dmms(), tpd);
  dmm_sums<Operator>{op}(on, a, n, count, target);
  while (count > 1) {  // the DMMs' sums are values like the others
    auto const finished = target;
    target = source;
    source = finished;
    index const next = summing_dmms(count, on.dmms(), tpd);
    dmm_sums<Operator>{op}(on, source, count, next, target);
    count = next;
  }
  return target;
}

//! Folds n > 1 values, in `a` where the machine has one memory, and returns where the result is.
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

//! What `program(on, a, n)` folds the n values from `first` on into. A machine with one memory
//! folds in place: in a copy.
template <class Operator, class On, class Program, class Iterator>
[[nodiscard]] auto folded_value(On& on, Program const& program, Iterator first, index n) {
  using value = std::iter_value_t<Iterator>;
  if (n == 0 && !std::is_same_v<Operator, plus>)
    reject("the number of values to fold", n, "1 or more, for this operator");
  if (n == 0) return value{};
  if (n == 1) return value_of<value>(on, unchanged{}, reads<value>(first, n));
  if constexpr (hierarchical_machine<typename On::machine_type>)
    return value_of<value>(on, program, reads<value>(first, n), n);
  else
    return value_of<value>(on, program, works_on<value>(first, n), n);
}

//! The algorithm object behind mmm::sum and mmm::sum_on_one_dmm.
template <bool OneDmm>
struct sum_algorithm {
  char const* name = OneDmm ? "sum-on-one-dmm" : "sum";
  char const* paper = OneDmm ? "000 lemma 6" : "000 lemmas 3 and 5, theorem 7; 004 theorem 1";
  machine_kinds kinds{!OneDmm, !OneDmm, !OneDmm, !OneDmm, true};

  //! The sum of [first, last); the input stays as it is. The sum of nothing is `T{}` under
  //! mmm::plus; under another operator it is std::invalid_argument.
  template <class On, class Iterator, class Operator = plus>
  auto operator()(On on, Iterator first, Iterator last, Operator op = {}) const {
    return folded_value<Operator>(on, sum_program<Operator, OneDmm>{op}, first,
                                  static_cast<index>(last - first));
  }

  //! The same without data.
  template <class On>
  constexpr void model(On& on, index n) const {
    if (n > 1)
      static_cast<void>(sum_program<plus, OneDmm>{}(on, on.template allocate<float>(n), n));
  }

  template <machine M>
  [[nodiscard]] constexpr bound limitations(M const& m, index n, index p) const {
    if (n <= 1) return {};
    index const own = threads_in_use(m, p);
    bound b = access_limitations(m, n, own);
    auto const memory = main_memory(m);
    if constexpr (hierarchical_machine<M>) {
      b.latency = checked_add(b.latency, memory.latency());
      b.reduction = ceil_log2(n);
    } else if constexpr (M::conflicts == conflict::none) {
      b.reduction = ceil_log2(n);
    } else {
      b.latency = checked_add(b.latency, memory.latency());
      b.reduction = checked_multiply(memory.latency(), ceil_log2(n));
    }
    return b;
  }

  template <machine M>
  [[nodiscard]] constexpr index expression(M const& m, index n, index p) const {
    auto const memory = main_memory(m);
    index const own = threads_in_use(m, p);
    if constexpr (hierarchical_machine<M>)
      return ceil_divide(n, memory.width) + share(n, memory.latency(), own) + memory.latency() +
             ceil_log2(n);
    else if constexpr (M::conflicts == conflict::none)
      return ceil_divide(n, p) + ceil_log2(n);
    else
      return ceil_divide(n, memory.width) + share(n, memory.latency(), p) +
             checked_multiply(memory.latency(), ceil_log2(n));
  }

  template <machine M>
  [[nodiscard]] constexpr index constant(M const& m) const {
    return is_among(m, {.pram = true}) ? 5 : 4;
  }

 private:
  template <machine M>
  [[nodiscard]] static constexpr index threads_in_use(M const& m, index p) {
    if constexpr (hierarchical_machine<M> && OneDmm)
      return larger(1, p / m.dmms());
    else
      return p;
  }
};

}  // namespace detail

//! The sum of n values: on a PRAM by columns and a tree (000, lemma 3), on a BPRAM, DMM or UMM by a
//! tree (000, lemma 5; 004, theorem 1), on an HMM by all DMMs (000, theorem 7), their sums by the
//! same again where there are many, so that n >= d^2 is not needed.
inline constexpr detail::sum_algorithm<false> sum{};

//! The sum on an HMM by the threads of DMM 0 alone. Paper 000, lemma 6.
inline constexpr detail::sum_algorithm<true> sum_on_one_dmm{};

}  // namespace mmm
MMM_BODIES_END
