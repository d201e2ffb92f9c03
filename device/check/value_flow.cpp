// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/check/value_flow.hpp>
#include <device/decode/flow.hpp>
#include <device/decode/source_place.hpp>
#include <device/execute/engine/system_calls.hpp>
#include <device/execute/launch.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <initializer_list>
#include <string>

namespace device::check {
namespace {

using operand_kind = ptx::operand::kind_type;

[[nodiscard]] bool is_one_of(std::string_view text, std::initializer_list<std::string_view> all) {
  return std::find(all.begin(), all.end(), text) != all.end();
}

[[nodiscard]] bool is_parameter(ptx::instruction const& i) {
  return std::any_of(i.modifiers.begin(), i.modifiers.end(),
                     [](std::string_view m) { return m.starts_with("param"); });
}

//! Adds the registers of an operand and of its parts.
template <class F>
void each_register(ptx::operand const& o, F const& f) {
  if (o.reg != ptx::none) f(o.reg);
  for (ptx::operand const& part : o.parts) each_register(part, f);
}

//! Bytes of a register's value; 0 for a predicate.
[[nodiscard]] int bytes_of_register(program const& p, std::uint32_t reg) {
  return ptx::bytes_of(p.body.registers[reg].type);
}

//! True for a rule whose results are made of bits of the operands: the value is still a copy.
[[nodiscard]] bool moves_bits(definedness_rule how, ptx::instruction const& i) {
  using enum definedness_rule;
  switch (how) {
    case bytewise:
      return i.opcode == "mov" || i.opcode == "cvta";
    case conjunction:
    case disjunction:
    case shift_left:
    case shift_right:
    case funnel_left:
    case funnel_right:
    case permutation:
    case extraction:
    case insertion:
    case selection:
      return true;
    case conversion:
      return std::none_of(i.modifiers.begin(), i.modifiers.end(), [](std::string_view m) {
        return m.starts_with("f") || m.starts_with("bf") || m == "sat";
      });
    default:
      return false;
  }
}

//! The bits of 1 in each element of a matrix's operand, as a register of 4 or 8 bytes holds them; 0
//! for a type that is not followed.
[[nodiscard]] std::uint64_t ones_of(std::string_view type) {
  if (type == "f16") return 0x3c003c00U;
  if (type == "bf16") return 0x3f803f80U;
  if (type == "tf32" || type == "f32") return 0x3f800000U;
  if (type == "f64") return 0x3ff0000000000000U;
  if (type == "e4m3") return 0x38383838U;
  if (type == "e5m2") return 0x3c3c3c3cU;
  if (type == "s8" || type == "u8") return 0x01010101U;
  if (type == "s4" || type == "u4") return 0x11111111U;
  if (type == "s32") return 1;
  if (type == "b1") return 0xffffffffU;
  return 0;
}
//! Bytes of the elements that the bits of a matrix's operand are followed in.
[[nodiscard]] int element_bytes(std::string_view type) {
  if (type == "f64") return 8;
  if (type == "f32" || type == "tf32" || type == "s32") return 4;
  return type == "f16" || type == "bf16" ? 2 : 1;
}

}  // namespace

struct value_flow::step {
  warp& w;
  operation const& op;
  ptx::instruction const& i;
  plan const& p;
  lane_mask active;
  undefined_registers& registers;

