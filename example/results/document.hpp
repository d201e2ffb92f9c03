// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>

#include <map>
#include <string>

//! Writes docs/results.md and its pictures.
namespace results {

using mmm::index;

//! Generated files by their names in docs/.
using documents = std::map<std::string, std::string>;

//! One line of a table: the library's exact figure, the value of the paper's expression, and the
//! lower bound.
struct row {
  std::string problem;
  std::string machine;
  std::string expression;  //!< the paper's time, without the O
  index time;
  index value;  //!< the value of the expression
  mmm::bound bound;
};

//! The row for an algorithm on a machine; `more` are further parameters of mmm::cost_of.
template <class M, class A, class Size, class... More>
[[nodiscard]] row row_of(char const* problem, char const* machine, char const* expression,
                         M const& m, A const& a, Size const& n, mmm::threads p,
                         More const&... more) {
  return {problem,
          machine,
          expression,
          mmm::cost_of(m, a, n, p, more...).time,
          mmm::upper_bound(m, a, n, p, more...),
          mmm::lower_bound(m, a, n, p, more...)};
}

//! The text with its paragraphs in lines of at most 100 columns; headings, tables and pictures stay
//! as they are.
[[nodiscard]] std::string wrapped(std::string const& text);
//! "1 234 567"
[[nodiscard]] std::string grouped(index value);
//! a / b with two decimals: "1.23".
[[nodiscard]] std::string ratio(index a, index b);

//! A table of times with one line per row.
[[nodiscard]] std::string table_of_times(std::initializer_list<row> rows);
//! A table of the lower bounds of the same rows, one column per limitation.
[[nodiscard]] std::string table_of_bounds(std::initializer_list<row> rows);

[[nodiscard]] std::string tables_of_nakano_2012();
[[nodiscard]] std::string tables_of_nakano_2013a();
[[nodiscard]] std::string tables_of_nakano_2013b();
[[nodiscard]] std::string tables_of_nakano_ito_2014();
[[nodiscard]] std::string tables_of_nakano_2014();
//! The figures; the pictures go to `files`.
[[nodiscard]] std::string figures_of_nakano_ito_2014(documents& files);
[[nodiscard]] std::string figures_of_nakano_2014(documents& files);

}  // namespace results
