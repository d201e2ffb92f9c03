// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/cost/cost.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/index/expression_text.hpp>
#include <mmm/machine/machine.hpp>

#include <utility>

//! Assertions on costs whose compile error shows the pattern, the figure found, the limit, and
//! which lanes collide:
//!
//!     static_assert(mmm::assert_conflict_free<shared, tile(mmm::item, 0)>);
//!
//! They are true or do not compile. The numbers stand in the arguments of a class template, which
//! g++, clang and nvcc all print; for a plain `bool`, use mmm::conflict_free, mmm::coalesced and
//! mmm::time_at_most.
namespace mmm {

//! The address expression of a request, as it reads.
#if defined(__clang__) && \
    __clang_major__ < 16  // prints the characters of a text as numbers, those of a pack as such
template <char... Characters>
struct pattern {};
namespace detail {
template <auto Expression, int... K>
auto spelled(std::integer_sequence<int, K...>) -> pattern<text_of<Expression>().characters[K]...>;
template <auto Expression>
using pattern_of =
    decltype(spelled<Expression>(std::make_integer_sequence<int, text_length(Expression)>()));
}  // namespace detail
#else
template <text Words>
struct pattern {};
namespace detail {
template <auto Expression>
using pattern_of = pattern<text_of<Expression>()>;
}
#endif

template <index Stages>
struct found_stages {};
template <index Stages>
struct allowed_stages {};
template <index Units>
struct found_time {};
template <index Units>
struct allowed_time {};
//! The bank with the longest queue.
template <index Bank>
struct worst_bank {};
//! Lanes that ask the worst bank for different addresses; lanes that share an address are named
//! once.
template <index... Lanes>
struct colliding_lanes {};
//! The address groups asked for, in the order of the lanes.
template <index... Groups>
struct address_groups {};
//! The first lane that asks for each address group, in the same order.
template <index... Lanes>
struct first_lanes {};
template <index Items>
struct over_items {};
template <index Threads>
struct by_threads {};

//! The compile error of a request to banks that takes too many stages.
template <class Pattern, class Found, class Allowed, class Bank, class Lanes>
struct bank_conflict;
template <class Pattern, index Found, index Allowed, class Bank, class Lanes>
struct bank_conflict<Pattern, found_stages<Found>, allowed_stages<Allowed>, Bank, Lanes> {
  static_assert(Found <= Allowed, "mmm: bank conflict: more stages than allowed; see found_stages, "
                                  "worst_bank and colliding_lanes");
  static constexpr bool checked = true;
};

//! The compile error of a request to address groups that takes too many stages.
template <class Pattern, class Found, class Allowed, class Groups, class Lanes>
struct uncoalesced_access;
template <class Pattern, index Found, index Allowed, class Groups, class Lanes>
struct uncoalesced_access<Pattern, found_stages<Found>, allowed_stages<Allowed>, Groups, Lanes> {
  static_assert(Found <= Allowed, "mmm: uncoalesced access: more stages than allowed; see "
                                  "found_stages, address_groups and first_lanes");
  static constexpr bool checked = true;
};

//! The compile error of a parallel-for that takes too long.
template <class Machine, class Pattern, class Items, class Threads, class Found, class Allowed>
struct too_slow;
template <class Machine, class Pattern, class Items, class Threads, index Found, index Allowed>
struct too_slow<Machine, Pattern, Items, Threads, found_time<Found>, allowed_time<Allowed>> {
  static_assert(Found <= Allowed, "mmm: too slow: more time units than allowed; see found_time");
  static constexpr bool checked = true;
};

namespace detail {

//! Who is in whose way in one request: of every distinct key that counts, the key and the first
//! lane that has it.
template <int W>
struct collisions {
  int count = 0;
  index bank = 0;
  index key[W] = {};
  index lane[W] = {};

