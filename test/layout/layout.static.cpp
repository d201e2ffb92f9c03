// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The purposes of the layouts: rows and columns without bank conflicts, and one result for every
// kind of index.
#include <mmm/index/warp_index.hpp>
#include <mmm/mmm.hpp>

#include <cstdint>
#include <type_traits>

namespace {

using shared = mmm::dmm<32, 1>;
using mmm::item;

static_assert(mmm::layout<mmm::row_major>);
static_assert(mmm::layout<mmm::column_major>);
static_assert(mmm::layout<mmm::padded>);
static_assert(mmm::layout<mmm::xor_swizzled>);
static_assert(mmm::layout<mmm::rotated>);

template <class Layout>
constexpr bool free_in_both_directions(Layout const& tile) {
  for (mmm::index k = 0; k < 32; ++k)
    if (!mmm::conflict_free<shared>(tile(k, item)) || !mmm::conflict_free<shared>(tile(item, k)))
      return false;
  return true;
}
static_assert(!free_in_both_directions(mmm::row_major(32, 32)));
static_assert(!free_in_both_directions(mmm::column_major(32, 32)));
static_assert(free_in_both_directions(mmm::padded(32, 32, 1)));
static_assert(free_in_both_directions(mmm::xor_swizzled(32, 32)));
static_assert(free_in_both_directions(mmm::rotated(32, 32)));

// The word of an element, and the number of words in memory.
static_assert(mmm::row_major(3, 5)(2, 1) == 11 && mmm::row_major(3, 5).words() == 15);
static_assert(mmm::column_major(3, 5)(2, 1) == 5 && mmm::column_major(3, 5).words() == 15);
static_assert(mmm::padded(3, 5, 2)(2, 1) == 15 && mmm::padded(3, 5, 2).words() == 19);
static_assert(mmm::padded(3, 5, 2).rows() == 3 && mmm::padded(3, 5, 2).columns() == 5);
static_assert(mmm::xor_swizzled(8, 4)(7, 1) == 30 && mmm::xor_swizzled(8, 4).words() == 32);
static_assert(mmm::rotated(3, 5)(2, 4) == 11 && mmm::rotated(3, 5).words() == 15);
static_assert(mmm::padded(0, 5, 2).words() == 0 && mmm::padded(3, 0, 2).words() == 0);

// A layout accepts integers of any type, integral constants, index expressions and warp-wide
// indices.
template <int Number>
constexpr std::integral_constant<int, Number> number{};
template <class Layout>
constexpr bool one_meaning(Layout const& tile) {
  mmm::warp_index<4> const lanes(0, 1);
  for (int t = 0; t < 4; ++t) {
    mmm::index const word = tile(mmm::index{t}, mmm::index{3});
    if (tile(t, 3) != word || tile(static_cast<std::uint8_t>(t), 3U) != word ||
        tile(t, number<3>) != word)
      return false;
    if (tile(item, 3)(t) != word || tile(item, number<3>)(t) != word ||
        tile(item % 4, item * 0 + 3)(t) != word)
      return false;
    if (tile(lanes, 3)[t] != word || tile(lanes, number<3>)[t] != word ||
        tile(lanes, lanes * 0 + 3)[t] != word)
      return false;
  }
  return tile(number<2>, number<3>) == tile(2, 3);
}
static_assert(one_meaning(mmm::row_major(4, 8)));
static_assert(one_meaning(mmm::column_major(4, 8)));
static_assert(one_meaning(mmm::padded(4, 8, 3)));
static_assert(one_meaning(mmm::xor_swizzled(4, 8)));
static_assert(one_meaning(mmm::rotated(4, 8)));

// The arithmetic uses 64 bits.
static_assert(mmm::row_major(1 << 20, 1 << 20)((1 << 20) - 1, (1 << 20) - 1) ==
              (mmm::index{1} << 40) - 1);

// Layouts and the expressions that they return are structural, so that they can be template
// arguments.
template <auto Layout>
struct tagged {
  static constexpr mmm::index words = Layout.words();
};
static_assert(tagged<mmm::padded(4, 8, 1)>::words == 35);
static_assert(!std::is_same_v<tagged<mmm::padded(4, 8, 1)>, tagged<mmm::padded(4, 8, 2)>>);
static_assert(tagged<mmm::row_major(4, 8)>::words == 32);

// Layouts compare all that they are, and with their own kind only; a shape alone is no layout.
template <class A, class B>
concept comparable = requires(A a, B b) { a == b; };
static_assert(mmm::padded(4, 8, 1) == mmm::padded(4, 8, 1));
static_assert(mmm::padded(4, 8, 1) != mmm::padded(4, 8, 2));
static_assert(mmm::row_major(4, 8) != mmm::row_major(8, 4));
static_assert(comparable<mmm::layout_shape, mmm::layout_shape>);
static_assert(!comparable<mmm::row_major, mmm::column_major>);
static_assert(!comparable<mmm::row_major, mmm::layout_shape>);
static_assert(!mmm::layout<mmm::layout_shape>);
static_assert(!std::is_constructible_v<mmm::row_major, int, int, int>);

}  // namespace