  [[nodiscard]] frame const* in() const { return w.current; }
  [[nodiscard]] program const& code() const { return *w.current->code; }
  [[nodiscard]] undefined_register const* find(std::uint32_t reg) const {
    return reg == ptx::none ? nullptr : registers.find(in(), reg);
  }
  //! The value of a register, or of an immediate operand, in a lane.
  [[nodiscard]] operand_value value(ptx::operand const& o, std::size_t lane) const {
    operand_value v;
    if (o.kind == operand_kind::integer || o.kind == operand_kind::floating) {
      v.value = o.bits;
      v.bytes = 8;
      return v;
    }
    v.known = o.reg != ptx::none;
    if (!v.known) return v;
    v.bytes = bytes_of_register(code(), o.reg);
    if (undefined_register const* const r = find(o.reg)) v.missing = r->missing[lane];
    std::byte const* const base = in()->registers + code().register_slots[o.reg];
    if (v.bytes == 0) {
      lane_mask all = 0;
      std::memcpy(&all, base, sizeof all);
      v.value = ((all >> lane & 1) != 0) != o.negated;
      return v;
    }
    auto const stride =
        static_cast<std::size_t>(decode::register_bytes_of(code().body.registers[o.reg].type));
    std::memcpy(&v.value, base + lane * stride, std::min<std::size_t>(stride, sizeof v.value));
    return v;
  }
};

value_flow::plan const& value_flow::plan_of(ptx::instruction const& i) {
  auto const [entry, is_new] = known_.try_emplace(&i);
  plan& p = entry->second;
  if (!is_new) return p;
  std::string_view const op = i.opcode;
  auto const decides = [&](std::size_t k, char const* what) {
    if (k < i.operands.size())
      each_register(i.operands[k], [&](std::uint32_t r) { p.decisions.push_back({r, what}); });
  };
  for (std::size_t k = 0; k < i.operands.size(); ++k)
    if (i.operands[k].kind == operand_kind::memory && !op.starts_with("prefetch"))
      decides(k, "an address");
  p.how = definedness_rule_of(i);
  p.has_effect = is_one_of(
      op, {"st", "red", "atom", "bra", "brx", "call", "ret", "exit", "trap", "bar", "barrier", "cp",
           "mbarrier", "stmatrix", "wgmma", "wmma", "mma", "fence", "membar"});
  bool const has_destination =
      !i.operands.empty() &&
      is_one_of(op, {"st", "red", "bra", "brx", "call", "cp", "stmatrix", "wgmma", "nanosleep",
                     "setmaxnreg"}) == false &&
      (i.operands[0].kind == operand_kind::reg || i.operands[0].kind == operand_kind::vector) &&
      ((op != "bar" && op != "barrier") || i.has("red")) && !(op == "wmma" && i.has("store"));
  if (has_destination)
    each_register(i.operands[0], [&](std::uint32_t r) { p.destinations.push_back(r); });
  for (std::size_t k = has_destination ? 1 : 0; k < i.operands.size(); ++k)
    if (i.operands[k].kind != operand_kind::memory) p.sources.push_back(&i.operands[k]);
  std::size_t const first = has_destination ? 1 : 0;
  if (op == "ld" || op == "ldu" || op == "ldmatrix" || (op == "wmma" && i.has("load"))) {
    p.what = is_parameter(i) ? kind::parameter_load : kind::load;
  } else if (op == "st") {
    p.what = is_parameter(i) ? kind::parameter_store : kind::load;
  } else if (op == "stmatrix") {
    p.what = kind::load;
  } else if (op == "atom" || op == "red") {
    p.what = kind::load;
    for (std::size_t k = first; k < i.operands.size(); ++k)
      if (i.operands[k].kind != operand_kind::memory) decides(k, "an atomic operation");
  } else if (op == "shfl") {
    p.what = kind::shuffle;
    p.sources.resize(std::min<std::size_t>(1, p.sources.size()));
    decides(2, "a shuffle's lane");
    decides(3, "a shuffle's lane");
    decides(4, "a shuffle's mask");
  } else if (op == "vote" || op == "match" || op == "redux") {
    p.what = op == "vote" ? kind::vote : kind::fold;
    p.sources.resize(std::min<std::size_t>(1, p.sources.size()));
    decides(2, op == "vote" ? "a vote's mask" : "the mask of its lanes");
  } else if (op == "mma" || (op == "wmma" && i.has("mma"))) {
    p.what = kind::product;
  } else if (op == "call") {
    p.what = kind::call;
    decides(0, "a call");
  } else if (op == "ret" || op == "exit") {
    p.what = kind::end;
  } else if (op == "brx") {
    decides(0, "a branch");
  } else if (op == "bar" || op == "barrier" || op == "cp" || op == "mbarrier" ||
             (op == "wmma" && i.has("store"))) {
    for (std::size_t k = first; k < i.operands.size(); ++k)
      if (i.operands[k].kind != operand_kind::memory)
        decides(k, op == "cp"     ? "an asynchronous copy"
                   : op == "wmma" ? "a matrix that is stored"
                                  : "a barrier");
  }
  return p;
}

//! A finding: what a program does depends on undefined bytes in some lanes.
void value_flow::decide(step const& s, undefined_register const& r, lane_mask deciding,
                        char const* what) {
  launch const& launched = *s.w.of_block->of_launch;
  if (deciding == 0 || !launched.report || r.origin == nullptr) return;
  finding f = *r.origin;
  add_use(f, std::string(what) + " at " + decode::place_text(&s.code(), s.op.index) +
                 " depends on them");
  launched.report(f);
}

//! The same by a register's name, which counts as defined from then on.
void value_flow::decide_by(step const& s, std::uint32_t reg, lane_mask of, char const* what) {
  undefined_register const* const r = s.find(reg);
  if (r == nullptr) return;
  lane_mask deciding = 0;
  each_lane<std::size_t>(
      of, [&](std::size_t t) { deciding |= r->missing[t] != 0 ? lane_mask{1} << t : 0; });
  if (deciding == 0) return;
  decide(s, *r, deciding, what);
  s.registers.define(s.in(), reg, deciding);
}

void value_flow::executes(warp& w, operation const& op, lane_mask active, bool together,
                          undefined_registers& registers) {
  ptx::instruction const* const i = instruction_of(w, op);
  if (i == nullptr || (op.auxiliary && !together)) return;
  plan const& p = plan_of(*i);
  step s{w, op, *i, p, active, registers};
  if (!together && i->guard != ptx::none) {
    undefined_register const* const guard = s.find(i->guard);
    if (guard != nullptr && p.has_effect)
      decide_by(s, i->guard, w.mask,
                p.what == kind::end || i->opcode.starts_with("br")
                    ? "a branch"
                    : "the execution of an instruction");
    else if (guard != nullptr)
      for (std::uint32_t const d : p.destinations) {
        std::array<std::uint32_t, lanes> missing{};
        lane_mask unsure = 0;
        each_lane<std::size_t>(w.mask, [&](std::size_t t) {
          if (guard->missing[t] == 0) return;
          unsure |= lane_mask{1} << t;
          missing[t] = all_bytes(bytes_of_register(s.code(), d));
        });
        provenance const from{guard->origin, all_lanes, all_lanes};
        set({w, op, *i, p, unsure, registers}, d, missing, from);
        s.active &= ~unsure;
      }
  }
  bool const by_all = p.what == kind::shuffle || p.what == kind::vote || p.what == kind::fold;
  if (s.active == 0 || by_all != together) return;
  for (decision const& d : p.decisions) decide_by(s, d.reg, s.active, d.what);
  switch (p.what) {
    case kind::load:
      for (std::uint32_t const d : p.destinations) registers.define(s.in(), d, s.active);
      break;
    case kind::parameter_load:
      load_parameter(s);
      break;
    case kind::parameter_store:
      store_parameter(s);
      break;
    case kind::shuffle:
      shuffle(s);
      break;
    case kind::vote:
      vote(s);
      break;
    case kind::fold:
      fold(s);
      break;
    case kind::product:
      multiply(s);
      break;
    case kind::call:
      call(s);
      break;
    case kind::end:
      if (s.in()->caller != nullptr) registers.leave(s.in(), s.active);
      break;
    case kind::computation:
      compute(s);
  }
}

//! The origin of the undefined bytes of an instruction's sources: of the first that has any.
value_flow::provenance value_flow::provenance_of(step const& s) {
  provenance found;
  for (ptx::operand const* const o : s.p.sources)
    each_register(*o, [&](std::uint32_t reg) {
      undefined_register const* const r = s.find(reg);
      if (r == nullptr) return;
      if (found.origin == nullptr) found.origin = r->origin;
      found.whole |= r->whole;
      found.computed |= r->computed;
    });
  return found;
}

//! The same of a result that is more than a copy.
value_flow::provenance value_flow::computed_from(step const& s) {
  provenance found = provenance_of(s);
  found.computed = all_lanes;
  return found;
}

//! Gives the active lanes of a destination their undefined bytes.
void value_flow::set(step const& s, std::uint32_t destination,
                     std::array<std::uint32_t, lanes> const& missing, provenance const& from) {
  s.registers.define(s.in(), destination, s.active);
  bool any = false;
  each_lane<std::size_t>(s.active, [&](std::size_t t) { any = any || missing[t] != 0; });
  if (!any || from.origin == nullptr) return;
  undefined_register& to = s.registers.at(s.in(), destination);
  to.origin = from.origin;
  to.whole = (to.whole & ~s.active) | (from.whole & s.active);
  to.computed = (to.computed & ~s.active) | (from.computed & s.active);
  each_lane<std::size_t>(s.active, [&](std::size_t t) { to.missing[t] = missing[t]; });
}

void value_flow::compute(step const& s) {
  bool const carries = s.i.has("cc");
  bool const takes_carry = is_one_of(s.i.opcode, {"addc", "subc", "madc"});
  bool any = takes_carry && s.registers.find(s.in(), undefined_registers::carry) != nullptr;
  std::size_t count = 0;
  for (ptx::operand const* const o : s.p.sources)
    each_register(*o, [&](std::uint32_t reg) {
      any = any || s.find(reg) != nullptr;
      ++count;
    });
  bool const same = s.p.sources.size() == 2 && s.p.sources[0]->reg == s.p.sources[1]->reg &&
                    s.p.sources[0]->reg != ptx::none &&
                    is_one_of(s.i.opcode, {"xor", "sub"});  // 0, whatever the register holds
  if (!any || same) {
    for (std::uint32_t const d : s.p.destinations) s.registers.define(s.in(), d, s.active);
    if (carries) s.registers.define(s.in(), undefined_registers::carry, s.active);
    return;
  }
  std::vector<std::array<std::uint32_t, lanes>> missing(s.p.destinations.size() + 1);
  bool const moves = s.i.opcode == "mov";
  provenance const from_sources = moves_bits(s.p.how, s.i) ? provenance_of(s) : computed_from(s);
  each_lane<std::size_t>(s.active, [&](std::size_t t) {
    std::vector<operand_value> values;
    values.reserve(count + 4);
    std::uint32_t packed = 0;  // of the parts of a vector, one after the other
    int packed_bytes = 0;
    for (ptx::operand const* const o : s.p.sources) {
      if (o->kind != operand_kind::vector) {
        values.push_back(s.value(*o, t));
        continue;
      }
      for (ptx::operand const& part : o->parts) {
        values.push_back(s.value(part, t));
        packed |= values.back().missing << packed_bytes;
        packed_bytes += values.back().bytes;
      }
    }
    if (takes_carry) {
      undefined_register const* const c = s.registers.find(s.in(), undefined_registers::carry);
      values.push_back({c == nullptr ? 0 : c->missing[t], 0, false, 1});
    }
    std::uint32_t from = packed_bytes != 0 ? packed : values[0].missing;
    for (std::size_t k = 0; k < s.p.destinations.size(); ++k) {
      int const bytes = bytes_of_register(s.code(), s.p.destinations[k]);
      if (moves) {
        missing[k][t] = from & all_bytes(bytes);
        from >>= std::max(1, bytes);
      } else {
        missing[k][t] = undefined_result(s.p.how, s.i, values, bytes);
      }
    }
    for (operand_value const& v : values) missing.back()[t] |= v.missing != 0 ? 1U : 0U;
  });
  for (std::size_t k = 0; k < s.p.destinations.size(); ++k)
    set(s, s.p.destinations[k], missing[k], from_sources);
  if (!carries) return;
  s.registers.define(s.in(), undefined_registers::carry, s.active);
  each_lane<std::size_t>(s.active, [&](std::size_t t) {
    if (missing.back()[t] == 0) return;
    undefined_register& carry = s.registers.at(s.in(), undefined_registers::carry);
    carry.missing[t] = 1;
    carry.origin = from_sources.origin;
  });
}

void value_flow::shuffle(step const& s) {
  ptx::instruction const& i = s.i;
  if (i.operands.size() < 4 || s.p.destinations.empty()) return;
  undefined_register const* const from = s.find(i.operands[1].reg);
  std::array<std::uint32_t, lanes> missing{};
  if (from != nullptr)
    each_lane<std::size_t>(s.active, [&](std::size_t lane) {
      auto const t = static_cast<std::uint32_t>(lane);
      auto const b = static_cast<std::uint32_t>(s.value(i.operands[2], lane).value) & 31;
      auto const c = static_cast<std::uint32_t>(s.value(i.operands[3], lane).value);
      std::uint32_t const segment = c >> 8 & 31;
      std::uint32_t const limit = (t & segment) | (c & 31 & ~segment);
      std::uint32_t j = (t & segment) | (b & ~segment);
      if (i.has("up")) j = t - b;
      if (i.has("down")) j = t + b;
      if (i.has("bfly")) j = t ^ b;
      bool const inside = i.has("up")
                              ? static_cast<std::int32_t>(j) >= static_cast<std::int32_t>(limit)
                              : j <= limit;
      missing[lane] = from->missing[inside ? j & 31 : t];
    });
  set(s, s.p.destinations[0], missing, provenance_of(s));
  if (s.p.destinations.size() > 1) s.registers.define(s.in(), s.p.destinations[1], s.active);
}

void value_flow::vote(step const& s) {
  if (s.p.sources.empty() || s.p.destinations.empty()) return;
  std::uint32_t ballot = 0;
  bool decided = false;
  each_lane<std::size_t>(s.active, [&](std::size_t t) {
    operand_value const v = s.value(*s.p.sources[0], t);
    if (v.missing != 0)
      ballot |= std::uint32_t{1} << t / 8;
    else
      decided = decided || (s.i.has("all") && v.value == 0) || (s.i.has("any") && v.value != 0);
  });
  std::uint32_t const one = s.i.has("ballot") ? ballot : ballot != 0 && !decided ? 1U : 0U;
  std::array<std::uint32_t, lanes> missing{};
  missing.fill(one);
  provenance const from = computed_from(s);
  set(s, s.p.destinations[0], missing, from);
}

void value_flow::fold(step const& s) {
  if (s.p.sources.empty()) return;
  undefined_register const* const source = s.find(s.p.sources[0]->reg);
  bool any = false;
  if (source != nullptr)
    each_lane<std::size_t>(s.active, [&](std::size_t t) { any = any || source->missing[t] != 0; });
  provenance const from = computed_from(s);
  for (std::uint32_t const d : s.p.destinations) {
    std::array<std::uint32_t, lanes> missing{};
    missing.fill(any ? all_bytes(bytes_of_register(s.code(), d)) : 0);
    set(s, d, missing, from);
  }
}

//! A product of matrices: the elements of the result that undefined elements of the operands reach
//! are those that are not 0 if undefined elements are 1, the defined ones of the same matrix 0, and
//! those of the other matrix 1. The instruction itself multiplies them.
class value_flow::product {
 public:
  explicit product(step const& s) : s_(s) {
    for (std::string_view const m : s.i.modifiers)
      if (ones_of(m) != 0) types_.push_back(m);
    if (types_.size() == 2) types_.insert(types_.begin() + 1, 2, "f16");
    for (std::uint32_t const d : s.p.destinations) add(d, 0);
    for (std::size_t k = 0; k < s.p.sources.size(); ++k)
      each_register(*s.p.sources[k], [&](std::uint32_t reg) { add(reg, k + 1); });
  }