  constexpr void add(index new_key, int new_lane) {
    for (int k = 0; k < count; ++k)
      if (key[k] == new_key) return;
    key[count] = new_key;
    lane[count++] = new_lane;
  }
};

template <memory M, class E>
[[nodiscard]] constexpr collisions<static_cast<int>(M::width)> collisions_of(E const& e,
                                                                             index warp) {
  constexpr int W = static_cast<int>(M::width);
  index address[W] = {};
  assignment at;
  for (int t = 0; t < W; ++t) {
    at.slot[item_slot] = checked_add(checked_multiply(warp, W), t);
    address[t] = e.template value<checked_arithmetic>(at);
  }
  collisions<W> worst;
  if constexpr (M::conflicts == conflict::groups) {
    for (int t = 0; t < W; ++t) worst.add(floor_divide(address[t], W), t);
  } else {
    distinct_keys<W> keys;
    int longest = 0;
    for (int t = 0; t < W; ++t) {
      int const length = keys.add(address[t], static_cast<int>(floor_modulo(address[t], W)));
      if (length <= longest) continue;
      longest = length;
      worst.bank = floor_modulo(address[t], W);
    }
    for (int t = 0; t < W; ++t)
      if (floor_modulo(address[t], W) == worst.bank) worst.add(address[t], t);
  }
  return worst;
}

//! The class that is an error if the request of a warp takes more than `Limit` stages.
template <memory M, auto Expression, index Warp, index Limit>
struct request_check {
  static constexpr auto found = collisions_of<M>(Expression, Warp);

  template <class Sequence>
  struct with;
  template <int... K>
  requires(M::conflicts == conflict::banks)
  struct with<std::integer_sequence<int, K...>> {
    using type =
        bank_conflict<pattern_of<Expression>, found_stages<found.count>, allowed_stages<Limit>,
                      worst_bank<found.bank>, colliding_lanes<found.lane[K]...>>;
  };
  template <int... K>
  requires(M::conflicts == conflict::groups)
  struct with<std::integer_sequence<int, K...>> {
    using type =
        uncoalesced_access<pattern_of<Expression>, found_stages<found.count>, allowed_stages<Limit>,
                           address_groups<found.key[K]...>, first_lanes<found.lane[K]...>>;
  };
  using type = typename with<std::make_integer_sequence<int, found.count>>::type;
};

}  // namespace detail

//! The request of warp `Warp` to addresses `Expression` takes at most `Limit` stages; otherwise a
//! compile error. \tparam M a dmm or umm. \tparam Expression an index expression. \tparam Limit
//! stages.
//! Time: one look at the warp's lanes, at compile time.
template <memory M, auto Expression, index Limit, index Warp = 0>
requires expression<decltype(Expression)> &&
             (M::conflicts == conflict::banks || M::conflicts == conflict::groups)
inline constexpr bool assert_stages_at_most =
    detail::request_check<M, Expression, Warp, Limit>::type::checked;

//! No two lanes of warp `Warp` ask one bank for different addresses; otherwise a compile error that
//! names them. \tparam M a dmm. \tparam Expression an index expression.
template <memory M, auto Expression, index Warp = 0>
requires expression<decltype(Expression)> && (M::conflicts == conflict::banks)
inline constexpr bool assert_conflict_free =
    detail::request_check<M, Expression, Warp, 1>::type::checked;

//! All lanes of warp `Warp` ask for words of one address group; otherwise a compile error that
//! names groups and lanes. \tparam M a umm. \tparam Expression an index expression.
template <memory M, auto Expression, index Warp = 0>
requires expression<decltype(Expression)> && (M::conflicts == conflict::groups)
inline constexpr bool assert_coalesced =
    detail::request_check<M, Expression, Warp, 1>::type::checked;

//! A parallel-for over `Items` items with `Threads` threads, one access to `Expression` each, takes
//! at most `Limit` time units (mmm::cost_of); otherwise a compile error. \tparam M a memory whose
//! parameters are all static.
template <memory M, auto Expression, index Items, index Threads, index Limit>
requires expression<decltype(Expression)>
inline constexpr bool assert_time_at_most =
    too_slow<M, detail::pattern_of<Expression>, over_items<Items>, by_threads<Threads>,
             found_time<cost_of<M>(Expression, size(Items), threads(Threads)).time>,
             allowed_time<Limit>>::checked;

}  // namespace mmm
