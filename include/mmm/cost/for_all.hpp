// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/cost/request.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/index/period.hpp>
#include <mmm/machine/machine.hpp>
#include <mmm/machine/service.hpp>

//! Statements about the requests of a warp for all values of a symbol, as a stride:
//!
//!     constexpr auto stride = mmm::symbol;
//!     static_assert(conflict_free<shared>(item * stride, for_all(stride, odd)));
//!
//! They are decided by periods. The address of a lane moves by a fixed amount over a period of the
//! symbol (index/period.hpp), and so over a multiple of the period by a multiple of the width.
//! From then on every lane is in the bank that it was in one period before, and lanes that ask for
//! different words of a bank go on to do so, but for single values at which two words that move by
//! different amounts pass each other. So one period is examined, with the words told apart by where
//! they are and how they move.
namespace mmm {

//! The variable of an expression for which a statement holds for all values.
inline constexpr variable symbol(detail::slot_count - 1);

//! Values of a symbol: first, first + step, … up to last. 0 or more, with a step of 1 or more.
struct symbol_values {
  index first = 0;
  index step = 1;
  index last = unlimited;
};
inline constexpr symbol_values every{0, 1};
inline constexpr symbol_values odd{1, 2};
inline constexpr symbol_values even{0, 2};
//! k, 2k, 3k, …. \param k 1 or more, otherwise std::invalid_argument.
[[nodiscard]] constexpr symbol_values multiples_of(index k) {
  if (k < 1) detail::reject("the divisor of a symbol's values", k, "1 or more");
  return {k, k};
}

//! All values of mmm::symbol, for a statement.
struct quantified {
  symbol_values values;
};
//! \param which mmm::symbol. Errors: std::invalid_argument for another variable, and for values
//! that are negative, none or without a step.
[[nodiscard]] constexpr quantified for_all(variable which, symbol_values const& values) {
  if (which.slot != symbol.slot)
    detail::reject("the variable of for_all", which.slot, "mmm::symbol");
  if (values.first < 0) detail::reject("the first value of a symbol", values.first, "0 or more");
  if (values.step < 1) detail::reject("the step of a symbol", values.step, "1 or more");
  if (values.last < values.first)
    detail::reject("the last value of a symbol", values.last, "the first value or more");
  return {values};
}

//! The largest cost over all values of a symbol.
struct worst_value {
  index cost = 0;      //!< stages, wavefronts
  index value = 0;     //!< of the symbol, that has it
  index examined = 0;  //!< values that decided it
};

namespace detail {

//! The most values that are examined.
inline constexpr index max_symbol_values = index{1} << 20;

//! The motion of a lane's address along the symbol.
struct symbol_motions : motions<bounded_motion> {
  index item = 0;
  symbol_values values;
  constexpr symbol_motions(index i, symbol_values const& v) : item(i), values(v) {}
  [[nodiscard]] constexpr bounded_motion variable(mmm::variable const& v) const {
    if (v.slot == symbol.slot) return {moving(1, 1), values.first, bounded_motion::unbounded};
    if (v.slot == item_slot) return number(item);
    reject("a variable besides item and symbol: slot", v.slot, "none");
  }
  template <class Condition, class Then, class Else>
  [[nodiscard]] constexpr bounded_motion select(Condition const& condition, Then const& a,
                                                Else const& b) {
    truth_motion const p = condition.fold(*this);
    if (p.always) return a.fold(*this);
    if (p.never) return b.fold(*this);
    return choose(p, a.fold(*this), b.fold(*this));
  }
  template <connective Connective, class P, class Q>
  [[nodiscard]] constexpr truth_motion connect(P const& left, Q const& right) {
    return combine<Connective>(left.fold(*this), right.fold(*this));
  }
};

//! The addresses of a warp's lanes for values of the symbol.
template <class E, int MaxLanes>
struct symbol_request {
  E const& e;
  int lanes;
  index first_item;
  constexpr void at(index value, index* address) const {
    assignment variables;
    variables.slot[symbol.slot] = value;
    for (int t = 0; t < lanes; ++t) {
      variables.slot[item_slot] = checked_add(first_item, t);
      address[t] = place_of(e).template value<checked_arithmetic>(variables);
    }
  }
  //! The least number of values after which every lane's address has moved by a multiple of the
  //! modulus; 0 if it is not known.
  [[nodiscard]] constexpr index period(symbol_values const& values, index modulus) const {
    index common = 1;
    for (int t = 0; t < lanes; ++t) {
      symbol_motions in(checked_add(first_item, t), values);
      motion const moves = aligned(place_of(e).fold(in).moves, modulus);
      if (!moves.periodic || moves.period > max_symbol_values) return 0;
      common = lcm(common, moves.period);
      if (common > max_symbol_values) return 0;
    }
    return common;
  }
};

//! Addresses that stand for `address` at almost all values of a class: as far into their block of
//! `modulus`, and in one block exactly if they are now and move alike.
template <int MaxLanes>
constexpr void separate_by_motion(index const* address, index const* later, int lanes,
                                  index modulus, index* stand_in) {
  index block[MaxLanes] = {};
  for (int t = 0; t < lanes; ++t) {
    block[t] = floor_divide(address[t], modulus);
    int same = 0;
    while (same < t &&
           (block[same] != block[t] || later[same] - address[same] != later[t] - address[t]))
      ++same;
    stand_in[t] = address[t] + (same - block[t]) * modulus;
  }
}

//! The largest cost over all values. \param modulus of addresses: banks repeat after it.
//! \param count the cost of a warp's addresses, which does not grow as words become equal.
//! \param check refuses addresses, for the first value of a class and the one a period later.
template <int MaxLanes, class E, class Count, class Check>
[[nodiscard]] constexpr worst_value worst_over_values(E const& e, int lanes, index first_item,
                                                      symbol_values const& values, index modulus,
                                                      Count count, Check check) {
  symbol_request<E, MaxLanes> const request{e, lanes, first_item};
  index const period = request.period(values, modulus);
  index const further = (values.last - values.first) / values.step;  // values after the first
  index const stride = period > 0 ? lcm(period, values.step) : 0;
  index const classes = stride / values.step;
  worst_value worst{-1, values.first, 0};
  index address[MaxLanes] = {};
  auto const examine = [&](index value) {
    request.at(value, address);
    index const cost = count(address);
    ++worst.examined;
    if (cost > worst.cost) {
      worst.cost = cost;
      worst.value = value;
    }
    return cost;
  };
  if (period == 0 || further < 2 * classes) {
    if (further >= max_symbol_values)
      reject("the number of values of a symbol along which the expression has no known period",
             further, "below 2^20");
    for (index k = 0; k <= further; ++k) {
      examine(values.first + k * values.step);
      check(address, address, false);
    }
    return worst;
  }
  for (index k = 0; k < classes; ++k) {
    index const first = values.first + k * values.step;
    index start[MaxLanes] = {};
    index later[MaxLanes] = {};
    index stand_in[MaxLanes] = {};
    request.at(first, start);
    request.at(checked_add(first, stride), later);
    check(start, later, values.last == unlimited);
    separate_by_motion<MaxLanes>(start, later, lanes, modulus, stand_in);
    index const almost_always = count(stand_in);
    ++worst.examined;
    if (almost_always <= worst.cost) continue;
    // one of the values has it, unless they are few
    for (index value = first;; value += stride) {
      if (examine(value) == almost_always || value > values.last - stride) break;
    }
  }
  return worst;
}

}  // namespace detail

//! The most stages of the request of one warp, whose lane t asks for `e(warp * w + t)`, over all
//! values of the symbol, and a value that has them. Exact.
//! \param m a dmm or umm. \param e address in words, in mmm::item and mmm::symbol.
//! Errors: std::invalid_argument if more than 2^20 values would have to be examined: the period of
//! the expression along the symbol is longer, or not known, and the values are many. A product
//! of the symbol with itself has none. Otherwise as stages. Time: O(w) for each value of a
//! period, O(w^2) at most.
template <memory M, expression E>
requires(detail::has_stages(M::conflicts))
[[nodiscard]] constexpr worst_value max_stages(M const& m, E const& e, quantified const& all,
                                               index warp = 0) {
  auto const width = detail::width_in(m);
  int const lanes = static_cast<int>(width.width());
  return detail::worst_over_values<detail::max_lanes<M>>(
      e, lanes, detail::checked_multiply(warp, lanes), all.values, m.width(),
      [&](index const* address) {
        return detail::request_amount<M::conflicts>(width, lanes,
                                                    [&](int t) { return address[t]; });
      },
      [](index const*, index const*, bool) {});
}
template <memory M, expression E>
requires(detail::has_stages(M::conflicts))
[[nodiscard]] constexpr worst_value max_stages(E const& e, quantified const& all, index warp = 0) {
  return max_stages(detail::machine_of<M>(), e, all, warp);
}

//! The request of one warp is free of bank conflicts for all values of the symbol. Errors and
//! time as max_stages, whose value is a counterexample.
template <memory M, expression E>
[[nodiscard]] constexpr bool conflict_free(E const& e, quantified const& all, index warp = 0) {
  static_assert(detail::is(M::conflicts, conflict::banks),
                "mmm::conflict_free is about banks: use it with a dmm");
  return max_stages<M>(e, all, warp).cost == 1;
}
//! The request of one warp is in one address group for all values of the symbol, as
//! conflict_free.
template <memory M, expression E>
[[nodiscard]] constexpr bool coalesced(E const& e, quantified const& all, index warp = 0) {
  static_assert(detail::is(M::conflicts, conflict::groups),
                "mmm::coalesced is about address groups: use it with a umm");
  return max_stages<M>(e, all, warp).cost == 1;
}

}  // namespace mmm
