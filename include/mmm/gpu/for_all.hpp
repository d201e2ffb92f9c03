// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/cost/for_all.hpp>
#include <mmm/gpu/access.hpp>
#include <mmm/gpu/request.hpp>
#include <mmm/gpu/rules.hpp>
#include <mmm/index/expression.hpp>

//! Statements about the requests of a warp to shared memory for all values of symbols
//! (cost/for_all.hpp), by the rules of real GPUs.
namespace mmm::gpu {

//! The most wavefronts of the request of warp `warp` over all values of the symbols, and values
//! that have them. Exact.
//! \tparam A the access. \tparam Rules how the GPU serves it; none that merges pairs of lanes.
//! \param bytes the address of item i in bytes, in mmm::item and the symbols of `all`.
//! Errors: as mmm::max_stages, and std::invalid_argument for an address that is negative or no
//! multiple of the access's bytes for some value.
template <static_access A, bank_rules Rules = nvidia, expression E>
[[nodiscard]] constexpr worst_value max_wavefronts(E const& bytes, quantified const& all,
                                                   index warp = 0) {
  static_assert(!Rules::merges_pairs(A{}),
                "mmm: statements for all values of a symbol are by rules that merge no pairs");
  constexpr lane_mask giving = detail::lanes_of<Rules>(A{});
  constexpr int lanes = max_lanes - mmm::detail::countl_zero(giving);
  return mmm::detail::worst_over_values<lanes>(
      bytes, lanes, mmm::detail::checked_multiply(warp, index{Rules::lanes}), all,
      index{4} * Rules::banks, index{4},
      [](index const* address) {
        return detail::count_shared<Rules>(
                   A{}, [&](int t) { return address[t]; }, giving)
            .wavefronts;
      },
      [](index address) { detail::require_aligned(A{}, address); });
}

//! No phase of the request takes more than one wavefront, for all values of the symbols.
//! Errors as max_wavefronts, whose values are a counterexample.
template <static_access A, bank_rules Rules = nvidia, expression E>
[[nodiscard]] constexpr bool conflict_free(E const& bytes, quantified const& all, index warp = 0) {
  return max_wavefronts<A, Rules>(bytes, all, warp).cost == Rules::phases(A{}).phases;
}

}  // namespace mmm::gpu
