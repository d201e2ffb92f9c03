// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs.hpp"

#include <common/failure.hpp>
#include <common/nearest_name.hpp>

namespace explore::cluster {

program program_of(std::string_view algorithm) {
  std::vector<std::string> names;
  for (auto const& room :
       {reduce_programs(), scan_programs(), sort_programs(), transpose_programs(),
        convolution_programs(), image_programs(), product_programs()})
    for (program const& p : room) {
      if (p.algorithm == algorithm) return p;
      names.emplace_back(p.algorithm);
    }
  throw tool::failure("--nodes is given, but " + std::string(algorithm) +
                      " has no program for clusters; accepted: " + tool::joined(names));
}

}  // namespace explore::cluster
