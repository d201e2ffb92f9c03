// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/fold_forms.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/machine/machine.hpp>

#include <cstdint>

//! The prefix-sums of n values (Nakano 2014, sections 6 and 7), for any associative operator. All
//! algorithms combine neighbours in their order, so that the operator need not be commutative.
MMM_BODIES_BEGIN
namespace mmm {

//! Replaces `a[i]` by `a[0] + … + a[i]` in place: for h = 1, 2, 4, … every `a[i]` is added to `a[i
//! + h]`. The threads proceed from the end downwards, p values at a time, and all of them read
//! before any of them writes. Nakano 2014, lemma 2.
//! Time on a DMM or UMM: for each h the time of three contiguous accesses of n - h values, at 0, h
//! and h.
template <class Operator = plus>
struct simple_scan {
  Operator op{};

  template <class Threads, class Iterator>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Iterator a, index n) const {
    using value = typename Iterator::value_type;
    index const p = threads.threads();
    auto const combine = op;
    auto r = threads.template registers<value>();
    // unsigned, as the last h may be 2^63
    for (std::uint64_t unsigned_h = 1; unsigned_h < static_cast<std::uint64_t>(n);
         unsigned_h *= 2) {
      auto const h = static_cast<index>(unsigned_h);
      auto const add = [=](auto& all, index count, auto first) {
        all.each(count, [=](auto i) {
          auto const left = load(a[first + i]);
          auto const right = load(a[first + h + i]);
          r[i] = apply(combine, left, right);
        });
        all.each(count, [=](auto i) { a[first + h + i] = load(r[i]); });
      };
      index const full = (n - h) / p;
      add(threads, (n - h) % p, full * p);
      threads.repeat(full, [=, &threads](auto k) { add(threads, p, (full - 1 - k) * p); });
    }
  }
};

namespace detail {

//! A level of a two-stage scan in its work array. Level 0 has half as many values as the input,
//! each further level half as many as the level before, and the last one has one value; every level
//! starts at a multiple of the width.
struct scan_level {
  index count;
  index first;

  //! Level t of the scan of n values.
  [[nodiscard]] MMM_HOST_DEVICE static constexpr scan_level make(index n, index width, int t) {
    scan_level level{n / 2, 0};
    for (; t > 0; --t)
      level = {level.count / 2, level.first + ceil_divide(level.count, width) * width};
    return level;
  }
  [[nodiscard]] MMM_HOST_DEVICE static constexpr int levels(index n) {
    int all = 0;
    for (index left = n / 2; left > 0; left /= 2) ++all;
    return all;
  }
  //! Number of words of the work array.
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index words(index n, index width) {
    return make(n, width, levels(n)).first;
  }
  //! Errors: std::overflow_error if the work array has 2^63 words or more.
  static constexpr void reject_too_many(index n, index width) {
    index words = 0;
    for (index left = n / 2; left > 0; left /= 2)
      words = checked_add(words, checked_multiply(ceil_divide(left, width), width));
  }
};

}  // namespace detail

//! The prefix-sums in two stages over arrays of n/2, n/4, …, 1 values, which `work` holds. Upwards,
//! each array gets the sums of pairs of the array before; downwards, each array passes on its
//! prefix-sums. Nakano 2014, theorem 3.
//! Time on a DMM or UMM: for each array of c values below one of b = 2c or 2c + 1, the time of
//! three accesses of c items, two of them with stride 2, and of three contiguous ones of b items,
//! one of which accesses every address twice.
template <class Operator = plus>
struct two_stage_scan {
  Operator op{};

