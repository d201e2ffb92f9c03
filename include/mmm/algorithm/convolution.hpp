// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/bound.hpp>
#include <mmm/algorithm/overlap.hpp>
#include <mmm/algorithm/problem.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/machine/machine.hpp>

#include <iterator>
#include <stdexcept>
#include <string>
#include <type_traits>

//! The direct convolution z[i] = x[0] y[i] + x[1] y[i + 1] + … + x[m - 1] y[i + m - 1] of m taps x
//! and n + m - 1 words y (paper 000, sections V, VIII and IX). Every z[i] is a sum of m products;
//! there is no transform.
MMM_BODIES_BEGIN
namespace mmm {

//! Theorem 9's cost of giving every DMM a copy of the taps, md/w + mdL/p, is within that of the
//! words themselves, n/w + nL/p: the condition m <= n/d of corollary 10.
[[nodiscard]] constexpr bool taps_hidden(size n, taps m, index dmms) {
  if (dmms < 1) detail::reject("the number of DMMs", dmms, "1 or more");
  return m.count <= n.count / dmms;
}

//! `sums[i] = x[0] y[i] + … + x[m - 1] y[i + m - 1]` for `count` items, a thread per item. `sums`
//! are words or registers; a word is read and written at every tap, a register is free.
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
//! of group g has a part of output i; the others, if pitch > outputs, have nothing to do.
struct output_groups {
  index groups;
  index pitch;
  index outputs;

  [[nodiscard]] MMM_HOST_DEVICE constexpr index threads() const { return groups * pitch; }
  //! Whether thread j has an output.
  template <class Index>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto used(Index const& j) const {
    bool const all = pitch == outputs;
    return j % (all ? threads() : pitch) < (all ? threads() : outputs);
  }
};

//! The same by groups of threads: thread `g * pitch + i` adds up the taps g, g + groups, g + 2
//! groups, … of output i. (The paper gives a group a block of taps. Dealt out like this, they are
//! neighbours in x and y also where a warp has threads of several groups.) Needs 1 <= groups <= m.
struct products_of_groups {
  template <class Threads, class Taps, class Words, class Sums>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Taps x, index m, Words y,
                                            output_groups of, Sums sums) const {
    using word = typename Taps::value_type;
    threads.each(of.threads(), [=](auto j) {
      auto const tap = j / of.pitch;
      auto const used = of.used(j);
      auto const factor = load_if(used, x[tap], word{});
      store_if(used, sums[j], factor * load_if(used, y[tap + j % of.pitch], word{}));
    });
    auto const add = [=, &threads](auto first, index groups) {
      threads.each(groups * of.pitch, [=](auto j) {
        auto const tap = first + j / of.pitch;
        auto const used = of.used(j);
        auto const so_far = load_if(used, sums[j], word{});
        auto const factor = load_if(used, x[tap], word{});
        store_if(used, sums[j], so_far + factor * load_if(used, y[tap + j % of.pitch], word{}));
      });
    };
    threads.repeat(m / of.groups - 1, [=](auto k) { add((k + 1) * of.groups, of.groups); });
    add(m / of.groups * of.groups, m % of.groups);
  }
};

//! Folds the groups' sums of every output, laid out as the threads are, into `out`: by trees, all
//! side by side, so that every access is contiguous. Paper 000, section VIII. Needs 2 groups or
//! more; uses up `a`.
//! Time on a DMM or UMM: for each level, with c groups left and h = ceil(c/2), that of three
//! contiguous accesses by c - h groups.
struct trees_of_groups {
  template <class Threads, class Iterator, class Output>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Iterator a, output_groups of,
                                            Output out) const {
    using word = typename Iterator::value_type;
    index const pitch = of.pitch;
    index count = of.groups;
    for (; count > 2; count = detail::ceil_divide(count, 2)) {
      index const half = detail::ceil_divide(count, 2);
      threads.each((count - half) * pitch, [=](auto j) {
        auto const used = of.used(j);
        auto const so_far = load_if(used, a[j], word{});
        store_if(used, a[j], so_far + load_if(used, a[half * pitch + j], word{}));
      });
    }
    threads.each(of.outputs, [=](auto i) { out[i] = load(a[i]) + load(a[pitch + i]); });
  }
};

