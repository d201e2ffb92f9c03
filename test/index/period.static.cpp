// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Periods and increments read off expressions, warp splits, and how expressions read.
#include <mmm/index/expression.hpp>
#include <mmm/index/expression_text.hpp>
#include <mmm/index/period.hpp>
#include <mmm/index/warp_split.hpp>

#include <string_view>

namespace {

using mmm::item;
using mmm::motion;
using mmm::period_of;
using mmm::splits_over_warps;

constexpr motion moving(mmm::index period, mmm::index increment) {
  return {period, increment, true};
}
constexpr motion not_periodic{};
constexpr mmm::index huge = mmm::index{1} << 40;

static_assert(period_of(item) == moving(1, 1));
static_assert(period_of(item * 3 + 7) == moving(1, 3));
static_assert(period_of(100 - item * mmm::literal<3>) == moving(1, -3));
static_assert(period_of(item - item) == moving(1, 0));
static_assert(period_of(item / 4) == moving(4, 1));
static_assert(period_of(item * 2 / 4) == moving(2, 1));
static_assert(period_of(item / -4) == moving(4, -1));
static_assert(period_of(item % 48) == moving(48, 0));
static_assert(period_of(item % 48 * 2 + item / 48) == moving(48, 1));
static_assert(period_of(item % 4 + item % 6) == moving(12, 0));
static_assert(period_of(item % 4 * (item % 6)) == moving(12, 0));
static_assert(period_of(item << 3) == moving(1, 8));
static_assert(period_of(item >> 3) == moving(8, 1));
static_assert(period_of((5 - item) >> 3) == moving(8, -1));
static_assert(period_of(item & 6) == moving(8, 0));
static_assert(period_of(item & ~mmm::index{7}) == moving(8, 8));
static_assert(period_of(item | 5) == moving(8, 8));
static_assert(period_of(item | ~mmm::index{7}) == moving(8, 0));
static_assert(period_of(item ^ 5) == moving(8, 8));
static_assert(period_of(item ^ -6) == moving(8, -8));
static_assert(period_of(item / 32 * 32 + (item % 32 ^ item / 32 % 32)) == moving(1024, 1024));
static_assert(period_of((item / 8) ^ (item % 8)) == moving(64, 8));
static_assert(period_of(min(item, item + 3)) == moving(1, 1));
static_assert(period_of(max(item % 8, 9)) == moving(1, 0));
static_assert(period_of(min(item, 9)) == not_periodic);
static_assert(period_of(select(item % 3 < 1, item, item + 1)) == moving(3, 3));
static_assert(period_of(select(item % 3 < 3, item, item* item)) == moving(1, 1));
static_assert(period_of(select(item < 3, item, item + 1)) == not_periodic);
static_assert(period_of(select(item % 3 < 1, item, item * 2)) == not_periodic);
static_assert(period_of(item * item) == not_periodic);
static_assert(period_of(item ^ (item >> 3)) == not_periodic);
static_assert(period_of((item - 3) / 2) == not_periodic);  // both remainders truncate towards zero
static_assert(period_of((item % 5 - 3) / 2) == moving(5, 0));
static_assert(period_of(mmm::variable(mmm::detail::dmm_slot) * 5 + item) == moving(1, 1));
static_assert(period_of(item % huge * 2) == moving(huge, 0));
// the period needs more than 64 bits
static_assert(period_of(item % (huge - 1) + item % (huge + 1)) == not_periodic);

static_assert(splits_over_warps<32>(item * 3 + 5));
static_assert(splits_over_warps<32>(item / 64) && !splits_over_warps<32>(item / 48));
static_assert(splits_over_warps<32>(item % 32 * 7 + item / 32));
static_assert(splits_over_warps<32>(item % huge) && !splits_over_warps<32>(item % (huge + 1)));
static_assert(splits_over_warps<4>(item ^ 3) && splits_over_warps<4>(item ^ 4));
static_assert(!splits_over_warps<32>(item / 32 * 32 + (item % 32 ^ item / 32 % 32)));
static_assert(splits_over_warps<1>(item / 3));
static_assert(!splits_over_warps<32>(item * item));

template <mmm::expression E>
constexpr bool reads_as(E const& e, std::string_view words) {
  char room[80] = {};
  mmm::detail::expression_writer writer(room, 80);
  writer.write(e);
  return words == std::string_view(room, static_cast<std::size_t>(writer.length()));
}
static_assert(reads_as(item * 32 + 7, "item * 32 + 7"));
static_assert(reads_as((item + 1) * mmm::literal<-3>, "(item + 1) * (-3)"));
static_assert(reads_as(item - (item - 1), "item - (item - 1)"));
static_assert(reads_as(item / 32 % 4 * 2, "((item / 32) % 4) * 2"));
static_assert(reads_as(item / (item % 4), "item / (item % 4)"));
static_assert(reads_as((item ^ (item >> 3)) + 1, "(item ^ (item >> 3)) + 1"));
static_assert(reads_as(min(item, 3) * 2, "min(item, 3) * 2"));
static_assert(reads_as(select(!(item < 3) && item == 7, item & 1, max(item, 2)),
                       "!(item < 3) && item == 7 ? item & 1 : max(item, 2)"));
static_assert(reads_as(mmm::variable(1) + mmm::variable(2) + mmm::variable(3),
                       "dmm + loop0 + loop1"));
static_assert(reads_as(item + INT64_MIN, "item + (-9223372036854775808)"));

}  // namespace
