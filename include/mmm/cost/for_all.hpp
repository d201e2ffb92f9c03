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

//! Statements about the requests of a warp for all values of symbols, as a stride and an offset:
//!
//!     constexpr auto stride = mmm::symbol, offset = mmm::second_symbol;
//!     static_assert(conflict_free<shared>(item * stride, for_all(stride, odd)));
//!     static_assert(conflict_free<shared>(item * stride + offset,
//!                                         for_all(stride, odd, offset, even)));
//!
//! They are decided by periods. The address of a lane moves by a fixed amount over a period of a
//! symbol (index/period.hpp), and so over a multiple of the period by a multiple of the width.
//! From then on every lane is in the bank that it was in one period before, and lanes that ask for
//! different words of a bank go on to do so, but for single values at which two words that move by
//! different amounts pass each other. So one period is examined, with the words told apart by where
//! they are and how they move; for several symbols, the product of one period of each.
namespace mmm {

//! The variables of an expression for which a statement holds for all values.
inline constexpr variable symbol(detail::slot_count - 1);
inline constexpr variable second_symbol(detail::slot_count - 2);
inline constexpr variable third_symbol(detail::slot_count - 3);
inline constexpr int max_symbols = 3;
inline constexpr variable symbols[max_symbols] = {symbol, second_symbol, third_symbol};

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

namespace detail {

//! The number of a symbol: 0 for mmm::symbol, 1 for mmm::second_symbol, …; otherwise of no meaning.
[[nodiscard]] constexpr int symbol_number(variable const& v) { return symbol.slot - v.slot; }
[[nodiscard]] constexpr bool is_symbol(variable const& v) {
  return symbol_number(v) >= 0 && symbol_number(v) < max_symbols;
}

}  // namespace detail

//! All values of symbols, for a statement.
struct quantified {
  symbol_values values[max_symbols] = {};  //!< in the order of mmm::symbols
  bool given[max_symbols] = {};            //!< false for symbols that the statement does not have
};
namespace detail {

constexpr void quantify(quantified& all, variable which, symbol_values const& values) {
  if (!is_symbol(which))
    reject("the slot of the variable of for_all", which.slot,
           "that of mmm::symbol, mmm::second_symbol or mmm::third_symbol");
  if (values.first < 0) reject("the first value of a symbol", values.first, "0 or more");
  if (values.step < 1) reject("the step of a symbol", values.step, "1 or more");
  if (values.last < values.first)
    reject("the last value of a symbol", values.last, "the first value or more");
  int const number = symbol_number(which);
  if (all.given[number]) reject("the variable of for_all that is given twice", which.slot, "once");
  all.values[number] = values;
  all.given[number] = true;
}

}  // namespace detail

//! All values of a symbol. Errors: std::invalid_argument for another variable, for one that is
//! given twice, and for values that are negative, none or without a step.
[[nodiscard]] constexpr quantified for_all(variable which, symbol_values const& values) {
  quantified all;
  detail::quantify(all, which, values);
  return all;
}
//! All combinations of the values of two symbols.
[[nodiscard]] constexpr quantified for_all(variable a, symbol_values const& values_of_a, variable b,
                                           symbol_values const& values_of_b) {
  quantified all = for_all(a, values_of_a);
  detail::quantify(all, b, values_of_b);
  return all;
}
//! All combinations of the values of three symbols.
[[nodiscard]] constexpr quantified for_all(variable a, symbol_values const& values_of_a, variable b,
                                           symbol_values const& values_of_b, variable c,
                                           symbol_values const& values_of_c) {
  quantified all = for_all(a, values_of_a, b, values_of_b);
  detail::quantify(all, c, values_of_c);
  return all;
}

//! The largest cost over all values of the symbols.
struct worst_value {
  index cost = 0;                  //!< stages, wavefronts
  index values[max_symbols] = {};  //!< of mmm::symbols, that have it
  index examined = 0;              //!< combinations of values that decided it

