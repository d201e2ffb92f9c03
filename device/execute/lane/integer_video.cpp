// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/lane/integer_video.hpp>
#include <device/execute/lane/lanewise_build.hpp>
#include <device/execute/warp.hpp>

#include <algorithm>
#include <bit>
#include <limits>
#include <string_view>

// Video instructions, on whole registers or on all of their halves or bytes in order: operands with
// selectors (`%r1.b0`) are not read. They are rare, so one handler reads at run time what is to be
// done.
namespace device {

namespace {

using s64 = std::int64_t;
using u32 = std::uint32_t;

enum class primary : std::uint8_t {
  add,
  sub,
  average,
  abs_difference,
  min,
  max,
  shift_left,
  shift_right,
  mad,
  compare
};
enum class secondary : std::uint8_t { none, add, min, max };
enum class relation : std::uint8_t { eq, ne, lt, le, gt, ge };

//! operation::immediate
struct description {
  primary action = primary::add;
  secondary then = secondary::none;
  relation compared = relation::eq;
  std::uint8_t part_bits = 32;
  std::uint8_t shift = 0;  //!< of vmad
  std::uint8_t signs = 0;  //!< 1: d is signed, 2: a, 4: b
  bool saturates = false;
  bool alternative = false;  //!< of shifts: .wrap; of vmad: .po

