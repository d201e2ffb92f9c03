// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/check/definedness_rules.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <initializer_list>
#include <string_view>

namespace device::check {
namespace {

using ptx::instruction;
using values = std::span<operand_value const>;

[[nodiscard]] bool is_one_of(std::string_view text, std::initializer_list<std::string_view> all) {
  return std::find(all.begin(), all.end(), text) != all.end();
}

[[nodiscard]] bool is_integer(ptx::scalar s) {
  using enum ptx::scalar;
  return s == b8 || s == b16 || s == b32 || s == b64 || s == u8 || s == u16 || s == u32 ||
         s == u64 || s == s8 || s == s16 || s == s32 || s == s64;
}
[[nodiscard]] bool is_signed(ptx::scalar s) {
  using enum ptx::scalar;
  return s == s8 || s == s16 || s == s32 || s == s64;
}

//! The types that an instruction names, in their order: of a conversion, to and from.
struct named_types {
  std::array<ptx::scalar, 2> type{};
  int count = 0;
};
[[nodiscard]] named_types types_of(instruction const& i) {
  named_types found;
  for (std::string_view const m : i.modifiers)
    if (ptx::scalar const s = ptx::scalar_of(m); s != ptx::scalar::none && found.count < 2)
      found.type[static_cast<std::size_t>(found.count++)] = s;
  return found;
}

[[nodiscard]] bool bit(std::uint32_t mask, int k) { return k >= 0 && k < 32 && (mask >> k & 1); }

[[nodiscard]] std::uint32_t missing_in_any(values all) {
  std::uint32_t found = 0;
  for (operand_value const& v : all) found |= v.missing;
  return found;
}

[[nodiscard]] unsigned byte_of(operand_value const& v, int k) {
  return static_cast<unsigned>(v.value >> 8 * k) & 0xffU;
}

//! True if an operand is defined and known.
[[nodiscard]] bool certain(operand_value const& v) { return v.missing == 0 && v.known; }

//! Bytes of `mask` that a shift to the left by a number of bits brings to each of `bytes`.
[[nodiscard]] std::uint32_t shifted_left(std::uint32_t mask, int bits, int bytes) {
  std::uint32_t found = 0;
  for (int k = 0; k < bytes; ++k)
    if (bit(mask, k - bits / 8) || (bits % 8 != 0 && bit(mask, k - bits / 8 - 1)))
      found |= std::uint32_t{1} << k;
  return found;
}

//! The same to the right; bytes beyond `bytes` are undefined if `sign` says so.
[[nodiscard]] std::uint32_t shifted_right(std::uint32_t mask, int bits, int bytes, bool sign) {
  std::uint32_t found = 0;
  auto const is_undefined = [&](int k) { return k < bytes ? bit(mask, k) : sign; };
  for (int k = 0; k < bytes; ++k)
    if (is_undefined(k + bits / 8) || (bits % 8 != 0 && is_undefined(k + bits / 8 + 1)))
      found |= std::uint32_t{1} << k;
  return found;
}

//! Bytes where an operand that is defined there decides the result, whatever the other is.
[[nodiscard]] std::uint32_t logical(values all, bool disjunction, int bytes) {
  std::uint32_t missing = missing_in_any(all) & all_bytes(bytes);
  for (operand_value const& v : all)
    for (int k = 0; k < std::max(1, bytes); ++k) {
      bool const decides =
          bytes == 0 ? (v.value != 0) == disjunction : byte_of(v, k) == (disjunction ? 0xffU : 0U);
      if (v.known && k < 8 && !bit(v.missing, k) && decides) missing &= ~(std::uint32_t{1} << k);
    }
  return missing;
}

//! lop3: a bit of the result is undefined if undefined operands can change it.
[[nodiscard]] std::uint32_t lookup_result(values all, int bytes) {
  if (all.size() < 4 || !certain(all[3])) return missing_in_any(all) ? all_bytes(bytes) : 0;
  auto const table = static_cast<unsigned>(all[3].value);
  std::uint32_t found = 0;
  for (int k = 0; k < bytes; ++k) {
    unsigned unsure = 0;  // a bit of the table's index for each operand
    for (unsigned n = 0; n < 3; ++n)
      if (bit(all[n].missing, k) || !all[n].known) unsure |= 4U >> n;
    if (((bit(all[0].missing, k) ? 4U : 0U) | (bit(all[1].missing, k) ? 2U : 0U) |
         (bit(all[2].missing, k) ? 1U : 0U)) == 0)
      continue;
    for (unsigned b = 0; b < 8; ++b) {
      unsigned index = 0;
      for (unsigned n = 0; n < 3; ++n)
        if ((unsure & 4U >> n) == 0 && (byte_of(all[n], k) >> b & 1) != 0) index |= 4U >> n;
      unsigned const first = table >> index & 1;
      for (unsigned other = 0; other < 8; ++other)
        if ((other & ~unsure) == 0 && (table >> (index | other) & 1) != first)
          found |= std::uint32_t{1} << k;
    }
  }
  return found;
}

//! shf: the high or the low half of two words that are shifted as one.
[[nodiscard]] std::uint32_t funnel(instruction const& i, values all, bool left) {
  if (all.size() < 3 || !certain(all[2])) return missing_in_any(all) ? 0xf : 0;
  auto const amount = static_cast<std::uint32_t>(all[2].value);
  int const bits =
      static_cast<int>(i.has("wrap") ? amount & 31 : std::min<std::uint32_t>(amount, 32));
  std::uint32_t const both = all[0].missing | all[1].missing << 4;
  return left ? shifted_left(both, bits, 8) >> 4 : shifted_right(both, bits, 8, false) & 0xf;
}

[[nodiscard]] std::uint32_t permuted(instruction const& i, values all) {
  bool const has_mode = std::any_of(i.modifiers.begin(), i.modifiers.end(),
                                    [](std::string_view m) { return m != "b32"; });
  if (has_mode || all.size() < 3 || !certain(all[2])) return missing_in_any(all) ? 0xf : 0;
  std::uint32_t const both = all[0].missing | all[1].missing << 4;
  std::uint32_t found = 0;
  for (int k = 0; k < 4; ++k)
    if (bit(both, static_cast<int>(all[2].value >> 4 * k & 7))) found |= std::uint32_t{1} << k;
  return found;
}

[[nodiscard]] std::uint32_t extracted(instruction const& i, values all, int bytes) {
  if (all.size() < 3 || !certain(all[1]) || !certain(all[2]))
    return missing_in_any(all) ? all_bytes(bytes) : 0;
  int const begin = static_cast<int>(all[1].value & 0xff);
  int const length = std::min(static_cast<int>(all[2].value & 0xff), 8 * bytes - begin);
  if (length <= 0) return 0;
  int const last = (begin + length - 1) / 8;
  std::uint32_t const field = all[0].missing & all_bytes(last + 1);
  std::uint32_t found = shifted_right(field, begin, bytes, false) & all_bytes((length + 7) / 8);
  if (is_signed(types_of(i).type[0]) && bit(all[0].missing, last))
    found |= all_bytes(bytes) & ~all_bytes(std::max(1, length / 8));
  return found & all_bytes(bytes);
}

//! bfi: a field of the first operand takes the place of bits of the second.
[[nodiscard]] std::uint32_t inserted(values all, int bytes) {
  if (all.size() < 4 || !certain(all[2]) || !certain(all[3]))
    return missing_in_any(all) ? all_bytes(bytes) : 0;
  int const begin = static_cast<int>(all[2].value & 0xff);
  int const end = std::min(begin + static_cast<int>(all[3].value & 0xff), 8 * bytes);
  std::uint32_t const field = shifted_left(all[0].missing, begin, bytes);
  std::uint32_t found = 0;
  for (int k = 0; k < bytes; ++k) {
    bool const inside = 8 * k < end && 8 * k + 8 > begin;
    bool const covered = 8 * k >= begin && 8 * k + 8 <= end;
    if ((inside && bit(field, k)) || (!covered && bit(all[1].missing, k)))
      found |= std::uint32_t{1} << k;
  }
  return found;
}

[[nodiscard]] std::uint32_t converted(instruction const& i, values all, int bytes) {
  named_types const types = types_of(i);
  if (types.count < 2) return missing_in_any(all) ? all_bytes(bytes) : 0;
  ptx::scalar const to = types.type[0];
  ptx::scalar const source = types.type[1];
  if (all.size() == 2 && bytes == 4)  // two values are packed, the first into the upper half
    return (all[1].missing ? 0x3U : 0U) | (all[0].missing ? 0xcU : 0U);
  if (!is_integer(to) || !is_integer(source) || i.has("sat"))
    return missing_in_any(all) ? all_bytes(bytes) : 0;
  int const width = ptx::bytes_of(source);
  std::uint32_t found = all[0].missing & all_bytes(width);
  if (is_signed(source) && bit(found, width - 1)) found |= ~all_bytes(width);
  return found & all_bytes(std::min(bytes, ptx::bytes_of(to)));
}

[[nodiscard]] std::uint32_t selected(values all, int bytes) {
  if (all.size() < 3) return missing_in_any(all) ? all_bytes(bytes) : 0;
  operand_value const& p = all[2];
  if (certain(p)) return all[p.value != 0 ? 0 : 1].missing & all_bytes(bytes);
  std::uint32_t const either = all[0].missing | all[1].missing;
  if (p.missing == 0) return either & all_bytes(bytes);
  std::uint32_t found = all_bytes(bytes);
  for (int k = 0; k < std::min(bytes, 8); ++k)
    if (!bit(either, k) && all[0].known && all[1].known && byte_of(all[0], k) == byte_of(all[1], k))
      found &= ~(std::uint32_t{1} << k);
  return found;
}

//! setp and set; a third source is a predicate that the comparison is combined with.
[[nodiscard]] std::uint32_t compared(instruction const& i, values all, int bytes) {
  bool missing = missing_in_any(all.first(std::min<std::size_t>(2, all.size()))) != 0;
  named_types const types = types_of(i);
  ptx::scalar const type = types.type[static_cast<std::size_t>(std::max(0, types.count - 1))];
  if (missing && all.size() >= 2 && (i.has("eq") || i.has("ne")) && is_integer(type))
    for (int k = 0; k < ptx::bytes_of(type); ++k) {
      bool const defined =
          all[0].known && all[1].known && !bit(all[0].missing, k) && !bit(all[1].missing, k);
      if (defined && byte_of(all[0], k) != byte_of(all[1], k)) missing = false;
    }
  if (all.size() >= 3) {
    operand_value const& p = all[2];
    if (p.missing != 0)
      missing = true;
    else if (p.known && ((i.has("and") && p.value == 0) || (i.has("or") && p.value != 0)))
      missing = false;
  }
  return missing ? all_bytes(bytes) : 0;
}

[[nodiscard]] bool has_halves(instruction const& i) {
  return i.has("f16x2") || i.has("bf16x2") || i.has("u16x2") || i.has("s16x2");
}

}  // namespace

definedness_rule definedness_rule_of(instruction const& i) {
  using enum definedness_rule;
  std::string_view const op = i.opcode;
  if (op == "cvt") return conversion;
  if (op == "setp" || op == "set") return comparison;
  if (op == "selp") return selection;
  if (op == "and") return conjunction;
  if (op == "or") return disjunction;
  if (op == "lop3") return lookup;
  if (op == "shl") return shift_left;
  if (op == "shr") return shift_right;
  if (op == "shf") return i.has("l") ? funnel_left : funnel_right;
  if (op == "prmt") return permutation;
  if (op == "bfe") return extraction;
  if (op == "bfi") return insertion;
  if (is_one_of(op, {"mov", "xor", "not", "cvta"})) return bytewise;
  if (has_halves(i)) return halfwise;
  ptx::scalar const type = types_of(i).type[0];
  if (is_one_of(op, {"add", "sub", "mul", "mad", "neg"}) && is_integer(type) && !i.has("hi") &&
      !i.has("sat"))
    return upwards;
  return any;
}

std::uint32_t undefined_result(definedness_rule how, instruction const& i, values all, int bytes) {
  using enum definedness_rule;
  std::uint32_t const missing = missing_in_any(all);
  if (missing == 0) return 0;
  bool const shifts = how == shift_left || how == shift_right;
  if (shifts && (all.size() < 2 || !certain(all[1]))) return all_bytes(bytes);
  int const shift = shifts ? static_cast<int>(std::min<std::uint64_t>(
                                 all[1].value & 0xffffffffU, static_cast<std::uint64_t>(8 * bytes)))
                           : 0;
  switch (how) {
    case bytewise:
      return missing & all_bytes(bytes);
    case upwards:
      return all_bytes(bytes) & ~((std::uint32_t{1} << std::countr_zero(missing)) - 1);
    case halfwise:
      return ((missing & 0x3) != 0 ? 0x3U : 0U) | ((missing & 0xc) != 0 ? 0xcU : 0U);
    case conjunction:
      return logical(all, false, bytes);
    case disjunction:
      return logical(all, true, bytes);
    case lookup:
      return lookup_result(all, bytes);
    case shift_left:
      return shifted_left(all[0].missing, shift, bytes);
    case shift_right:
      return shifted_right(all[0].missing, shift, bytes,
                           is_signed(types_of(i).type[0]) && bit(all[0].missing, bytes - 1));
    case funnel_left:
      return funnel(i, all, true);
    case funnel_right:
      return funnel(i, all, false);
    case permutation:
      return permuted(i, all);
    case extraction:
      return extracted(i, all, bytes);
    case insertion:
      return inserted(all, bytes);
    case conversion:
      return converted(i, all, bytes);
    case selection:
      return selected(all, bytes);
    case comparison:
      return compared(i, all, bytes);
    case definedness_rule::any:
      break;
  }
  return all_bytes(bytes);
}

}  // namespace device::check
