// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instruction_text.hpp"

#include <unordered_map>

namespace device {

char const* name_of(instruction_kind k) {
  static char const* const names[instruction_kinds] = {
      "integer", "float32", "fma",   "float64", "half",    "convert", "move",  "predicate",
      "control", "load",    "store", "atomic",  "barrier", "warp",    "other", "texture"};
  return names[static_cast<int>(k)];
}

namespace decode {

namespace {

using enum instruction_kind;

//! Instructions that are of one kind whatever their type.
[[nodiscard]] instruction_kind kind_of_opcode(std::string_view opcode) {
  static std::unordered_map<std::string_view, instruction_kind> const kinds{
      {"mov", move},       {"cvta", convert},   {"cvt", convert},     {"selp", move},
      {"slct", move},      {"setp", predicate}, {"testp", predicate}, {"isspacep", predicate},
      {"bra", control},    {"brx", control},    {"call", control},    {"ret", control},
      {"exit", control},   {"trap", control},   {"brkpt", control},   {"nanosleep", control},
      {"ld", load},        {"ldu", load},       {"ldmatrix", load},   {"prefetch", load},
      {"prefetchu", load}, {"st", store},       {"stmatrix", store},  {"atom", atomic},
      {"red", atomic},     {"bar", barrier},    {"barrier", barrier}, {"mbarrier", barrier},
      {"membar", barrier}, {"fence", barrier},  {"shfl", warp},       {"vote", warp},
      {"match", warp},     {"redux", warp},     {"activemask", warp}, {"elect", warp},
      {"cp", load},        {"mma", other},      {"wmma", other},      {"movmatrix", warp},
      {"tex", texture},    {"tld4", texture},   {"txq", texture},     {"suld", texture},
      {"sust", texture},   {"sured", texture},  {"suq", texture}};
  auto const found = kinds.find(opcode);
  return found == kinds.end() ? other : found->second;
}

}  // namespace

instruction_kind kind_of(ptx::instruction const& i) {
  if (i.opcode == "bar" && i.has("warp")) return warp;
  instruction_kind const k = kind_of_opcode(i.opcode);
  if (k != other || i.modifiers.empty()) return k;
  if (i.opcode == "mma" || i.opcode == "wmma") return other;
  switch (ptx::scalar_of(i.modifiers.back())) {
    case ptx::scalar::pred:
      return predicate;
    case ptx::scalar::f32:
      return i.opcode == "fma" || i.opcode == "mad" ? fma32 : float32;
    case ptx::scalar::f64:
      return float64;
    case ptx::scalar::f16:
    case ptx::scalar::f16x2:
    case ptx::scalar::bf16:
    case ptx::scalar::bf16x2:
      return half;
    case ptx::scalar::none:
    case ptx::scalar::other:
      return other;
    default:
      return integer;
  }
}

std::string name_text(ptx::instruction const& i) {
  std::string text(i.opcode);
  for (std::string_view const m : i.modifiers) text.append(".").append(m);
  return text;
}

std::string place_text(program const& p, ptx::instruction const& i) {
  std::string text = name_text(i) + " (";
  if (i.location != ptx::none) {
    ptx::location const& location = p.body.locations[i.location];
    auto const file = p.source_module->files.find(location.file);
    if (file != p.source_module->files.end())
      text += file->second + ":" + std::to_string(location.line) + ", ";
  }
  text += "PTX line " + std::to_string(i.text_line) + ", in " + p.demangled + ")";
  return text;
}

}  // namespace decode
}  // namespace device
