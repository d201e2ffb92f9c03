// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/machine/machine.hpp>

//! The direct convolution z[i] = x[0] y[i] + x[1] y[i + 1] + … + x[m - 1] y[i + m - 1] of m taps x
//! and n + m - 1 words y (Nakano 2013a, sections V, VIII and IX). Every z[i] is a sum of m
//! products; there is no transform.
MMM_BODIES_BEGIN
namespace mmm {

//! True if the taps' cost is hidden: theorem 9's cost of giving every DMM a copy of the taps, md/w
//! + mdL/p, is within the cost of the words themselves, n/w + nL/p. This is the condition m <= n/d
//! of corollary 10.
[[nodiscard]] constexpr bool taps_hidden(size n, taps m, index dmms) {
  if (dmms < 1) detail::reject("the number grouping DMMs", dmms, "1 or more");
  return m.count <= n.count / dmms;
}

//! Computes `sums[i] = x[0] y[i] + … + x[m - 1] y[i + m - 1]` for `count` items, a thread per item.
//! `sums` are words or registers; a word is read and written at every tap, a register is free of
//! cost.
//! Accesses per item: 2m with registers, 4m - 1 with words, all contiguous or of one word.
struct products_of_items {
  template <class Threads, class Taps, class Words, class Sums>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Taps x, index m, Words y, index count,
                                            Sums sums) const {
    threads.each(count, [=](auto i) { sums[i] = load(x[0]) * load(y[i]); });
    threads.repeat(m - 1, [=, &threads](auto k) {
      threads.each(count, [=](auto i) {
        auto const so_far = load(sums[i]);
        sums[i] = so_far + load(x[k + 1]) * load(y[k + 1 + i]);
      });
    });
  }
};

//! Groups of threads that share the work on `outputs` outputs: thread `g * pitch + i`, i < outputs,
//! of group g has a part of output i; the other threads, if pitch > outputs, are idle.
struct output_groups {
  index groups;
  index pitch;
  index outputs;

  [[nodiscard]] MMM_HOST_DEVICE constexpr index threads() const { return groups * pitch; }
  //! True if thread j has an output.
  template <class Index>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto used(Index const& j) const {
    bool const all = pitch == outputs;
    return j % (all ? threads() : pitch) < (all ? threads() : outputs);
  }
};

//! products_of_items by groups of threads: thread `g * pitch + i` adds up the taps g, g + groups, g
//! + 2 groups, … of output i. (The paper gives a group a block of taps. Assigned in turn, the taps
//! are neighbours in x and y also where a warp has threads of several groups.) Precondition: 1 <=
//! groups <= m.
struct products_of_groups {
  template <class Threads, class Taps, class Words, class Sums>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Taps x, index m, Words y,
                                            output_groups grouping, Sums sums) const {
    using word = typename Taps::value_type;
    threads.each(grouping.threads(), [=](auto j) {
      auto const tap = j / grouping.pitch;
      auto const used = grouping.used(j);
      auto const factor = load_if(used, x[tap], word{});
      store_if(used, sums[j], factor * load_if(used, y[tap + j % grouping.pitch], word{}));
    });
    auto const add = [=, &threads](auto first, index groups) {
      threads.each(groups * grouping.pitch, [=](auto j) {
        auto const tap = first + j / grouping.pitch;
        auto const used = grouping.used(j);
        auto const so_far = load_if(used, sums[j], word{});
        auto const factor = load_if(used, x[tap], word{});
        store_if(used, sums[j],
                 so_far + factor * load_if(used, y[tap + j % grouping.pitch], word{}));
      });
    };
    threads.repeat(m / grouping.groups - 1,
                   [=](auto k) { add((k + 1) * grouping.groups, grouping.groups); });
    add(m / grouping.groups * grouping.groups, m % grouping.groups);
  }
};

