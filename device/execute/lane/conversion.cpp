// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/lane/conversion.hpp>
#include <device/execute/lane/lane_tables.hpp>
#include <device/execute/lane/lanewise_build.hpp>

#include <string_view>
#include <utility>
#include <vector>

namespace device {

namespace {

using ptx::scalar;

struct conversion_tables {
  handler by_types[32][32]{};

  conversion_tables() {
    lane_tables const& rows = tables_for(tool::processor_in_use());
    add(rows.integer_conversions);
    add(rows.floating_conversions);
  }
  void add(conversion_list l) {
    for (conversion const* x = l.begin; x != l.begin + l.size; ++x)
      by_types[static_cast<int>(x->to)][static_cast<int>(x->source)] = x->run;
  }
};
handler conversion_between(scalar to, scalar source) {
  static conversion_tables const tables;
  return tables.by_types[static_cast<int>(to)][static_cast<int>(source)];
}

bool is_integer(scalar s) { return s >= scalar::u8 && s <= scalar::s64; }
bool is_half(scalar s) { return s == scalar::f16 || s == scalar::bf16; }
bool is_floating(scalar s) { return is_half(s) || s == scalar::f32 || s == scalar::f64; }

struct modifier_flag {
  std::string_view name;
  std::uint16_t flags;
  enum class group { floats, integers, other } target;
};
using group = modifier_flag::group;
constexpr modifier_flag modifier_flags[] = {
    {"rn", round_nearest, group::floats},
    {"rz", round_zero, group::floats},
    {"rm", round_down, group::floats},
    {"rp", round_up, group::floats},
    {"rni", to_nearest_integer, group::integers},
    {"rzi", to_zero_integer, group::integers},
    {"rmi", to_lower_integer, group::integers},
    {"rpi", to_upper_integer, group::integers},
    {"sat", saturate, group::other},
    {"ftz", flush, group::other},
    {"relu", rectify, group::other},
    {"satfinite", finite, group::other},
};

//! The conversion that the modifiers, except the types, ask for.
struct request {
  std::uint16_t flags = 0;
  bool rounds = false;  //!< .rn, .rz, .rm, .rp
  bool rounds_to_integer = false;
  [[nodiscard]] bool has(std::uint16_t flag) const { return (flags & flag) != 0; }
};

request read(ptx::instruction const& i, decode::context& c) {
  request r;
  for (std::size_t k = 0; k + 2 < i.modifiers.size(); ++k) {
    modifier_flag const* found = nullptr;
    for (modifier_flag const& f : modifier_flags)
      if (f.name == i.modifiers[k]) found = &f;
    if (found == nullptr) c.refuse(i, "this rounding or modifier is not supported");
    r.flags = static_cast<std::uint16_t>(r.flags | found->flags);
    r.rounds |= found->target == group::floats;
    r.rounds_to_integer |= found->target == group::integers;
  }
  return r;
}

//! The flags for the handler, or a refusal.
std::uint16_t flags_of(ptx::instruction const& i, decode::context& c, scalar to, scalar source) {
  request r = read(i, c);
  bool const between = is_floating(to) && is_floating(source);
  if (r.has(flush) && source != scalar::f32 && to != scalar::f32)
    c.refuse(i, "`.ftz` applies to f32 only");
  if ((r.has(rectify) || r.has(finite)) && !(is_half(to) && source == scalar::f32))
    c.refuse(i, "that modifier does not apply");
  if (is_integer(to) && is_integer(source)) {
    if (r.rounds || r.rounds_to_integer) c.refuse(i, "integers are not rounded");
    return r.flags;
  }
  if (is_integer(to)) {
    if (!r.rounds_to_integer || r.rounds) c.refuse(i, "it needs a rounding to an integer");
    return static_cast<std::uint16_t>(r.flags & ~saturate);  // as it does anyway
  }
  if (is_integer(source)) {
    if (r.rounds_to_integer) c.refuse(i, "an integer has no fraction");
    return static_cast<std::uint16_t>(r.flags & ~flush);
  }
  if (r.rounds_to_integer) {
    if (!between || to != source) c.refuse(i, "rounding to an integer keeps the type");
    return static_cast<std::uint16_t>(r.flags | integral);
  }
  bool const narrows =
      ptx::bytes_of(to) < ptx::bytes_of(source) || (is_half(to) && is_half(source) && to != source);
  if (narrows && !r.rounds) c.refuse(i, "it needs a rounding");
  return r.flags;
}

}  // namespace

void build_cvt(ptx::instruction const& i, decode::context& c) {
  // Two values at once, and formats that are no scalars. `.satfinite` and `.relu` come in either
  // order.
  std::vector<std::string_view> modifiers = i.modifiers;
  for (std::size_t k = 1; k < modifiers.size(); ++k)
    if (modifiers[k - 1] == "satfinite" && modifiers[k] == "relu")
      std::swap(modifiers[k - 1], modifiers[k]);
  chosen_row const packed = find_row(i.opcode, modifiers, i.operands.size());
  if (packed.row != nullptr && packed.flags == 0) return build_chosen_row(i, c, packed);
  if (i.modifiers.size() < 2 || i.operands.size() != 2) c.refuse(i, "this form is not known");
  scalar const to = ptx::scalar_of(i.modifiers[i.modifiers.size() - 2]);
  scalar const source = ptx::scalar_of(i.modifiers.back());
  handler const run = conversion_between(to, source);
  if (run == nullptr) c.refuse(i, "a conversion between these types is not supported");

  operation o;
  o.run = run;
  o.kind = instruction_kind::convert;
  o.simple = true;
  o.immediate = flags_of(i, c, to, source);
  auto const register_bytes_of = [](scalar s) {
    return static_cast<std::uint8_t>(ptx::bytes_of(s) == 1 ? 2 : ptx::bytes_of(s));
  };
  o.a = source_of(i, c, i.operands[1],
                  {register_bytes_of(source), is_floating(source) && !is_half(source)});
  // The destination may be wider than the type: the value is extended.
  int const wide = c.register_bytes(i.operands[0]);
  std::uint8_t const narrow = register_bytes_of(to);
  bool const extends = wide > narrow;
  if (wide != 0 && wide < narrow) c.refuse(i, "its destination is too narrow");
  if (extends && !is_integer(to)) c.refuse(i, "its destination has another size than its result");
  o.bytes = extends && is_integer(source) ? static_cast<std::uint8_t>(wide) : narrow;
  if (!extends || is_integer(source)) {
    o.d = c.destination(i.operands[0], o.bytes);
    return c.emit(o);
  }
  o.d = c.scratch(narrow);
  c.emit(o);
  operation extension;
  extension.run = conversion_between(to, to);
  extension.kind = instruction_kind::convert;
  extension.a = o.d;
  extension.bytes = static_cast<std::uint8_t>(wide);
  extension.d = c.destination(i.operands[0], wide);
  c.emit(extension);
}

}  // namespace device
