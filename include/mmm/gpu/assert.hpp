// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/integer_list.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/cost/assert.hpp>
#include <mmm/gpu/access.hpp>
#include <mmm/gpu/cost.hpp>
#include <mmm/gpu/request.hpp>
#include <mmm/gpu/rules.hpp>
#include <mmm/index/expression.hpp>

//! Assertions on the requests of real GPUs. Their compile error shows the pattern, the figures, and
//! the lanes that collide:
//!
//!     static_assert(mmm::gpu::assert_conflict_free<mmm::gpu::load<16>, tile(mmm::item, 0) * 4>);
//!
//! An assertion is true or does not compile, as those of <mmm/cost/assert.hpp>; for a plain `bool`,
//! use mmm::gpu::conflict_free.
namespace mmm::gpu {

//! Figures in the arguments of a failed assertion.
template <index Wavefronts>
struct found_wavefronts {};
template <index Wavefronts>
struct allowed_wavefronts {};
template <index Sectors>
struct found_sectors {};
template <index Sectors>
struct allowed_sectors {};
//! The number of the phase that takes longest, counted from 0, of `Of` phases.
template <index Phase, index Of>
struct worst_phase {};
template <index Bytes>
struct byte_address {};

//! The reason of a refusal: a byte address that is negative or no multiple of the access's bytes.
struct unaligned_access {};

namespace detail {

//! The addresses of one warp as constants, and the first lane whose address is refused; -1 if none
//! is.
template <static_access A, auto Expression, index Warp>
struct warp_request {
  using rules = rules_of<A>;
  static constexpr lane_addresses addresses = addresses_of_lanes(
      Expression, mmm::detail::always{}, mmm::detail::checked_multiply(Warp, index{rules::lanes}),
      lanes_of<rules>(A{}));
  static constexpr int refused_lane = [] {
    if (!is_refused(A{}, addresses.bits)) return -1;
    int t = 0;
    while ((addresses.active >> t & 1) == 0 || !is_refused(A{}, addresses(t))) ++t;
    return t;
  }();
};

template <static_access A, auto Expression, index Warp, index Allowed, class Sequence>
struct wavefront_error;
template <static_access A, auto Expression, index Warp, index Allowed, int... K>
struct wavefront_error<A, Expression, Warp, Allowed, mmm::detail::integer_list<int, K...>> {
  using request = warp_request<A, Expression, Warp>;
  static constexpr shared_request found =
      explain_shared<typename request::rules>(A{}, request::addresses, request::addresses.active);
  static constexpr int worst = found.worst_number();
  //! The k-th of the lanes that collide in the worst phase; the last one, if there are fewer.
  [[nodiscard]] static constexpr int lane(int k) {
    lane_mask left = found.phase[worst].colliding;
    for (; k > 0; --k) left &= left - 1;
    return mmm::detail::countr_zero(left);
  }
  using type = refused<bank_conflict, mmm::detail::pattern_of<Expression>,
                       found_wavefronts<found.cost().wavefronts>, allowed_wavefronts<Allowed>, A,
                       worst_phase<worst, found.phases>, worst_bank<found.phase[worst].worst_bank>,
                       colliding_lanes<lane(K)...>>;
};

//! The refusal of an address that no GPU accepts for an access of this width.
template <static_access A, auto Expression, index Warp>
struct address_error {
  using request = warp_request<A, Expression, Warp>;
  using type = refused<unaligned_access, mmm::detail::pattern_of<Expression>, A,
                       in_lane<request::refused_lane>,
                       byte_address<request::addresses(request::refused_lane)>>;
};

//! True, or refused if the request of a warp to shared memory takes more than `Limit` wavefronts;
//! `Limit < 0`: more than one per phase.
template <static_access A, auto Expression, index Limit, index Warp>
[[nodiscard]] constexpr auto assert_wavefronts() {
  using request = warp_request<A, Expression, Warp>;
  if constexpr (Warp < 0) {
    return mmm::detail::warp_error<Expression, Warp>();
  } else if constexpr (!mmm::detail::access_exists<A>) {
    return refused<access_of_other_gpus, mmm::detail::pattern_of<Expression>, A>();
  } else if constexpr (!mmm::detail::computable_request<A, Expression, Warp>) {
    return mmm::detail::computation_error<A, Expression, Warp>();
  } else if constexpr (!inside<A>(Expression, Warp)) {
    return typename mmm::detail::outside_error<A, Expression, Warp>::type();
  } else if constexpr (request::refused_lane >= 0) {
    return typename address_error<A, Expression, Warp>::type();
  } else {
    constexpr shared_cost found =
        count_shared<typename request::rules>(A{}, request::addresses, request::addresses.active);
    constexpr index allowed = Limit < 0 ? found.ideal : Limit;
    if constexpr (found.wavefronts <= allowed) {
      return true;
    } else {
      constexpr shared_request why = explain_shared<typename request::rules>(
          A{}, request::addresses, request::addresses.active);
      using colliding =
          mmm::detail::make_integer_list<int, static_cast<int>(why.worst().wavefronts)>;
      return typename wavefront_error<A, Expression, Warp, allowed, colliding>::type();
    }
  }
}

//! True, or refused if the request of a warp to global memory touches more than `Limit` sectors.
template <static_access A, auto Expression, index Limit, index Warp>
[[nodiscard]] constexpr auto assert_sectors() {
  using request = warp_request<A, Expression, Warp>;
  if constexpr (Warp < 0) {
    return mmm::detail::warp_error<Expression, Warp>();
  } else if constexpr (!mmm::detail::access_exists<A>) {
    return refused<access_of_other_gpus, mmm::detail::pattern_of<Expression>, A>();
  } else if constexpr (!mmm::detail::computable_request<A, Expression, Warp>) {
    return mmm::detail::computation_error<A, Expression, Warp>();
  } else if constexpr (!inside<A>(Expression, Warp)) {
    return typename mmm::detail::outside_error<A, Expression, Warp>::type();
  } else if constexpr (request::refused_lane >= 0) {
    return typename address_error<A, Expression, Warp>::type();
  } else {
    constexpr index found = count_global(request::addresses, request::addresses.active).sectors;
    if constexpr (found <= Limit)
      return true;
    else
      return refused<uncoalesced_access, mmm::detail::pattern_of<Expression>, found_sectors<found>,
                     allowed_sectors<Limit>, A>();
  }
}

}  // namespace detail

//! The request of warp `Warp` to shared memory at byte addresses `Expression` takes at most `Limit`
//! wavefronts; otherwise a compile error. \tparam A load<16>, …; served_by<…> for rules of other
//! vendors than NVIDIA.
template <static_access A, auto Expression, index Limit, index Warp = 0>
requires expression<decltype(Expression)>
inline constexpr auto assert_wavefronts_at_most =
    detail::assert_wavefronts<A, Expression, Limit, Warp>();

//! The request of warp `Warp` to global memory at byte addresses `Expression` touches at most
//! `Limit` sectors of 32 bytes; otherwise a compile error.
template <static_access A, auto Expression, index Limit, index Warp = 0>
requires expression<decltype(Expression)>
inline constexpr auto assert_sectors_at_most = detail::assert_sectors<A, Expression, Limit, Warp>();

//! The same assertion, for accesses of GPUs.
using mmm::assert_conflict_free;

}  // namespace mmm::gpu

namespace mmm::detail {

template <gpu::static_access A>
struct lanes_of_request<A> {
  using rules = gpu::detail::rules_of<A>;
  static constexpr int count = rules::lanes;
  [[nodiscard]] static constexpr bool gives_address(index lane) {
    return (gpu::detail::lanes_of<rules>(A{}) >> lane & 1) != 0;
  }
};

//! No phase takes more than one wavefront.
template <gpu::static_access A>
struct conflict_free_assertion<A> {
  template <auto Expression, index Warp>
  [[nodiscard]] static constexpr auto check() {
    return gpu::detail::assert_wavefronts<A, Expression, -1, Warp>();
  }
};

}  // namespace mmm::detail
