// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/index/expression.hpp>

#include <memory>
#include <utility>

//! Index expressions whose shape is known only at run time: a tree of nodes, which is an expression
//! of the library. One instantiation of a cost serves them all.
namespace tool {

using mmm::index;
using mmm::detail::operation;

//! A node's operator.
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
  static constexpr bool divides = true;  // it may, which only its nodes know
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

//! A condition on the item.
struct condition : mmm::detail::predicate_node<condition> {
  static constexpr bool divides = true;
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

}  // namespace tool
