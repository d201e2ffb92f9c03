// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "document.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>

namespace results {

std::string grouped(index value) {
  std::string text = std::to_string(value);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
    text.insert(static_cast<std::size_t>(at), " ");
  return text;
}

std::string ratio(index a, index b) {
  if (b == 0) return "–";
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", static_cast<double>(a) / static_cast<double>(b));
  return text;
}

std::string table_of_times(std::initializer_list<row> rows) {
  std::string text =
      "| | machine | exact time | paper | its value | time / value | lower bound | time / bound |\n"
      "|---|---|--:|---|--:|--:|--:|--:|\n";
  for (row const& r : rows)
    text += "| " + r.problem + " | " + r.machine + " | " + grouped(r.time) + " | " + r.expression +
            " | " + grouped(r.value) + " | " + ratio(r.time, r.value) + " | " +
            grouped(r.bound.time) + " | " + ratio(r.time, r.bound.time) + " |\n";
  return text + "\n";
}

std::string table_of_bounds(std::initializer_list<row> rows) {
  std::string text = "| | machine | limitation | lower bound | exact time / bound |\n"
                     "|---|---|---|--:|--:|\n";
  for (row const& r : rows)
    r.bound.for_each([&](char const* name, index value) {
      text += "| " + r.problem + " | " + r.machine + " | " + name + " | " + grouped(value) + " | " +
              ratio(r.time, value) + " |\n";
    });
  return text + "\n";
}

}  // namespace results