//! Folds the groups' sums of every output, stored in the order of the threads, into `out`: by trees
//! that proceed side by side, so that every access is contiguous. Nakano 2013a, section VIII.
//! Precondition: 2 groups or more. Overwrites `a`.
//! Time on a DMM or UMM: for each level, with c groups left and h = ceil(c/2), the time of three
//! contiguous accesses by c - h groups.
struct trees_of_groups {
  template <class Threads, class Iterator, class Output>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Iterator a, output_groups grouping,
                                            Output out) const {
    using word = typename Iterator::value_type;
    index const pitch = grouping.pitch;
    index count = grouping.groups;
    for (; count > 2; count = detail::ceil_divide(count, 2)) {
      index const half = detail::ceil_divide(count, 2);
      threads.each((count - half) * pitch, [=](auto j) {
        auto const used = grouping.used(j);
        auto const so_far = load_if(used, a[j], word{});
        store_if(used, a[j], so_far + load_if(used, a[half * pitch + j], word{}));
      });
    }
    threads.each(grouping.outputs, [=](auto i) { out[i] = load(a[i]) + load(a[pitch + i]); });
  }
};

//! The convolution in one memory, in the three regimes of section VIII. Nakano 2013a, lemma 4 and
//! theorem 8.
//!
//! With p <= n, a thread computes each output; with more threads, s groups of n threads each add up
//! a share of the taps, and trees fold the s partial sums of every output. With `InMemory`, partial
//! sums are words, read and written at every tap as printed, and p = mn threads make all products
//! at once. Otherwise they are registers, and a thread adds up at least two products, which saves
//! the trees' first level.
//!
//! Time on a DMM:
//! - With p <= n, w | p | n: exactly `(2m + 1) (p/w + l - 1) n/p`, in memory `(4m - 1) (p/w + l -
//!   1) n/p`.
//! - With p = sn, w | n, s | m, s > 1 a power of two (in registers s <= m/2) and b = m/s: exactly
//!   `(2b + 1) (p/w + l - 1) + 3 ((s - 1) n/w + (l - 1) log s)`, in memory `4b - 1` instead of `2b
//!   + 1`.
//! On a UMM `(m - ceil(m/w)) n/w` more, w > 1: y[i + t] is aligned for every w-th tap only.
//! On a PRAM, likewise for p <= n and for p = sn:
//! - `(2m + 1) ceil(n/p)`, in memory `4m - 1` instead of `2m + 1`;
//! - `2 ceil(m/s) + 1 + 3 ceil(log s)`, in memory `4 ceil(m/s) - 1 + 3 ceil(log s)`.
template <bool InMemory = false>
struct memory_convolution {
  index least = InMemory ? 1 : 2;  //!< least number of taps of a thread if there are groups

  //! The division of the work among p threads of machine M for n > 0 outputs; one group if each
  //! thread has outputs of its own.
  template <machine M>
  [[nodiscard]] MMM_HOST_DEVICE constexpr output_groups split(M const& on, index m, index p,
                                                              index n) const {
    index const apart = pitch(on, p, n);
    index const max_groups =
        detail::smaller(detail::ceil_divide(m, least), detail::larger(1, p / apart));
    index const taps = detail::ceil_divide(m, max_groups);
    return {detail::ceil_divide(m, taps), apart, n};  // the fewest groups that take this long
  }

