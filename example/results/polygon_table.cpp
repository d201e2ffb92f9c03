// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/access/sequential_read.hpp>
#include <mmm/algorithm/triangulation/polygon.hpp>
#include <mmm/algorithm/triangulation/triangulation.hpp>

#include "document.hpp"

#include <algorithm>
#include <vector>

namespace results {

namespace {

using mmm::table_access;
constexpr mmm::umm<32, 400> machine;

//! The addresses of one access of algorithm UMM-OPT (Nakano 2013b) at stage r, in the order of
//! access.
std::vector<index> addresses_of(table_access which, index n, index r) {
  std::vector<index> addresses;
  auto const diagonal = [&](index last, auto address) {
    for (index i = 1; i <= last; ++i) addresses.push_back(address(i));
  };
  auto const entries = [&](auto address) {
    for (index i = 1; i <= n - r - 1; ++i)
      for (index j = i + r; j <= std::min(n - 1, i + 2 * r - 1); ++j)
        addresses.push_back(address(i, j));
  };
  switch (which) {
    case table_access::a_entries:
      for (index i = 1; i <= n - 2; ++i)
        for (index j = i + 1; j <= n - 1; ++j) addresses.push_back(i * n + j);
      break;
    case table_access::b_diagonal:
      diagonal(n - 1, [&](index i) { return i * n + i; });
      break;
    case table_access::c_diagonal:
      diagonal(n - r, [&](index i) { return i * n + i + r - 1; });
      break;
    case table_access::c_copy:
      diagonal(n - r, [&](index i) { return i; });
      break;
    case table_access::d_entries:
    case table_access::e_entries:
      entries([&](index i, index j) { return i * n + j; });
      break;
    case table_access::d_diagonal:
      entries([&](index i, index) { return i * n + i + r - 1; });
      break;
    case table_access::d_below:
      entries([&](index i, index j) { return (i + r) * n + j; });
      break;
    case table_access::e_before:
      entries([&](index i, index j) { return i * n + j - r; });
      break;
    case table_access::e_copy:
      entries([&](index, index j) { return j - r + 1; });
      break;
    case table_access::f_diagonal:
      diagonal(n - r - 1, [&](index i) { return i * n + i + r; });
      break;
    case table_access::f_weights:
      diagonal(n - r - 1, [&](index i) { return (i - 1) * n + i + r; });
      break;
  }
  return addresses;
}

struct line {
  table_access which;
  char const* loop;
  char const* array;
  char const* length;  //!< the paper's expression, corrected
  char const* fragmentation;
};
constexpr line lines[] = {
    {table_access::a_entries, "A", "M[i][j]", "< n²", "n - 3"},
    {table_access::b_diagonal, "B", "M[i][i]", "n - 1", "n - 2"},
    {table_access::c_diagonal, "C", "M[i][i+r-1]", "n - r", "n - r - 1"},
    {table_access::c_copy, "C", "b[i]", "n - r", "0"},
    {table_access::d_entries, "D", "M[i][j]", "< n²", "n - r - 2"},
    {table_access::d_diagonal, "D", "M[i][i+r-1]", "< n²", "n - r - 2"},
    {table_access::d_below, "D", "M[i+r][j]", "< n²", "n - r - 2"},
    {table_access::e_entries, "E", "M[i][j]", "< n²", "n - r - 2"},
    {table_access::e_before, "E", "M[i][j-r]", "< n²", "n - r - 2"},
    {table_access::e_copy, "E", "b[j-r+1]", "< n²", "n - r - 2"},
    {table_access::f_diagonal, "F", "M[i][i+r]", "n - r - 1", "n - r - 2"},
    {table_access::f_weights, "F", "c[i-1][i+r]", "n - r - 1", "n - r - 2"},
};

std::string table_one(index n, index r, mmm::threads p) {
  std::string text =
      "| loop | array | length | paper | fragmentation | paper | exact time | theorem 1 |\n"
      "|---|---|--:|---|--:|---|--:|--:|\n";
  for (line const& of : lines) {
    auto const addresses = addresses_of(of.which, n, r);
    auto const length = static_cast<index>(addresses.size());
    index const gaps = mmm::fragmentation(addresses.begin(), addresses.end());
    text += std::string("| ") + of.loop + " | " + of.array + " | " + grouped(length) + " | " +
            of.length + " | " + grouped(gaps) + " | " + of.fragmentation + " | " +
            grouped(mmm::sequential_cost(machine, addresses.begin(), addresses.end(), p).time) +
            " | " + grouped(mmm::sequential_bound(machine, length, gaps, p)) + " |\n";
  }
  return text + "\n";
}

}  // namespace

std::string tables_of_nakano_2013b() {
  mmm::size const n(256);
  mmm::threads const p(1 << 12);
  mmm::pram const pram;
  return "## Nakano 2013b: the optimal triangulation of a polygon\n\n"
         "n = 256 vertices, p = 4096 threads, w = 32, l = 400.\n\n"
         "### Table I, at stage r = 64\n\n"
         "One access of each array; theorem 1 is 2f + ceil(n/p) (2p/w + l - 1) for the exact "
         "length and fragmentation. Rows C are corrected: "
         "loop E reads b up to b[n-r].\n\n" +
         table_one(n.count, 64, p) + "### The whole algorithms\n\n" +
         table_of_times({
             row_of("DP-OPT", "PRAM", "n³/p + n²", pram, mmm::triangulation_dp, n, p),
             row_of("DP-OPT", "UMM", "n³ + n³l/p + n²l", machine, mmm::triangulation_dp, n, p),
             row_of("UMM-OPT", "UMM", "n³/w + n³l/p + nl", machine, mmm::triangulation, n, p),
         });
}

}  // namespace results
