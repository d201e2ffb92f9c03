// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CuTe's layouts and swizzles: the library puts every element where CuTe puts it, for numbers,
// index expressions and warp-wide indices.
#include <mmm/gpu/cost.hpp>
#include <mmm/index/warp_index.hpp>
#include <mmm/interop/cute.hpp>
#include <mmm/layout/check.hpp>
#include <mmm/layout/row_major.hpp>
#include <mmm/layout/strided.hpp>

#include "catch.hpp"

#include <cute/swizzle_layout.hpp>

namespace {

using cute::_1;
using cute::_16;
using cute::_2;
using cute::_32;
using cute::_4;
using cute::_64;
using cute::_8;
using mmm::index;
using mmm::item;
using mmm::layout_of;

//! Compares a layout with CuTe's at every place, with every kind of index.
template <class Cute>
void agrees(Cute const& theirs) {
  auto const ours = layout_of(theirs);
  static_assert(mmm::layout<std::remove_const_t<decltype(ours)>>);
  index const rows = static_cast<index>(cute::size<0>(theirs));
  index const columns = static_cast<index>(cute::size<1>(theirs));
  REQUIRE(ours.rows() == rows);
  REQUIRE(ours.columns() == columns);
  auto const by_item = ours(item / columns, item % columns);
  index wrong = 0;
  index largest = 0;
  for (index i = 0; i < rows * columns; ++i) {
    index const expected =
        static_cast<index>(theirs(static_cast<int>(i / columns), static_cast<int>(i % columns)));
    largest = std::max(largest, expected);
    wrong += ours(i / columns, i % columns) != expected || by_item(i) != expected;
  }
  mmm::warp_index<32> const lanes(0, 1);
  auto const warp = ours(lanes % rows, lanes * 3 % columns);
  for (int t = 0; t < 32; ++t)
    wrong += warp[t] != static_cast<index>(
                            theirs(static_cast<int>(t % rows), static_cast<int>(t * 3 % columns)));
  CHECK(wrong == 0);
  CHECK(largest < ours.words());
}

//! Compares a swizzle with CuTe's on every offset of four of its blocks.
template <int B, int M, int S>
void swizzle_agrees() {
  index const count = 4 * mmm::swizzle<B, M, S>::block();
  index wrong = 0;
  for (index x = 0; x < count; ++x)
    wrong += mmm::swizzle<B, M, S>{}(x) !=
             static_cast<index>(cute::Swizzle<B, M, S>{}(static_cast<int>(x)));
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("CuTe's layouts") {
  agrees(cute::make_layout(cute::make_shape(_32{}, _32{}), cute::make_stride(_32{}, _1{})));
  agrees(cute::make_layout(cute::make_shape(_32{}, _32{})));
  agrees(cute::make_layout(cute::make_shape(7, 5), cute::make_stride(6, 1)));
  agrees(cute::make_layout(
      cute::make_shape(cute::make_shape(_4{}, _8{}), cute::make_shape(_2{}, _4{})),
      cute::make_stride(cute::make_stride(_2{}, _64{}), cute::make_stride(_1{}, _8{}))));
  agrees(cute::make_layout(
      cute::make_shape(_8{}, cute::make_shape(_2{}, cute::make_shape(3, _4{}))),
      cute::make_stride(_2{}, cute::make_stride(_1{}, cute::make_stride(64, _16{})))));
  agrees(cute::composition(
      cute::Swizzle<3, 3, 3>{}, cute::Int<0>{},
      cute::make_layout(cute::make_shape(_8{}, _64{}), cute::make_stride(_64{}, _1{}))));
  agrees(cute::composition(
      cute::Swizzle<2, 1, 5>{}, 16,
      cute::make_layout(cute::make_shape(_16{}, 24), cute::make_stride(24, _1{}))));
}

TEST_CASE("CuTe's swizzles") {
  swizzle_agrees<0, 0, 0>();
  swizzle_agrees<1, 4, 3>();
  swizzle_agrees<2, 4, 3>();
  swizzle_agrees<3, 4, 3>();
  swizzle_agrees<3, 3, 3>();
  swizzle_agrees<3, 2, 5>();
  swizzle_agrees<5, 0, 5>();
  swizzle_agrees<2, 1, -3>();
  swizzle_agrees<3, 0, -3>();
}

TEST_CASE("a tile that CuTe stores and this library loads, without a conflict") {
  constexpr auto theirs = layout_of(cute::composition(
      cute::Swizzle<3, 3, 3>{}, cute::Int<0>{},
      cute::make_layout(cute::make_shape(_64{}, _64{}), cute::make_stride(_64{}, _1{}))));
  constexpr mmm::swizzled ours(mmm::row_major(64, 64), mmm::tma_swizzle<128, 2>{});
  CHECK(mmm::same_places(theirs, ours));
  using namespace mmm::gpu;
  STATIC_REQUIRE(conflict_free<ldmatrix<4>>(theirs(item % 16, item / 16 * 8) * 2));
}