  //! The value of a symbol that has the cost: a counterexample, if it is too large.
  [[nodiscard]] constexpr index value(variable const& which = symbol) const {
    if (!detail::is_symbol(which)) detail::reject("the slot of a symbol", which.slot, "a symbol's");
    return values[detail::symbol_number(which)];
  }
};

namespace detail {

//! The most combinations of values that are examined.
inline constexpr index max_symbol_values = index{1} << 20;

//! Refuses a statement. \param combinations of values that would have to be examined.
[[noreturn]] inline void reject_combinations(index combinations) {
  reject(
      "the combinations of values to be examined, those of a period of each symbol, and all of a "
      "symbol along which the expression has no known period",
      combinations, "at most 2^20");
}

//! The motion of a lane's address along one symbol; the values of the others are within bounds.
struct symbol_motions : motions<bounded_motion> {
  index item = 0;
  int along = 0;
  index low[max_symbols] = {};
  index high[max_symbols] = {};
  bool given[max_symbols] = {};
  [[nodiscard]] constexpr bounded_motion variable(mmm::variable const& v) const {
    if (v.slot == item_slot) return number(item);
    int const k = symbol_number(v);
    if (!is_symbol(v) || !given[k])
      reject("a variable besides item and the symbols of for_all: slot", v.slot, "none");
    return {moving(1, k == along ? 1 : 0), low[k], high[k]};
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

//! How the statement treats a symbol.
enum class symbol_role {
  absent,      //!< not in the statement
  open,        //!< not decided yet
  enumerated,  //!< one value after the other
  periodic,    //!< the values of one period
  shifting     //!< its first value: all lanes move by one amount, which leaves the cost as it is
};

//! The largest cost over all values of symbols.
//! \tparam Count returns the cost of a warp's addresses, which does not grow as words become equal.
//! \tparam Check refuses an address.
template <int MaxLanes, class E, class Count, class Check>
class worst_search {
 public:
  //! \param modulus of addresses: banks repeat after it. \param shift of all addresses, of which
  //! multiples leave the cost as it is.
  constexpr worst_search(E const& e, int lanes, index first_item, quantified const& all,
                         index modulus, index shift, Count const& count, Check const& check)
      : e_(e),
        lanes_(lanes),
        first_item_(first_item),
        all_(all),
        modulus_(modulus),
        shift_(shift),
        count_(count),
        check_(check) {}

  [[nodiscard]] constexpr worst_value run() {
    for (int k = 0; k < max_symbols; ++k) {
      now_[k] = all_.values[k].first;
      role_[k] = all_.given[k] ? symbol_role::open : symbol_role::absent;
    }
    assign_roles(1);
    return worst_;
  }

 private:
  static constexpr index max_pairs = index{MaxLanes} * (MaxLanes - 1) / 2;

  //! Values of a symbol after its first one.
  [[nodiscard]] constexpr index further(int k) const {
    return (all_.values[k].last - all_.values[k].first) / all_.values[k].step;
  }
  constexpr void addresses(index* address) const {
    assignment variables;
    for (int k = 0; k < max_symbols; ++k)
      if (all_.given[k]) variables.slot[symbols[k].slot] = now_[k];
    for (int t = 0; t < lanes_; ++t) {
      variables.slot[item_slot] = checked_add(first_item_, t);
      address[t] = place_of(e_).template value<checked_arithmetic>(variables);
    }
  }

  //! Finds the amount by which a symbol grows in a period, a multiple of its step; 0 if none is
  //! known.
  //! \param uniform becomes true if all lanes move by one amount, a multiple of the shift.
  [[nodiscard]] constexpr index period_of_symbol(int along, bool& uniform) const {
    symbol_motions in;
    in.along = along;
    for (int k = 0; k < max_symbols; ++k) {
      bool const fixed = role_[k] == symbol_role::enumerated;
      in.given[k] = all_.given[k];
      in.low[k] = fixed ? now_[k] : all_.values[k].first;
      in.high[k] = fixed ? now_[k] : all_.values[k].last;
    }
    index common = all_.values[along].step;
    index apart = common;  // the period after which lanes are in the same banks
    index increment = 0;
    uniform = true;
    for (int t = 0; t < lanes_; ++t) {
      in.item = checked_add(first_item_, t);
      motion const moves = place_of(e_).fold(in).moves;
      if (!moves.periodic || moves.period > max_symbol_values) return 0;
      motion const whole = aligned(moves, modulus_);
      if (!whole.periodic || whole.period > max_symbol_values) return 0;
      apart = lcm(apart, whole.period);
      if (apart / all_.values[along].step > max_symbol_values) return 0;
      uniform = uniform && common % moves.period == 0;
      if (!uniform) continue;
      index const by = common / moves.period * moves.increment;
      uniform = by % shift_ == 0 && (t == 0 || by == increment);
      increment = by;
    }
    return uniform ? common : apart;
  }

  //! Decides how the open symbols are treated, and examines their values.
  //! \param combinations of values of the enumerated symbols.
  constexpr void assign_roles(index combinations) {
    int few = -1;      // a symbol with few values, or of finitely many without a period
    int finite = -1;   // a symbol of finitely many values
    int lacking = -1;  // a symbol without a period
    symbol_role found[max_symbols] = {};
    for (int k = 0; k < max_symbols; ++k) {
      if (role_[k] != symbol_role::open) continue;
      bool uniform = false;
      index const grows = period_of_symbol(k, uniform);
      index const classes = grows / all_.values[k].step;
      period_[k] = grows;
      found[k] = uniform ? symbol_role::shifting : symbol_role::periodic;
      bool const bounded = further(k) < max_symbol_values;
      if (grows == 0) lacking = k;
      if (bounded) finite = k;
      if (bounded && (grows == 0 || (!uniform && further(k) < 2 * classes))) few = k;
    }
    int const next = few >= 0 || lacking < 0 ? few : finite;
    if (next >= 0) {
      index const all = checked_multiply(combinations, further(next) + 1);
      if (all > max_symbol_values) reject_combinations(all);
      role_[next] = symbol_role::enumerated;
      for (index i = 0; i <= further(next); ++i) {
        now_[next] = all_.values[next].first + i * all_.values[next].step;
        assign_roles(all);
      }
      now_[next] = all_.values[next].first;
      role_[next] = symbol_role::open;
      return;
    }
    if (lacking >= 0) reject_combinations(further(lacking));
    for (int k = 0; k < max_symbols; ++k) {
      if (role_[k] != symbol_role::open) continue;
      role_[k] = found[k];
      if (role_[k] == symbol_role::periodic)
        combinations = checked_multiply(combinations, period_[k] / all_.values[k].step);
      if (combinations > max_symbol_values) reject_combinations(combinations);
    }
    examine_classes(0);
    for (int k = 0; k < max_symbols; ++k)
      if (role_[k] == symbol_role::periodic || role_[k] == symbol_role::shifting)
        role_[k] = symbol_role::open;
  }

  //! Examines each combination of one period's values of the periodic symbols from `k` on.
  constexpr void examine_classes(int k) {
    if (k == max_symbols) return examine_class();
    symbol_values const& values = all_.values[k];
    index const classes = role_[k] == symbol_role::periodic ? period_[k] / values.step : 1;
    if (classes == 1 && role_[k] != symbol_role::periodic) return examine_classes(k + 1);
    for (index i = 0; i < classes; ++i) {
      now_[k] = values.first + i * values.step;
      examine_classes(k + 1);
    }
    now_[k] = values.first;
  }

  //! Examines the values that are whole periods from those of now.
  constexpr void examine_class() {
    index start[MaxLanes] = {};
    index lowest[MaxLanes] = {};
    addresses(start);
    for (int t = 0; t < lanes_; ++t) lowest[t] = start[t];
    for (int k = 0; k < max_symbols; ++k) {
      further_periods_[k] = 0;
      bool const periodic = role_[k] == symbol_role::periodic;
      if (!periodic && role_[k] != symbol_role::shifting) continue;
      index const first = now_[k];
      index const whole = (all_.values[k].last - first) / period_[k];
      if (whole == 0) continue;
      if (periodic) further_periods_[k] = smaller(whole, max_pairs);
      now_[k] = first + period_[k];
      addresses(increment_[k]);
      now_[k] = first;
      for (int t = 0; t < lanes_; ++t) {
        check_(increment_[k][t]);
        increment_[k][t] -= start[t];
        index const falls = -increment_[k][t];
        if (falls > 0 && lowest[t] >= 0) lowest[t] -= smaller(whole, lowest[t] / falls + 1) * falls;
      }
    }
    for (int t = 0; t < lanes_; ++t) {
      check_(start[t]);
      check_(lowest[t]);
    }
    examine_periods(0, start);
  }

  //! Examines the values that are whole periods of the symbols from `k` on from an address. More
  //! than `max_pairs` periods are not needed: for one of so many, words that move by different
  //! amounts are different.
  constexpr void examine_periods(int k, index const* address) {
    while (k < max_symbols && further_periods_[k] == 0) ++k;
    index const almost_always = cost_of(k, address);
    if (almost_always <= worst_.cost) return;
    if (k == max_symbols) {
      worst_.cost = almost_always;
      for (int s = 0; s < max_symbols; ++s)
        worst_.values[s] = all_.given[s] ? now_[s] + periods_[s] * period_of(s) : 0;
      return;
    }
    index moved[MaxLanes] = {};
    // The greater one stands first: nvcc takes `cost <` for the begin of a template's arguments.
    for (index n = 0; n <= further_periods_[k] && almost_always > worst_.cost; ++n) {
      for (int t = 0; t < lanes_; ++t)
        moved[t] = checked_add(address[t], checked_multiply(n, increment_[k][t]));
      periods_[k] = n;
      examine_periods(k + 1, moved);
    }
    periods_[k] = 0;
  }
  [[nodiscard]] constexpr index period_of(int k) const {
    return role_[k] == symbol_role::periodic ? period_[k] : 0;
  }

  //! The cost of addresses at almost all whole periods of the symbols from `k` on: of words of a
  //! bank, those are the same that are now and that move by equal amounts.
  [[nodiscard]] constexpr index cost_of(int k, index const* address) {
    if (++worst_.examined > 4 * max_symbol_values) reject_combinations(worst_.examined);
    if (k == max_symbols) return count_(address);
    index stand_in[MaxLanes] = {};
    index block[MaxLanes] = {};
    for (int t = 0; t < lanes_; ++t) {
      block[t] = floor_divide(address[t], modulus_);
      int same = 0;
      while (same < t && (block[same] != block[t] || !same_increments(k, same, t))) ++same;
      stand_in[t] = address[t] + (same - block[t]) * modulus_;
    }
    return count_(stand_in);
  }
  [[nodiscard]] constexpr bool same_increments(int k, int a, int b) const {
    for (; k < max_symbols; ++k)
      if (further_periods_[k] > 0 && increment_[k][a] != increment_[k][b]) return false;
    return true;
  }

  E const& e_;
  int lanes_;
  index first_item_;
  quantified const& all_;
  index modulus_;
  index shift_;
  Count const& count_;
  Check const& check_;
  symbol_role role_[max_symbols] = {};
  index period_[max_symbols] = {};
  index further_periods_[max_symbols] = {};  //!< that are examined
  index increment_[max_symbols][MaxLanes] = {};
  index now_[max_symbols] = {};      //!< values of the symbols
  index periods_[max_symbols] = {};  //!< added to them
  worst_value worst_{-1};
};

template <int MaxLanes, class E, class Count, class Check>
[[nodiscard]] constexpr worst_value worst_over_values(E const& e, int lanes, index first_item,
                                                      quantified const& all, index modulus,
                                                      index shift, Count const& count,
                                                      Check const& check) {
  return worst_search<MaxLanes, E, Count, Check>(e, lanes, first_item, all, modulus, shift, count,
                                                 check)
      .run();
}

}  // namespace detail

//! The most stages of the request of one warp, whose lane t asks for `e(warp * w + t)`, over all
//! values of the symbols, and values that have them. Exact.
//! \param m a dmm or umm. \param e address in words, in mmm::item and the symbols of `all`.
//! Errors: std::invalid_argument if more than 2^20 combinations of values would have to be
//! examined: of a symbol the values of one period, or all values if they are fewer or if the
//! expression has no known period along it. A product of two symbols has none, or of a symbol with
//! itself; but if the values of one of them are few, they are taken as numbers. Otherwise as
//! stages. Time: O(w) for each combination, O(w^2) at most. A symbol along which all lanes move
//! by one amount has one value.
template <memory M, expression E>
requires(detail::has_stages(M::conflicts))
[[nodiscard]] constexpr worst_value max_stages(M const& m, E const& e, quantified const& all,
                                               index warp = 0) {
  auto const width = detail::width_in(m);
  int const lanes = static_cast<int>(width.width());
  return detail::worst_over_values<detail::max_lanes<M>>(
      e, lanes, detail::checked_multiply(warp, lanes), all, m.width(),
      detail::is(M::conflicts, conflict::banks) ? 1 : m.width(),
      [&](index const* address) {
        return detail::request_amount<M::conflicts>(width, lanes,
                                                    [&](int t) { return address[t]; });
      },
      [](index) {});
}
template <memory M, expression E>
requires(detail::has_stages(M::conflicts))
[[nodiscard]] constexpr worst_value max_stages(E const& e, quantified const& all, index warp = 0) {
  return max_stages(detail::machine_of<M>(), e, all, warp);
}

//! The request of one warp is free of bank conflicts for all values of the symbols. Errors
//! and time as max_stages, whose values are a counterexample.
template <memory M, expression E>
[[nodiscard]] constexpr bool conflict_free(E const& e, quantified const& all, index warp = 0) {
  static_assert(detail::is(M::conflicts, conflict::banks),
                "mmm::conflict_free is about banks: use it with a dmm");
  return max_stages<M>(e, all, warp).cost == 1;
}
//! The request of one warp is in one address group for all values of the symbols, as
//! conflict_free.
template <memory M, expression E>
[[nodiscard]] constexpr bool coalesced(E const& e, quantified const& all, index warp = 0) {
  static_assert(detail::is(M::conflicts, conflict::groups),
                "mmm::coalesced is about address groups: use it with a umm");
  return max_stages<M>(e, all, warp).cost == 1;
}

}  // namespace mmm
