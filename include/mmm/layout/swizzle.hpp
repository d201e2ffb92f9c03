// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/layout/layout.hpp>

//! Swizzles as CuTe and the Tensor Memory Accelerator have them: bits of an offset flipped by bits
//! further up.
namespace mmm {

namespace detail {
template <int Bits, int Base, int Shift>
struct swizzle_parameters {
  static_assert(Bits >= 0 && Base >= 0,
                "mmm: a swizzle has 0 bits or more, from bit 0 or above on: <Bits, Base, Shift>");
  static_assert(Shift >= Bits || Shift <= -Bits,
                "mmm: a swizzle's bits must not flip themselves: Shift is at least Bits, up or "
                "down: <Bits, Base, Shift>");
  static_assert(Bits + Base + (Shift < 0 ? -Shift : Shift) <= 62,
                "mmm: a swizzle's bits stand in 62 bits: <Bits, Base, Shift>");
  static constexpr bool accepted = true;
};
}  // namespace detail

//! CuTe's `Swizzle<B, M, S>`: the `Bits` bits of an offset from bit `Base` on are flipped by those
//! from bit `Base + Shift` on. **Shift is relative to Base**; others (cuda-oxide) count it from bit
//! 0, which is `Base + Shift` here. A negative shift flips the upper bits by the lower ones.
//!
//! Offsets are numbers, index expressions or warp-wide indices, in elements or in bytes, as the
//! layout's are.
//! Laws, for offsets >= 0: its own inverse; a permutation of every aligned block of `block()`
//! offsets, and of every larger power of two.
template <int Bits, int Base, int Shift>
struct swizzle {
  static_assert(detail::swizzle_parameters<Bits, Base, Shift>::accepted);
  static constexpr int bits = Bits;
  static constexpr int base = Base;
  static constexpr int shift = Shift;

  //! Offsets stay within their aligned block of so many.
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index block() {
    return index{1} << (Bits + Base - (Shift < 0 ? Shift : 0));
  }

  MMM_NO_SIDE_CHECK
  template <class Offset>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(Offset const& offset) const {
    auto const x = detail::coordinate(offset);
    constexpr index ones = (index{1} << Bits) - 1;
    if constexpr (Bits == 0)
      return x;
    else if constexpr (Shift >= 0)
      return x ^ (((x >> index{Base + Shift}) & ones) << index{Base});
    else
      return x ^ (((x >> index{Base}) & ones) << index{Base - Shift});
  }
  friend constexpr bool operator==(swizzle, swizzle) = default;
};

namespace detail {
constexpr int log2_of_element(int bytes) { return bytes <= 1 ? 0 : 1 + log2_of_element(bytes / 2); }

template <int Span, int ElementBytes>
struct tma_swizzle {
  static_assert(Span == 32 || Span == 64 || Span == 128,
                "mmm: the TMA swizzles 32, 64 or 128 bytes");
  static_assert(ElementBytes == 1 || ElementBytes == 2 || ElementBytes == 4 || ElementBytes == 8 ||
                    ElementBytes == 16,
                "mmm: an element of a swizzled tile has 1, 2, 4, 8 or 16 bytes");
  using type = swizzle<log2_of_element(Span / 16), 4 - log2_of_element(ElementBytes), 3>;
};
}  // namespace detail

//! The swizzle of the Tensor Memory Accelerator and of wgmma whose rows are `Span` bytes, for
//! offsets in elements of `ElementBytes`: chunks of 16 bytes are exchanged within 128 bytes by the
//! number of the 128 bytes. Of 128: the chunk is flipped by row % 8; of 64 by row / 2 % 4; of 32 by
//! row / 4 % 2 (CUDA driver API, CUtensorMapSwizzle).
//! The hardware takes the bits from the address itself: a tile starts at a multiple of `8 * Span`
//! bytes.
template <int Span, int ElementBytes>
using tma_swizzle = typename detail::tma_swizzle<Span, ElementBytes>::type;

//! A layout whose offsets go through a swizzle.
//! \param base the layout below; its words a multiple of the swizzle's block, else
//! std::invalid_argument.
template <layout Base, class Swizzle>
struct swizzled {
  Base base_layout;
  [[no_unique_address]] Swizzle through;

  MMM_NO_SIDE_CHECK
  MMM_HOST_DEVICE constexpr explicit swizzled(Base base, Swizzle s = {})
      : base_layout(base), through(s) {
    if (base.words() % Swizzle::block() != 0)
      detail::reject("the number of words of a swizzled layout", base.words(),
                     "multiples of the swizzle's block");
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index rows() const { return base_layout.rows(); }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index columns() const { return base_layout.columns(); }
  //! Words of memory that the array takes up: those of the layout below.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index words() const { return base_layout.words(); }

  MMM_NO_SIDE_CHECK
  template <class Row, class Column>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(Row const& row,
                                                          Column const& column) const {
    return detail::element(*this, row, column, through(detail::place_of(base_layout(row, column))));
  }
  friend constexpr bool operator==(swizzled const&, swizzled const&) = default;
};

}  // namespace mmm
