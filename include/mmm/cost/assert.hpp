// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/integer_list.hpp>
#include <mmm/cost/cost.hpp>
#include <mmm/cost/request.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/index/expression_text.hpp>
#include <mmm/machine/machine.hpp>

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
auto spelled(integer_list<int, K...>) -> pattern<text_of<Expression>().characters[K]...>;
template <auto Expression>
using pattern_of = decltype(spelled<Expression>(make_integer_list<int, text_length(Expression)>()));
}  // namespace detail
#else
template <text Words>
struct pattern {};
namespace detail {
template <auto Expression>
using pattern_of = pattern<text_of<Expression>()>;
}
#endif

//! Figures in the arguments of a failed assertion.
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

//! The compile error of a request to banks that takes too long. \tparam Found, Allowed
//! found_stages<k>, …, or what a profiler counts (gpu/assert.hpp). \tparam Details why:
//! worst_bank, colliding_lanes.
template <class Pattern, class Found, class Allowed, class... Details>
struct bank_conflict;
template <class Pattern, index Found, index Allowed, class... Details>
struct bank_conflict<Pattern, found_stages<Found>, allowed_stages<Allowed>, Details...> {
  static_assert(Found <= Allowed, "mmm: bank conflict: more stages than allowed; see found_stages, "
                                  "worst_bank and colliding_lanes");
  static constexpr bool checked = true;
};

//! The compile error of a request to address groups that takes too long, as bank_conflict.
//! \tparam Details why: address_groups, first_lanes.
template <class Pattern, class Found, class Allowed, class... Details>
struct uncoalesced_access;
template <class Pattern, index Found, index Allowed, class... Details>
struct uncoalesced_access<Pattern, found_stages<Found>, allowed_stages<Allowed>, Details...> {
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

template <memory M, auto Expression, index Limit, index Warp, class Sequence>
struct request_error;
template <memory M, auto Expression, index Limit, index Warp, int... K>
requires(detail::is(M::conflicts, conflict::banks))
struct request_error<M, Expression, Limit, Warp, integer_list<int, K...>> {
  static constexpr int W = static_cast<int>(M::width());
  static constexpr longest_queue<W> found =
      longest_queue_of<W>(fixed_service<M::conflicts, W>, W,
                          warp_addresses<width_type<M>>(width_type<M>(), Expression, Warp));
  using type =
      bank_conflict<pattern_of<Expression>, found_stages<found.stages>, allowed_stages<Limit>,
                    worst_bank<found.queue>, colliding_lanes<found.place[K]...>>;
};
template <memory M, auto Expression, index Limit, index Warp, int... K>
requires(detail::is(M::conflicts, conflict::groups))
struct request_error<M, Expression, Limit, Warp, integer_list<int, K...>> {
  static constexpr int W = static_cast<int>(M::width());
  static constexpr longest_queue<W> found =
      longest_queue_of<W>(fixed_service<M::conflicts, W>, W,
                          warp_addresses<width_type<M>>(width_type<M>(), Expression, Warp));
  using type =
      uncoalesced_access<pattern_of<Expression>, found_stages<found.stages>, allowed_stages<Limit>,
                         address_groups<found.unit[K]...>, first_lanes<found.place[K]...>>;
};

//! True, or a compile error if the request of a warp takes more than `Limit` stages. The error's
//! class is not looked at otherwise.
template <memory M, auto Expression, index Limit, index Warp>
[[nodiscard]] constexpr bool assert_request() {
  using width = width_type<M>;
  constexpr int found = static_cast<int>(request_amount<M::conflicts>(
      width(), width::max_lanes, warp_addresses<width>(width(), Expression, Warp)));
  if constexpr (found <= Limit)
    return true;
  else
    return request_error<M, Expression, Limit, Warp, make_integer_list<int, found>>::type::checked;
}

//! Checks an expression for assert_conflict_free; specialized for every kind of memory with banks.
template <class By>
struct conflict_free_assertion;
template <memory M>
requires(detail::is(M::conflicts, conflict::banks))
struct conflict_free_assertion<M> {
  template <auto Expression, index Warp>
  static constexpr bool checked = assert_request<M, Expression, 1, Warp>();
};

template <class By>
concept has_banks = requires { sizeof(conflict_free_assertion<By>); };

}  // namespace detail

//! The request of warp `Warp` to addresses `Expression` takes at most `Limit` stages; otherwise a
//! compile error. \tparam M a dmm or umm. \tparam Expression an index expression. \tparam Limit
//! stages.
//! Time: one look at the warp's lanes, at compile time.
template <memory M, auto Expression, index Limit, index Warp = 0>
requires expression<decltype(Expression)> && (detail::has_stages(M::conflicts))
inline constexpr bool assert_stages_at_most = detail::assert_request<M, Expression, Limit, Warp>();

//! No two lanes of warp `Warp` ask one bank for different addresses; otherwise a compile error that
//! names them. \tparam By a dmm; or the access of a GPU, as mmm::gpu::load<16>, no phase of which
//! then takes more than one wavefront. \tparam Expression an index expression: words; of a GPU,
//! bytes.
//! Time: as assert_stages_at_most.
template <class By, auto Expression, index Warp = 0>
requires expression<decltype(Expression)> && detail::has_banks<By>
inline constexpr bool assert_conflict_free =
    detail::conflict_free_assertion<By>::template checked<Expression, Warp>;

//! All lanes of warp `Warp` ask for words of one address group; otherwise a compile error that
//! names groups and lanes. \tparam M a umm. \tparam Expression an index expression. Time: as
//! assert_stages_at_most.
template <memory M, auto Expression, index Warp = 0>
requires expression<decltype(Expression)> && (detail::is(M::conflicts, conflict::groups))
inline constexpr bool assert_coalesced = detail::assert_request<M, Expression, 1, Warp>();

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
