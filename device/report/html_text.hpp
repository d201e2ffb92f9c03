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
[[nodiscard]] std::string decimal(double);
//! The ratio of transfers to the ideal: "32", "1.25"; "1" of nothing.
[[nodiscard]] std::string ratio(index transfers, index ideal);

//! Cells of numbers, as `number` and `decimal`; zero is grey.
[[nodiscard]] table_cell count(std::integral auto n, bool bad = false) {
  return {number(n), std::to_string(n), {}, bad ? "bad" : n == 0 ? "zero" : ""};
}
[[nodiscard]] table_cell value(double);

//! Style and behaviour of the page, beyond those of all pages.
[[nodiscard]] std::string_view style();
[[nodiscard]] std::string_view script();

}  // namespace device::report::html
