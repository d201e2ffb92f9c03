// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/expression_tree.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

//! An index expression typed by the user.
namespace explore::pattern {

using mmm::index;

//! The values of names.
using names = std::map<std::string, index>;

//! An address for every item, and the items that have one.
struct addresses {
  tool::tree of_item;
  std::optional<tool::condition> active;  //!< all, if there is none
};

//! Reads an expression in C syntax: whole numbers, decimal or 0x…, the item `i` or `item`, if there
//! is only one warp also `lane`, the names given,
//! `+ - * / % << >> & | ^ ~`, comparisons, `&& || !`, `?:`, `min(x, y)`, `max(x, y)` and
//! parentheses. A comparison counts as 1 or 0, and a number as true unless it is 0. `none` is the
//! address of an item that accesses nothing; so is whatever is calculated with it.
//! `symbols` are the names of mmm::symbols, in their order.
//! Throws tool::failure that says in which column something else was expected.
[[nodiscard]] addresses parse(std::string const& text, names const& known, bool one_warp,
                              std::vector<std::string> const& symbols = {});
//! True for names that are the grammar's own, and cannot be given.
[[nodiscard]] bool is_reserved(std::string const& name);

}  // namespace explore::pattern
