// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "document.hpp"

#include <mmm/report/drawing.hpp>

#include <algorithm>
#include <cstddef>
#include <sstream>

namespace results {

std::string grouped(index value) { return mmm::report::detail::grouped(value); }

std::string ratio(index a, index b) {
  if (b == 0) return "–";
  return mmm::report::detail::decimal(static_cast<double>(a) / static_cast<double>(b), 2);
}

std::string wrapped(std::string const& text) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::ptrdiff_t columns = 0;
    bool const keep = line.empty() || line[0] == '|' || line[0] == '#' || line[0] == '!';
    for (std::string word; !keep && words >> word;) {
      auto const width = std::count_if(word.begin(), word.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;  // not the rest of a character
      });
      bool const fits = columns + 1 + width <= 100;
      if (columns > 0) result += fits ? " " : "\n";
      columns = columns > 0 && fits ? columns + 1 + width : width;
      result += word;
    }
    result += (keep ? line : "") + "\n";
  }
  return result;
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
