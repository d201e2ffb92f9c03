// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! Layouts of CuTe (CUTLASS 3 and later), plain and swizzled. Empty where CUTLASS's headers are not
//! on the include path.
#if __has_include(<cute/layout.hpp>)

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/layout/layout.hpp>
#include <mmm/layout/swizzle.hpp>

#include <cute/layout.hpp>
#include <cute/layout_composed.hpp>
#include <cute/pointer_flagged.hpp>
#include <cute/swizzle.hpp>

#include <cstddef>
#include <utility>

namespace mmm {

namespace detail {

//! The offset of coordinate `x` along a mode of a CuTe layout, whose shape may be nested: the
//! leftmost part runs fastest.
MMM_NO_SIDE_CHECK
template <class Shape, class Stride, class X>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto offset_along(Shape const& shape, Stride const& stride,
                                                          X const& x) {
  if constexpr (cute::is_tuple<Shape>::value) {
    constexpr std::size_t parts = static_cast<std::size_t>(cute::tuple_size<Shape>::value);
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      auto const part = [&]<std::size_t Part>(std::integral_constant<std::size_t, Part>) {
        index below = 1;
        [&]<std::size_t... Lower>(std::index_sequence<Lower...>) {
          ((below *= static_cast<index>(cute::size(cute::get<Lower>(shape)))), ...);
        }(std::make_index_sequence<Part>{});
        auto const& own = cute::get<Part>(shape);
        auto const& step = cute::get<Part>(stride);
        if constexpr (Part + 1 == parts)
          return offset_along(own, step, x / below);
        else
          return offset_along(own, step, x / below % static_cast<index>(cute::size(own)));
      };
      return (part(std::integral_constant<std::size_t, K>{}) + ...);
    }(std::make_index_sequence<parts>{});
  } else {
    return x * static_cast<index>(stride);
  }
}

struct no_swizzle {
  static constexpr index block() { return 1; }
  MMM_NO_SIDE_CHECK
  template <class Offset>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(Offset const& offset) const {
    return offset;
  }
};

}  // namespace detail

//! A CuTe layout of two modes, (row, column), for numbers, index expressions and warp-wide indices
//! alike. In elements. Make one with layout_of.
template <class Swizzle, class Layout>
struct cute_layout {
  [[no_unique_address]] Swizzle through;
  index offset = 0;
  [[no_unique_address]] Layout below;

  [[nodiscard]] MMM_HOST_DEVICE constexpr index rows() const {
    return static_cast<index>(cute::size<0>(below));
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index columns() const {
    return static_cast<index>(cute::size<1>(below));
  }
  //! Words of memory that the array takes up; with a swizzle, in whole blocks of it.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index words() const {
    return detail::ceil_divide(offset + static_cast<index>(cute::cosize(below)), Swizzle::block()) *
           Swizzle::block();
  }

  MMM_NO_SIDE_CHECK
  template <class Row, class Column>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(Row const& row,
                                                          Column const& column) const {
    return through(detail::offset_along(cute::get<0>(below.shape()), cute::get<0>(below.stride()),
                                        detail::coordinate(row)) +
                   detail::offset_along(cute::get<1>(below.shape()), cute::get<1>(below.stride()),
                                        detail::coordinate(column)) +
                   offset);
  }
};

//! The layout of a CuTe layout of two modes.
template <class Shape, class Stride>
requires(cute::rank_v<Shape> == 2)
[[nodiscard]] constexpr auto layout_of(cute::Layout<Shape, Stride> const& l) {
  return cute_layout<detail::no_swizzle, cute::Layout<Shape, Stride>>{{}, 0, l};
}

//! The layout of a swizzled one: `composition(Swizzle<B, M, S>{}, offset, layout)`.
template <int B, int M, int S, class Offset, class Shape, class Stride>
requires(cute::rank_v<Shape> == 2)
[[nodiscard]] constexpr auto layout_of(
    cute::ComposedLayout<cute::Swizzle<B, M, S>, Offset, cute::Layout<Shape, Stride>> const& l) {
  return cute_layout<swizzle<B, M, S>, cute::Layout<Shape, Stride>>{
      {}, static_cast<index>(l.offset()), l.layout_b()};
}

//! The layout of an atom for shared memory (as Layout_K_SW128_Atom) or of tiles of it: its swizzle
//! is of bytes, and the layout below counts elements of `Bits` bits.
template <int B, int M, int S, int Bits, class Shape, class Stride>
requires(cute::rank_v<Shape> == 2 && Bits >= 8)
[[nodiscard]] constexpr auto layout_of(
    cute::ComposedLayout<cute::Swizzle<B, M, S>, cute::smem_ptr_flag_bits<Bits>,
                         cute::Layout<Shape, Stride>> const& l) {
  return cute_layout<swizzle<B, M - detail::log2_of_element(Bits / 8), S>,
                     cute::Layout<Shape, Stride>>{{}, 0, l.layout_b()};
}

}  // namespace mmm

#endif
