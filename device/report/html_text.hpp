// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/report/page.hpp>

#include <concepts>
#include <string>
#include <string_view>

//! Pieces of the page.
namespace device::report::html {

using mmm::index;
using mmm::report::table;
using mmm::report::table_cell;
using mmm::report::detail::escaped;

//! "1,234,567".
[[nodiscard]] std::string number(std::integral auto n) {
  return mmm::report::detail::grouped(static_cast<index>(n), ',');
}
//! "12.5"; "12" if that is all.
[[nodiscard]] inline std::string decimal(double value) {
  std::string text = mmm::report::detail::decimal(value, value < 10 ? 2 : 1);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}
//! The ratio of transfers to the ideal: "32", "1.25"; "1" of nothing.
[[nodiscard]] inline std::string ratio(index transfers, index ideal) {
  return ideal == 0 ? "1" : decimal(static_cast<double>(transfers) / static_cast<double>(ideal));
}

//! Cells of numbers, as `number` and `decimal`; zero is grey.
[[nodiscard]] table_cell count(std::integral auto n, bool bad = false) {
  return {number(n), std::to_string(n), {}, bad ? "bad" : n == 0 ? "zero" : ""};
}
[[nodiscard]] inline table_cell value(double v) { return {decimal(v), std::to_string(v)}; }

//! Style and behaviour of the page, beyond those of all pages.
[[nodiscard]] std::string_view style();
[[nodiscard]] std::string_view script();

}  // namespace device::report::html
