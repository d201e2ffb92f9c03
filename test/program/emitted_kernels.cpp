// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes an emitted file for each problem and a type of values:
// emitted_kernels FOLDER TYPE SIZE SIDE
#include <mmm/emit.hpp>
#include <mmm/gpu/devices.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

int main(int count, char** arguments) {
  if (count != 5) return 2;
  for (std::size_t k = 0; k < std::size(mmm::problem_names); ++k) {
    mmm::kernel_problem problem{static_cast<mmm::problem_kind>(k)};
    problem.size = std::atoll(arguments[problem.has_sides() ? 4 : 3]);
    problem.taps = 31;
    problem.radius = 2;
    for (mmm::value_type const& type : mmm::value_types)
      if (type.name == std::string(arguments[2])) problem.type = type;
    std::string const file = std::string(problem.name()) + ".cu";
    std::ofstream(std::string(arguments[1]) + "/" + file)
        << mmm::emit<mmm::gpu::h200>(problem, file).source;
  }
}
