// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/execution/nodes.hpp>

#include "../machine_choice.hpp"
#include "../task.hpp"
#include "network_choice.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

//! The algorithms with a program for clusters. To add one: a line in the source file of its room,
//! and in programs.cpp.
namespace explore::cluster {

//! The figures of one cluster.
struct figures {
  mmm::cluster_cost least;
  mmm::cluster_cost
      cost;  //!< the most for any input; `least` where it does not depend on the input
  std::vector<std::pair<std::string, index>> limitations;  //!< lower bounds that apply
  index lower_bound = 0;
};

struct program {
  char const* algorithm;
  //! The figures for `task::size` and `task::threads`, which are those of all nodes together.
  figures (*run)(machine_choice const& node, network_choice const&, task const&);
};

//! The programs of a room (include/mmm/algorithm).
[[nodiscard]] std::vector<program> reduce_programs();
[[nodiscard]] std::vector<program> scan_programs();
[[nodiscard]] std::vector<program> sort_programs();
[[nodiscard]] std::vector<program> transpose_programs();
[[nodiscard]] std::vector<program> convolution_programs();
[[nodiscard]] std::vector<program> image_programs();
[[nodiscard]] std::vector<program> product_programs();

//! The program of an algorithm. Throws tool::failure that names those with a program if it has
//! none.
[[nodiscard]] program program_of(std::string_view algorithm);

}  // namespace explore::cluster
