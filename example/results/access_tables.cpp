// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/access/contiguous.hpp>
#include <mmm/algorithm/access/stride.hpp>
#include <mmm/algorithm/transpose/transpose.hpp>

#include "document.hpp"

namespace results {

std::string tables_of_nakano_2012() {
  constexpr index w = 32, l = 16, L = 400;
  mmm::size const n(1 << 16);
  mmm::threads const p(1 << 10);
  mmm::pram const pram;
  mmm::bpram<w> const bpram;
  mmm::dmm<w, l> const dmm;
  mmm::umm<w, L> const umm;
  std::string text = "## Nakano 2012: accesses and transposes\n\n"
                     "n = 65 536, p = 1024, so that s = n/p = 64; w = 32, l = 16 on the DMM and "
                     "400 on the UMM; G = gcd(s, w) = 32.\n\n"
                     "### Table 1\n\n";
  text += table_of_times({
      row_of("contiguous access", "PRAM", "n/p", pram, mmm::contiguous, n, p),
      row_of("contiguous access", "BPRAM", "n/w", bpram, mmm::contiguous, n, p),
      row_of("contiguous access", "DMM", "n/w + nl/p", dmm, mmm::contiguous, n, p),
      row_of("contiguous access", "UMM", "n/w + nl/p", umm, mmm::contiguous, n, p),
      row_of("stride access", "PRAM", "n/p", pram, mmm::stride, n, p),
      row_of("stride access", "BPRAM", "n/w", bpram, mmm::stride, n, p),
      row_of("stride access", "DMM", "Gn/w + nl/p", dmm, mmm::stride, n, p),
      row_of("stride access", "UMM", "min(n, sn/w) + nl/p", umm, mmm::stride, n, p),
  });
  text += "The values of the DMM and the UMM have one latency l more, which theorem 1 of Nakano "
          "2012 leaves out and lemma 1 of Nakano 2013a has.\n\n"
          "### The transposes\n\n"
          "A square of 256 x 256 words.\n\n";
  mmm::size const side(256);
  return text + table_of_times({
                    row_of("straightforward", "PRAM", "n/p", pram, mmm::transpose_straightforward,
                           side, p),
                    row_of("straightforward", "BPRAM", "n/w", bpram, mmm::transpose_straightforward,
                           side, p),
                    row_of("straightforward", "DMM", "gcd(√n, w) n/w + nl/p", dmm,
                           mmm::transpose_straightforward, side, p),
                    row_of("straightforward", "UMM", "min(n, √n n/w) + nl/p", umm,
                           mmm::transpose_straightforward, side, p),
                    row_of("diagonal", "DMM", "n/w + nl/p", dmm, mmm::transpose_diagonal, side, p),
                    row_of("rotating", "UMM", "n/w + nl/p", umm, mmm::transpose_rotating, side, p),
                });
}

}  // namespace results
