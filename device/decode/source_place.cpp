// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source_place.hpp"

namespace device::decode {

namespace {

[[nodiscard]] bool is_of_toolkit(std::string const& file) {
  return file.find("cuda") != std::string::npos && file.find("/include/") != std::string::npos;
}

}  // namespace

source_place place_of(program const& p, std::uint32_t operation) {
  source_place innermost;
  if (operation >= p.location_of.size() || p.source_module == nullptr) return innermost;
  for (std::uint32_t location = p.location_of[operation]; location != ptx::none;
       location = p.body.locations[location].inlined_at) {
    ptx::location const& l = p.body.locations[location];
    auto const name = p.source_module->files.find(l.file);
    source_place here{name == p.source_module->files.end() ? std::string() : name->second, l.line};
    if (!is_of_toolkit(here.file)) return here;
    if (innermost.line == 0) innermost = std::move(here);
  }
  return innermost;
}

}  // namespace device::decode
