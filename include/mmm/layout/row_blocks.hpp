// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/layout/block_distribution.hpp>

namespace mmm {

//! A row-major matrix in blocks of whole rows. Laws: as of mmm::block_distribution, for the words
//! of the matrix. Errors: std::overflow_error for more than 2^63 - 1 words.
struct row_blocks {
  block_distribution rows;
  index columns = 0;

  [[nodiscard]] constexpr index total() const {
    return detail::checked_multiply(rows.total(), columns);
  }
  [[nodiscard]] constexpr index words(index block) const {
    return detail::checked_multiply(rows.words(block), columns);
  }
  [[nodiscard]] constexpr index first(index block) const {
    return detail::checked_multiply(rows.first(block), columns);
  }
  //! The place in the matrix of word i of a block.
  [[nodiscard]] constexpr index place(index block, index i) const { return first(block) + i; }
  friend constexpr bool operator==(row_blocks const&, row_blocks const&) = default;
};

}  // namespace mmm