  template <class Threads, class Iterator, class Work>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Iterator a, index n,
                                            Work work) const {
    index const w = threads.machine().width();
    int const levels = detail::scan_level::levels(n);
    if (levels == 0) return;
    gather(threads, a, work, n / 2);
    for (int t = 1; t < levels; ++t) {
      auto const above = detail::scan_level::make(n, w, t);
      gather(threads, work + detail::scan_level::make(n, w, t - 1).first, work + above.first,
             above.count);
    }
    for (int t = levels - 1; t > 0; --t) {
      auto const below = detail::scan_level::make(n, w, t - 1);
      hand_on(threads, work + detail::scan_level::make(n, w, t).first, work + below.first,
              below.count);
    }
    hand_on(threads, work, a, n);
  }

 private:
  //! Writes the sums of two neighbours each: `pairs[i]` = `values[2 i]` + `values[2 i + 1]`.
  template <class Threads, class Values, class Pairs>
  MMM_HOST_DEVICE constexpr void gather(Threads& threads, Values values, Pairs pairs,
                                        index count) const {
    auto const combine = op;
    threads.each(count, [=](auto i) {
      auto const left = load(values[2 * i]);
      auto const right = load(values[2 * i + 1]);
      pairs[i] = apply(combine, left, right);
    });
  }
  //! The prefix-sums of the pairs are those of every second value; the values between are added to
  //! them.
  template <class Threads, class Pairs, class Values>
  MMM_HOST_DEVICE constexpr void hand_on(Threads& threads, Pairs pairs, Values values,
                                         index n) const {
    auto const combine = op;
    threads.each(n, [=](auto i) {
      auto const before = load(pairs[(i - 1) / 2]);
      auto const own = load(values[i]);
      auto const joined = apply(combine, before, own);
      values[i] = select(i % 2 == 1, before, select(i == 0, own, joined));
    });
  }
};

//! One level of the scan on an HMM: the values in chunks, assigned to the DMMs round-robin, each
//! scanned in a shared memory. The totals of all chunks but the last one are written to `totals`.
template <class Operator = plus>
struct chunk_scans {
  Operator op{};

  template <class Machine, class Iterator, class Totals>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Iterator a, index n, index chunk,
                                            Totals totals) const {
    using value = typename Iterator::value_type;
    auto const combine = op;
    index const chunks = detail::ceil_divide(n, chunk);
    index const dmms = detail::smaller(chunks, on.dmms());
    index const work_words = detail::scan_level::words(chunk, on.machine().width());
    on.each_dmm(dmms, [=](auto& block, auto dmm) {
      auto s = block.template allocate<value>(chunk);
      auto work = block.template allocate<value>(work_words);
      block.repeat(detail::ceil_divide(chunks, dmms), [=, &block](auto pass) {
        auto const mine = pass * dmms + dmm;
        block.each(chunk, [=](auto i) {
          auto const place = mine * chunk + i;
          s[i] = load_if(place < n, a[place], value{});
        });
        two_stage_scan<Operator>{combine}(block, s, chunk, work);
        block.each(chunk, [=](auto i) {
          auto const place = mine * chunk + i;
          store_if(place < n, a[place], load_if(place < n, s[i], value{}));
        });
        block.each(1, [=](auto i) {
          auto const followed = mine + i < chunks - 1;
          store_if(followed, totals[mine + i], load_if(followed, s[chunk - 1 + i], value{}));
        });
      });
    });
  }
};

//! Adds `totals[k]` to every value of chunk k + 1, on an HMM.
template <class Operator = plus>
struct chunk_offsets {
  Operator op{};

  template <class Machine, class Iterator, class Totals>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Iterator a, index n, index chunk,
                                            Totals totals) const {
    using value = typename Iterator::value_type;
    auto const combine = op;
    index const chunks = detail::ceil_divide(n, chunk) - 1;  // chunks that follow another one
    index const dmms = detail::smaller(chunks, on.dmms());
    index const columns = detail::smaller(chunk, on.threads_per_dmm());
    on.each_dmm(dmms, [=](auto& block, auto dmm) {
      auto r = block.template registers<value>();
      block.repeat(detail::ceil_divide(chunks, dmms), [=, &block](auto pass) {
        auto const mine = pass * dmms + dmm;
        block.each(columns,
                   [=](auto i) { r[i] = load_if(mine < chunks, totals[mine + 0 * i], value{}); });
        block.each(chunk, [=](auto i) {
          auto const place = (mine + 1) * chunk + i;
          auto const x = load_if(place < n, a[place], value{});
          store_if(place < n, a[place], apply(combine, load(r[i]), x));
        });
      });
    });
  }
};

namespace detail {

//! Number of values that a DMM scans at once: an even share of all values, in whole rows of w
//! words, at most as many as fit its shared memory with the scan's work array, and at least 2.
template <hierarchical_machine M>
[[nodiscard]] MMM_HOST_DEVICE constexpr index scan_chunk(M const& m, index n) {
  index const w = m.width();
  index rows = ceil_divide(ceil_divide(n, m.dmms()), w);
  auto const words = [w](index chunk) {
    return ceil_divide(chunk, w) * w + scan_level::words(chunk, w);
  };
  while (rows > 1 && words(rows * w) > m.capacity()) rows = ceil_divide(rows, 2);
  return larger(2, rows * w);
}

//! A level of the scan on an HMM: the values themselves, or the totals of the chunks of the level
//! above without the last one.
struct chunk_level {
  index n;
  index chunk;
  index chunks;
  //! the place of the totals of its chunks in the work array: a multiple of the width
  index totals;

