// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel.hpp"

#include <mmm/gpu/devices.hpp>

#include <common/failure.hpp>
#include <explore/emit_source.hpp>

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

namespace playground {

json kernel_choices() {
  auto gpus = json::array();
  std::vector<std::string> const accepted = explore::emit::gpu_names();
  mmm::gpu::for_each_device([&](char const* name, auto const& gpu) {
    using device = std::remove_cvref_t<decltype(gpu)>;
    if (std::find(accepted.begin(), accepted.end(), name) != accepted.end())
      gpus.push_back({{"name", name}, {"title", std::string(device::name)}});
  });
  return {{"problems", explore::emit::problem_names()},
          {"gpus", gpus},
          {"types", explore::emit::type_names()}};
}

json kernel_of(json const& asked) {
  std::vector<std::string> all{"emit"};
  for (json const& argument : asked.at("arguments")) all.push_back(argument.get<std::string>());
  std::vector<char const*> argv;
  for (std::string const& argument : all) argv.push_back(argument.c_str());
  explore::emit::request request;
  std::string help;
  if (!explore::emit::parse(static_cast<int>(argv.size()), argv.data(), request, help))
    throw tool::failure("the arguments ask for help");
  if (request.file) throw tool::failure("--output is given; accepted here: no file");
  return {{"source", explore::emit::source_of(request)}};
}

}  // namespace playground