  //! True if the result is known element by element.
  [[nodiscard]] bool is_followed() const {
    if (types_.size() != 4 || s_.p.sources.size() < 3 || s_.i.has("block_scale") ||
        s_.op.list == nullptr)
      return false;
    for (std::size_t k = 0; k < all_.size(); ++k)
      if (all_[k].operand < 4 && s_.op.list[k] != s_.code().register_slots[all_[k].reg])
        return false;
    return true;
  }

  //! Adds the undefined bytes of the result that come from those of operand `n`, from 1 on.
  void add_from(std::size_t n, std::vector<std::array<std::uint32_t, lanes>>& missing) {
    std::size_t const size = s_.code().register_bytes;
    std::vector<std::uint64_t> storage((size + all_.size() * place_bytes) / 8 + 8);
    auto* const begin = reinterpret_cast<std::byte*>(
        (reinterpret_cast<std::uintptr_t>(storage.data()) + 63) / 64 * 64);
    std::memcpy(begin, s_.in()->registers, size);  // metadata of sparse operands
    std::vector<slot> places;
    for (std::size_t k = 0; k < all_.size(); ++k)
      places.push_back(static_cast<slot>(size + k * place_bytes));
    bool undefined = false;
    for (std::size_t k = 0; k < all_.size(); ++k) {
      if (all_[k].operand == 0 || all_[k].operand > 3) continue;
      int const bytes = bytes_of_register(s_.code(), all_[k].reg);
      for (std::size_t t = 0; t < lanes; ++t) {
        std::uint64_t const bits =
            all_[k].operand == n ? ones_where_undefined(k, t) : background(all_[k].operand, n);
        undefined = undefined || (all_[k].operand == n && bits != 0);
        std::memcpy(begin + places[k] + t * static_cast<std::size_t>(bytes), &bits,
                    static_cast<std::size_t>(bytes));
      }
    }
    if (!undefined) return;
    operation op = s_.op;
    op.list = places.data();
    std::byte* const real = s_.w.base[0];
    lane_mask const active = s_.w.active;
    s_.w.base[0] = begin;
    s_.w.active = s_.active;
    op.run(s_.w, op);
    s_.w.base[0] = real;
    s_.w.active = active;
    for (std::size_t k = 0; k < missing.size(); ++k) {
      int const bytes = bytes_of_register(s_.code(), all_[k].reg);
      int const element = element_bytes(types_[0]);
      for (std::size_t t = 0; t < lanes; ++t) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, begin + places[k] + t * static_cast<std::size_t>(bytes),
                    static_cast<std::size_t>(bytes));
        for (int b = 0; b < bytes; b += element)
          if ((bits >> 8 * b & bits_of(element)) != 0) missing[k][t] |= all_bytes(element) << b;
      }
    }
  }

 private:
  static constexpr std::size_t place_bytes = 8 * lanes;
  struct operand_register {
    std::uint32_t reg;
    std::size_t operand;  //!< 0: the result
  };
  step const& s_;
  std::vector<std::string_view> types_;  //!< of the result, of A, B and C
  std::vector<operand_register> all_;

  void add(std::uint32_t reg, std::size_t operand) { all_.push_back({reg, operand}); }
  [[nodiscard]] static std::uint64_t bits_of(int bytes) {
    return bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes) - 1;
  }
  [[nodiscard]] std::uint64_t background(std::size_t operand, std::size_t n) const {
    bool const by_xor = s_.i.has("b1") && s_.i.has("xor");
    return n == 3 || operand == 3 || by_xor ? 0 : ones_of(types_[operand]);
  }
  [[nodiscard]] std::uint64_t ones_where_undefined(std::size_t k, std::size_t t) const {
    undefined_register const* const r = s_.find(all_[k].reg);
    if (r == nullptr) return 0;
    int const element = element_bytes(types_[all_[k].operand]);
    std::uint64_t bits = 0;
    for (int b = 0; b < 8; b += element)
      if ((r->missing[t] >> b & all_bytes(element)) != 0)
        bits |= ones_of(types_[all_[k].operand]) & bits_of(element) << 8 * b;
    return bits;
  }
};

