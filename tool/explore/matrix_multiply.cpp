// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/product/matrix_multiply.hpp>
#include <mmm/algorithm/product/matrix_multiply_on_nodes.hpp>

#include "cluster/problem_on_nodes.hpp"
#include "comparison.hpp"
#include "second_input.hpp"

namespace explore {

namespace {

struct matrix_multiply_problem : problem_input {
  static constexpr auto const& algorithm = mmm::matrix_multiply;
  static constexpr char const* summary = "matrix product; on an hmm by tiles in shared memory";
  static constexpr problem_shape shape = problem_shape::square;
  static constexpr extra_options uses{.tile = true, .grid = true};

  [[nodiscard]] static std::tuple<mmm::tile> more(extra_numbers const& extra) {
    return {mmm::tile(extra.tile)};
  }
  [[nodiscard]] static std::tuple<mmm::tile, mmm::inner_panels, mmm::node_grid> more_on_nodes(
      extra_numbers const& extra) {
    return {mmm::tile(extra.tile), mmm::inner_panels(extra.panels), extra.grid.value()};
  }
  template <class M>
  [[nodiscard]] static mmm::node_grid default_grid(M const& all, mmm::size n,
                                                   extra_numbers const& extra) {
    return mmm::product_grid(all, mmm::product_shape(n.count, n.count, n.count), extra.panels);
  }
  template <class On>
  std::vector<double> operator()(On on) {
    std::vector<double> const right = small_numbers(size * size, seed);
    std::vector<double> out(words.size(), -1.0);
    auto const multiply = [&](auto const&... more) {
      algorithm(on, words.begin(), right.begin(), mmm::product_shape(size, size, size), out.begin(),
                more...);
    };
    if constexpr (mmm::detail::runs_on_nodes<On>)
      std::apply(multiply, more_on_nodes(extra));
    else
      std::apply(multiply, more(extra));
    return out;
  }
  [[nodiscard]] comparison compare(std::vector<double> const& input,
                                   std::vector<double> const& out) const {
    return compare_words(plain_product(input, small_numbers(size * size, seed), size), out,
                         "the product");
  }
};

}  // namespace

algorithm_entry matrix_multiply() { return cluster::entry_of<matrix_multiply_problem>(); }

}  // namespace explore
