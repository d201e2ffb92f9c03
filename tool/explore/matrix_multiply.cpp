// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/product/matrix_multiply.hpp>

#include "comparison.hpp"
#include "problem.hpp"
#include "second_input.hpp"

namespace explore {

namespace {

struct matrix_multiply_problem : problem_input {
  static constexpr auto const& algorithm = mmm::matrix_multiply;
  static constexpr char const* summary = "matrix product; on an hmm by tiles in shared memory";
  static constexpr problem_shape shape = problem_shape::square;
  static constexpr extra_options uses{.tile = true};

  [[nodiscard]] static std::tuple<mmm::tile> more(extra_numbers const& extra) {
    return {mmm::tile(extra.tile)};
  }
  template <class On>
  std::vector<double> operator()(On on) {
    std::vector<double> const right = small_numbers(size * size, seed);
    std::vector<double> out(words.size(), -1.0);
    algorithm(on, words.begin(), right.begin(), mmm::product_shape(size, size, size), out.begin(),
              mmm::tile(extra.tile));
    return out;
  }
  [[nodiscard]] comparison compare(std::vector<double> const& input,
                                   std::vector<double> const& out) const {
    return compare_words(plain_product(input, small_numbers(size * size, seed), size), out,
                         "the product");
  }
};

}  // namespace

algorithm_entry matrix_multiply() { return entry_of<matrix_multiply_problem>(); }

}  // namespace explore
