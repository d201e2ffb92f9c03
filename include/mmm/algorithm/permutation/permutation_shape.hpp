// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/machine/machine.hpp>

namespace mmm {

//! The arrangement of n words for a scheduled permutation on machines of a width: one row on a
//! machine with one memory; on an HMM a matrix of rows that fit into a shared memory.
struct permutation_shape {
  index n = 0;        //!< words to permute
  index width = 1;    //!< banks of a shared memory, w
  index rows = 1;     //!< 1, or a multiple of w
  index columns = 0;  //!< n in one memory, otherwise a multiple of w

  //! The shape for machine `m`. On an HMM, up to w^2 words are one row, which one DMM permutes;
  //! more words are a matrix of `columns >= rows`, the least multiple of w whose square is n or
  //! more, and as many rows as it takes. The matrix has at most 3n words, and n where n is the
  //! square of a multiple of w; the words after the n-th are padding, which stays in place. Errors:
  //! std::invalid_argument for a negative n.
  template <machine M>
  [[nodiscard]] static constexpr permutation_shape on_machine(M const& m, index n) {
    if (n < 0) detail::reject("the number of words to permute", n, "0 or more");
    index const w = m.width();
    if constexpr (!hierarchical_machine<M>) {
      return {n, w, 1, n};
    } else {
      if (n <= detail::checked_multiply(w, w)) return {n, w, 1, detail::ceil_divide(n, w) * w};
      index const columns = detail::ceil_divide(root_of(n), w) * w;
      return {n, w, detail::ceil_divide(detail::ceil_divide(n, columns), w) * w, columns};
    }
  }

  //! Number of words of the arrangement, n or more.
  [[nodiscard]] constexpr index area() const { return detail::checked_multiply(rows, columns); }
  //! Number of conflict-free rounds of a row: ceil(columns / w).
  [[nodiscard]] MMM_HOST_DEVICE constexpr index rounds() const {
    return detail::ceil_divide(columns, width);
  }
  //! Number of words of a schedule: two indices for each word, on a matrix in each of three phases.
  [[nodiscard]] constexpr index schedule_words() const {
    return rows > 1 ? detail::checked_multiply(6, area())
                    : detail::checked_multiply(2, rounds() * width);
  }
  friend constexpr bool operator==(permutation_shape const&, permutation_shape const&) = default;

 private:
  //! The square root of n >= 1, rounded up.
  [[nodiscard]] static constexpr index root_of(index n) {
    index low = 0, high = 3037000500;  // low^2 < n <= high^2
    while (high - low > 1) {
      index const middle = low + (high - low) / 2;
      (middle <= 3037000499 && middle * middle < n ? low : high) = middle;
    }
    return high;
  }
};

}  // namespace mmm