  template <class Threads, class Taps, class Words, class Output>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Taps x, index m, Words y, Output z,
                                            index n) const {
    using value = typename Output::value_type;
    if (n == 0) return;
    index const p = threads.threads();
    auto const grouping = split(threads.machine(), m, p, n);
    if (grouping.groups > 1) {
      auto const work = threads.template allocate<value>(grouping.threads());
      if constexpr (InMemory) {
        products_of_groups{}(threads, x, m, y, grouping, work);
      } else {
        auto const r = threads.template registers<value>();
        products_of_groups{}(threads, x, m, y, grouping, r);
        threads.each(grouping.threads(),
                     [=](auto j) { store_if(grouping.used(j), work[j], load(r[j])); });
      }
      trees_of_groups{}(threads, work, grouping, z);
    } else if constexpr (InMemory) {
      products_of_items{}(threads, x, m, y, n, z);
    } else {
      auto const r = threads.template registers<value>();
      auto const outputs = [=, &threads](auto first, index count, auto sums) {
        products_of_items{}(threads, x, m, y + first, count, sums);
        threads.each(count, [=](auto i) { z[first + i] = load(sums[i]); });
      };
      threads.repeat(n / p, [=](auto row) { outputs(row * p, p, r); });
      outputs(n / p * p, n % p, r);
    }
  }

 private:
  //! Number of threads of a group: where requests are made by warps, whole warps or an even share
  //! of one, so that all of them make equivalent requests; n if that would leave at most half as
  //! many groups.
  template <machine M>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index pitch(M const& m, index p, index n) {
    index const w = m.width();
    if constexpr (memory<M>)
      if (M::conflicts == conflict::none || M::conflicts == conflict::amount) return n;
    index apart = n > w ? detail::ceil_divide(n, w) * w : n;
    while (n <= w && w % apart != 0) ++apart;
    return p / n >= 2 * (p / apart) ? n : apart;
  }
};

//! The convolution on an HMM: every DMM copies the taps and the words that its c = ceil(n/d)
//! outputs need to its shared memory, computes there, and copies the outputs back. Nakano 2013a,
//! theorem 9.
//! Time, with t threads per DMM, d | n, w | c, w | t, and
//!   `copy(k) = (d + 1) ceil(k/w) + ceil(k/t) (L + l - 2)`:
//! exactly `copy(m) + copy(c + m - 1) + copy(c)` and the time of memory_convolution on a DMM with c
//! outputs and t threads.
//! Needs m + (c + m - 1) + c words of shared memory, each array rounded up to a multiple of w, and
//! with s > 1 groups s times c, rounded up likewise or to a divisor of w. Errors: std::length_error
//! if there are fewer. `n < d` is accepted.
template <bool InMemory = false>
struct hmm_convolution {
  template <class Machine, class Taps, class Words, class Output>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Taps x, index m, Words y, Output z,
                                            index n) const {
    using value = typename Output::value_type;
    if (n == 0) return;
    index const own = detail::ceil_divide(n, on.dmms());
    index const words = own + m - 1;
    on.each_dmm(detail::ceil_divide(n, own), [=](auto& block, auto dmm) {
      auto const first = dmm * own;
      auto const own_x = block.template allocate<value>(m);
      auto const own_y = block.template allocate<value>(words);
      auto const own_z = block.template allocate<value>(own);
      block.each(m, [=](auto i) { own_x[i] = load(x[i]); });
      block.each(words,
                 [=](auto i) { own_y[i] = load_if(first + i < n + m - 1, y[first + i], value{}); });
      memory_convolution<InMemory>{2}(block, own_x, m, own_y, own_z, own);
      block.each(own, [=](auto i) {
        auto const inside = first + i < n;
        store_if(inside, z[first + i], load_if(inside, own_z[i], value{}));
      });
    });
  }
};

namespace detail {

//! The convolution on a machine of any kind.
template <bool InMemory>
struct convolution_program {
  template <class On, class Taps, class Words, class Output>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Taps x, index m, Words y, Output z,
                                            index n) const {
    if constexpr (hierarchical_machine<typename On::machine_type>)
      hmm_convolution<InMemory>{}(on, x, m, y, z, n);
    else
      memory_convolution<InMemory>{}(on, x, m, y, z, n);
  }
};

//! The algorithm object behind mmm::convolution and mmm::convolution_in_memory.
template <bool InMemory>
struct convolution_algorithm : convolution_call<convolution_algorithm<InMemory>> {
  static constexpr char const* name = InMemory ? "convolution-in-memory" : "convolution";
  static constexpr char const* paper = "Nakano 2013a, lemma 4, theorems 8 and 9, corollary 10";
  static constexpr machine_kinds kinds =
      InMemory ? machine_kinds{.pram = 6, .bpram = 8, .dmm = 8, .umm = 8, .hmm = 5}
               : machine_kinds{.pram = 4, .bpram = 6, .dmm = 6, .umm = 6, .hmm = 4};

