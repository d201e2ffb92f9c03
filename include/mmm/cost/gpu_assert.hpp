// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/cost/assert.hpp>
#include <mmm/cost/gpu.hpp>
#include <mmm/cost/gpu_request.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/machine/gpu_access.hpp>
#include <mmm/machine/gpu_rules.hpp>

#include <bit>
#include <utility>

//! Assertions on real GPUs' requests whose compile error shows the pattern, the figures, and which
//! lanes collide:
//!
//!     static_assert(mmm::gpu::assert_conflict_free<mmm::gpu::load<16>, tile(mmm::item, 0) * 4>);
//!
//! They are true or do not compile, as those of <mmm/cost/assert.hpp>; for a plain `bool`, use
//! mmm::gpu::conflict_free.
namespace mmm::gpu {

template <index Wavefronts>
struct found_wavefronts {};
template <index Wavefronts>
struct allowed_wavefronts {};
template <index Sectors>
struct found_sectors {};
template <index Sectors>
struct allowed_sectors {};
//! The phase that takes longest, from 0, and how many phases there are.
template <index Phase, index Of>
struct worst_phase {};
template <index Lane>
struct in_lane {};
template <index Bytes>
struct byte_address {};

//! The compile error of a request to shared memory that takes too many wavefronts.
template <class Pattern, class Access, class Found, class Allowed, class Phase, class Bank,
          class Lanes>
struct bank_conflict;
template <class Pattern, class Access, index Found, index Allowed, class Phase, class Bank,
          class Lanes>
struct bank_conflict<Pattern, Access, found_wavefronts<Found>, allowed_wavefronts<Allowed>, Phase,
                     Bank, Lanes> {
  static_assert(Found <= Allowed, "mmm: bank conflict: more wavefronts than allowed; see "
                                  "found_wavefronts, worst_phase, worst_bank and "
                                  "colliding_lanes");
  static constexpr bool checked = true;
};

//! The compile error of a request to global memory that takes too many sectors.
template <class Pattern, class Access, class Found, class Allowed>
struct uncoalesced_access;
template <class Pattern, class Access, index Found, index Allowed>
struct uncoalesced_access<Pattern, Access, found_sectors<Found>, allowed_sectors<Allowed>> {
  static_assert(
      Found <= Allowed,
      "mmm: uncoalesced access: more sectors of 32 bytes than allowed; see found_sectors");
  static constexpr bool checked = true;
};

//! The compile error of an address that no GPU accepts for an access of this width.
template <bool Aligned, class Pattern, class Access, class Lane, class Address>
struct unaligned_access {
  static_assert(Aligned, "mmm: unaligned access: a byte address is negative or no multiple of the "
                         "access's bytes; see byte_address");
  static constexpr bool checked = true;
};

namespace detail {

//! One warp's addresses, and the first lane whose address is not accepted; 0 where all are.
struct warp_addresses {
  index address[most_lanes] = {};
  bool aligned = true;
  int bad_lane = 0;
};
template <class Access, class Rules, class E>
[[nodiscard]] constexpr warp_addresses addresses_of(E const& e, index warp) {
  warp_addresses result;
  mmm::detail::assignment at;
  lane_mask const giving = lanes_of<Rules>(Access{});
  for (int t = Rules::lanes - 1; t >= 0; --t) {
    at.slot[mmm::detail::item_slot] =
        mmm::detail::checked_add(mmm::detail::checked_multiply(warp, index{Rules::lanes}), t);
    index const address = e.template value<mmm::detail::checked_arithmetic>(at);
    result.address[t] = address;
    if ((giving >> t & 1) == 0 || (address >= 0 && (address & (Access{}.bytes - 1)) == 0)) continue;
    result.aligned = false;
    result.bad_lane = t;
  }
  return result;
}

template <class Access, class Rules, auto Expression, index Warp>
struct checked_addresses {
  static constexpr warp_addresses at = addresses_of<Access, Rules>(Expression, Warp);
  static constexpr bool checked =
      unaligned_access<at.aligned, mmm::detail::pattern_of<Expression>, Access,
                       in_lane<at.bad_lane>, byte_address<at.address[at.bad_lane]>>::checked;
};

//! The class that is an error if a warp's request to shared memory takes more than `Limit`
//! wavefronts; less than 0: more than the ideal.
template <class Access, class Rules, auto Expression, index Warp, index Limit>
struct wavefront_check {
  using addresses = checked_addresses<Access, Rules, Expression, Warp>;
  static constexpr shared_request found =
      addresses::checked
          ? explain_shared<Rules>(
                Access{}, [](int t) { return addresses::at.address[t]; }, lanes_of<Rules>(Access{}))
          : shared_request{};
  static constexpr phase_cost worst = found.worst();
  static constexpr int worst_number = static_cast<int>([] {
    int p = 0;
    while (found.phase[p].wavefronts != worst.wavefronts) ++p;
    return p;
  }());
  static constexpr int colliding = std::popcount(worst.colliding);
  [[nodiscard]] static constexpr int lane(int k) {
    lane_mask left = worst.colliding;
    for (; k > 0; --k) left &= left - 1;
    return std::countr_zero(left);
  }

  template <class Sequence>
  struct with;
  template <int... K>
  struct with<std::integer_sequence<int, K...>> {
    using type = bank_conflict<mmm::detail::pattern_of<Expression>, Access,
                               found_wavefronts<found.cost().wavefronts>,
                               allowed_wavefronts<(Limit < 0 ? found.cost().ideal : Limit)>,
                               worst_phase<worst_number, found.phases>,
                               worst_bank<worst.worst_bank>, colliding_lanes<lane(K)...>>;
  };
  using type = typename with<std::make_integer_sequence<int, colliding>>::type;
};

template <class Access, auto Expression, index Warp, index Limit>
struct sector_check {
  using addresses = checked_addresses<Access, nvidia, Expression, Warp>;
  static constexpr global_cost found =
      addresses::checked
          ? count_global([](int t) { return addresses::at.address[t]; }, all_lanes(nvidia::lanes))
          : global_cost{};
  using type = uncoalesced_access<mmm::detail::pattern_of<Expression>, Access,
                                  found_sectors<found.sectors>, allowed_sectors<Limit>>;
};

}  // namespace detail

//! The request of warp `Warp` to shared memory at byte addresses `Expression` takes at most `Limit`
//! wavefronts; otherwise a compile error. \tparam A load<16>, …. \tparam Rules how the GPU serves
//! it.
template <static_access A, auto Expression, index Limit, bank_rules Rules = nvidia, index Warp = 0>
requires expression<decltype(Expression)>
inline constexpr bool assert_wavefronts_at_most =
    detail::wavefront_check<A, Rules, Expression, Warp, Limit>::type::checked;

//! No phase of the request takes more than one wavefront; otherwise a compile error that names the
//! lanes that collide.
template <static_access A, auto Expression, bank_rules Rules = nvidia, index Warp = 0>
requires expression<decltype(Expression)>
inline constexpr bool assert_conflict_free =
    detail::wavefront_check<A, Rules, Expression, Warp, -1>::type::checked;

//! The request of warp `Warp` to global memory at byte addresses `Expression` touches at most
//! `Limit` sectors of 32 bytes; otherwise a compile error.
template <static_access A, auto Expression, index Limit, index Warp = 0>
requires expression<decltype(Expression)>
inline constexpr bool assert_sectors_at_most =
    detail::sector_check<A, Expression, Warp, Limit>::type::checked;

}  // namespace mmm::gpu
