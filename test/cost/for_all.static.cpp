// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements for all values of a symbol, as constants. test/cost/for_all.cpp compares many with an
// enumeration.
#include <mmm/cost/for_all.hpp>
#include <mmm/layout/row_major.hpp>
#include <mmm/layout/swizzled.hpp>

namespace {

using namespace mmm;
using shared = dmm<32, 1>;
using global = umm<32, 1>;

// [for_all]
constexpr auto stride = symbol;
static_assert(conflict_free<shared>(item * stride, for_all(stride, odd)));
static_assert(!conflict_free<shared>(item * stride, for_all(stride, even)));
constexpr auto worst = max_stages<shared>(item * stride, for_all(stride, even));
static_assert(worst.cost == 32 && worst.value() == 32);  // a counterexample
constexpr auto offset = second_symbol;
static_assert(conflict_free<shared>(item * stride + offset, for_all(stride, odd, offset, even)));
// rows of an odd number of words: in each of 32 rows, 32 words are in 32 banks
static_assert(conflict_free<shared>(offset * stride + item,
                                    for_all(stride, odd, offset, {0, 1, 31})));
// [/for_all]

// A column of rows of n + 1 words, for every n divisible by 32; without the padding, the worst.
static_assert(conflict_free<shared>(item * (symbol + 1), for_all(symbol, multiples_of(32))));
static_assert(max_stages<shared>(item * symbol, for_all(symbol, multiples_of(32))).cost == 32);
// Strides up to 15, and all that are 4 modulo 8: four banks apart, so eight of them
static_assert(max_stages<shared>(item * symbol, for_all(symbol, {1, 1, 15})).cost == 8);
static_assert(max_stages<shared>(item * symbol, for_all(symbol, {4, 8})).cost == 4);
// Whatever column of a swizzled tile, and whatever start of a row
static_assert(conflict_free<shared>(xor_swizzled(32, 32)(item, symbol),
                                    for_all(symbol, {0, 1, 31})));
static_assert(conflict_free<shared>(item + symbol, for_all(symbol, every)));
static_assert(!conflict_free<shared>(row_major(32, 32)(item, symbol), for_all(symbol, {0, 1, 31})));

// Two words of a bank that pass each other at symbol = 6, where they are one word: the other values
// have the conflict, and that value alone has none.
constexpr auto passing = select(item < 1, symbol * 32, 192);
static_assert(max_stages<shared>(passing, for_all(symbol, every)).cost == 2);
static_assert(max_stages<shared>(passing, for_all(symbol, {6, 1, 6})).cost == 1);
static_assert(max_stages<shared>(passing, for_all(symbol, {6, 1})).value() == 7);

// A warp's row is in one address group if it begins at one; otherwise in two.
static_assert(coalesced<global>(item + symbol, for_all(symbol, multiples_of(32))));
static_assert(max_stages<global>(item + symbol, for_all(symbol, every)).cost == 2);
static_assert(max_stages<dmm<1, 1>>(item * symbol, for_all(symbol, every)).cost == 1);
static_assert(max_stages<shared>(item * symbol, for_all(symbol, odd), 3).cost == 1);

}  // namespace
