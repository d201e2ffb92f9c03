// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/scan/prefix_sums.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/machine/machine.hpp>

//! The two programs of a node in prefix-sums on a cluster: before and after the nodes exchange the
//! folds of their words.
MMM_BODIES_BEGIN
namespace mmm::detail {

//! Number of chunks before the last one in the scan of n words on one node: on an HMM, the words of
//! chunk_totals; otherwise 0.
template <machine M>
[[nodiscard]] constexpr index chunks_before_last(M const& m, index n) {
  if constexpr (hierarchical_machine<M>)
    return n == 0 ? 0 : ceil_divide(n, scan_chunk(m, n)) - 1;
  else
    return 0;
}

//! The scan of a node's n > 0 words in place: on an HMM the chunks' scans, and `totals`, the scan
//! of the totals of all chunks but the last one; on a machine with one memory the whole scan. Keeps
//! the last word and, of several chunks, the last total, whose fold is that of all words. The order
//! of the words is kept, unlike in mmm::sum.
template <class Operator>
struct node_scan {
  Operator op;

  template <class On, class Array, class Totals, class Results>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Array a, index n, Totals totals,
                                            Results last_total, Results last_word) const {
    if constexpr (hierarchical_machine<typename On::machine_type>) {
      index const chunk = scan_chunk(on.machine(), n);
      index const before = ceil_divide(n, chunk) - 1;
      if (n > 1) chunk_scans<Operator>{op}(on, a, n, chunk, totals);
      if (before > 0) {
        scan_program<Operator, false>{op}(on, totals, before);
        on.keep(totals + (before - 1), last_total, 1);
      }
    } else {
      scan_program<Operator, false>{op}(on, a, n);
    }
    on.keep(a + (n - 1), last_word, 1);
  }
};

//! The results of a node: each word of `sums`, combined with the total of the chunks before its
//! chunk and, if `Follows`, with the fold of the words before the node's. If `Exclusive`, result i
//! is that of word i - 1, and result 0 the fold before the node. Time on a DMM or UMM: two accesses
//! of n words. On an HMM each DMM also reads a total for each of its chunks.
template <class Operator, class Value, bool Exclusive, bool Follows>
struct node_results {
  static_assert(Follows || !Exclusive);
  Operator op;
  Value before;

  template <class On, class Sums, class Totals, class Out>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Sums sums, index n, Totals totals,
                                            Out out) const {
    auto const self = *this;
    if constexpr (hierarchical_machine<typename On::machine_type>) {
      index const chunk = scan_chunk(on.machine(), n);
      index const chunks = ceil_divide(n, chunk);
      index const dmms = smaller(chunks, on.dmms());
      index const columns = smaller(chunk, on.threads_per_dmm());
      on.each_dmm(dmms, [=](auto& block, auto dmm) {
        auto r = block.template registers<Value>();
        block.repeat(ceil_divide(chunks, dmms), [=, &block](auto pass) {
          auto const mine = pass * dmms + dmm;
          auto const follows = mine > 0 && mine < chunks;
          if (chunks > 1)
            block.each(columns,
                       [=](auto i) { r[i] = load_if(follows, totals[mine - 1 + 0 * i], Value{}); });
          block.each(chunk, [=](auto i) {
            auto const place = mine * chunk + i;
            auto const total = load(r[i]);
            if constexpr (Exclusive) {
              auto const x = load_if(place < n && i > 0, sums[place - 1], Value{});
              auto const own = select(i > 0, select(mine > 0, apply(self.op, total, x), x), total);
              store_if(place < n, out[place],
                       select(place > 0, apply(self.op, self.before, own), self.before));
            } else {
              auto const x = load_if(place < n, sums[place], Value{});
              store_if(place < n, out[place],
                       self.after(select(mine > 0, apply(self.op, total, x), x)));
            }
          });
        });
      });
    } else {
      on.each(n, [=](auto i) {
        if constexpr (Exclusive) {
          auto const x = load_if(i > 0, sums[i - 1], Value{});
          out[i] = select(i > 0, apply(self.op, self.before, x), self.before);
        } else {
          out[i] = self.after(load(sums[i]));
        }
      });
    }
  }

 private:
  template <class X>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto after([[maybe_unused]] X const& x) const {
    if constexpr (Follows)
      return apply(op, before, x);
    else
      return x;
  }
};

}  // namespace mmm::detail
MMM_BODIES_END
