// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "picture.hpp"

#include <mmm/report/trace_svg.hpp>

namespace explore {

std::string picture_of(machine_choice const& choice, mmm::trace const& t,
                       std::string const& title) {
  std::string svg;
  with_machine(
      choice, [](auto) { return hana::true_c; },
      [&](auto const& machine) { svg = mmm::report::svg(t, machine, title); });
  return svg;
}

}  // namespace explore
