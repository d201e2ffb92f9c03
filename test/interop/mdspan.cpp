// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts of mdspan used in the library, and layouts of the library used in mdspans: cuda::std's,
// and std's where the standard library has mdspan.
#include <mmm/cost/cost.hpp>
#include <mmm/interop/mdspan.hpp>
#include <mmm/layout/check.hpp>
#include <mmm/layout/row_major.hpp>
#include <mmm/layout/swizzle.hpp>

#include <cuda/std/array>
#include <cuda/std/mdspan>

#include <version>
#if defined(__cpp_lib_mdspan)
#include <mdspan>
#endif

#include "catch.hpp"

#include <numeric>
#include <stdexcept>
#include <vector>

namespace {

using mmm::index;
using mmm::item;

template <class Mapping>
void agrees(Mapping const& theirs) {
  auto const ours = mmm::layout_of(theirs);
  using number = typename Mapping::index_type;
  index const columns = ours.columns();
  auto const by_item = ours(item / columns, item % columns);
  index wrong = 0;
  for (index i = 0; i < ours.rows() * columns; ++i) {
    auto const expected = static_cast<index>(
        theirs(static_cast<number>(i / columns), static_cast<number>(i % columns)));
    wrong += ours(i / columns, i % columns) != expected || by_item(i) != expected;
  }
  CHECK(wrong == 0);
  CHECK(ours.rows() == static_cast<index>(theirs.extents().extent(0)));
  CHECK(columns == static_cast<index>(theirs.extents().extent(1)));
  CHECK(ours.words() == static_cast<index>(theirs.required_span_size()));
}

//! An array is written through an mdspan and read through the library's layout.
template <template <class, class, class...> class Mdspan, class Extents>
void stores_where_the_layout_loads() {
  static constexpr mmm::swizzled tile(mmm::row_major(8, 32), mmm::swizzle<3, 2, 3>{});
  std::vector<float> memory(static_cast<std::size_t>(tile.words()), -1.0F);
  Mdspan<float, Extents, mmm::mdspan_layout<tile>> const view(memory.data(), Extents{});
  CHECK(view.mapping().required_span_size() == 256);
  CHECK(view.mapping().is_exhaustive());
  for (int row = 0; row < 8; ++row)
    for (int column = 0; column < 32; ++column)
      view.accessor().access(view.data_handle(),
                             static_cast<std::size_t>(view.mapping()(row, column))) =
          static_cast<float>(row * 32 + column);
  index wrong = 0;
  for (index row = 0; row < 8; ++row)
    for (index column = 0; column < 32; ++column)
      wrong += memory[static_cast<std::size_t>(tile(row, column))] !=
               static_cast<float>(row * 32 + column);
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("mappings of cuda::std::mdspan") {
  namespace c = cuda::std;
  using square = c::extents<int, 32, 32>;
  using any = c::dextents<long, 2>;
  agrees(c::layout_right::mapping<square>{});
  agrees(c::layout_left::mapping<square>{});
  agrees(c::layout_right::mapping<any>(any(5, 7)));
  agrees(c::layout_left::mapping<any>(any(5, 7)));
  agrees(c::layout_stride::mapping<any>(any(5, 7), c::array<long, 2>{9, 1}));
  agrees(c::layout_stride::mapping<any>(any(1, 7), c::array<long, 2>{1, 3}));
  static_assert(mmm::stages<mmm::dmm<32, 1>>(
                    mmm::layout_of(c::layout_right::mapping<square>{})(item, 0)) == 32);
  CHECK(
      mmm::same_places(mmm::layout_of(c::layout_right::mapping<square>{}), mmm::row_major(32, 32)));
  stores_where_the_layout_loads<c::mdspan, c::extents<int, 8, 32>>();
  using wrong_shape = c::extents<int, 8, 33>;
  CHECK_THROWS_AS(mmm::mdspan_layout<mmm::row_major(8, 32)>::mapping<wrong_shape>(wrong_shape{}),
                  std::invalid_argument);
  using own_mapping = mmm::mdspan_layout<mmm::row_major(8, 32)>::mapping<c::extents<int, 8, 32>>;
  static_assert(!mmm::matrix_mapping<own_mapping>);  // it has no strides
}

TEST_CASE("mappings of std::mdspan") {
#if defined(__cpp_lib_mdspan)
  using square = std::extents<int, 32, 32>;
  using any = std::dextents<long, 2>;
  agrees(std::layout_right::mapping<square>{});
  static_assert(mmm::same_places(mmm::layout_of(std::layout_left::mapping<square>{}),
                                 mmm::column_major(32, 32)));
  static_assert(mmm::stages<mmm::dmm<32, 1>>(
                    mmm::layout_of(std::layout_right::mapping<square>{})(item, 0)) == 32);
  agrees(std::layout_left::mapping<any>(any(5, 7)));
  agrees(std::layout_stride::mapping<any>(any(5, 7), std::array<long, 2>{9, 1}));
  stores_where_the_layout_loads<std::mdspan, std::extents<int, 8, 32>>();
#else
  SKIP_HERE("std::mdspan comes with C++23");
#endif
}
