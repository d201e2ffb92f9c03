// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmm._model: mmm-explore's answers in the process.
#include <common/failure.hpp>
#include <common/text.hpp>
#include <explore/command.hpp>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <exception>
#include <mutex>
#include <new>
#include <string>
#include <tuple>
#include <vector>

namespace {

using text_and_notes = std::tuple<std::string, bool, std::vector<std::string>>;

text_and_notes run(std::vector<std::string> const& arguments) {
  std::vector<char const*> words = {"mmm-explore"};
  for (std::string const& argument : arguments) {
    if (argument.find('\0') != std::string::npos)
      throw nanobind::value_error(
          (tool::shortened(argument) + " has a null character; accepted: text without").c_str());
    words.push_back(argument.c_str());
  }
  static std::mutex one_at_a_time;
  std::scoped_lock const hold(one_at_a_time);
  try {
    explore::answer given = explore::run(static_cast<int>(words.size()), words.data());
    return {std::move(given.text), given.valid, std::move(given.notes)};
  } catch (std::bad_alloc const&) {
    throw;  // MemoryError
  } catch (std::exception const& e) {
    throw nanobind::value_error(tool::message_of(e));
  }
}

}  // namespace

NB_MODULE(_model, module) {
  module.doc() = "mmm-explore in the process";
  module.def(
      "run", &run, nanobind::arg("arguments"), nanobind::call_guard<nanobind::gil_scoped_release>(),
      "The text that mmm-explore prints for these arguments, whether its exit status would be 0, "
      "and its notes about arguments that do not matter. Raises ValueError with its message.");
}
