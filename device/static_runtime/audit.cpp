// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library for the loader's variable LD_AUDIT (man rtld-audit): the loader tells it of each file
// that it has mapped, before the file's code runs.
#include "replace.hpp"

#include <link.h>

#include <cstddef>
#include <iterator>
#include <string_view>

namespace device::static_runtime {

namespace {

constexpr std::string_view device_name = "/libmmm_device.so";

//! Files that were loaded before the device's library, which is the first that is preloaded: the
//! program, the loader itself.
loaded_file waiting[8];
std::size_t waiting_count = 0;
bool device_is_there = false;

void note(loaded_file const& file) {
  if (std::string_view(file.path).ends_with(device_name)) {
    find_device(file);
    device_is_there = true;
    for (std::size_t k = 0; k < waiting_count; ++k) replace_runtime(waiting[k]);
  } else if (device_is_there) {
    replace_runtime(file);
  } else if (waiting_count < std::size(waiting)) {
    waiting[waiting_count++] = file;
  }
}

}  // namespace

}  // namespace device::static_runtime

extern "C" {

[[gnu::visibility("default")]] unsigned la_version(unsigned version) {
  return version < LAV_CURRENT ? version : LAV_CURRENT;
}

[[gnu::visibility("default")]] unsigned la_objopen(link_map* file, Lmid_t space, std::uintptr_t*) {
  bool const is_program = file->l_name == nullptr || *file->l_name == '\0';
  if (space == LM_ID_BASE)
    device::static_runtime::note(
        {is_program ? "/proc/self/exe" : file->l_name, static_cast<std::uint64_t>(file->l_addr)});
  return 0;  // no calls between files are of interest
}

}  // extern "C"