  [[nodiscard]] bool d_signed() const { return (signs & 1) != 0; }
  [[nodiscard]] bool a_signed() const { return (signs & 2) != 0; }
  [[nodiscard]] bool b_signed() const { return (signs & 4) != 0; }
};
static_assert(sizeof(description) == sizeof(operation::immediate));

s64 extended(u32 v, int bits, bool is_signed) {
  if (bits == 32) return is_signed ? s64{static_cast<std::int32_t>(v)} : s64{v};
  s64 const low = v & ((1U << bits) - 1);
  return is_signed && (low >> (bits - 1)) != 0 ? low - (s64{1} << bits) : low;
}

s64 clamped(s64 v, int bits, bool is_signed) {
  s64 const low = is_signed ? -(s64{1} << (bits - 1)) : 0;
  s64 const high = (s64{1} << (is_signed ? bits - 1 : bits)) - 1;
  return std::clamp(v, low, high);
}

bool holds(relation r, s64 a, s64 b) {
  switch (r) {
    case relation::eq:
      return a == b;
    case relation::ne:
      return a != b;
    case relation::lt:
      return a < b;
    case relation::le:
      return a <= b;
    case relation::gt:
      return a > b;
    case relation::ge:
      return a >= b;
  }
  return false;
}

s64 first(description const& x, s64 a, s64 b, s64 c) {
  switch (x.action) {
    case primary::add:
      return a + b;
    case primary::sub:
      return a - b;
    case primary::average:
      return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
    case primary::abs_difference:
      return a < b ? b - a : a - b;
    case primary::min:
      return std::min(a, b);
    case primary::max:
      return std::max(a, b);
    case primary::shift_left:
      if (x.alternative || b < 32) return a * (s64{1} << (b & 31));
      return a == 0  ? 0
             : a < 0 ? -(s64{1} << 62)
                     : s64{1} << 62;  // the low 32 bits are 0, and so far out that it saturates
    case primary::shift_right:
      return a >> (x.alternative ? b & 31 : std::min<s64>(b, 32));
    case primary::mad:
      return (a * b + c + (x.alternative ? 1 : 0)) >> x.shift;
    case primary::compare:
      return holds(x.compared, a, b) ? 1 : 0;
  }
  return 0;
}

u32 second(description const& x, u32 v, u32 c) {
  bool const less =
      x.d_signed() ? static_cast<std::int32_t>(v) < static_cast<std::int32_t>(c) : v < c;
  switch (x.then) {
    case secondary::none:
      return v;
    case secondary::add:
      return v + c;
    case secondary::min:
      return less ? v : c;
    case secondary::max:
      return less ? c : v;
  }
  return v;
}

void run(warp& w, operation const& o) {
  auto const x = std::bit_cast<description>(o.immediate);
  u32 const *a = w.source<u32>(o.a), *b = w.source<u32>(o.b),
            *c = o.c == no_slot ? a : w.source<u32>(o.c);
  u32* const d = w.destination<u32>(o.d);
  w.each_active([&](int t) {
    if (x.part_bits == 32) {
      s64 const addend = extended(c[t], 32, x.d_signed());
      s64 r = first(x, extended(a[t], 32, x.a_signed()), extended(b[t], 32, x.b_signed()), addend);
      if (x.saturates) r = clamped(r, 32, x.d_signed());
      d[t] = second(x, static_cast<u32>(r), c[t]);
      return;
    }
    u32 parts = 0;
    u32 sum = c[t];
    for (int shift = 0; shift < 32; shift += x.part_bits) {
      s64 r = first(x, extended(a[t] >> shift, x.part_bits, x.a_signed()),
                    extended(b[t] >> shift, x.part_bits, x.b_signed()), 0);
      if (x.saturates) r = clamped(r, x.part_bits, x.d_signed());
      parts |= (static_cast<u32>(r) & ((1U << x.part_bits) - 1)) << shift;
      sum += static_cast<u32>(r);
    }
    d[t] = x.then == secondary::add ? sum : parts;
  });
}

struct primary_name {
  std::string_view name;
  primary action;
};
constexpr primary_name primary_names[] = {
    {"vadd", primary::add},        {"vsub", primary::sub},
    {"vavrg", primary::average},   {"vabsdiff", primary::abs_difference},
    {"vmin", primary::min},        {"vmax", primary::max},
    {"vshl", primary::shift_left}, {"vshr", primary::shift_right},
    {"vmad", primary::mad},        {"vset", primary::compare},
};
constexpr std::string_view relation_names[] = {"eq", "ne", "lt", "le", "gt", "ge"};

bool read_modifier(std::string_view m, description& x) {
  for (std::size_t k = 0; k < 6 && x.action == primary::compare; ++k)
    if (m == relation_names[k]) {
      x.compared = static_cast<relation>(k);
      return true;
    }
  bool const shifts = x.action == primary::shift_left || x.action == primary::shift_right;
  bool const is_mad = x.action == primary::mad;
  if (m == "sat")
    x.saturates = true;
  else if (m == "add" && !is_mad)
    x.then = secondary::add;
  else if (m == "min" && !is_mad && x.part_bits == 32)
    x.then = secondary::min;
  else if (m == "max" && !is_mad && x.part_bits == 32)
    x.then = secondary::max;
  else if (shifts && m == "wrap")
    x.alternative = true;
  else if (is_mad && m == "shr7")
    x.shift = 7;
  else if (is_mad && m == "shr15")
    x.shift = 15;
  else if (is_mad && m == "po")
    x.alternative = true;
  else
    return shifts && m == "clamp";
  return true;
}

void build_video(ptx::instruction const& i, decode::context& c) {
  description x;
  std::string_view name = i.opcode;
  if (name.ends_with('2')) x.part_bits = 16;
  if (name.ends_with('4')) x.part_bits = 8;
  if (x.part_bits != 32) name.remove_suffix(1);
  for (primary_name const& p : primary_names)
    if (p.name == name) x.action = p.action;

  // vset has no type of d: it is unsigned
  bool const compares = x.action == primary::compare;
  bool is_signed[3] = {};
  std::size_t types = compares ? 1 : 0;
  for (std::string_view const m : i.modifiers) {
    if (m == "u32" || m == "s32") {
      if (types == 3) c.refuse(i, "it has too many types");
      is_signed[types++] = m == "s32";
    } else if (!read_modifier(m, x)) {
      c.refuse(i, "this combination of modifiers is not known");
    }
  }
  if (types != 3) c.refuse(i, "it lacks a type");
  x.signs = static_cast<std::uint8_t>((is_signed[0] ? 1 : 0) | (is_signed[1] ? 2 : 0) |
                                      (is_signed[2] ? 4 : 0));
  bool const three = x.then != secondary::none || x.part_bits != 32 || x.action == primary::mad;
  if (i.operands.size() != (three ? 4U : 3U)) c.refuse(i, "it has another number of operands");

  operation o;
  o.run = run;
  o.kind = instruction_kind::integer;
  o.immediate = std::bit_cast<std::uint64_t>(x);
  o.a = source_of(i, c, i.operands[1], {4, false});
  o.b = source_of(i, c, i.operands[2], {4, false});
  if (three) o.c = source_of(i, c, i.operands[3], {4, false});
  o.d = destination_of(i, c, i.operands[0], {4, false});
  o.simple = true;
  c.emit(o);
}

}  // namespace

void add_video_instructions(decode::instruction_table& table) {
  for (std::string_view const name :
       {"vadd",  "vsub",  "vabsdiff", "vmin",      "vmax",      "vshl",  "vshr",  "vmad",
        "vset",  "vadd2", "vsub2",    "vavrg2",    "vabsdiff2", "vmin2", "vmax2", "vset2",
        "vadd4", "vsub4", "vavrg4",   "vabsdiff4", "vmin4",     "vmax4", "vset4"})
    table.emplace(name, build_video);
}

}  // namespace device
