// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/thread_items.hpp>
#include <mmm/index/trapezoid.hpp>

//! The items of a parallel-for, as handles pass them to a back end's run_items.
MMM_BODIES_BEGIN
namespace mmm::detail {

//! The items 0 … n - 1 of a parallel-for.
struct item_range {
  index n;
  [[nodiscard]] MMM_HOST_DEVICE constexpr index count() const { return n; }
};

//! One item for each thread: item t for thread t.
struct item_of_each_thread : item_range {};

//! The pairs of a row and a column, numbered row by row.
struct item_grid {
  index rows;
  index columns;
  [[nodiscard]] MMM_HOST_DEVICE constexpr index count() const { return rows * columns; }
};

//! The number of items of a parallel-for. std::invalid_argument for a negative size,
//! std::overflow_error where 64 bits do not suffice.
[[nodiscard]] constexpr index checked_count(item_range const& items) {
  if (items.n < 0) reject("the number of items", items.n, "0 or more");
  return items.n;
}
[[nodiscard]] constexpr index checked_count(index rows, index columns) {
  if (rows < 0) reject("the number of rows", rows, "0 or more");
  if (columns < 0) reject("the number of columns", columns, "0 or more");
  return checked_multiply(rows, columns);
}
[[nodiscard]] constexpr index checked_count(item_grid const& items) {
  return checked_count(items.rows, items.columns);
}
template <index Max>
[[nodiscard]] constexpr index checked_count(thread_items<Max> const& items) {
  return checked_count(items.rows, items.columns);
}
[[nodiscard]] constexpr index checked_count(trapezoid const& items) {
  if (items.rows < 0) reject("the number of rows", items.rows, "0 or more");
  if (items.columns < 0) reject("the number of columns", items.columns, "0 or more");
  return items.items();
}

//! Calls the body of a parallel-for for item number `i`, whatever the type of `i` is. Trapezoids
//! are not among these overloads: each back end has its own code for them.
template <class Item, class Body>
constexpr void call_body(item_range const&, Item const& i, Body const& body) {
  body(i);
}
template <class Item, class Body>
constexpr void call_body(item_grid const& items, Item const& i, Body const& body) {
  body(i / items.columns, i % items.columns);
}
template <index Max, class Item, class Body>
constexpr void call_body(thread_items<Max> const& items, Item const& i, Body const& body) {
  body(i / items.columns, i % items.columns, i);
}

}  // namespace mmm::detail
MMM_BODIES_END
