// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes an emitted file for a type of values and each problem, and for transposes and convolutions
// one of the wide space, too:
// emitted_kernels FOLDER TYPE SIZE SIDE
// With -DMMM_FEW_PROBLEMS it has four kinds of problems only, and compiles sooner:
// emitted_kernels FILE.cu NAME PROBLEM TYPE SIZE GPU
#include <mmm/emit.hpp>
#include <mmm/gpu/devices.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <type_traits>

namespace {

mmm::value_type type_named(std::string const& name) {
  for (mmm::value_type const& type : mmm::value_types)
    if (type.name == name) return type;
  std::exit(2);
}

#ifdef MMM_FEW_PROBLEMS
template <mmm::problem_kind Kind>
void emit_if(char** words, mmm::gpu::device_facts const& facts, std::string const& gpu) {
  mmm::kernel_problem const problem{Kind, std::atoll(words[5]), type_named(words[4])};
  std::string const file = words[1];
  if (problem.name() == std::string(words[3]))
    std::ofstream(file) << mmm::emit_for<Kind>(facts, gpu, problem,
                                               file.substr(file.rfind('/') + 1), words[2])
                               .source;
}
#endif

}  // namespace

int main(int count, char** words) {
#ifdef MMM_FEW_PROBLEMS
  if (count != 7) return 2;
  mmm::gpu::for_each_device([&](char const* name, auto const& gpu) {
    using device = std::remove_cvref_t<decltype(gpu)>;
    if (name != std::string(words[6])) return;
    emit_if<mmm::problem_kind::copies>(words, device::facts, name);
    emit_if<mmm::problem_kind::sums>(words, device::facts, name);
    emit_if<mmm::problem_kind::scans>(words, device::facts, name);
    emit_if<mmm::problem_kind::transposes>(words, device::facts, name);
  });
#else
  if (count != 5) return 2;
  for (std::size_t k = 0; k < std::size(mmm::problem_names); ++k) {
    mmm::kernel_problem problem{static_cast<mmm::problem_kind>(k)};
    problem.size = std::atoll(words[problem.has_sides() ? 4 : 3]);
    problem.taps = 31;
    problem.radius = 2;
    problem.type = type_named(words[2]);
    auto const write = [&](std::string const& file) {
      std::ofstream(std::string(words[1]) + "/" + file)
          << mmm::emit<mmm::gpu::h200>(problem, file).source;
    };
    write(std::string(problem.name()) + ".cu");
    problem.wide = true;
    if (problem.kind == mmm::problem_kind::transposes ||
        problem.kind == mmm::problem_kind::convolutions)
      write(std::string(problem.name()) + "-wide.cu");
  }
#endif
}
