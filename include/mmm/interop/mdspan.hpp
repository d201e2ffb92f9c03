// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/layout/layout.hpp>
#include <mmm/layout/strided.hpp>

#include <array>
#include <concepts>
#include <cstddef>

//! Layouts of `std::mdspan` and `cuda::std::mdspan`. Includes neither: what counts is how a mapping
//! looks.
namespace mmm {

//! A mapping of a matrix that has strides: `layout_right::mapping<extents<int, 32, 32>>`,
//! `layout_stride::mapping<…>` and the like.
template <class M>
concept matrix_mapping =
    M::extents_type::rank() == 2 && requires(M const& m, typename M::index_type i) {
      { m.extents().extent(0) } -> std::convertible_to<index>;
      { m.required_span_size() } -> std::convertible_to<index>;
      { m.is_strided() } -> std::convertible_to<bool>;
      { m.stride(std::size_t{}) } -> std::convertible_to<index>;
      { m(i, i) } -> std::convertible_to<index>;
    };

//! The layout of a strided mapping; rows are its first extent. std::invalid_argument for a mapping
//! that is not strided, and for strides by which elements share words.
template <matrix_mapping M>
[[nodiscard]] constexpr strided layout_of(M const& mapping) {
  if (!mapping.is_strided()) detail::reject("whether the mapping of an mdspan is strided", 0, "1");
  auto const extents = mapping.extents();
  auto const steps = [&](std::size_t r) {  // a stride of an extent of 1 may be anything
    return extents.extent(r) > 1 ? static_cast<index>(mapping.stride(r)) : index{1};
  };
  return strided(static_cast<index>(extents.extent(0)), static_cast<index>(extents.extent(1)),
                 steps(0), steps(1));
}

//! Layout policy for mdspans by any layout of this library:
//! `mdspan<float, extents<int, 32, 32>, mdspan_layout<tile>>`. The extents must be the layout's
//! shape; otherwise std::invalid_argument.
template <layout auto Layout>
struct mdspan_layout {
  template <class Extents>
  class mapping {
   public:
    using extents_type = Extents;
    using index_type = typename Extents::index_type;
    using size_type = typename Extents::size_type;
    using rank_type = typename Extents::rank_type;
    using layout_type = mdspan_layout;
    static_assert(Extents::rank() == 2, "mmm: a layout is of two dimensions");

    MMM_HOST_DEVICE constexpr mapping() : mapping(Extents{}) {}
    MMM_NO_SIDE_CHECK
    MMM_HOST_DEVICE constexpr mapping(Extents const& extents) : extents_(extents) {
      if (static_cast<index>(extents.extent(0)) != Layout.rows())
        detail::reject("the number of rows of an mdspan", static_cast<index>(extents.extent(0)),
                       "the layout's");
      if (static_cast<index>(extents.extent(1)) != Layout.columns())
        detail::reject("the number of columns of an mdspan", static_cast<index>(extents.extent(1)),
                       "the layout's");
    }
    [[nodiscard]] MMM_HOST_DEVICE constexpr Extents const& extents() const noexcept {
      return extents_;
    }
    template <class Row, class Column>
    [[nodiscard]] MMM_HOST_DEVICE constexpr index_type operator()(Row row,
                                                                  Column column) const noexcept {
      return static_cast<index_type>(Layout(static_cast<index>(row), static_cast<index>(column)));
    }
    [[nodiscard]] MMM_HOST_DEVICE constexpr index_type required_span_size() const noexcept {
      return static_cast<index_type>(Layout.words());
    }
    static constexpr bool is_always_unique() noexcept { return true; }
    static constexpr bool is_always_exhaustive() noexcept { return false; }
    static constexpr bool is_always_strided() noexcept { return false; }
    static constexpr bool is_unique() noexcept { return true; }
    static constexpr bool is_exhaustive() noexcept {
      return Layout.words() == Layout.rows() * Layout.columns();
    }
    static constexpr bool is_strided() noexcept { return false; }
    friend constexpr bool operator==(mapping const& a, mapping const& b) noexcept {
      return a.extents_ == b.extents_;
    }

   private:
    Extents extents_;
  };
};

}  // namespace mmm