void value_flow::multiply(step const& s) {
  bool any = false;
  for (ptx::operand const* const o : s.p.sources)
    each_register(*o, [&](std::uint32_t reg) { any = any || s.find(reg) != nullptr; });
  std::vector<std::array<std::uint32_t, lanes>> missing(s.p.destinations.size());
  if (any) {
    product of(s);
    if (of.is_followed())
      for (std::size_t n = 1; n <= 3; ++n) of.add_from(n, missing);
    else
      for (std::size_t k = 0; k < missing.size(); ++k)
        missing[k].fill(all_bytes(bytes_of_register(s.code(), s.p.destinations[k])));
  }
  provenance const from = computed_from(s);
  for (std::size_t k = 0; k < missing.size(); ++k) set(s, s.p.destinations[k], missing[k], from);
}

// --- parameters of device functions --------------------------------------------------------------

namespace {

//! The place of a parameter's first byte: of a .param variable of a frame, or a register that a
//! caller passes.
struct parameter_place {
  frame const* in = nullptr;  //!< null: a kernel's parameter, which is defined
  std::uint32_t variable = ptx::none;
  std::uint32_t reg = ptx::none;
};

[[nodiscard]] parameter_place place_of(frame const* f, ptx::operand const& o) {
  if (o.variable != ptx::none) return {f, o.variable, ptx::none};
  ptx::function const& self = *f->code->source;
  if (self.is_entry || f->caller == nullptr || f->call == nullptr) return {};
  program const& caller = *f->caller->code;
  std::uint32_t const number = caller.instruction_of[f->call->index];
  if (number == ptx::none) return {};
  auto const at = [&](std::vector<ptx::operand> const& given, std::size_t k) {
    return k < given.size() ? parameter_place{f->caller, given[k].variable, given[k].reg}
                            : parameter_place{};
  };
  ptx::instruction const& call = caller.body.instructions[number];
  for (std::size_t k = 0; k < self.parameters.size(); ++k)
    if (self.parameters[k].name == o.name) return at(call.call_arguments, k);
  for (std::size_t k = 0; k < self.returns.size(); ++k)
    if (self.returns[k].name == o.name) return at(call.call_returns, k);
  return {};
}

}  // namespace

