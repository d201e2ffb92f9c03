// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exact times that docs/algorithms.md states, for sizes that divide.
#include <mmm/algorithm/access/contiguous.hpp>
#include <mmm/algorithm/access/stride.hpp>
#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/bulk/bulk.hpp>
#include <mmm/algorithm/bulk/oblivious_programs.hpp>
#include <mmm/algorithm/copy/copy_through_shared.hpp>
#include <mmm/algorithm/histogram/histogram.hpp>
#include <mmm/algorithm/reduce/argmin.hpp>
#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/algorithm/scan/summed_area.hpp>
#include <mmm/algorithm/scan/summed_area_1r1w.hpp>
#include <mmm/algorithm/strings/lcs.hpp>
#include <mmm/algorithm/strings/string_matching.hpp>
#include <mmm/algorithm/transpose/transpose.hpp>
#include <mmm/algorithm/triangulation/matrix_chain.hpp>
#include <mmm/machine/machine.hpp>

#include "scan/table_by_tiles.hpp"

namespace {

using mmm::index;

template <class M, class A>
constexpr index time(A const& algorithm, index n, index p) {
  return mmm::cost_of<M>(algorithm, mmm::size(n), mmm::threads(p)).time;
}
constexpr index log2(index n) { return n <= 1 ? 0 : 1 + log2(n / 2); }
constexpr index up(index a, index b) { return (a + b - 1) / b; }

constexpr index w = 32, l = 7, L = 100, d = 4;
using pram = mmm::pram;
using bpram = mmm::bpram<w>;
using dmm = mmm::dmm<w, l>;
using umm = mmm::umm<w, L>;
using hmm = mmm::hmm<d, w, l, L>;

// contiguous
static_assert(time<pram>(mmm::contiguous, 4096, 256) == 4096 / 256);
static_assert(time<bpram>(mmm::contiguous, 4096, 256) == 4096 / w);
static_assert(time<dmm>(mmm::contiguous, 4096, 256) == (256 / w + l - 1) * 4096 / 256);
static_assert(time<umm>(mmm::contiguous, 4096, 256) == (256 / w + L - 1) * 4096 / 256);

// stride: s = n/p
static_assert(time<dmm>(mmm::stride, 256 * 12, 256) == (4 * 256 / w + l - 1) * 12);
static_assert(time<dmm>(mmm::stride, 256 * 33, 256) == (1 * 256 / w + l - 1) * 33);
static_assert(time<umm>(mmm::stride, 256 * 40, 256) == (256 + L - 1) * 40);

// transposes, side a multiple of w
constexpr index straightforward(index side, index p, index latency) {
  index const blocks = side / w;
  index const rows = w * blocks * (blocks + 1) / 2 - blocks;
  return 2 * (side * (side - 1) / 2 + rows) + 4 * (side * side / p) * (latency - 1);
}
static_assert(time<dmm>(mmm::transpose_straightforward, 128, 512) == straightforward(128, 512, l));
static_assert(time<umm>(mmm::transpose_straightforward, 256, 1024) ==
              straightforward(256, 1024, L));
static_assert(time<dmm>(mmm::transpose_diagonal, 128, 512) ==
              4 * (512 / w + l - 1) * 128 * 128 / 512);
static_assert(time<umm>(mmm::transpose_rotating, 256, 1024) ==
              (1024 / w + L - 1) * (4 * 256 * 256 - 2 * 256 * w) / 1024);

// summed area table: s^2 words, powers of two, w <= p <= s
constexpr index table(index s, index p, index latency) {
  return s * (s - 1) * 20 / w + s * (s - 1) * 18 * (latency - 1) / p;
}
static_assert(time<dmm>(mmm::summed_area, 256, 64) == table(256, 64, l));
static_assert(time<umm>(mmm::summed_area, 256, 64) ==
              table(256, 64, L) + 256 * (256 / w - 1 - log2(256 / w)));
#ifndef __clang__  // more than clang's million steps
static_assert(time<mmm::dmm<w, 1>>(mmm::summed_area, 4096, 1024) == table(4096, 1024, 1));
static_assert(time<umm>(mmm::summed_area, 4096, 1024) ==
              table(4096, 1024, L) + 4096 * (4096 / w - 1 - log2(4096 / w)));
#endif

constexpr index table_by_tiles(index s, index t, index dmms) {
  return checks::time_of_table_by_tiles(s, t, dmms, w, l, L);
}
static_assert(mmm::cost_of<mmm::hmm<d, w, l, L>>(mmm::summed_area_1r1w, mmm::size(256),
                                                 mmm::threads(d * 64))
                  .time == table_by_tiles(256, 64, d));
static_assert(mmm::cost_of<mmm::hmm<d, w, l, L>>(mmm::summed_area_1r1w, mmm::size(4096),
                                                 mmm::threads(d * 64))
                  .time == table_by_tiles(4096, 64, d));
static_assert(mmm::cost_of<mmm::hmm<1, w, l, L>>(mmm::summed_area_1r1w, mmm::size(256),
                                                 mmm::threads(64))
                  .time == table_by_tiles(256, 64, 1));
static_assert(mmm::cost_of<mmm::hmm<1, w, l, L>>(mmm::summed_area_1r1w, mmm::size(w),
                                                 mmm::threads(64))
                  .time == table_by_tiles(w, 64, 1));
#ifndef __clang__  // more than clang's million steps
static_assert(mmm::cost_of<mmm::hmm<d, w, l, L>>(mmm::summed_area_1r1w, mmm::size(256),
                                                 mmm::threads(d * 256))
                  .time == table_by_tiles(256, 256, d));
#endif

// bulk execution: t memory steps, w | p | k inputs; by rows, of w words or more
template <class Program, class Arrangement>
constexpr index bulk(Program program, Arrangement arrangement, index n, index p, index k) {
  return mmm::cost_of<umm>(mmm::bulk(program, arrangement), mmm::size(n), mmm::threads(p),
                           mmm::inputs(k))
      .time;
}
constexpr index by_columns(index t, index p, index k) { return t * (p / w + L - 1) * (k / p); }
constexpr index by_rows(index t, index p, index k) { return t * (p + L - 1) * (k / p); }
constexpr index sums_of(index n) { return 2 * n - 1; }
constexpr index sort_of(index n) { return n * log2(n) * (log2(n) + 1); }
constexpr index triangulation_of(index n) {
  return n - 1 + n * (n - 1) * (n - 2) / 3 + (n - 1) * (n - 2) - 1;
}
static_assert(mmm::memory_steps(mmm::oblivious_prefix_sums{}, mmm::size(64)) == sums_of(64));
static_assert(mmm::memory_steps(mmm::oblivious_sort{}, mmm::size(32)) == sort_of(32));
static_assert(mmm::memory_steps(mmm::oblivious_triangulation{}, mmm::size(8)) ==
              triangulation_of(8));
static_assert(bulk(mmm::oblivious_prefix_sums{}, mmm::by_columns, 64, 256, 1024) ==
              by_columns(sums_of(64), 256, 1024));
static_assert(bulk(mmm::oblivious_prefix_sums{}, mmm::by_rows, 64, 256, 1024) ==
              by_rows(sums_of(64), 256, 1024));
static_assert(bulk(mmm::oblivious_sort{}, mmm::by_columns, 32, 256, 1024) ==
              by_columns(sort_of(32), 256, 1024));
static_assert(bulk(mmm::oblivious_sort{}, mmm::by_rows, 32, 256, 1024) ==
              by_rows(sort_of(32), 256, 1024));
static_assert(bulk(mmm::oblivious_triangulation{}, mmm::by_columns, 8, 256, 1024) ==
              by_columns(triangulation_of(8), 256, 1024));
static_assert(bulk(mmm::oblivious_triangulation{}, mmm::by_rows, 8, 256, 1024) ==
              by_rows(triangulation_of(8), 256, 1024));

// sums: powers of two, w <= p <= n
constexpr index tree(index n, index p, index latency) {
  if (n < w) return 3 * latency * log2(n);
  return 3 * (n / w - 1 + log2(w)) + 3 * (latency - 1) * (n / p - 1 + log2(p));
}
static_assert(time<pram>(mmm::sum, 5000, 256) == up(5000, 256) + 1 + 3 * 8);
static_assert(time<pram>(mmm::sum, 200, 256) == 3 * 8);
static_assert(time<bpram>(mmm::sum, 4096, 256) == 3 * (4096 / w - 1 + log2(w)));
static_assert(time<dmm>(mmm::sum, 4096, 256) == tree(4096, 256, l));
static_assert(time<umm>(mmm::sum, 1 << 20, 1 << 12) == tree(1 << 20, 1 << 12, L));

// sum on an HMM: t threads per DMM, t d | n, t and d powers of two, d <= t
constexpr index on_dmms(index n, index t, index dmms) {
  return n / (t * dmms) * (t * dmms / w + L - 1)  // global words into registers
         + (t / w + l - 1) + tree(t, t, l)        // registers to shared memory, tree
         + l + (dmms + L - 1);                    // the sums of the DMMs to global memory
}
constexpr index last_level(index dmms) {
  return (up(dmms, w) + L - 1) + (up(dmms, w) + l - 1) + tree(dmms, dmms, l) + l + L;
}
static_assert(time<hmm>(mmm::sum_on_one_dmm, 8192, 64 * d) == on_dmms(8192, 64, 1));
static_assert(time<hmm>(mmm::sum, 8192, 64 * d) == on_dmms(8192, 64, d) + last_level(d));
static_assert(time<hmm>(mmm::argmin, 8191, 64 * d) == time<hmm>(mmm::sum, 8191, 64 * d));

// histogram: values that are alike take turns in a bank
constexpr index counted(mmm::spread how) {
  return mmm::cost_of<mmm::dmm<w, 1>>(mmm::histogram, mmm::size(1024), mmm::threads(1024),
                                      mmm::bins(64), how)
      .time;
}
static_assert(counted(mmm::spread::even) == 2 + 32 + 32);
static_assert(counted(mmm::spread::alike) == 2 + 32 + 1024);

// copy: t threads per DMM, t d | n
static_assert(time<hmm>(mmm::copy_through_shared, 8192, 64 * d) ==
              2 * 8192 / (64 * d) * ((64 * d / w + L - 1) + (64 / w + l - 1)));

// strings of m and n symbols: powers of two, w <= p <= m <= n
constexpr index wavefronts(index n, index m, index p, index latency) {
  index const q = p / w;
  return (q + latency - 1) * (n + m) / p +
         3 * (m / p) * ((n - 1) * q + p + (n + p - 1) * (latency - 1));
}
template <class A>
constexpr index of_strings(A const& algorithm, index n, index m, index p) {
  return mmm::cost_of<dmm>(algorithm, mmm::size(n), mmm::threads(p), mmm::taps(m)).time;
}
static_assert(of_strings(mmm::string_matching, 1024, 64, 32) == wavefronts(1024, 64, 32, l) + l);
static_assert(of_strings(mmm::string_matching, 1024, 64, 64) == wavefronts(1024, 64, 64, l) + l);
static_assert(of_strings(mmm::lcs, 512, 256, 128) == wavefronts(512, 256, 128, l));

// matrix chain on a DMM, n <= p
constexpr index chain(index n, index p) {
  index const words = (n + 2) / 2 * 2 * ((n + 2) / 2 * 2);  // rows of even lengths
  index sum = up(words, w) + up(words, p) * (l - 1);
  for (index r = 1; r < n; ++r) sum += (3 * r + 3) * (up(n - r, w) + l - 1);
  return sum;
}
static_assert(time<dmm>(mmm::matrix_chain, 21, 32) == chain(21, 32));
static_assert(time<dmm>(mmm::matrix_chain, 40, 64) == chain(40, 64));

}  // namespace
