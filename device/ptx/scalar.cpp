// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/ptx/module.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace device::ptx {

namespace {

struct named_scalar {
  std::string_view name;
  scalar type;
  int bytes;
};

//! In the order of the enumerators from `pred` on.
constexpr std::array scalars{
    named_scalar{"pred", scalar::pred, 0}, named_scalar{"b8", scalar::b8, 1},
    named_scalar{"b16", scalar::b16, 2},   named_scalar{"b32", scalar::b32, 4},
    named_scalar{"b64", scalar::b64, 8},   named_scalar{"b128", scalar::b128, 16},
    named_scalar{"u8", scalar::u8, 1},     named_scalar{"u16", scalar::u16, 2},
    named_scalar{"u32", scalar::u32, 4},   named_scalar{"u64", scalar::u64, 8},
    named_scalar{"s8", scalar::s8, 1},     named_scalar{"s16", scalar::s16, 2},
    named_scalar{"s32", scalar::s32, 4},   named_scalar{"s64", scalar::s64, 8},
    named_scalar{"f16", scalar::f16, 2},   named_scalar{"f16x2", scalar::f16x2, 4},
    named_scalar{"bf16", scalar::bf16, 2}, named_scalar{"bf16x2", scalar::bf16x2, 4},
    named_scalar{"f32", scalar::f32, 4},   named_scalar{"f64", scalar::f64, 8},
};

constexpr std::array<std::string_view, 51> other_names{
    "b1",         "b2",     "b4",      "b6",        "s2",        "u2",     "s4",      "u4",
    "b4x16",      "b6x16",  "b6p2x16", "b4x16_p64", "b6x16_p32", "e2m1",   "e2m3",    "e3m2",
    "e4m3",       "e5m2",   "e2m1x2",  "e2m3x2",    "e3m2x2",    "e4m3x2", "e5m2x2",  "e2m1x4",
    "e2m3x4",     "e3m2x4", "e4m3x4",  "e5m2x4",    "ue8m0",     "ue4m3",  "ue8m0x2", "tf32",
    "f32x2",      "u8x2",   "u8x4",    "s8x2",      "s8x4",      "u16x2",  "s16x2",   "b8x2",
    "b8x4",       "b16x2",  "u32x2",   "s32x2",     "f64x2",     "b1024",  "texref",  "surfref",
    "samplerref", "f8x2",   "s2f6x2"};

constexpr bool are_in_order() {
  for (std::size_t i = 0; i < scalars.size(); ++i)
    if (static_cast<std::size_t>(scalars[i].type) != i + 1) return false;
  return true;
}
static_assert(are_in_order());

}  // namespace

int bytes_of(scalar type) {
  auto const index = static_cast<std::size_t>(type);
  return index == 0 || index > scalars.size() ? 0 : scalars[index - 1].bytes;
}

scalar scalar_of(std::string_view name) {
  constexpr std::string_view first_letters = "bpusfet";
  if (name.size() < 2 || name.size() > 10 || first_letters.find(name[0]) == std::string_view::npos)
    return scalar::none;
  for (named_scalar const& s : scalars)
    if (s.name == name) return s.type;
  return std::ranges::find(other_names, name) == other_names.end() ? scalar::none : scalar::other;
}

}  // namespace device::ptx
