// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "html_text.hpp"

#include <cstdio>

namespace device::report::html {

std::string digits_in_groups(std::string digits) {
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string decimal(double value) {
  char text[48];
  std::snprintf(text, sizeof text, value < 10 ? "%.2f" : "%.1f", value);
  std::string out = text;
  out.erase(out.find_last_not_of('0') + 1);
  if (out.back() == '.') out.pop_back();
  return out;
}

std::string ratio(index transfers, index ideal) {
  return ideal == 0 ? "1" : decimal(static_cast<double>(transfers) / static_cast<double>(ideal));
}

table_cell value(double v) { return {decimal(v), std::to_string(v)}; }

}  // namespace device::report::html
