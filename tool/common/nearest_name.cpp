// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/nearest_name.hpp>
#include <common/text.hpp>

#include <algorithm>
#include <cstddef>

namespace tool {

namespace {

constexpr std::size_t longest_name = 60;

//! The edit distance of two texts, where a swap of neighbours is one edit.
std::size_t distance(std::string_view a, std::string_view b) {
  std::size_t const columns = b.size() + 1;
  std::vector<std::size_t> edits((a.size() + 1) * columns);
  auto const at = [&](std::size_t i, std::size_t j) -> std::size_t& {
    return edits[i * columns + j];
  };
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        at(i, j) = i + j;
        continue;
      }
      at(i, j) = std::min(
          {at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  return at(a.size(), b.size());
}

}  // namespace

std::string joined(std::vector<std::string> const& names) {
  std::string all;
  for (std::string const& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

std::string suggestion(std::string_view written, std::vector<std::string> const& names) {
  if (written.size() > longest_name || names.size() < 2) return {};
  std::string const* nearest = nullptr;
  std::size_t fewest = longest_name;
  for (std::string const& name : names) {
    std::size_t const edits = distance(written, name);
    if (edits >= fewest || edits * 3 > name.size()) continue;
    nearest = &name;
    fewest = edits;
  }
  return nearest == nullptr ? "" : "; did you mean " + *nearest + '?';
}

failure no_such_name(std::string const& option, std::string_view written,
                     std::vector<std::string> const& names) {
  return failure(option + " is " + in_quotes(written) + "; accepted: " + joined(names) +
                 suggestion(written, names));
}

}  // namespace tool
