// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/bulk/bulk.hpp>
#include <mmm/algorithm/bulk/oblivious_programs.hpp>

#include "comparison.hpp"
#include "problem.hpp"

#include <tuple>
#include <utility>
#include <vector>

namespace explore {

//! The common part of bulk executions. `Derived` says what a program does to one input by
//! `static void plain(std::vector<double>& input, index size)`. The task has one input after the
//! other; they are arranged before the run, and again for the comparison.
template <class Derived, class Program, class Arrangement>
struct bulk_problem : changed_input {
  static constexpr auto algorithm = mmm::bulk(Program{}, Arrangement{});
  static constexpr extra_options uses{.inputs = true};

  [[nodiscard]] static std::tuple<mmm::inputs> more(extra_numbers const& numbers) {
    return {mmm::inputs(numbers.inputs)};
  }
  //! Calls `f(p, q)` where the word at p of one input after the other is at q as arranged.
  template <class F>
  void for_each_word(F f) const {
    auto const count = static_cast<std::size_t>(extra.inputs);
    std::size_t const of_input = words.size() / count;
    auto const layout = Arrangement{}(extra.inputs, static_cast<index>(of_input));
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < of_input; ++j)
        f(i * of_input + j,
          static_cast<std::size_t>(layout(static_cast<index>(i), static_cast<index>(j))));
  }
  template <class On>
  bool operator()(On on) {
    std::vector<double> arranged(words.size());
    for_each_word([&](std::size_t p, std::size_t q) { arranged[q] = words[p]; });
    algorithm(on, arranged.begin(), mmm::size(size), mmm::inputs(extra.inputs));
    for_each_word([&](std::size_t p, std::size_t q) { words[p] = arranged[q]; });
    return true;
  }
  [[nodiscard]] comparison compare(std::vector<double> const& given, bool) const {
    std::vector<double> expected;
    auto const of_input = static_cast<std::ptrdiff_t>(given.size()) / extra.inputs;
    for (auto from = given.begin(); from != given.end(); from += of_input) {
      std::vector<double> one(from, from + of_input);
      Derived::plain(one, size);
      expected.insert(expected.end(), one.begin(), one.end());
    }
    return compare_words(expected, words, Derived::results);
  }
};

//! The entry of a bulk execution, whose arrangement is known when the program runs.
template <template <class Arrangement> class Problem>
[[nodiscard]] algorithm_entry bulk_entry() {
  algorithm_entry entry = entry_of<Problem<mmm::by_columns_t>>();
  entry.run = [](machine_choice const& choice, task const& t) {
    return t.extra.by_rows ? run_on_choice<Problem<mmm::by_rows_t>>(choice, t)
                           : run_on_choice<Problem<mmm::by_columns_t>>(choice, t);
  };
  return entry;
}

}  // namespace explore