  template <hierarchical_machine M>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr chunk_level make(M const& m, index n, int k) {
    index const chunk = scan_chunk(m, n);
    chunk_level level{n, chunk, ceil_divide(n, chunk), 0};
    for (; k > 0; --k) level = level.next(m);
    return level;
  }
  template <hierarchical_machine M>
  [[nodiscard]] MMM_HOST_DEVICE constexpr chunk_level next(M const& m) const {
    index const below = chunks - 1;
    index const of_below = scan_chunk(m, below);
    return {below, of_below, ceil_divide(below, of_below),
            totals + ceil_divide(chunks, m.width()) * m.width()};
  }
};

//! The prefix-sums of n values, in place. The initial value is added to the first value, by two
//! accesses of one thread.
template <class Operator, bool Simple, class Init = no_init>
struct scan_program {
  Operator op{};
  Init initial{};

  template <class On, class Array>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Array a, index n) const {
    if constexpr (is_init<Init>) {
      auto const combine = op;
      auto const start = initial;
      on.each(smaller(n, 1), [=](auto i) { a[i] = apply(combine, start.value, load(a[i])); });
    }
    if (n <= 1) return;
    using machine_type = typename On::machine_type;
    using value = typename Array::value_type;
    if constexpr (hierarchical_machine<machine_type>) {
      auto const top = chunk_level::make(on.machine(), n, 0);
      auto level = top;
      int depth = 1;
      for (; level.chunks > 2; ++depth) level = level.next(on.machine());
      auto totals = on.template allocate<value>(level.totals + level.chunks);
      chunk_scans<Operator>{op}(on, a, n, top.chunk, totals);
      for (int k = 1; k < depth; ++k) {
        auto const above = chunk_level::make(on.machine(), n, k - 1);
        auto const own = above.next(on.machine());
        chunk_scans<Operator>{op}(on, totals + above.totals, own.n, own.chunk, totals + own.totals);
      }
      for (int k = depth - 1; k > 0; --k) {
        auto const above = chunk_level::make(on.machine(), n, k - 1);
        auto const own = above.next(on.machine());
        if (own.chunks > 1)
          chunk_offsets<Operator>{op}(on, totals + above.totals, own.n, own.chunk,
                                      totals + own.totals);
      }
      if (top.chunks > 1) chunk_offsets<Operator>{op}(on, a, n, top.chunk, totals);
    } else if constexpr (Simple) {
      simple_scan<Operator>{op}(on, a, n);
    } else {
      auto work = on.template allocate<value>(scan_level::words(n, on.machine().width()));
      two_stage_scan<Operator>{op}(on, a, n, work);
    }
  }
};

//! Exclusive prefix-sums: the prefix-sums of a copy of the values, written one place later, after
//! the initial value.
template <class Operator, bool Simple, class Init>
struct exclusive_scan_program {
  Operator op;
  Init initial;

  template <class On, class Copy, class Out>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Copy a, index n, Out out) const {
    scan_program<Operator, Simple, Init>{op, initial}(on, a, n);
    auto const first = initial.value;
    on.each(n, [=](auto i) { out[i] = load_if(i > 0, a[i - 1], first); });
  }
};

//! The algorithm object behind mmm::prefix_sums, mmm::prefix_sums_simple and
//! mmm::exclusive_prefix_sums.
template <bool Simple, bool Exclusive = false>
struct prefix_sums_algorithm : sequence_call<prefix_sums_algorithm<Simple, Exclusive>> {
  static constexpr char const* name = Exclusive ? "exclusive-prefix-sums"
                                      : Simple  ? "prefix-sums-simple"
                                                : "prefix-sums";
  static constexpr char const* paper = Simple ? "Nakano 2014, lemma 2" : "Nakano 2014, theorem 3";
  //! Chunks on an HMM are as large as a shared memory has room for.
  static constexpr bool fills_capacity = true;
  static constexpr machine_kinds kinds =
      Simple ? machine_kinds{.pram = 4, .bpram = 4, .dmm = 4, .umm = 4}
             : machine_kinds::all(Exclusive ? 15 : 13);

