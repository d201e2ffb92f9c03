// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The law of costs: the closed form, the enumeration and the naive model agree.
#pragma once

#include <mmm/cost/access.hpp>
#include <mmm/index/expression.hpp>

#include "rapidcheck.hpp"
#include "support/naive_model.hpp"
#include "support/random_expression.hpp"

#include <stdexcept>
#include <string>

namespace cost_property {

struct tally {
  int cases = 0;
  int closed = 0;
};

template <class M, class Predicate>
void compare(M const& m, mmm::detail::access_domain const& of, random_expression::tree const& e,
             random_expression::branch const& when, Predicate const& predicate, tally& count) {
  naive_model::figures const naive = naive_model::cost_of_access(m, of, e.root, when);
  mmm::detail::access_cost closed;
  try {
    closed = mmm::detail::cost_of_access(m, of, e, predicate);
  } catch (std::overflow_error const&) {
    RC_DISCARD("a bound over 64 bits");
  }
  mmm::detail::access_cost const each = mmm::detail::enumerated_cost_of_access(m, of, e, predicate);
  ++count.cases;
  count.closed += closed.closed_form;
  RC_ASSERT(each.rounds == naive.rounds);
  RC_ASSERT(each.stages == naive.stages);
  RC_ASSERT(each.time == naive.time);
  RC_ASSERT(closed.rounds == naive.rounds);
  RC_ASSERT(closed.stages == naive.stages);
  RC_ASSERT(closed.time == naive.time);
}

//! Machines whose memories may be those of several DMMs.
template <class M>
inline constexpr bool side_by_side =
    M::conflicts == mmm::conflict::banks || M::conflicts == mmm::conflict::updates;

//! Checks the law on machines from `any_machine()`, which are all of one type.
template <class AnyMachine>
void agrees(std::string const& name, AnyMachine any_machine) {
  tally count;
  using machine = decltype(any_machine());
  holds("closed form = enumeration = naive model on " + name, [&] {
    machine const m = any_machine();
    auto const of = random_expression::any_domain(m.width(), side_by_side<machine>);
    random_expression::material const from{m.width(), of.loops, of.dmms > 1};
    random_expression::tree const e(random_expression::any_expression(
        from, static_cast<int>(random_expression::between(1, 4))));
    RC_LOG() << "address " << e << "\n" << random_expression::described(of) << "\n";
    try {
      if (random_expression::one_in(2)) {
        compare(m, of, e, nullptr, mmm::detail::always{}, count);
      } else {
        random_expression::condition const p(random_expression::any_condition(from, 2));
        RC_LOG() << "where " << p << "\n";
        compare(m, of, e, p.root, p, count);
      }
    } catch (naive_model::out_of_range const&) {
      RC_DISCARD("a value over 64 bits");
    }
  });
  INFO(name << ": " << count.closed << " of " << count.cases << " costs in closed form");
  CHECK(count.closed * 2 > count.cases);  // otherwise the property hardly tests closed forms
}

//! Checks an affine address, often one that repeats from warp to warp, for the first few items or
//! for all.
template <class AnyMachine>
void affine_agrees(std::string const& name, AnyMachine any_machine) {
  using machine = decltype(any_machine());
  int affine = 0;
  int cases = 0;
  holds("affine addresses: closed form = enumeration on " + name, [&] {
    using random_expression::between;
    machine const m = any_machine();
    mmm::index const w = m.width();
    auto of = random_expression::any_domain(w, side_by_side<machine>);
    if (between(0, 1) == 0) of.threads *= w;
    auto const coefficient = [&] {
      return between(-2 * w - 1, 2 * w + 1) * (between(0, 1) == 0 ? 1 : w);
    };
    mmm::constant const step(coefficient()), loop(coefficient()), dmm(coefficient()),
        number(between(-99, 99));
    mmm::variable const k(of.loops > 0 ? mmm::detail::first_loop_slot : mmm::detail::item_slot);
    mmm::variable const j(of.dmms > 1 ? mmm::detail::dmm_slot : mmm::detail::item_slot);
    auto const address = step * mmm::item + loop * k - number + j * dmm;
    auto const when = number + mmm::item * mmm::constant(between(1, 3)) <
                      mmm::constant(between(-9, of.items + 9));
    auto const same_at = [&](auto const& at, auto const& predicate) {
      mmm::detail::access_cost found;
      ++cases;
      affine += mmm::detail::close_affine(m, of, at, predicate, found);
      found = mmm::detail::cost_of_access(m, of, at, predicate);
      auto const each = mmm::detail::enumerated_cost_of_access(m, of, at, predicate);
      RC_LOG() << "step " << step.number << ", loop " << loop.number << ", DMM " << dmm.number
               << ", number " << number.number << "\n"
               << random_expression::described(of) << "\n";
      RC_ASSERT(found.rounds == each.rounds);
      RC_ASSERT(found.stages == each.stages);
      RC_ASSERT(found.time == each.time);
    };
    same_at(address, mmm::detail::always{});
    same_at(address, when);
    mmm::constant const columns(between(1, 4 * w) * (between(0, 1) == 0 ? 1 : w)),
        shift(between(0, 2) - 1);
    same_at(address + step * (mmm::item / columns) + dmm * (mmm::item % columns),
            mmm::detail::always{});
    same_at((mmm::item + shift) / columns + number, when);
  });
  INFO(name << ": " << affine << " of " << cases << " by the short way");
  CHECK(affine * 10 > cases);
}

}  // namespace cost_property
