// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/integer_list.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/cost/computable.hpp>
#include <mmm/cost/cost.hpp>
#include <mmm/cost/inside.hpp>
#include <mmm/cost/refusal.hpp>
#include <mmm/cost/request.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/machine/machine.hpp>

//! Assertions on costs whose compile error shows the pattern, the figure found, the limit, and
//! which lanes collide:
//!
//!     static_assert(mmm::assert_conflict_free<shared, tile(mmm::item, 0)>);
//!
//! An assertion is true or does not compile (cost/refusal.hpp). The request of a warp is refused,
//! whatever it costs, if a lane asks a layout for an element outside of it (cost/inside.hpp), if a
//! lane's word is negative, if the warp's number is, or if an address cannot be computed in 64 bits
//! (cost/computable.hpp). For a plain `bool`, use mmm::conflict_free, mmm::coalesced,
//! mmm::time_at_most and mmm::inside.
namespace mmm {
namespace detail {

//! The refusal of an access to an element that a layout does not have.
template <class By, auto Expression, index Warp>
struct outside_error {
  static constexpr outside_element found = first_outside<By>(Expression, Warp);
  using type =
      refused<outside_of_layout, pattern_of<Expression>, in_lane<found.lane>, found_row<found.row>,
              found_column<found.column>, allowed_rows<found.rows>, allowed_columns<found.columns>>;
};

//! The refusal of the number of a warp.
template <auto Expression, index Warp>
using warp_error = refused<negative_warp, pattern_of<Expression>, warp_number<Warp>>;

//! The first lane of a warp, among the items 0 … Items - 1, whose word is negative.
template <memory M, auto Expression, index Warp, index Items = INT64_MAX>
struct negative_address {
  using width = width_type<M>;
  static constexpr warp_addresses<width> addresses{width(), Expression, Warp};
  static constexpr int lane = [] {
    index const first = Warp * M::width();
    for (int t = 0; t < static_cast<int>(M::width()) && t < Items - first; ++t)
      if (addresses(t) < 0) return t;
    return -1;
  }();
};
//! Its refusal.
template <memory M, auto Expression, index Warp>
struct negative_error {
  using found = negative_address<M, Expression, Warp>;
  using type = refused<negative_word, pattern_of<Expression>, warp_number<Warp>,
                       in_lane<found::lane>, word_address<found::addresses(found::lane)>>;
};

template <memory M, auto Expression, index Limit, index Warp, class Sequence>
struct request_error;
template <memory M, auto Expression, index Limit, index Warp, int... K>
struct request_error<M, Expression, Limit, Warp, integer_list<int, K...>> {
  static constexpr int W = static_cast<int>(M::width());
  static constexpr longest_queue<W> found =
      longest_queue_of<W>(fixed_service<M::conflicts, W>, W,
                          warp_addresses<width_type<M>>(width_type<M>(), Expression, Warp));
  using on_banks =
      refused<bank_conflict, pattern_of<Expression>, found_stages<found.stages>,
              allowed_stages<Limit>, worst_bank<found.queue>, colliding_lanes<found.place[K]...>>;
  using on_groups = refused<uncoalesced_access, pattern_of<Expression>, found_stages<found.stages>,
                            allowed_stages<Limit>, address_groups<found.unit[K]...>,
                            first_lanes<found.place[K]...>>;
  using type = conditional_t<is(M::conflicts, conflict::banks), on_banks, on_groups>;
};

//! True, or refused if the request of a warp takes more than `Limit` stages, is outside of a
//! layout, or is for a negative word.
template <memory M, auto Expression, index Limit, index Warp>
[[nodiscard]] constexpr auto assert_request() {
  if constexpr (Warp < 0) {
    return warp_error<Expression, Warp>();
  } else if constexpr (!computable_request<M, Expression, Warp>) {
    return computation_error<M, Expression, Warp>();
  } else if constexpr (!inside<M>(Expression, Warp)) {
    return typename outside_error<M, Expression, Warp>::type();
  } else if constexpr (negative_address<M, Expression, Warp>::lane >= 0) {
    return typename negative_error<M, Expression, Warp>::type();
  } else {
    using width = width_type<M>;
    constexpr int found = static_cast<int>(request_amount<M::conflicts>(
        width(), width::max_lanes, negative_address<M, Expression, Warp>::addresses));
    if constexpr (found > Limit)
      return
          typename request_error<M, Expression, Limit, Warp, make_integer_list<int, found>>::type();
    else
      return true;
  }
}

//! The same for the time of all items; of them, the words of the first and the last warp are
//! checked, which have the least word of a pattern that is affine.
template <memory M, auto Expression, index Items, index Threads, index Limit>
[[nodiscard]] constexpr auto assert_computed_time() {
  constexpr index found = cost_of<M>(Expression, size(Items), threads(Threads)).time;
  constexpr index last = Items > 0 ? (Items - 1) / M::width() : 0;
  if constexpr (negative_address<M, Expression, 0, Items>::lane >= 0)
    return typename negative_error<M, Expression, 0>::type();
  else if constexpr (negative_address<M, Expression, last, Items>::lane >= 0)
    return typename negative_error<M, Expression, last>::type();
  else if constexpr (found <= Limit)
    return true;
  else
    return refused<too_slow, pattern_of<Expression>, over_items<Items>, by_threads<Threads>,
                   found_time<found>, allowed_time<Limit>>();
}

template <memory M, auto Expression, index Items, index Threads, index Limit>
[[nodiscard]] constexpr auto assert_time() {
  if constexpr (computable_time<M, Expression, Items, Threads>)
    return assert_computed_time<M, Expression, Items, Threads, Limit>();
  else
    return refused<not_computable, pattern_of<Expression>, over_items<Items>,
                   by_threads<Threads>>();
}

template <class By, auto Expression, index Warp>
[[nodiscard]] constexpr auto assert_inside_layouts() {
  if constexpr (Warp < 0)
    return warp_error<Expression, Warp>();
  else if constexpr (!access_exists<By>)
    return refused<access_of_other_gpus, pattern_of<Expression>, By>();
  else if constexpr (!computable_request<By, Expression, Warp>)
    return computation_error<By, Expression, Warp>();
  else if constexpr (inside<By>(Expression, Warp))
    return true;
  else
    return typename outside_error<By, Expression, Warp>::type();
}

//! Checks an expression for assert_conflict_free; specialized for every kind of memory with banks.
template <class By>
struct conflict_free_assertion;
template <memory M>
requires fixed_width<M> && (detail::is(M::conflicts, conflict::banks))
struct conflict_free_assertion<M> {
  template <auto Expression, index Warp>
  [[nodiscard]] static constexpr auto check() {
    return assert_request<M, Expression, 1, Warp>();
  }
};

template <class By>
concept has_banks = requires { sizeof(conflict_free_assertion<By>); };

}  // namespace detail

//! The request of warp `Warp` to addresses `Expression` takes at most `Limit` stages; otherwise a
//! compile error. \tparam M a dmm or umm of a fixed width. \tparam Expression an index expression.
//! \tparam Limit stages. \tparam Warp 0 or more.
//! Time: one evaluation per lane of the warp, at compile time.
template <memory M, auto Expression, index Limit, index Warp = 0>
requires expression<decltype(Expression)> && fixed_width<M> && (detail::has_stages(M::conflicts))
inline constexpr auto assert_stages_at_most = detail::assert_request<M, Expression, Limit, Warp>();

//! No two lanes of warp `Warp` ask one bank for different addresses, and none asks a layout for an
//! element outside of it; otherwise a compile error that names the lanes. \tparam By a dmm; or
//! the access of a GPU, as mmm::gpu::load<16>: then no phase takes more than one wavefront.
//! \tparam Expression an index expression, in words; for a GPU, in bytes. Time: as
//! assert_stages_at_most.
template <class By, auto Expression, index Warp = 0>
requires expression<decltype(Expression)> && detail::has_banks<By>
inline constexpr auto assert_conflict_free =
    detail::conflict_free_assertion<By>::template check<Expression, Warp>();

//! All lanes of warp `Warp` ask for words of one address group; otherwise a compile error that
//! names groups and lanes. \tparam M a umm. \tparam Expression an index expression. Time: as
//! assert_stages_at_most.
template <memory M, auto Expression, index Warp = 0>
requires expression<decltype(Expression)> && fixed_width<M> &&
             (detail::is(M::conflicts, conflict::groups))
inline constexpr auto assert_coalesced = detail::assert_request<M, Expression, 1, Warp>();

//! A parallel-for over `Items` items with `Threads` threads, one access to `Expression` each, takes
//! at most `Limit` time units (mmm::cost_of), and no lane of the first and the last warp asks for a
//! negative word; otherwise a compile error. \tparam M a memory whose parameters are all static.
template <memory M, auto Expression, index Items, index Threads, index Limit>
requires expression<decltype(Expression)>
inline constexpr auto assert_time_at_most =
    detail::assert_time<M, Expression, Items, Threads, Limit>();

//! Every lane of warp `Warp` asks the layouts in `Expression` for elements inside of them;
//! otherwise a compile error that names the lane, its row and its column. \tparam By a memory, or
//! the access of a GPU. Time: as assert_stages_at_most.
template <class By, auto Expression, index Warp = 0>
requires expression<decltype(Expression)> && detail::has_lanes<By>
inline constexpr auto assert_inside = detail::assert_inside_layouts<By, Expression, Warp>();

}  // namespace mmm