  struct problem {
    natural n;
    constexpr explicit problem(size words) : n(words.count) {}

    template <class On, class In = no_data, class Out = no_data, class... Form>
    constexpr void run(On& on, In first = {}, Out out = {}, Form const&... form) const {
      if constexpr (!Simple && !hierarchical_machine<remove_cvref_t<decltype(on.machine())>>)
        scan_level::reject_too_many(n, on.machine().width());
      auto const combine = scan_combination_of<Exclusive, In>(form...);
      using initial = decltype(combine.initial);
      using value = combined_t<iterator_value_t<In>, decltype(combine.op), initial>;
      auto const op = combining_in<value>(combine.op);
      using combine_values = remove_const_t<decltype(op)>;
      if constexpr (Exclusive) {
        auto result = writes<value>(out, n);
        result.in_place = updates(first, n, out).in_place;
        perform(on, exclusive_scan_program<combine_values, Simple, initial>{op, combine.initial},
                works_on<value>(first, n), n.count, result);
      } else {
        perform(on, scan_program<combine_values, Simple, initial>{op, combine.initial},
                updates<value>(first, n, out), n.count);
      }
    }
    //! The bound of the sum, which is the last prefix-sum.
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const { return fold_bound(m, n, m.p); }
    //! lower_bound in letters.
    [[nodiscard]] static constexpr bound_formula lower_bound_formula(machine_terms const& m) {
      return fold_formula(m);
    }
    //! On an HMM, where the papers leave it open: `n/w + nL/p + L` for the global memory, `n/(dw) +
    //! nl/p + l log n` for the shared memories. The bound holds for shared memories that hold a
    //! DMM's share of the values and as much again, or, with t threads per DMM, at least t log t
    //! values. Proof: docs/algorithms.md.
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      natural const passes = Simple ? n * log2(n) : n;
      if (m.pram()) return passes / m.p + log2(n);
      // an exclusive scan writes a result of one value, too
      natural const leaves = Exclusive ? larger(n, smaller(2 * n, 2)) : n;
      if (!m.hmm) return passes / m.w + passes * m.l / m.p + m.l * log2(leaves);
      natural const rows = n / m.d / m.w;  // rows of w words per DMM
      return n / m.at_once() + n * m.L / m.p + m.L * m.levels_of_dmms() + rows +
             rows * m.w * m.l / m.t + m.l * log2(larger(n, m.w));
    }
  };
};

}  // namespace detail

//! The prefix-sums of n words by the simple algorithm; called as mmm::prefix_sums.
//! Time: at most 4 (n/w + nl/p + l) log n. Source: Nakano 2014, lemma 2.
inline constexpr detail::prefix_sums_algorithm<true> prefix_sums_simple{};

//! The prefix-sums of n words, `mmm::prefix_sums(on, first, last, out, op, mmm::init(x))`; the
//! operator and the initial value are optional. Writes `x + first[0] + … + first[i]` to `out[i]`
//! for every i; `out` may be `first`. The operator is associative and need not be commutative.
//! Values are combined in the type in which mmm::sum combines them, and converted to the type of
//! `out`.
//! Errors: std::invalid_argument if `out` overlaps the input otherwise; std::length_error if a
//! shared memory is too small for chunks of w values.
//! Time: at most 13 (n/w + nl/p + l log n), which is optimal (Nakano 2014, theorem 3). On an HMM,
//! 13 (n/w + nL/p + L + n/(dw) + nl/p + l log n): chunks are scanned in the shared memories, their
//! totals by the same algorithm, and the prefix of each chunk is added to it.
//! An initial value takes two more accesses of one thread.
inline constexpr detail::prefix_sums_algorithm<false> prefix_sums{};

//! The exclusive prefix-sums of n words: writes `x + first[0] + … + first[i - 1]` to `out[i]` for
//! every i. Called as mmm::prefix_sums. An initial value is needed under another operator than
//! mmm::plus. Time: that of mmm::prefix_sums with an initial value, in a copy, and two more
//! accesses of n words: at most 15 for 13.
inline constexpr detail::prefix_sums_algorithm<false, true> exclusive_prefix_sums{};

}  // namespace mmm
MMM_BODIES_END
