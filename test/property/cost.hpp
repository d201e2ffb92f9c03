// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The law of costs: closed form = enumeration = the naive model.
#pragma once

#include <mmm/cost/access.hpp>
#include <mmm/index/expression.hpp>

#include "naive_model.hpp"
#include "random_expression.hpp"
#include "rapidcheck.hpp"

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

//! For machines that `any_machine()` gives, all of one type.
template <class AnyMachine>
void agrees(std::string const& name, AnyMachine any_machine) {
  tally count;
  using machine = decltype(any_machine());
  holds("closed form = enumeration = naive model on " + name, [&] {
    machine const m = any_machine();
    auto const of = random_expression::any_domain(machine::width, machine::conflicts == mmm::conflict::banks);
    random_expression::material const from{machine::width, of.loops, of.dmms > 1};
    random_expression::tree const e(
        random_expression::any_expression(from, static_cast<int>(random_expression::between(1, 4))));
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
  CHECK(count.closed * 2 > count.cases);  // else the property says little about closed forms
}

}  // namespace cost_property
