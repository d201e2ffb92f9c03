// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random index expressions, predicates and access domains. Their shape is known only at run time,
// so that every operator occurs below every other one with one instantiation per machine.
#pragma once

#include <mmm/cost/access.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/index/period.hpp>

#include "rapidcheck.hpp"

#include <common/expression_tree.hpp>

#include <ostream>
#include <sstream>
#include <string>

namespace random_expression {

using mmm::index;
using mmm::detail::operation;

//! A random number in [low, high], both included.
inline index between(index low, index high) {
  // resize: otherwise rapidcheck's small first cases would narrow the range
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<index>(low, high + 1));
}
inline bool one_in(index n) { return between(1, n) == n; }

using tool::branch;
using tool::condition;
using tool::kind;
using tool::make;
using tool::node;
using tool::number;
using tool::operate;
using tool::tree;
using tool::variable;

//! The parameters of random expressions: `loops` counters and, with `dmm`, a DMM's number, in
//! addition to the item. Their constants are often related to the width.
struct material {
  index width = 1;
  int loops = 0;
  bool dmm = false;
};

inline index any_divisor(material const& of) {
  switch (between(0, 3)) {
    case 0:
      return of.width * between(1, 4);
    case 1:
      return index{1} << between(0, 6);
    default:
      return between(1, 70);
  }
}

inline branch any_condition(material const& of, int depth);

inline branch any_expression(material const& of, int depth) {
  if (depth == 0 || one_in(8)) {
    index const which = between(0, 9);
    if (which == 0) return number(between(0, 100));
    if (which == 1 && of.loops > 0)
      return variable(mmm::detail::first_loop_slot + static_cast<int>(between(0, of.loops - 1)));
    if (which == 2 && of.dmm) return variable(mmm::detail::dmm_slot);
    return variable(mmm::detail::item_slot);
  }
  branch const x = any_expression(of, depth - 1);
  switch (between(0, 19)) {
    case 0:
    case 1:
      return operate(operation::add, x, number(between(-20, 100)));
    case 2:
      return operate(operation::subtract, number(between(0, 2000)), x);
    case 3:
    case 4:
      return operate(operation::multiply, x, number(between(-3, 40)));
    case 5:
    case 6:
      return operate(operation::divide, x, number(any_divisor(of)));
    case 7:
    case 8:
    case 9:
      return operate(operation::modulo, x, number(any_divisor(of)));
    case 10:
      return operate(operation::shift_left, x, number(between(0, 5)));
    case 11:
      return operate(operation::shift_right, x, number(between(0, 5)));
    case 12:
      return operate(operation::bit_xor, x, number(between(0, 100)));
    case 13:
      return operate(operation::bit_and, x, number(between(-8, 100)));
    case 14:  // a divisor that is not constant, and a negative one
      return operate(one_in(2) ? operation::divide : operation::modulo, x,
                     one_in(4)
                         ? number(-any_divisor(of))
                         : operate(operation::maximum, any_expression(of, depth - 1), number(1)));
    case 15: {
      branch const p = any_condition(of, 1);
      return make({kind::select, {}, 0, p, x, any_expression(of, depth - 1)});
    }
    default: {
      operation const ops[] = {operation::add,      operation::add,     operation::add,
                               operation::subtract, operation::bit_xor, operation::bit_and,
                               operation::bit_or,   operation::minimum, operation::maximum,
                               operation::multiply};
      return operate(ops[between(0, 9)], x, any_expression(of, depth - 1));
    }
  }
}

inline branch any_condition(material const& of, int depth) {
  if (depth > 0 && one_in(3)) {
    branch const p = any_condition(of, depth - 1);
    if (one_in(3)) return make({kind::negation, {}, 0, p, {}, {}});
    return make(
        {one_in(2) ? kind::both : kind::either, {}, 0, p, any_condition(of, depth - 1), {}});
  }
  branch const x = any_expression(of, 2);
  branch const y =
      one_in(3) ? any_expression(of, 1) : number(one_in(2) ? between(0, 60) : between(0, 2000));
  return make(
      {one_in(5) ? kind::equal : kind::less, {}, 0, one_in(3) ? y : x, one_in(3) ? x : y, {}});
}

inline char const* symbol(operation op) {
  char const* const symbols[] = {"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "min", "max"};
  return symbols[static_cast<int>(op)];
}
inline void write(std::ostream& out, branch const& b) {
  node const& x = *b;
  switch (x.what) {
    case kind::variable:
      out << (x.number == 0 ? "item" : x.number == 1 ? "dmm" : x.number == 2 ? "k0" : "k1");
      return;
    case kind::constant:
      out << x.number;
      return;
    case kind::negation:
      out << "!";
      break;
    case kind::select:
      out << "select";
      break;
    default:
      break;
  }
  out << "(";
  write(out, x.first);
  if (x.second) {
    out << (x.what == kind::binary   ? std::string(" ") + symbol(x.op) + " "
            : x.what == kind::less   ? " < "
            : x.what == kind::equal  ? " == "
            : x.what == kind::both   ? " && "
            : x.what == kind::either ? " || "
                                     : ", ");
    write(out, x.second);
  }
  if (x.third) {
    out << ", ";
    write(out, x.third);
  }
  out << ")";
}
}  // namespace random_expression

namespace tool {

inline std::ostream& operator<<(std::ostream& out, tree const& e) {
  random_expression::write(out, e.root);
  return out;
}
inline std::ostream& operator<<(std::ostream& out, condition const& p) {
  random_expression::write(out, p.root);
  return out;
}

}  // namespace tool

namespace random_expression {

//! A random access domain, even or ragged, with or without DMMs and loops. With `banks`, the access
//! is to shared memories, which several DMMs may use side by side.
inline mmm::detail::access_domain any_domain(index width, bool banks) {
  mmm::detail::access_domain of;
  of.items = one_in(4) ? between(0, 1500) : between(0, 300);
  of.threads = one_in(3) ? between(1, 100) : width * between(1, 6);
  if (one_in(3)) {
    of.dmms = between(1, 4);
    of.machine_wide = one_in(2);
    of.side_by_side = banks && !of.machine_wide && one_in(2);
  }
  if (one_in(4)) {
    of.loops = static_cast<int>(between(1, 2));
    of.trips[0] = between(0, 6);
    of.trips[1] = between(1, 4);
  }
  return of;
}

inline std::string described(mmm::detail::access_domain const& of) {
  std::ostringstream out;
  out << "items " << of.items << ", threads " << of.threads << ", dmms " << of.dmms
      << (of.machine_wide ? ", machine-wide" : "") << (of.side_by_side ? ", side by side" : "");
  for (int k = 0; k < of.loops; ++k) out << ", loop of " << of.trips[k];
  return out.str();
}

}  // namespace random_expression