void value_flow::load_parameter(step const& s) {
  moved_registers const moved = moved_registers_of(s.i);
  parameter_place const from =
      s.i.operands.size() < 2 ? parameter_place{} : place_of(s.in(), s.i.operands[1]);
  for (std::size_t k = 0; k < moved.registers.size(); ++k) {
    if (moved.registers[k] == ptx::none) continue;
    undefined_register found;
    lane_mask any = 0;
    auto const take = [&](undefined_register const* r, int byte) {
      if (r == nullptr) return;
      each_lane<std::size_t>(s.active, [&](std::size_t t) {
        if (r->missing[t] == 0) return;
        found.missing[t] |= byte < 0 ? r->missing[t] : std::uint32_t{1} << byte;
        any |= lane_mask{1} << t;
      });
      found.whole |= r->whole;
      found.computed |= r->computed;
      found.origin = r->origin;
    };
    if (from.in != nullptr && from.reg != ptx::none) take(s.registers.find(from.in, from.reg), -1);
    if (from.in != nullptr && from.variable != ptx::none)
      for (int byte = 0; byte < moved.bytes; ++byte)
        take(s.registers.find(from.in,
                              undefined_registers::of_parameter(
                                  from.variable, s.i.operands[1].bits +
                                                     k * static_cast<std::size_t>(moved.bytes) +
                                                     static_cast<std::size_t>(byte))),
             byte);
    s.registers.define(s.in(), moved.registers[k], s.active);
    if (any == 0) continue;
    undefined_register& to = s.registers.at(s.in(), moved.registers[k]);
    to.origin = found.origin;
    to.whole = (to.whole & ~s.active) | (found.whole & s.active);
    to.computed = (to.computed & ~s.active) | (found.computed & s.active);
    each_lane<std::size_t>(any, [&](std::size_t t) { to.missing[t] = found.missing[t]; });
  }
}

