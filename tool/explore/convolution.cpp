// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/convolution/convolution.hpp>
#include <mmm/algorithm/convolution/convolution_in_clusters.hpp>
#include <mmm/algorithm/convolution/convolution_on_nodes.hpp>

#include "cluster/problem_on_nodes.hpp"
#include "comparison.hpp"

#include <random>

namespace explore {

namespace {

//! The direct convolution of the input with taps out of the seed.
template <auto const& Algorithm>
struct convolution_problem : problem_input {
  static constexpr auto const& algorithm = Algorithm;
  static constexpr problem_shape shape = problem_shape::windows;
  static constexpr extra_options uses{.taps = true};

  [[nodiscard]] static std::tuple<mmm::taps> more(extra_numbers const& extra) {
    return {mmm::taps(extra.taps)};
  }

  //! Small whole numbers, so that sums are exact in any order.
  [[nodiscard]] std::vector<double> taps() const {
    std::mt19937_64 random(~seed);  // not the numbers that the input is made of
    std::vector<double> x(static_cast<std::size_t>(extra.taps));
    for (double& tap : x) tap = static_cast<double>(random() >> 58) - 31;
    return x;
  }
  template <class On>
  std::vector<double> operator()(On on) {
    auto const x = taps();
    std::vector<double> z(static_cast<std::size_t>(size), -1.0);
    algorithm(on, x.begin(), x.end(), words.begin(), words.end(), z.begin(), z.end());
    return z;
  }
  [[nodiscard]] comparison compare(std::vector<double> const& input,
                                   std::vector<double> const& found) const {
    return compare_convolution(taps(), input, found);
  }
};

struct on_any_machine : convolution_problem<mmm::convolution> {
  static constexpr char const* summary = "the direct convolution with --taps numbers";
};
struct in_clusters_of_dmms : convolution_problem<mmm::convolution_in_clusters> {
  static constexpr bool in_clusters = true;
  static constexpr char const* summary =
      "the direct convolution in clusters of --cluster DMMs, which share taps and words";
};

}  // namespace

algorithm_entry convolution() { return cluster::entry_of<on_any_machine>(); }
algorithm_entry convolution_in_clusters() { return entry_of<in_clusters_of_dmms>(); }

}  // namespace explore
