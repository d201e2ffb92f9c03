// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/image/image_convolution.hpp>
#include <mmm/algorithm/image/image_convolution_on_nodes.hpp>

#include "cluster/problem_on_nodes.hpp"
#include "comparison.hpp"
#include "second_input.hpp"

namespace explore {

namespace {

struct image_convolution_problem : problem_input {
  static constexpr auto const& algorithm = mmm::image_convolution;
  static constexpr char const* summary =
      "image convolution; on an hmm by w x w subimages in shared memory";
  static constexpr problem_shape shape = problem_shape::square;
  static constexpr extra_options uses{.radius = true};

  [[nodiscard]] static std::tuple<mmm::radius> more(extra_numbers const& extra) {
    return {mmm::radius(extra.radius)};
  }
  template <class On>
  std::vector<double> operator()(On on) {
    mmm::radius const v(extra.radius);
    std::vector<double> const kernel = small_numbers(v.area(), seed);
    std::vector<double> out(words.size(), -1.0);
    algorithm(on, words.begin(), mmm::shape(size, size), kernel.begin(), v, out.begin());
    return out;
  }
  [[nodiscard]] comparison compare(std::vector<double> const& input,
                                   std::vector<double> const& out) const {
    mmm::radius const v(extra.radius);
    return compare_words(plain_convolution(input, size, small_numbers(v.area(), seed), v.v), out,
                         "the convolution");
  }
};

}  // namespace

algorithm_entry image_convolution() { return cluster::entry_of<image_convolution_problem>(); }

}  // namespace explore
