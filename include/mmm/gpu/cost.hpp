// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/gpu/access.hpp>
#include <mmm/gpu/request.hpp>
#include <mmm/gpu/rules.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/index/period.hpp>
#include <mmm/machine/machine.hpp>

//! The cost of many warps' accesses on real GPUs, as a profiler would count it:
//!
//!     mmm::gpu::wavefronts<mmm::gpu::load<16>>(mmm::item * 16)  // shared memory: 4, the ideal
//!     mmm::gpu::sectors<mmm::gpu::load<4>>(mmm::item * 8, mmm::size(1 << 20))
//!
//! Item i is the thread i; its address is an expression in **bytes**, the same unit for accesses of
//! all widths and for arrays of all types. For an array of `float`,
//! write `layout(row, column) * 4`.
namespace mmm::gpu {

namespace detail {

//! The number of warps after which a request repeats, moved by a multiple of `modulus` bytes; 0 if
//! it is unknown.
template <class E, class P>
[[nodiscard]] constexpr index period_in_warps(E const& e, P const& where, int lanes,
                                              index modulus) {
  using namespace mmm::detail;
  motion moves = period_of(e);
  if constexpr (!mmm::detail::is_same_v<P, always>) {
    motion_pair const both = together(moves, truth_moves_of(where).moves);
    if (!both.periodic()) return 0;
    moves = both.left;
  }
  if (!moves.periodic) return 0;
  moves = repeated(moves, lanes / gcd(moves.period, lanes));
  moves = aligned(moves, modulus);
  return moves.periodic ? moves.period / lanes : 0;
}

//! The addresses `e` of the lanes `giving`, but for lanes t whose item `first_item + t` does not
//! fulfil the condition `where`. Errors: as mmm::cost_of.
template <class E, class P>
[[nodiscard]] constexpr lane_addresses addresses_of_lanes(E const& e, P const& where,
                                                          index first_item, lane_mask giving) {
  lane_addresses result;
  mmm::detail::assignment variables;
  // A lane costs no call but the expression's: calls take most of a constant evaluation's time.
  for (int t = 0; t < max_lanes && giving >> t != 0; ++t) {
    if ((giving >> t & 1) == 0) continue;
    variables.slot[mmm::detail::item_slot] = mmm::detail::checked_add(first_item, t);
    if constexpr (!mmm::detail::is_same_v<P, mmm::detail::always>)
      if (!where.template holds<mmm::detail::checked_arithmetic>(variables)) continue;
    index const address = e.template value<mmm::detail::checked_arithmetic>(variables);
    result.address[t] = address;
    result.bits |= address;
    result.active |= lane_mask{1} << t;
  }
  return result;
}

//! The sum of the costs of the warps of `items` items: of one period, multiplied, and of the rest.
template <class Cost, class E, class P, class Count>
[[nodiscard]] constexpr Cost sum_over_warps(E const& e, P const& where, index items, int lanes,
                                            index modulus, warp_access const& a, lane_mask giving,
                                            Count count, Cost sum,
                                            void (*add)(Cost&, Cost const&, index)) {
  index const full = items / lanes;
  auto const cost_of_warp = [&](index warp, int present) {
    auto const addresses = addresses_of_lanes(e, where, warp * lanes, giving & all_lanes(present));
    require_aligned(a, addresses);
    return count(addresses, addresses.active);
  };
  index const period = full > 1 ? period_in_warps(e, where, lanes, modulus) : 0;
  index const examined = period > 0 ? mmm::detail::smaller(period, full) : full;
  for (index warp = 0; warp < examined; ++warp)
    add(sum, cost_of_warp(warp, lanes),
        period > 0 ? full / period + (warp < full % period) : 1);  // repetitions
  if (items % lanes != 0) add(sum, cost_of_warp(full, static_cast<int>(items % lanes)), 1);
  return sum;
}

constexpr void add_shared(shared_cost& sum, shared_cost const& c, index times) {
  using mmm::detail::checked_add, mmm::detail::checked_multiply;
  sum.requests = checked_add(sum.requests, checked_multiply(c.requests, times));
  sum.wavefronts = checked_add(sum.wavefronts, checked_multiply(c.wavefronts, times));
  sum.ideal = checked_add(sum.ideal, checked_multiply(c.ideal, times));
}
constexpr void add_global(global_cost& sum, global_cost const& c, index times) {
  using mmm::detail::checked_add, mmm::detail::checked_multiply;
  sum.requests = checked_add(sum.requests, checked_multiply(c.requests, times));
  sum.sectors = checked_add(sum.sectors, checked_multiply(c.sectors, times));
  sum.lines = checked_add(sum.lines, checked_multiply(c.lines, times));
}

}  // namespace detail

//! The requests, wavefronts and ideal wavefronts that a profiler counts for the accesses of the
//! first `n` items to shared memory, a warp of them at a time.
//!
//! \tparam A the access: load<4>, store<16>, ldmatrix<4>, …. \tparam Rules how the GPU serves it.
//! \param bytes the address of item i in bytes from the start of the block's shared memory (a
//! multiple of 128), an expression in mmm::item; of a matrix access, the row's address that lane
//! `i % 32` gives.
//! \param n items; the default is one warp. \param where which items are active; all, if not given.
//! Errors: an address that is negative or no multiple of the access's bytes, a figure over 64 bits:
//! a compile error in a constant expression, else an exception. Time: O(warps) of one period of the
//! expression; of all warps if it has none.
template <static_access A, bank_rules Rules = nvidia, expression E, class P = mmm::detail::always>
[[nodiscard]] constexpr shared_cost shared_cost_of(E const& bytes, size n = size(Rules::lanes),
                                                   P const& where = {}) {
  return detail::sum_over_warps(
      bytes, where, n.count, Rules::lanes, index{4} * Rules::banks, A{},
      detail::lanes_of<Rules>(A{}),
      [](auto const& addresses, lane_mask active) {
        return detail::count_shared<Rules>(A{}, addresses, active);
      },
      shared_cost{}, &detail::add_shared);
}

//! The requests, sectors and lines that a profiler counts for the accesses of the first `n` items
//! to global memory, on NVIDIA GPUs of compute capability 6.0 and later. Parameters, errors and
//! time as shared_cost_of.
template <static_access A, expression E, class P = mmm::detail::always>
requires(!A{}.of_matrices())
[[nodiscard]] constexpr global_cost global_cost_of(E const& bytes, size n = size(nvidia::lanes),
                                                   P const& where = {}) {
  return detail::sum_over_warps(
      bytes, where, n.count, nvidia::lanes, line_bytes, A{}, all_lanes(nvidia::lanes),
      [](auto const& addresses, lane_mask active) {
        return detail::count_global(addresses, active);
      },
      global_cost{}, &detail::add_global);
}

//! The request of warp `warp` to shared memory, phase by phase, with the worst bank and the lanes
//! that collide there. Parameters and errors as shared_cost_of. Time: O(lanes) without
//! conflicts, O(lanes^2) at most.
template <static_access A, bank_rules Rules = nvidia, expression E>
[[nodiscard]] constexpr shared_request explain_shared(E const& bytes, index warp = 0) {
  auto const addresses = detail::addresses_of_lanes(
      bytes, mmm::detail::always{}, mmm::detail::checked_multiply(warp, index{Rules::lanes}),
      detail::lanes_of<Rules>(A{}));
  detail::require_aligned(A{}, addresses);
  return detail::explain_shared<Rules>(A{}, addresses, addresses.active);
}

//! The wavefronts of shared_cost_of; parameters, errors and time as there.
template <static_access A, bank_rules Rules = nvidia, expression E, class P = mmm::detail::always>
[[nodiscard]] constexpr index wavefronts(E const& bytes, size n = size(Rules::lanes),
                                         P const& where = {}) {
  return shared_cost_of<A, Rules>(bytes, n, where).wavefronts;
}
//! The wavefronts of the request of one warp, given by its byte addresses; parameters, errors and
//! time as shared_request_cost.
template <static_access A, bank_rules Rules = nvidia>
[[nodiscard]] constexpr index wavefronts(address_view addresses, lane_mask active = ~lane_mask{0}) {
  return shared_request_cost<Rules>(A{}, addresses, active).wavefronts;
}

//! True if no phase of any warp takes more than one wavefront. Parameters, errors and time as
//! shared_cost_of.
template <static_access A, bank_rules Rules = nvidia, expression E, class P = mmm::detail::always>
[[nodiscard]] constexpr bool conflict_free(E const& bytes, size n = size(Rules::lanes),
                                           P const& where = {}) {
  return shared_cost_of<A, Rules>(bytes, n, where).excessive() == 0;
}

//! The sectors of 32 bytes of global_cost_of, or of one request given by its byte addresses
//! (global_request_cost); parameters, errors and time as there.
template <static_access A, expression E, class P = mmm::detail::always>
[[nodiscard]] constexpr index sectors(E const& bytes, size n = size(nvidia::lanes),
                                      P const& where = {}) {
  return global_cost_of<A>(bytes, n, where).sectors;
}
template <static_access A>
[[nodiscard]] constexpr index sectors(address_view addresses, lane_mask active = ~lane_mask{0}) {
  return global_request_cost(A{}, addresses, active).sectors;
}

//! The lines of 128 bytes of global_cost_of, or of one request given by its byte addresses
//! (global_request_cost); parameters, errors and time as there.
template <static_access A, expression E, class P = mmm::detail::always>
[[nodiscard]] constexpr index lines(E const& bytes, size n = size(nvidia::lanes),
                                    P const& where = {}) {
  return global_cost_of<A>(bytes, n, where).lines;
}
template <static_access A>
[[nodiscard]] constexpr index lines(address_view addresses, lane_mask active = ~lane_mask{0}) {
  return global_request_cost(A{}, addresses, active).lines;
}

}  // namespace mmm::gpu
