// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel.hpp"

#include <common/failure.hpp>
#include <explore/emit_options.hpp>
#include <explore/emit_source.hpp>
#include <nlohmann/json.hpp>

#include <exception>
#include <string>
#include <vector>

namespace playground {

namespace {

using json = nlohmann::ordered_json;

std::string source_for(json const& arguments) {
  std::vector<std::string> all{"emit"};
  for (json const& argument : arguments) all.push_back(argument.get<std::string>());
  std::vector<char const*> argv;
  for (std::string const& argument : all) argv.push_back(argument.c_str());
  explore::emit::request request;
  std::string help;
  if (!explore::emit::parse(static_cast<int>(argv.size()), argv.data(), request, help))
    throw tool::failure("the arguments ask for help");
  if (request.file) throw tool::failure("--output is given; accepted here: no file");
  return explore::emit::emitted_for(request).source;
}

}  // namespace

std::string kernel(std::string const& question) {
  try {
    return json{{"source", source_for(json::parse(question))}}.dump();
  } catch (std::exception const& e) {
    return json{{"error", e.what()}}.dump(-1, ' ', false, json::error_handler_t::replace);
  }
}

}  // namespace playground
