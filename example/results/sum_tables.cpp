// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/convolution/convolution.hpp>
#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/algorithm/scan/prefix_sums.hpp>

#include "document.hpp"

namespace results {

namespace {

constexpr index w = 32, l = 16, L = 400, d = 16;

}  // namespace

std::string tables_of_nakano_2013a() {
  mmm::size const n(1 << 16);
  mmm::threads const p(1 << 12);
  mmm::taps const m(64);
  mmm::pram const pram;
  mmm::bpram<w> const bpram;
  mmm::dmm<w, l> const dmm;
  mmm::umm<w, L> const umm;
  mmm::hmm<d, w, 1, L> const hmm;
  auto const sum = [&](auto const& machine, char const* name, char const* expression) {
    return row_of("sum", name, expression, machine, mmm::sum, n, p);
  };
  auto const convolution = [&](auto const& machine, char const* name, char const* expression) {
    return row_of("direct convolution", name, expression, machine, mmm::convolution, n, p, m);
  };
  auto const rows = {
      row_of("sum", "sequential: a PRAM, p = 1", "n", pram, mmm::sum, n, mmm::threads(1)),
      sum(pram, "PRAM", "n/p + log n"),
      sum(bpram, "BPRAM", "n/w + n/p + log n"),
      sum(dmm, "DMM", "n/w + nl/p + l log n"),
      sum(umm, "UMM", "n/w + nl/p + l log n"),
      row_of("sum by one DMM", "HMM", "n/w + dnL/p + L + log n", hmm, mmm::sum_on_one_dmm, n, p),
      sum(hmm, "HMM", "n/w + nL/p + L + log n"),
      row_of("direct convolution", "sequential: a PRAM, p = 1", "mn", pram, mmm::convolution, n,
             mmm::threads(1), m),
      convolution(pram, "PRAM", "mn/p + log m"),
      convolution(bpram, "BPRAM", "mn/w + log m"),
      convolution(dmm, "DMM", "mn/w + mnl/p + l log m"),
      convolution(umm, "UMM", "mn/w + mnl/p + l log m"),
      convolution(hmm, "HMM", "(md + n)/w + mn/(dw) + (md + n)L/p + L + log m"),
  };
  return "## Nakano 2013a: the sum and the direct convolution\n\n"
         "n = 65 536, m = 64 taps, p = 4096 threads, w = 32; l = 16 on the DMM, 400 on the UMM; "
         "the HMM has d = 16 DMMs, shared "
         "latency 1 as in the paper, and L = 400.\n\n"
         "### Table I\n\n" +
         table_of_times(rows) + "### Table II\n\n" + table_of_bounds(rows);
}

std::string tables_of_nakano_2014() {
  mmm::size const n(1 << 16);
  mmm::threads const p(1 << 12);
  mmm::dmm<w, l> const dmm;
  mmm::umm<w, L> const umm;
  mmm::hmm<d, w, 1, L> const hmm;
  mmm::pram const pram;
  mmm::bpram<w> const bpram;
  constexpr char const* simple = "(n log n)/w + (nl log n)/p + l log n";
  constexpr char const* optimal = "n/w + nl/p + l log n";
  return "## Nakano 2014: the sum and the prefix-sums\n\n"
         "The same n, p and machines. The HMM's row is ours; the papers leave it open.\n\n" +
         table_of_times({
             row_of("sum", "DMM", optimal, dmm, mmm::sum, n, p),
             row_of("sum", "UMM", optimal, umm, mmm::sum, n, p),
             row_of("prefix-sums, simple", "PRAM", "(n log n)/p + log n", pram,
                    mmm::prefix_sums_simple, n, p),
             row_of("prefix-sums, simple", "BPRAM", "(n log n)/w + log n", bpram,
                    mmm::prefix_sums_simple, n, p),
             row_of("prefix-sums, simple", "DMM", simple, dmm, mmm::prefix_sums_simple, n, p),
             row_of("prefix-sums, simple", "UMM", simple, umm, mmm::prefix_sums_simple, n, p),
             row_of("prefix-sums", "PRAM", "n/p + log n", pram, mmm::prefix_sums, n, p),
             row_of("prefix-sums", "BPRAM", "n/w + log n", bpram, mmm::prefix_sums, n, p),
             row_of("prefix-sums", "DMM", optimal, dmm, mmm::prefix_sums, n, p),
             row_of("prefix-sums", "UMM", optimal, umm, mmm::prefix_sums, n, p),
             row_of("prefix-sums", "HMM", "n/w + nL/p + L + n/(dw) + nl/p + l log n", hmm,
                    mmm::prefix_sums, n, p),
         });
}

}  // namespace results
