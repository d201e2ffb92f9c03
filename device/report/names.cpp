// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "names.hpp"

#include <device/core/suppressions.hpp>

namespace device::report {

namespace {

//! The start of the list of parameters: the `(` that the last `)` closes; the end if there is
//! none. The rest, such as the `const` of a member function or a clone's suffix, belongs to it.
std::size_t parameters_of(std::string_view name) {
  std::size_t const last = name.rfind(')');
  if (last == std::string_view::npos) return name.size();
  int depth = 0;
  for (std::size_t k = last + 1; k-- > 0;) {
    depth += name[k] == ')';
    depth -= name[k] == '(';
    if (depth == 0) return k;
  }
  return name.size();
}

//! The start of the name after the result of a template: after the last space outside brackets.
std::size_t name_begin(std::string_view before_parameters) {
  int depth = 0;
  for (std::size_t k = before_parameters.size(); k-- > 0;) {
    char const c = before_parameters[k];
    depth += c == '>' || c == ')' || c == ']' || c == '}';
    depth -= c == '<' || c == '(' || c == '[' || c == '{';
    if (c == ' ' && depth == 0) return k + 1;
  }
  return 0;
}

//! The name with "<…>" instead of what is in angle brackets, or with nothing there.
std::string without_arguments(std::string_view name, char const* instead) {
  std::string out;
  int depth = 0;
  for (char const c : name) {
    if (c == '>' && depth > 0 && --depth == 0) out += instead;
    if (depth == 0 && !(c == '>' || c == '<')) out += c;
    depth += c == '<';
  }
  return out;
}

}  // namespace

std::string bare_name(std::string_view demangled) {
  std::string_view name = demangled.substr(0, parameters_of(demangled));
  name.remove_prefix(name_begin(name));
  return without_arguments(name, "");
}

std::string short_name(std::string_view demangled, std::size_t max_size) {
  if (demangled.size() <= max_size) return std::string(demangled);
  std::string_view name = demangled.substr(0, parameters_of(demangled));
  name.remove_prefix(name_begin(name));
  if (name.size() <= max_size) return std::string(name);
  std::string const bare = without_arguments(name, "<…>");
  if (bare.size() <= max_size) return bare;
  // without the outer namespaces
  std::size_t const colons = bare.find("::", bare.size() - (max_size - 1));
  return "…" + bare.substr(colons != std::string::npos ? colons : bare.size() - (max_size - 1));
}

bool matches_kernel(std::string_view pattern, std::string_view demangled) {
  std::string_view const no_parameters = demangled.substr(0, parameters_of(demangled));
  std::size_t const begin = name_begin(no_parameters);
  return matches(pattern, demangled) || matches(pattern, no_parameters) ||
         matches(pattern, demangled.substr(begin)) ||
         matches(pattern, no_parameters.substr(begin)) || matches(pattern, bare_name(demangled));
}

bool is_file(std::string_view file, std::string_view path) {
  if (!path.ends_with(file) || file.empty()) return false;
  return path.size() == file.size() || path[path.size() - file.size() - 1] == '/';
}

}  // namespace device::report
