// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/index/expression.hpp>
#include <mmm/index/expression_text.hpp>

#include <cstddef>
#include <string>

//! Index expressions as text at run time.
namespace mmm::report {

//! The text of an index expression or of a condition on one, in C++ syntax:
//! `(item % 32) * 33 + item / 32`. The same as in a compile error (cost/assert.hpp).
//! \param names of the variables; by default `item`, `dmm`, `loop0`, … from the outermost loop
//! inwards, and `row` and `column` of a trapezoid's item.
//! Law: read as C++, with variables of these names, the text gives the expression's values.
//! Time: O(length^2).
template <class E>
requires expression<E> || predicate<E>
[[nodiscard]] std::string text(E const& e, variable_names const& names = {}) {
  using mmm::detail::expression_writer;
  expression_writer<char> counter(nullptr, 0, names);
  counter.write(e);
  std::string result(static_cast<std::size_t>(counter.length()), ' ');
  expression_writer writer(result.data(), counter.length(), names);
  writer.write(e);
  return result;
}

}  // namespace mmm::report
