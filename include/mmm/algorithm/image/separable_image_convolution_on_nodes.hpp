// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/call/cluster_program.hpp>
#include <mmm/algorithm/call/shapes.hpp>
#include <mmm/algorithm/image/image_convolution_on_nodes.hpp>
#include <mmm/algorithm/image/separable_image_convolution.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>

//! mmm::separable_image_convolution on a cluster: blocks of rows, as mmm::image_convolution has.
MMM_BODIES_BEGIN
namespace mmm::detail {

template <index Radius, class Tiles>
struct cluster_program<separable_image_algorithm<Radius, Tiles>> {
  struct problem : convolution_of_rows<problem> {
    using node_problem = typename separable_image_algorithm<Radius, Tiles>::problem;
    constexpr explicit problem(sides const& size)
        : convolution_of_rows<problem>{size.extents, radius(Radius)} {}
    [[nodiscard]] static constexpr node_problem of_node(shape const& part) {
      return node_problem(part);
    }
    template <class On, class Image = no_data, class Down = no_data, class Across = no_data,
              class Out = no_data, class... Form>
    constexpr void run(On& on, Image a = {}, Down u = {}, Across x = {}, Out c = {},
                       Form const&... form) const {
      if (this->image.area() > 0) {
        compare_words(on, "taps of", u, 2 * Radius + 1);
        compare_words(on, "taps of", x, 2 * Radius + 1);
      }
      this->run_in_rows(on, a, c,
                        [u, x, form...](auto& local, auto from_rows, auto to_rows, shape part) {
                          node_problem(part).run(local, from_rows, u, x, to_rows, form...);
                        });
    }
  };
};

}  // namespace mmm::detail
MMM_BODIES_END
