// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "html_text.hpp"

#include <cstdio>

namespace device::report::html {

std::string number(std::uint64_t n) {
  std::string text = std::to_string(n);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

std::string decimal(double value) {
  char text[48];
  std::snprintf(text, sizeof text, value < 10 ? "%.2f" : "%.1f", value);
  std::string out = text;
  out.erase(out.find_last_not_of('0') + 1);
  if (out.back() == '.') out.pop_back();
  return out;
}

std::string ratio(std::uint64_t transfers, std::uint64_t ideal) {
  return ideal == 0 ? "1" : decimal(static_cast<double>(transfers) / static_cast<double>(ideal));
}

table::table(std::vector<std::string> const& header)
    : out_("<div class=scroll><table><thead><tr>") {
  for (std::string const& name : header) {
    bool const numeric = name.front() == '#';
    out_ += numeric ? "<th class=n>" : "<th>";
    out_ += "<button>" + escaped(std::string_view(name).substr(numeric)) + "</button></th>";
  }
  out_ += "</tr></thead><tbody>";
}

table& table::row() {
  out_ += first_ ? "<tr>" : "</tr>\n<tr>";
  first_ = false;
  return *this;
}

table& table::text(std::string_view t) {
  out_ += "<td>" + escaped(t) + "</td>";
  return *this;
}

table& table::markup(std::string const& html, std::string_view sort_by) {
  out_ += "<td data-v=\"" + escaped(sort_by) + "\">" + html + "</td>";
  return *this;
}

table& table::count(std::uint64_t n, bool bad) {
  out_ += std::string("<td class=\"n") +
          (bad      ? " bad"
           : n == 0 ? " zero"
                    : "") +
          "\" data-v=" + std::to_string(n) + '>' + number(n) + "</td>";
  return *this;
}

table& table::value(double v, bool bad) {
  out_ += std::string("<td class=\"n") + (bad ? " bad" : "") + "\" data-v=" + std::to_string(v) +
          '>' + decimal(v) + "</td>";
  return *this;
}

}  // namespace device::report::html
