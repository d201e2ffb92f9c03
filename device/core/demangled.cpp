// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cxxabi.h>
#include <device/core/demangled.hpp>

#include <charconv>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace device {

namespace {

//! The name in one that nvcc has made unique, as it does in relocatable code for what has internal
//! linkage: __nv_static_, a number, two underscores, as many characters, the name.
std::string_view own_name(std::string_view name) {
  constexpr std::string_view prefix = "__nv_static_";
  if (!name.starts_with(prefix)) return name;
  std::size_t length = 0;
  char const* const begin = name.data() + prefix.size();
  auto const [end, error] = std::from_chars(begin, name.data() + name.size(), length);
  std::size_t const first = static_cast<std::size_t>(end - name.data()) + 2 + length;
  return error == std::errc{} && first < name.size() ? name.substr(first) : name;
}

}  // namespace

std::string demangled(std::string const& name) {
  if (std::string_view const own = own_name(name); own.size() != name.size())
    return demangled(std::string(own));
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
