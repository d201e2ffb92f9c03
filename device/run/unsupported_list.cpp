// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unsupported_list.hpp"

#include "program_file.hpp"

#include <common/failure.hpp>
#include <common/file.hpp>
#include <device/core/elf_file.hpp>
#include <device/core/vendor_libraries.hpp>
#include <dlfcn.h>
#include <nlohmann/json.hpp>

#include <cctype>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace run {

namespace {

using json = nlohmann::ordered_json;

struct entry {
  std::string kind{};   //!< instruction, function, library or code
  std::string name{};   //!< "tex.2d.v4.f32.f32"
  std::string place{};  //!< of the first: "a.cu:12, PTX line 34, in blur(float*)"
  std::string why{};
  std::size_t count = 1;
};

//! The entries, those with the same kind, name and reason as one.
class entry_list {
 public:
  void add(entry e) {
    for (entry& known : all_)
      if (known.kind == e.kind && known.name == e.name && known.why == e.why) {
        ++known.count;
        return;
      }
    all_.push_back(std::move(e));
  }
  [[nodiscard]] std::vector<entry> const& all() const { return all_; }

 private:
  std::vector<entry> all_;
};

void take_entry(void* to, char const* kind, char const* name, char const* place, char const* why) {
  static_cast<entry_list*>(to)->add({kind, name, place, why});
}

using code_lister = void (*)(char const*, char const*, std::size_t, decltype(&take_entry), void*);

code_lister find_code_lister(std::string const& library) {
  void* const opened = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const found = opened == nullptr ? nullptr : dlsym(opened, "mmm_list_unsupported");
  if (found == nullptr) throw tool::failure(library + " cannot be used: " + std::string(dlerror()));
  return reinterpret_cast<code_lister>(found);
}

//! True of names that functions of the runtime and the driver have: cudaMalloc, cuMemAlloc_v2.
bool is_of_cuda(std::string_view name) {
  if (name.starts_with("cuda") || name.starts_with("__cuda")) return true;
  return name.starts_with("cu") && name.size() > 2 &&
         std::isupper(static_cast<unsigned char>(name[2])) != 0;
}

//! The functions that `file` needs and neither the device nor a file of the program has.
void list_functions(std::string const& file, std::map<std::string, bool> const& weak_of_device,
                    std::set<std::string> const& of_program, entry_list& to) {
  for (dynamic_symbol const& s : dynamic_symbols_of(file)) {
    if (!s.is_undefined || s.is_weak || !is_of_cuda(s.name)) continue;
    auto const known = weak_of_device.find(s.name);
    // The device comes before the program's libraries, also with a function that ends the program.
    if (known == weak_of_device.end() ? of_program.contains(s.name) : !known->second) continue;
    to.add({"function", s.name, file,
            known == weak_of_device.end() ? "this device does not have it"
                                          : "a call of it ends the program"});
  }
}

bool is_of_toolkit(std::string_view path) {
  std::string_view const file = path.substr(path.rfind('/') + 1);
  return file.starts_with("libcudart.so") || file.starts_with("libcuda.so");
}

void list_program(std::string const& program, std::string const& gpu, std::string const& library,
                  entry_list& to) {
  // The functions that the device only has so that a program can be started are weak.
  std::map<std::string, bool> weak_of_device;
  for (dynamic_symbol const& s : dynamic_symbols_of(library))
    if (!s.is_undefined) weak_of_device.emplace(s.name, s.is_weak);
  std::vector<std::string> files{program};
  for (std::string const& path : library_paths_of(program)) {
    if (std::string const why = device::missing_ptx_of(path); !why.empty())
      to.add({"library", path, "", why});
    else if (path.starts_with('/') && !is_of_toolkit(path))
      files.push_back(path);
  }
  std::set<std::string> of_program;
  for (std::string const& file : files)
    for (dynamic_symbol& s : dynamic_symbols_of(file))
      if (!s.is_undefined) of_program.insert(std::move(s.name));
  code_lister const list_code = find_code_lister(library);
  for (std::string const& file : files) {
    list_functions(file, weak_of_device, of_program, to);
    device::elf_file const bytes(file.c_str());
    if (bytes.header())
      list_code(gpu.c_str(), bytes.bytes().data(), bytes.bytes().size(), &take_entry, &to);
  }
}

void print(entry const& e) {
  std::string line = e.kind + (e.name.empty() ? "" : " ") + e.name;
  if (e.count > 1) line += " (" + std::to_string(e.count) + " times)";
  line += ": " + e.why;
  if (!e.place.empty()) line += "; " + std::string(e.count > 1 ? "first in " : "in ") + e.place;
  std::printf("%s\n", line.c_str());
}

json json_of(std::string const& path, std::vector<entry> const& all) {
  json entries = json::array();
  for (entry const& e : all)
    entries.push_back({{"kind", e.kind},
                       {"name", e.name},
                       {"count", e.count},
                       {"place", e.place},
                       {"reason", e.why}});
  return {{"program", path}, {"unsupported", entries}};
}

}  // namespace

std::size_t list_unsupported(std::string const& path, std::string const& gpu,
                             std::string const& library, std::string const& json_file) {
  entry_list found;
  if (path.ends_with(".ptx")) {
    std::string const text = tool::file_contents(path);
    find_code_lister(library)(gpu.c_str(), text.data(), text.size(), &take_entry, &found);
  } else {
    std::string const program = find_program(path);
    if (read_program(program).is_script)
      throw tool::failure(program +
                          " is a script; --list-unsupported reads programs and PTX files");
    list_program(program, gpu, library, found);
  }
  for (entry const& e : found.all()) print(e);
  if (found.all().empty()) std::printf("%s: nothing that it links is missing\n", path.c_str());
  if (!json_file.empty()) {
    std::ofstream file(json_file, std::ios::trunc);
    file << json_of(path, found.all()).dump(-1, ' ', false, json::error_handler_t::replace) << '\n';
    if (!file.flush()) throw tool::failure("--json: " + json_file + " cannot be written");
  }
  return found.all().size();
}

}  // namespace run
