// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/cost/access.hpp>
#include <mmm/cost/request.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/machine/machine.hpp>

namespace mmm {

//! The cost of a program in the papers' (synchronous) accounting.
struct cost {
  index rounds = 0;         //!< rounds in which some thread accesses memory
  index stages = 0;         //!< pipeline stages of all requests, over all memories
  index time = 0;           //!< time units
  bool closed_form = true;  //!< found without enumerating the warps; exact in either case

  //! One program after the other. Overflow: a compile error in a constant expression, else
  //! std::overflow_error.
  [[nodiscard]] friend constexpr cost operator+(cost const& a, cost const& b) {
    return {detail::checked_add(a.rounds, b.rounds), detail::checked_add(a.stages, b.stages),
            detail::checked_add(a.time, b.time), a.closed_form && b.closed_form};
  }
  friend constexpr bool operator==(cost const&, cost const&) = default;
};

//! The cost of a parallel-for over `n` items with `p` threads whose body makes one access, to
//! address `e(i)` for item i.
//!
//! \param m a memory: dmm, umm, bpram or pram.
//! \param e address in words, as an expression in mmm::item.
//! Time: exact, `sum over ceil(n / p) rounds domain (stages + l - 1)`; computed in O(1) steps for
//! affine expressions. Errors: a figure over 64 bits, a division by zero, a shift by anything but a
//! constant: compile error in a constant expression, else an exception.
template <memory M, expression E>
[[nodiscard]] constexpr cost cost_of(M const& m, E const& e, size n, threads p) {
  detail::access_domain domain;
  domain.items = n.count;
  domain.threads = p.count;
  detail::access_cost const c = detail::cost_of_access(m, domain, e);
  return {c.rounds, c.stages, c.time, c.closed_form};
}
template <memory M, expression E>
[[nodiscard]] constexpr cost cost_of(E const& e, size n, threads p) {
  return cost_of(detail::machine_of<M>(), e, n, p);
}

//! Stages of the request of one warp, given by its addresses, lane by lane; on a bpram or pram,
//! stages of a round with one such request. \tparam N lanes, up to the width. Time: O(N) expected.
template <memory M, index N>
requires(N <= detail::max_lanes<M>)
[[nodiscard]] constexpr index stages(M const& m, index const (&addresses)[N]) {
  if constexpr (!fixed_width<M>)
    if (N > m.width()) detail::reject("the lanes of a request", N, "the width or fewer");
  return detail::cost_of_round(
             m, detail::request_amount<M::conflicts>(detail::width_in(m), static_cast<int>(N),
                                                     [&](int t) { return addresses[t]; }))
      .stages;
}
template <memory M, index N>
requires(fixed_width<M> && N <= detail::max_lanes<M>)
[[nodiscard]] constexpr index stages(index const (&addresses)[N]) {
  return stages(detail::machine_of<M>(), addresses);
}

//! Stages of the request of one warp whose lane `t` asks for address `e(warp * w + t)`.
template <memory M, expression E>
[[nodiscard]] constexpr index stages(M const& m, E const& e, index warp = 0) {
  detail::width_type<M> const width = detail::width_in(m);
  return detail::cost_of_round(m,
                               detail::request_amount<M::conflicts>(
                                   width, static_cast<int>(width.width()),
                                   detail::warp_addresses<detail::width_type<M>>(width, e, warp)))
      .stages;
}
template <memory M, expression E>
[[nodiscard]] constexpr index stages(E const& e, index warp = 0) {
  return stages(detail::machine_of<M>(), e, warp);
}

//! The request of one warp takes one stage on banks: no two lanes ask one bank for different
//! addresses.
template <memory M, expression E>
[[nodiscard]] constexpr bool conflict_free(E const& e, index warp = 0) {
  static_assert(detail::is(M::conflicts, conflict::banks),
                "mmm::conflict_free is about banks: use it with a dmm");
  return stages<M>(e, warp) == 1;
}

//! The request of one warp takes one stage on address groups: all lanes ask for words of one group.
template <memory M, expression E>
[[nodiscard]] constexpr bool coalesced(E const& e, index warp = 0) {
  static_assert(detail::is(M::conflicts, conflict::groups),
                "mmm::coalesced is about address groups: use it with a umm");
  return stages<M>(e, warp) == 1;
}

//! The cost of `n` accesses by `p` threads if each request takes one stage: on a DMM if they are
//! conflict-free, on a UMM if they are coalesced. No parallel-for over n items, each of which makes
//! an access, costs less. \param m a dmm or umm. Source: Nakano and Ito 2014, lemma 1: n/w + nl/p.
//! Time: exact, `(ceil(p/w) + l - 1) floor(n/p)`, and `ceil(r/w) + l - 1` for r = n mod p > 0 items
//! more. Errors: a figure over 64 bits: compile error in a constant expression, else an exception.
template <memory M>
requires(detail::has_stages(M::conflicts))
[[nodiscard]] constexpr cost one_stage_cost(M const& m, size n, threads p) {
  index const full = n.count / p.count;
  index const stages = detail::ceil_divide(p.count, m.width());
  index const rest = detail::ceil_divide(n.count % p.count, m.width());
  return cost{full, detail::checked_multiply(full, stages),
              detail::checked_multiply(full, round_time(m, stages))} +
         cost{rest > 0 ? 1 : 0, rest, round_time(m, rest)};
}
template <memory M>
[[nodiscard]] constexpr cost one_stage_cost(size n, threads p) {
  return one_stage_cost(detail::machine_of<M>(), n, p);
}

//! All warps of a parallel-for over `n` items with `p` threads make requests of one stage.
template <memory M, expression E>
[[nodiscard]] constexpr bool one_stage_each(E const& e, size n, threads p) {
  detail::access_domain domain;
  domain.items = n.count;
  domain.threads = p.count;
  return detail::cost_of_access(detail::machine_of<M>(), domain, e).stages ==
         one_stage_cost<M>(n, p).stages;
}
template <memory M, expression E>
[[nodiscard]] constexpr bool conflict_free(E const& e, size n, threads p) {
  static_assert(detail::is(M::conflicts, conflict::banks),
                "mmm::conflict_free is about banks: use it with a dmm");
  return one_stage_each<M>(e, n, p);
}
template <memory M, expression E>
[[nodiscard]] constexpr bool coalesced(E const& e, size n, threads p) {
  static_assert(detail::is(M::conflicts, conflict::groups),
                "mmm::coalesced is about address groups: use it with a umm");
  return one_stage_each<M>(e, n, p);
}

//! The parallel-for of cost_of takes at most `limit` time units.
template <memory M, expression E>
[[nodiscard]] constexpr bool time_at_most(E const& e, size n, threads p, index limit) {
  return cost_of<M>(e, n, p).time <= limit;
}

}  // namespace mmm
