// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random index expressions, predicates and access domains. Their shape is known only at run time,
// so that every operator occurs below every other one with one instantiation per machine.
#pragma once

#include <mmm/cost/access.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/index/period.hpp>

#include "rapidcheck.hpp"

#include <memory>
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

enum class kind { variable, constant, binary, select, less, equal, both, either, negation };
struct node;
using branch = std::shared_ptr<node const>;
struct node {
  kind what = kind::constant;
  operation op = operation::add;
  index number = 0;  //!< a constant's value, or a variable's slot
  branch first, second, third;
};

//! An address expression.
struct tree : mmm::detail::expression_node<tree> {
  branch root;
  tree() = default;
  explicit tree(branch b) : root(std::move(b)) {}
  template <class Use>
  auto visit(Use use) const;
  template <class Algebra>
  typename Algebra::element fold(Algebra& in) const {
    return visit([&](auto const& e) -> typename Algebra::element { return e.fold(in); });
  }
};

//! A condition.
struct condition : mmm::detail::predicate_node<condition> {
  branch root;
  condition() = default;
  explicit condition(branch b) : root(std::move(b)) {}
  template <class Use>
  auto visit(Use use) const;
  template <class Algebra>
  typename Algebra::truth fold(Algebra& in) const {
    return visit([&](auto const& p) -> typename Algebra::truth { return p.fold(in); });
  }
};

template <operation Op>
auto binary(node const& x) {
  return mmm::binary_expression<Op, tree, tree>(tree(x.first), tree(x.second));
}

template <class Use>
auto tree::visit(Use use) const {
  node const& x = *root;
  switch (x.what) {
    case kind::variable:
      return use(mmm::variable(static_cast<int>(x.number)));
    case kind::constant:
      return use(mmm::constant(x.number));
    case kind::select:
      return use(mmm::select_expression<condition, tree, tree>(condition(x.first), tree(x.second),
                                                               tree(x.third)));
    default:
      break;
  }
  switch (x.op) {
    case operation::add:
      return use(binary<operation::add>(x));
    case operation::subtract:
      return use(binary<operation::subtract>(x));
    case operation::multiply:
      return use(binary<operation::multiply>(x));
    case operation::divide:
      return use(binary<operation::divide>(x));
    case operation::modulo:
      return use(binary<operation::modulo>(x));
    case operation::bit_and:
      return use(binary<operation::bit_and>(x));
    case operation::bit_or:
      return use(binary<operation::bit_or>(x));
    case operation::bit_xor:
      return use(binary<operation::bit_xor>(x));
    case operation::shift_left:
      return use(binary<operation::shift_left>(x));
    case operation::shift_right:
      return use(binary<operation::shift_right>(x));
    case operation::minimum:
      return use(binary<operation::minimum>(x));
    default:
      return use(binary<operation::maximum>(x));
  }
}

template <class Use>
auto condition::visit(Use use) const {
  using mmm::detail::connective;
  using mmm::detail::relation;
  node const& x = *root;
  switch (x.what) {
    case kind::less:
      return use(mmm::comparison<relation::less, tree, tree>(tree(x.first), tree(x.second)));
    case kind::equal:
      return use(mmm::comparison<relation::equal, tree, tree>(tree(x.first), tree(x.second)));
    case kind::both:
      return use(mmm::combination<connective::both, condition, condition>(condition(x.first),
                                                                          condition(x.second)));
    case kind::either:
      return use(mmm::combination<connective::either, condition, condition>(condition(x.first),
                                                                            condition(x.second)));
    default:
      return use(mmm::negation<condition>(condition(x.first)));
  }
}

inline branch make(node x) { return std::make_shared<node const>(std::move(x)); }
inline branch number(index n) { return make({kind::constant, {}, n, {}, {}, {}}); }
inline branch variable(int slot) { return make({kind::variable, {}, slot, {}, {}, {}}); }
inline branch operate(operation op, branch left, branch right) {
  return make({kind::binary, op, 0, std::move(left), std::move(right), {}});
}

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
inline std::ostream& operator<<(std::ostream& out, tree const& e) {
  write(out, e.root);
  return out;
}
inline std::ostream& operator<<(std::ostream& out, condition const& p) {
  write(out, p.root);
  return out;
}

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
