// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/report/drawing.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

//! Pieces of the page.
namespace device::report::html {

using mmm::report::detail::escaped;

//! "1,234,567".
[[nodiscard]] std::string number(std::uint64_t);
//! "12.5"; "12" if that is all.
[[nodiscard]] std::string decimal(double);
//! The ratio of transfers to the ideal: "32", "1.25"; "1" of nothing.
[[nodiscard]] std::string ratio(std::uint64_t transfers, std::uint64_t ideal);

//! A table whose columns sort when their heads are clicked.
class table {
 public:
  //! A column of numbers is one whose name begins with `#`, which is not shown.
  explicit table(std::vector<std::string> const& header);

  table& row();
  table& text(std::string_view);                                //!< plain
  table& markup(std::string const&, std::string_view sort_by);  //!< HTML
  table& count(std::uint64_t, bool bad = false);
  table& value(double, bool bad = false);
  [[nodiscard]] std::string html() const { return out_ + "</tr></tbody></table></div>\n"; }

 private:
  std::string out_;
  bool first_ = true;
};

//! Style and behaviour of the page.
[[nodiscard]] std::string style();
[[nodiscard]] std::string script();

}  // namespace device::report::html
