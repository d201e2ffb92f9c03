// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>

namespace mmm {

//! Items 0 … n - 1 in consecutive blocks of almost equal size: block b has `floor(n / blocks)`
//! items, and one more if `b < n mod blocks`.
//! Laws: `first(0) == 0`, `first(b + 1) == first(b) + words(b)`, `first(blocks) == n`;
//! `block_of(i) == b` for `first(b) <= i < first(b + 1)`.
//! Errors: std::invalid_argument for a negative number of items or no block.
struct block_distribution {
  index items = 0;
  index blocks = 1;

  constexpr block_distribution() = default;
  constexpr block_distribution(index n, index number_of_blocks)
      : items(n), blocks(number_of_blocks) {
    if (n < 0) detail::reject("the number of items to distribute", n, "0 or more");
    if (number_of_blocks < 1) detail::reject("the number of blocks", number_of_blocks, "1 or more");
  }
  [[nodiscard]] constexpr index total() const { return items; }
  //! Number of the larger blocks, which come first; 0 if all are equal.
  [[nodiscard]] constexpr index larger_blocks() const { return items % blocks; }
  [[nodiscard]] constexpr index words(index block) const {
    return items / blocks + (block < larger_blocks() ? 1 : 0);
  }
  [[nodiscard]] constexpr index first(index block) const {
    return items / blocks * block + detail::smaller(block, larger_blocks());
  }
  //! The item that is number i of a block.
  [[nodiscard]] constexpr index place(index block, index i) const { return first(block) + i; }
  //! The block of item i.
  [[nodiscard]] constexpr index block_of(index i) const {
    index const in_larger = first(larger_blocks());
    index const size = items / blocks;
    return i < in_larger ? i / (size + 1) : larger_blocks() + (i - in_larger) / size;
  }
  friend constexpr bool operator==(block_distribution const&, block_distribution const&) = default;
};

}  // namespace mmm
