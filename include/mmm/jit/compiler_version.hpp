// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/jit/disk_cache.hpp>
#include <mmm/jit/file_state.hpp>
#include <mmm/jit/libraries.hpp>

#include <dlfcn.h>
#include <link.h>

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

//! NVRTC's version, which is part of a kernel's key, without loading NVRTC where that is not
//! needed: loading it takes ten times as long as reading a kernel from the cache.
namespace mmm::jit::detail {

//! The folders in which the loader looks for a library that this program loads, in their order.
//! Empty if the loader does not say.
[[nodiscard]] inline std::vector<std::string> loader_folders() {
  std::vector<std::string> folders;
#ifdef __GLIBC__
  // The folders depend on the file whose code calls dlopen.
  static char const here = 0;
  ::Dl_info info{};
  void* own = nullptr;
  ::Dl_serinfo size{};
  if (::dladdr1(&here, &info, &own, RTLD_DL_LINKMAP) == 0 || own == nullptr ||
      ::dlinfo(own, RTLD_DI_SERINFOSIZE, &size) != 0)
    return folders;
  std::vector<std::max_align_t> memory(size.dls_size / sizeof(std::max_align_t) + 1);
  auto* const found = reinterpret_cast<::Dl_serinfo*>(memory.data());
  if (::dlinfo(own, RTLD_DI_SERINFOSIZE, found) != 0 || ::dlinfo(own, RTLD_DI_SERINFO, found) != 0)
    return folders;
  for (unsigned k = 0; k < found->dls_cnt; ++k)
    folders.emplace_back(found->dls_serpath[k].dls_name);
#endif
  return folders;
}

//! A text of all that decides which file the loader takes for these names: the state of each file
//! that it may find, and of its own cache. Empty if the loader does not say where it looks.
[[nodiscard]] inline std::string state_of_search(std::vector<std::string> const& names) {
  std::vector<std::string> const folders = loader_folders();
  if (folders.empty()) return "";
  std::string state;
  auto const add = [&](std::string const& path) { state += path + ' ' + file_state(path) + '\n'; };
  add("/etc/ld.so.cache");
  for (std::string const& name : names)
    if (name.find('/') != std::string::npos)
      add(name);
    else
      for (std::string const& folder : folders) add(folder + '/' + name);
  return state;
}

[[nodiscard]] inline bool is_loaded(std::vector<std::string> const& names) {
  for (std::string const& name : names)
    if (void* const library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_NOLOAD); library != nullptr) {
      static_cast<void>(::dlclose(library));
      return true;
    }
  return false;
}

//! NVRTC's version. The cache has it for a state of the search and of the file that was found;
//! NVRTC is asked if either has changed, or if the process has loaded an NVRTC.
//! Errors: mmm::jit::error if NVRTC is needed and is not there.
[[nodiscard]] inline std::string version_of_compiler(disk_cache const& cache) {
  static std::mutex one;
  static std::optional<std::string> known;
  std::lock_guard const lock(one);
  if (known) return *known;
  std::vector<std::string> const names = compiler_functions::names();
  std::string const search = is_loaded(names) ? "" : state_of_search(names);
  std::string const key = "file and version of NVRTC\n" + search;
  if (!search.empty())
    if (std::optional<std::string> const entry = cache.find(key)) {
      std::size_t const path_end = entry->find('\n'), state_end = entry->find('\n', path_end + 1);
      if (state_end != std::string::npos &&
          file_state(entry->substr(0, path_end)) ==
              entry->substr(path_end + 1, state_end - path_end - 1))
        return *(known = entry->substr(state_end + 1));
    }
  compiler_functions const& nvrtc = compiler_functions::get();
  int major = 0, minor = 0;
  static_cast<void>(nvrtc.version(&major, &minor));
  known = std::to_string(major) + "." + std::to_string(minor);
  std::string const state = file_state(nvrtc.path);
  if (!search.empty() && state != "absent")
    static_cast<void>(cache.store(key, nvrtc.path + '\n' + state + '\n' + *known));
  return *known;
}

}  // namespace mmm::jit::detail
