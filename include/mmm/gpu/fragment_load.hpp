// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/gpu/access.hpp>
#include <mmm/gpu/choose_layout.hpp>
#include <mmm/gpu/fragment.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/layout/layout.hpp>

//! Loads of fragments from a tile in shared memory, by ldmatrix or lane by lane: the addresses that
//! the lanes give, their cost, and whether the right elements arrive.
//!
//!     using a = mmm::gpu::mma<16, 8, 16, mmm::gpu::data_type::f16>::a;
//!     constexpr auto tile = mmm::swizzled(mmm::row_major(64, 64), mmm::tma_swizzle<128, 2>{});
//!     static_assert(mmm::gpu::loads<a, mmm::gpu::ldmatrix<4>>(tile));
//!     static_assert(mmm::gpu::assert_conflict_free<
//!         mmm::gpu::ldmatrix<4>, mmm::gpu::fragment_addresses<a, mmm::gpu::ldmatrix<4>>(tile)>);
namespace mmm::gpu {

//! Element (row, column), as index expressions in mmm::item, which is the lane.
template <class Row, class Column>
struct element_at {
  Row row;
  Column column;
};

namespace detail {

template <class A>
inline constexpr bool is_transposing = requires { requires A::transposing; };

//! Elements of one row of an 8 x 8 matrix of ldmatrix: 16 bytes.
template <class F>
inline constexpr int matrix_columns = 128 / F::bits;

template <class F, class A>
struct fragment_load {
  static_assert(
      A{}.of_matrices() ? F::packed * F::bits == 32 : true,
      "mmm: ldmatrix and stmatrix move fragments whose lanes hold registers of 32 bits of "
      "neighbouring elements: operands of 4 to 32 bits, results of 16");
  static_assert(!is_transposing<A> || F::bits == 16,
                "mmm: ldmatrix.trans transposes elements of 16 bits");
  static_assert(A{}.of_matrices() || A{}.bytes * 8 == F::packed * F::bits,
                "mmm: lane by lane, an access moves the neighbouring elements that a lane holds: "
                "load<packed * bits / 8>");
  static constexpr int row_groups = F::rows / 8;
  static constexpr int matrices = row_groups * (F::columns / matrix_columns<F>);
};

}  // namespace detail

//! The element whose address lane `mmm::item % 32` gives to move the fragment that begins at (row,
//! column) of a tile.
//!
//! \tparam F a fragment. \tparam A ldmatrix, ldmatrix_trans, stmatrix, stmatrix_trans; or load,
//! store of a lane's `packed` neighbouring elements. Matrices beyond those of the fragment belong
//! to those that begin `F::rows` further down. \param part the first matrix (of 8 x 16 bytes) that
//! the access moves, or the group of elements of each lane. Tiles of B have a row for each column
//! of the product, as mma::b.
template <class F, static_access A>
[[nodiscard]] constexpr auto fragment_element(index row = 0, index column = 0, int part = 0) {
  using shape = detail::fragment_load<F, A>;
  if constexpr (A{}.of_matrices()) {
    auto const number = item % 32 / 8 + part;
    auto const matrix = number % shape::matrices;
    auto const first_row =
        matrix % shape::row_groups * 8 + number / shape::matrices * F::rows + row;
    auto const first_column = matrix / shape::row_groups * detail::matrix_columns<F> + column;
    if constexpr (detail::is_transposing<A>)
      return element_at<decltype(first_row), decltype(first_column + item % 8)>{
          first_row, first_column + item % 8};
    else
      return element_at<decltype(first_row + item % 8), decltype(first_column)>{
          first_row + item % 8, first_column};
  } else {
    auto const own_row = F::row(item, part * F::packed) + row;
    auto const own_column = F::column(item, part * F::packed) + column;
    return element_at<decltype(own_row), decltype(own_column)>{own_row, own_column};
  }
}

//! The byte addresses that the lanes give, as an expression in mmm::item, for wavefronts and
//! assert_conflict_free. \param tile its layout, in elements of the fragment's bits; the rest as
//! fragment_element.
template <class F, static_access A, layout Tile>
[[nodiscard]] constexpr auto fragment_addresses(Tile const& tile, index row = 0, index column = 0,
                                                int part = 0) {
  auto const e = fragment_element<F, A>(row, column, part);
  if constexpr (F::bits >= 8)
    return tile(e.row, e.column) * (F::bits / 8);
  else
    return tile(e.row, e.column) / (8 / F::bits);
}

//! The same as an access to a tile, for choose_layout. \param times its weight. By ldmatrix_trans
//! and stmatrix_trans, the tile has a row for each column of the fragment.
template <class F, static_access A>
[[nodiscard]] constexpr auto fragment_access(index times = 1, index row = 0, index column = 0,
                                             int part = 0) {
  auto const e = fragment_element<F, A>(row, column, part);
  if constexpr (detail::is_transposing<A>)
    return tile_access<A>(e.column, e.row, times);
  else
    return tile_access<A>(e.row, e.column, times);
}

//! True if the access of fragment_addresses brings every lane its elements of the fragment: the
//! tile has them side by side in memory, where the instruction takes them from. Time: O(elements).
template <class F, static_access A, layout Tile>
[[nodiscard]] constexpr bool loads(Tile const& tile, index row = 0, index column = 0,
                                   int part = 0) {
  using shape = detail::fragment_load<F, A>;
  auto const e = fragment_element<F, A>(row, column, part);
  auto const place_given_by = [&](int lane) { return tile(e.row(lane), e.column(lane)); };
  if constexpr (A{}.of_matrices()) {
    for (int q = 0; q < A{}.matrices; ++q) {
      int const matrix = (q + part) % shape::matrices;
      for (int lane = 0; lane < 32; ++lane)
        for (int j = 0; j < F::packed; ++j) {
          int const element = matrix * F::packed + j;
          index const wanted =
              tile(row + F::row(lane, element) + (q + part) / shape::matrices * F::rows,
                   column + F::column(lane, element));
          // Register q of a lane is a pair of bytes' neighbours in row lane / 4 of matrix q; with
          // .trans, element lane / 4 of two of its rows.
          index const arrives = detail::is_transposing<A>
                                    ? place_given_by(q * 8 + lane % 4 * 2 + j) + lane / 4
                                    : place_given_by(q * 8 + lane / 4) + lane % 4 * F::packed + j;
          if (wanted != arrives) return false;
        }
    }
  } else {
    for (int lane = 0; lane < 32; ++lane)
      for (int j = 0; j < F::packed; ++j)
        if (tile(row + F::row(lane, part * F::packed + j),
                 column + F::column(lane, part * F::packed + j)) != place_given_by(lane) + j)
          return false;
  }
  return true;
}

}  // namespace mmm::gpu