//! The convolution in one memory, in the three regimes of section VIII. Paper 000, lemma 4 and
//! theorem 8.
//!
//! With p <= n, a thread per output; with more, s groups of n threads each of which adds up a share
//! of the taps, then trees over the s partial sums of every output. `InMemory`: partial sums are
//! words, read and written at every tap as printed, and p = mn threads make all products at once.
//! Otherwise they are registers, and a thread adds up two products at least, which saves the trees'
//! first level.
//! Time on a DMM with p <= n, w | p | n: exactly `(2m + 1) (p/w + l - 1) n/p`, in memory
//! `(4m - 1) (p/w + l - 1) n/p`. With p = sn, w | n, s | m, s > 1 a power of two (in registers s <=
//! m/2) and b = m/s: exactly `(2b + 1) (p/w + l - 1) + 3 ((s - 1) n/w + (l - 1) log s)`, in memory
//! 4b - 1 instead of 2b + 1. On a UMM `(m - ceil(m/w)) n/w` more, w > 1: y[i + t] is aligned for
//! every w-th tap only. On a PRAM `(2m + 1) ceil(n/p)`, and `2 ceil(m/s) + 1 + 3 ceil(log s)`; in
//! memory 4m - 1 and `4 ceil(m/s) - 1 + 3 ceil(log s)`.
template <bool InMemory = false>
struct memory_convolution {
  index least = InMemory ? 1 : 2;  //!< taps that a thread adds up where there are groups

  //! What p threads of machine M do for n > 0 outputs; one group if each thread has outputs of its
  //! own.
  template <machine M>
  [[nodiscard]] MMM_HOST_DEVICE constexpr output_groups split(index m, index p, index n) const {
    index const apart = pitch<M>(p, n);
    index const most = detail::smaller(detail::ceil_divide(m, least), detail::larger(1, p / apart));
    index const taps = detail::ceil_divide(m, most);
    return {detail::ceil_divide(m, taps), apart, n};  // the fewest of those that take equally long
  }

  template <class Threads, class Taps, class Words, class Output>
  MMM_HOST_DEVICE constexpr void operator()(Threads& threads, Taps x, index m, Words y, Output z,
                                            index n) const {
    using value = typename Output::value_type;
    if (n == 0) return;
    index const p = threads.threads();
    auto const of = split<typename Threads::machine_type>(m, p, n);
    if (of.groups > 1) {
      auto const work = threads.template allocate<value>(of.threads());
      if constexpr (InMemory) {
        products_of_groups{}(threads, x, m, y, of, work);
      } else {
        auto const r = threads.template registers<value>();
        products_of_groups{}(threads, x, m, y, of, r);
        threads.each(of.threads(), [=](auto j) { store_if(of.used(j), work[j], load(r[j])); });
      }
      trees_of_groups{}(threads, work, of, z);
    } else if constexpr (InMemory) {
      products_of_items{}(threads, x, m, y, n, z);
    } else {
      auto const r = threads.template registers<value>();
      auto const outputs = [=, &threads](auto first, index count) {
        products_of_items{}(threads, x, m, y + first, count, r);
        threads.each(count, [=](auto i) { z[first + i] = load(r[i]); });
      };
      threads.repeat(n / p, [=](auto row) { outputs(row * p, p); });
      outputs(n / p * p, n % p);
    }
  }

 private:
  //! Threads of a group: where requests are made by warps, whole warps or an even share of one, so
  //! that all of them look alike; n where that would leave half as many groups or fewer.
  template <machine M>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index pitch(index p, index n) {
    constexpr index w = M::width;
    if constexpr (memory<M>)
      if (M::conflicts == conflict::none || M::conflicts == conflict::amount) return n;
    index apart = n > w ? detail::ceil_divide(n, w) * w : n;
    while (n <= w && w % apart != 0) ++apart;
    return p / n >= 2 * (p / apart) ? n : apart;
  }
};

//! The convolution on an HMM: every DMM copies the taps and the words that its c = ceil(n/d)
//! outputs need to its shared memory, computes there, and copies the outputs back. Paper 000,
//! theorem 9.
//! Time, with t threads per DMM, d | n, w | c, w | t, and copy(k) = (d + 1) ceil(k/w) + ceil(k/t)
//! (L + l - 2): exactly `copy(m) + copy(c + m - 1) + copy(c)` and that of memory_convolution on a
//! DMM with c outputs and t threads. Needs m + (c + m - 1) + c words of shared memory, each array
//! rounded up to a multiple of w, and with s > 1 groups s times c, rounded up likewise or to a
//! divisor of w: else std::length_error. n < d will do.
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

//! The algorithm object behind mmm::convolution and mmm::convolution_in_memory.
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

template <bool InMemory>
struct convolution_algorithm {
  char const* name = InMemory ? "convolution-in-memory" : "convolution";
  char const* paper = "000 lemma 4, theorems 8 and 9";
  machine_kinds kinds{true, true, true, true, true};

