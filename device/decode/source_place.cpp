// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source_place.hpp"

#include <algorithm>

namespace device::decode {

namespace {

//! The part of a path after its last `/`.
std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

//! True for a folder whose `include` has the toolkit's headers.
bool holds_toolkit(std::string_view folder) {
  std::string_view const name = last_part(folder);
  std::string_view const parent = last_part(folder.substr(0, folder.size() - name.size() - 1));
  bool const has_version =
      name.starts_with("cuda-") && name.size() > 5 && name[5] >= '0' && name[5] <= '9';
  return has_version || (name == "cuda" && (parent == "local" || parent == "opt")) ||
         parent == "targets" || parent == "nvidia";
}

}  // namespace

bool is_of_toolkit(std::string_view file) {
  constexpr std::string_view include = "/include/";
  if (file.find("/cccl/") != std::string_view::npos) return true;
  for (std::size_t position = file.find(include);
       position != std::string_view::npos && position != 0;
       position = file.find(include, position + 1))
    if (holds_toolkit(file.substr(0, position))) return true;
  return false;
}

bool is_of_libraries(std::string_view file) {
  return is_of_toolkit(file) || file.find("/include/mmm/") != std::string_view::npos;
}

std::vector<source_line> path_of(program const& p, std::uint32_t operation) {
  constexpr std::size_t max_lines = 200;  // a path that leads back to itself
  std::vector<source_line> path;
  if (operation >= p.location_of.size() || p.source_module == nullptr) return path;
  for (std::uint32_t number = p.location_of[operation];
       number < p.body.locations.size() && path.size() < max_lines;
       number = p.body.locations[number].inlined_at) {
    ptx::location const& l = p.body.locations[number];
    auto const name = p.source_module->files.find(l.file);
    if (l.line == 0 || name == p.source_module->files.end()) continue;
    path.push_back({name->second, l.line, l.function});
  }
  return path;
}

source_line const& own_line(std::vector<source_line> const& path) {
  auto const own = std::find_if(path.begin(), path.end(),
                                [](source_line const& l) { return !is_of_libraries(l.file); });
  return own == path.end() ? path.front() : *own;
}

std::string place_text(program const* code, std::uint32_t operation) {
  if (code == nullptr) return "an unknown line";
  if (auto const path = path_of(*code, operation); !path.empty())
    return own_line(path).file + ':' + std::to_string(own_line(path).line);
  if (operation >= code->text_line_of.size()) return "an unknown line";
  return "line " + std::to_string(code->text_line_of[operation]) + " of the PTX";
}

void set_place(finding& f, program const* code, std::uint32_t operation) {
  if (code == nullptr) return;
  f.path = path_of(*code, operation);
  if (f.path.empty()) return;
  f.file = own_line(f.path).file;
  f.line = own_line(f.path).line;
}

void set_other_place(finding& f, program const* code, std::uint32_t operation) {
  if (code == nullptr) return;
  f.other_path = path_of(*code, operation);
  f.in_toolkit = !f.path.empty() && !f.other_path.empty() && is_of_toolkit(f.path.front().file) &&
                 is_of_toolkit(f.other_path.front().file);
}

}  // namespace device::decode
