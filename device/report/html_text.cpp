// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "html_text.hpp"

namespace device::report::html {

std::string decimal(double value) {
  std::string out = mmm::report::detail::decimal(value, value < 10 ? 2 : 1);
  out.erase(out.find_last_not_of('0') + 1);
  if (out.back() == '.') out.pop_back();
  return out;
}

std::string ratio(index transfers, index ideal) {
  return ideal == 0 ? "1" : decimal(static_cast<double>(transfers) / static_cast<double>(ideal));
}

table_cell value(double v) { return {decimal(v), std::to_string(v)}; }

}  // namespace device::report::html