void value_flow::store_parameter(step const& s) {
  moved_registers const moved = moved_registers_of(s.i);
  if (s.i.operands.empty()) return;
  parameter_place const place = place_of(s.in(), s.i.operands[0]);
  if (place.in == nullptr || place.variable == ptx::none) return;
  for (std::size_t k = 0; k < moved.registers.size(); ++k)
    for (int byte = 0; byte < moved.bytes; ++byte) {
      auto const to = undefined_registers::of_parameter(
          place.variable, s.i.operands[0].bits + k * static_cast<std::size_t>(moved.bytes) +
                              static_cast<std::size_t>(byte));
      s.registers.define(place.in, to, s.active);
      undefined_register const* const found = s.find(moved.registers[k]);
      if (found == nullptr) continue;
      undefined_register const from = *found;
      each_lane<std::size_t>(s.active, [&](std::size_t t) {
        if ((from.missing[t] >> byte & 1) == 0) return;
        undefined_register& r = s.registers.at(place.in, to);
        r.origin = from.origin;
        r.missing[t] = 1;
        lane_mask const bit = lane_mask{1} << t;
        r.whole = (r.whole & ~bit) | (from.whole & bit);
        r.computed = (r.computed & ~bit) | (from.computed & bit);
      });
    }
}

//! A call of a function that the device provides uses its arguments.
void value_flow::call(step const& s) {
  if (s.i.operands.empty() || system_call(s.i.operands[0].name) == nullptr) return;
  for (ptx::operand const& o : s.i.call_arguments) {
    if (o.reg != ptx::none) decide_by(s, o.reg, s.active, "a call");
    if (o.variable == ptx::none) continue;
    std::uint64_t const bytes = s.code().body.variables[o.variable].bytes;
    for (std::uint64_t k = 0; k < bytes; ++k) {
      auto const name = undefined_registers::of_parameter(o.variable, k);
      undefined_register const* const r = s.registers.find(s.in(), name);
      if (r == nullptr) continue;
      lane_mask deciding = 0;
      each_lane<std::size_t>(
          s.active, [&](std::size_t t) { deciding |= r->missing[t] != 0 ? lane_mask{1} << t : 0; });
      decide(s, *r, deciding, "a call");
      for (std::uint64_t b = 0; b < bytes; ++b)
        s.registers.define(s.in(), undefined_registers::of_parameter(o.variable, b), deciding);
    }
  }
}

}  // namespace device::check
