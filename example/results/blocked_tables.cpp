// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/image/image_convolution.hpp>
#include <mmm/algorithm/product/matrix_multiply.hpp>

#include "document.hpp"

namespace results {

std::string tables_of_nakano_ito_2014() {
  constexpr index w = 32, l = 4, L = 400, d = 16;
  mmm::dmm<w, l> const dmm;
  mmm::hmm<d, w, l, L> const hmm;
  mmm::size const n(512);
  mmm::threads const of_one(512);
  mmm::threads const of_all(512 * d);
  mmm::radius const v(3);
  mmm::tile const m(32);
  constexpr char const* image = "n²/w + n²L/(dp) + n²v²/(dw) + n²v²l/(dp)";
  constexpr char const* product = "n³/(mw) + n³L/(mdp) + n³/(dw) + n³l/(dp)";
  auto const rows = {
      row_of("image convolution", "DMM", "n²v²/w + n²v²l/p", dmm, mmm::image_convolution, n, of_one,
             v),
      row_of("image convolution", "HMM", image, hmm, mmm::image_convolution, n, of_all, v),
      row_of("image convolution, sums in memory", "HMM", image, hmm,
             mmm::image_convolution_in_memory, n, of_all, v),
      row_of("matrix product", "DMM", "n³/w + n³l/p", dmm, mmm::matrix_multiply, n, of_one, m),
      row_of("matrix product", "HMM", product, hmm, mmm::matrix_multiply, n, of_all, m),
      row_of("matrix product, sums in memory", "HMM", product, hmm, mmm::matrix_multiply_in_memory,
             n, of_all, m),
  };
  return "## Nakano and Ito 2014: image convolution and matrix product\n\n"
         "n x n words with n = 512, v = 3, m = 32; p = 512 threads per DMM, w = 32, l = 4; the HMM "
         "has d = 16 DMMs, L = 400. The "
         "values are taken with (2v + 1)² where the paper writes v².\n\n"
         "### Table I\n\n" +
         table_of_times(rows) + "Its columns are the limitations:\n\n" + table_of_bounds(rows);
}

}  // namespace results
