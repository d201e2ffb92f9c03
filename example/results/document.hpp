// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>

#include <map>
#include <string>

//! docs/results.md and its pictures, as they are made.
namespace results {

using mmm::index;

//! Files by their names in docs/.
using documents = std::map<std::string, std::string>;

//! One line of a table: our exact figure, the paper's expression evaluated, what no algorithm can
//! beat.
struct row {
  std::string problem;
  std::string machine;
  std::string expression;  //!< as in the paper, without the O
  index time;
  index value;  //!< of the expression
  mmm::bound bound;
};

//! The figures of an algorithm on a machine; `more` as for mmm::cost_of.
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
//! "1.23"
[[nodiscard]] std::string ratio(index a, index b);

//! The table with a line for each row.
[[nodiscard]] std::string table_of_times(std::initializer_list<row> rows);
//! The table of the same rows' lower bounds by limitation.
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
