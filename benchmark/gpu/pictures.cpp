// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/report/chart.hpp>

#include <string>
#include <vector>

namespace bench {

std::string picture(std::vector<mmm::report::curve> const& curves, std::string const& title,
                    std::string const& x_axis) {
  return mmm::report::svg(curves, {title, x_axis, "nanoseconds: lines are modelled", "measured"});
}

}  // namespace bench