  struct problem : convolution_sizes {
    using convolution_sizes::convolution_sizes;

    template <class On, class Taps = no_data, class Words = no_data, class Out = no_data,
              class... Form>
    constexpr void run(On& on, Taps x = {}, Words y = {}, Out z = {}, Form const&...) const {
      using value = accumulated_t<typename named_accumulator<Form...>::type, Out, Taps, Words>;
      if (n == 0) return;
      perform(on, convolution_program<InMemory>{}, reads<value>(x, m), m.count,
              reads<value>(y, words()), writes<value>(z, n), n.count);
    }
    //! The paper's bound holds for algorithms whose threads make one multiplication for each
    //! access, w threads of a warp (of g warps, with g ports) in a time unit, one warp of each DMM.
    //! Blocks of taps and words in registers can be faster.
    [[nodiscard]] constexpr bound lower_bound(auto const& t) const {
      if (n == 0) return {};
      if (t.hmm) {
        bound b = access_bound(t, n, t.p);
        b.latency = natural(b.latency) + t.L;
        b.speed_up = m * n / t.w / t.d;
        b.reduction = log2(m);
        return b;
      }
      if (t.pram()) return {.reduction = log2(m), .speed_up = m * n / t.p};
      return {.latency = m * n * t.l / t.p + t.l,
              .reduction = t.l * log2(m),
              .speed_up = m * n / t.w / t.g};
    }
    //! lower_bound in letters.
    [[nodiscard]] static constexpr bound_formula lower_bound_formula(machine_terms const& m) {
      if (m.hmm) {
        bound_formula f = access_formula(m, "n");
        f.latency = f.latency + " + L";
        f.speed_up = "mn/(dw)";
        f.reduction = "log m";
        return f;
      }
      if (m.pram()) return {.reduction = "log m", .speed_up = "mn/p"};
      return {.latency = formula("mn") + latency_letter(m) + "/p + " + latency_term(m),
              .reduction = reduction_formula(m, "log m"),
              .speed_up = quotient("mn", formula("w") + ports_letter(m))};
    }
    //! The bound for at most mn threads; further threads do not help. On the HMM, theorem 9 as the
    //! paper has it for a shared latency l of 1 and for at least w outputs and w threads per DMM.
    //! Every access to a shared memory takes l - 1 more, t < w threads of a DMM access t words at a
    //! time, and every DMM has at least one stage of the global memory.
    [[nodiscard]] constexpr natural upper_bound(auto const& t) const {
      if (n == 0) return 0;
      if (t.pram()) return m * n / t.p + log2(m);
      natural const useful = smaller(t.p, m * n);
      if (!t.hmm) return m * n / t.w + m * n * t.l / useful + t.l * log2(m);
      natural const copied = m * t.d + n;
      natural const at_once = smaller(t.w, t.t);
      natural const both = t.L + (t.l - 1);
      return larger(copied / at_once, n / (n / t.d)) + m * n / at_once / t.d + copied * both / t.p +
             m * n * (t.l - 1) / useful + both + t.l * log2(m);
    }
  };
};

}  // namespace detail

//! The direct convolution of n + m - 1 words with m taps, sums in registers; convolution_call in
//! call/forms.hpp is its call form. Time: at most 6 (mn/w + mnl/p + l log m) on one memory (Nakano
//! 2013a, lemma 4 and theorem 8), see memory_convolution; for an HMM (Nakano 2013a, theorem 9) see
//! hmm_convolution.
inline constexpr detail::convolution_algorithm<false> convolution{};

//! The convolution of mmm::convolution with the sums in memory, read and written at every tap as
//! the paper prints it.
inline constexpr detail::convolution_algorithm<true> convolution_in_memory{};

}  // namespace mmm
MMM_BODIES_END