  //! z[i] = x[0] y[i] + … + x[m - 1] y[i + m - 1] with m = x_last - x_first, for all of
  //! [z_first, z_last), in z's type. x and y stay as they are.
  //! Errors: std::invalid_argument if there are no taps, if y has fewer than m + n - 1 words for n
  //! > 0 outputs, or if z overlaps x or y; std::length_error if the shared memories are too small.
  template <class On, class Taps, class Words, class Output>
  void operator()(On on, Taps x_first, Taps x_last, Words y_first, Words y_last, Output z_first,
                  Output z_last) const {
    using value = std::iter_value_t<Output>;
    index const m = mmm::taps(static_cast<index>(x_last - x_first)).count;
    auto const n = static_cast<index>(z_last - z_first);
    auto const given = static_cast<index>(y_last - y_first);
    if (n < 0) reject("the number of outputs", n, "0 or more");
    if (n == 0) return;
    if (given < n + m - 1)
      throw std::invalid_argument(
          "mmm: the number of words to convolve is " + std::to_string(given) +
          "; accepted: " + std::to_string(n + m - 1) + " or more for " + std::to_string(m) +
          " taps and " + std::to_string(n) + " outputs");
    reject_overlap("the result of the convolution", x_first, m, z_first, n);
    reject_overlap("the result of the convolution", y_first, given, z_first, n);
    mmm::run(on, convolution_program<InMemory>{}, reads<value>(x_first, m), m,
             reads<value>(y_first, n + m - 1), writes<value>(z_first, n), n);
  }

  //! The same without data.
  template <class On>
  constexpr void model(On& on, index n, mmm::taps m) const {
    auto const x = on.template allocate<float>(m.count);
    auto const y = on.template allocate<float>(checked_add(n, m.count - 1));
    convolution_program<InMemory>{}(on, x, m.count, y, on.template allocate<float>(n), n);
  }

  //! As in the paper, for algorithms whose threads make one multiplication for each access, w
  //! threads of a warp (of g warps, with g ports) in a time unit, one warp of each DMM. Blocks of
  //! taps and words in registers do better.
  template <machine M>
  [[nodiscard]] constexpr bound limitations(M const& m, index n, index p, mmm::taps x) const {
    if (n == 0) return {};
    auto const memory = main_memory(m);
    index const products = checked_multiply(x.count, n);
    bound b;
    if constexpr (hierarchical_machine<M>) {
      b = access_limitations(m, n, p);
      b.latency = checked_add(b.latency, memory.latency());
      b.speed_up = ceil_divide(ceil_divide(products, M::width), m.dmms());
      b.reduction = ceil_log2(x.count);
    } else if constexpr (M::conflicts == conflict::none) {
      b.speed_up = ceil_divide(products, p);
      b.reduction = ceil_log2(x.count);
    } else {
      b.speed_up = ceil_divide(ceil_divide(products, memory.width), memory.ports());
      b.latency = checked_add(share(products, memory.latency(), p), memory.latency());
      b.reduction = checked_multiply(memory.latency(), ceil_log2(x.count));
    }
    return b;
  }

  //! More than mn threads are of no use. On the HMM, theorem 9 as it is for a shared latency l of 1
  //! and for w outputs and w threads or more per DMM, as the paper has it. Every access to a shared
  //! memory takes l - 1 more, t < w threads of a DMM access t words at a time, and every DMM has a
  //! stage of the global memory at least.
  template <machine M>
  [[nodiscard]] constexpr index expression(M const& m, index n, index p, mmm::taps x) const {
    if (n == 0) return 0;
    auto const memory = main_memory(m);
    index const products = checked_multiply(x.count, n);
    index const useful = smaller(p, products);
    index const levels = ceil_log2(x.count);
    if constexpr (hierarchical_machine<M>) {
      index const copied = checked_add(checked_multiply(x.count, m.dmms()), n);
      index const at_once = larger(1, smaller(M::width, p / m.dmms()));
      index const l = m.shared().latency();
      index const both = checked_add(memory.latency(), l - 1);
      index const copies =
          larger(ceil_divide(copied, at_once), ceil_divide(n, ceil_divide(n, m.dmms())));
      return copies + ceil_divide(ceil_divide(products, at_once), m.dmms()) +
             share(copied, both, p) + share(products, l - 1, useful) + both +
             checked_multiply(l, levels);
    } else if constexpr (M::conflicts == conflict::none) {
      return ceil_divide(products, p) + levels;
    } else {
      return ceil_divide(products, memory.width) + share(products, memory.latency(), useful) +
             checked_multiply(memory.latency(), levels);
    }
  }

  template <machine M>
  [[nodiscard]] constexpr index constant(M const& m) const {
    if (is_among(m, {.pram = true})) return InMemory ? 6 : 4;
    if (is_among(m, {.hmm = true})) return InMemory ? 5 : 4;
    return InMemory ? 8 : 6;
  }
};

}  // namespace detail

//! The direct convolution, sums in registers: on one memory by memory_convolution (000, lemma 4 and
//! theorem 8), on an HMM by hmm_convolution (000, theorem 9).
inline constexpr detail::convolution_algorithm<false> convolution{};

//! The same with sums in memory, read and written at every tap as the paper prints it.
inline constexpr detail::convolution_algorithm<true> convolution_in_memory{};

}  // namespace mmm
MMM_BODIES_END
