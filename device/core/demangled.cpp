// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cxxabi.h>
#include <device/core/demangled.hpp>

#include <cstdlib>
#include <memory>

namespace device {

std::string demangled(std::string const& name) {
  if (!name.starts_with("_Z")) return name;  // `f` would be the type float
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> const text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || !text) return name;
  std::string made = text.get();
  for (std::size_t begin = 0; (begin = made.find("[abi:", begin)) != std::string::npos;) {
    std::size_t const end = made.find(']', begin);
    if (end == std::string::npos) break;
    made.erase(begin, end + 1 - begin);
  }
  return made;
}

}  // namespace device
