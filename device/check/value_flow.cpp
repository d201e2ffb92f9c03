// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/check/value_flow_step.hpp>
#include <device/decode/source_place.hpp>

#include <algorithm>
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

}  // namespace

value_flow::plan const& value_flow::plan_of(ptx::instruction const& i) {
  auto const [entry, is_new] = known_.try_emplace(&i);
  plan& p = entry->second;
  if (!is_new) return p;
  std::string_view const op = i.opcode;
  auto const decides = [&](std::size_t k, char const* dependent) {
    if (k < i.operands.size())
      each_register(i.operands[k], [&](std::uint32_t r) { p.decisions.push_back({r, dependent}); });
  };
  for (std::size_t k = 0; k < i.operands.size(); ++k)
    if (i.operands[k].kind == operand_kind::memory && !op.starts_with("prefetch"))
      decides(k, "an address");
  p.how = definedness_rule_of(i);
  p.has_effect =
      is_one_of(op, {"st",    "red",  "atom", "bra",     "brx",    "call",     "ret",
                     "exit",  "trap", "bar",  "barrier", "cp",     "mbarrier", "stmatrix",
                     "wgmma", "wmma", "mma",  "fence",   "membar", "sust",     "sured"});
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
    p.form = is_parameter(i) ? kind::parameter_load : kind::load;
  } else if (op == "st") {
    p.form = is_parameter(i) ? kind::parameter_store : kind::load;
  } else if (op == "stmatrix") {
    p.form = kind::load;
  } else if (op == "atom" || op == "red") {
    p.form = kind::load;
    for (std::size_t k = first; k < i.operands.size(); ++k)
      if (i.operands[k].kind != operand_kind::memory) decides(k, "an atomic operation");
  } else if (op == "shfl") {
    p.form = kind::shuffle;
    p.sources.resize(std::min<std::size_t>(1, p.sources.size()));
    decides(2, "a shuffle's lane");
    decides(3, "a shuffle's lane");
    decides(4, "a shuffle's mask");
  } else if (op == "vote" || op == "match" || op == "redux") {
    p.form = op == "vote" ? kind::vote : kind::fold;
    p.sources.resize(std::min<std::size_t>(1, p.sources.size()));
    decides(2, op == "vote" ? "a vote's mask" : "the mask of its lanes");
  } else if (op == "mma" || (op == "wmma" && i.has("mma"))) {
    p.form = kind::product;
  } else if (op == "call") {
    p.form = kind::call;
    decides(0, "a call");
  } else if (op == "ret" || op == "exit") {
    p.form = kind::end;
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
                        char const* dependent) {
  launch const& launched = *s.w.of_block->of_launch;
  if (deciding == 0 || !launched.report || r.origin == nullptr) return;
  finding f = *r.origin;
  add_use(f, std::string(dependent) + " at " + decode::place_text(&s.code(), s.op.index) +
                 " depends on them");
  launched.report(f);
}

//! The same by a register's name, which counts as defined from then on.
void value_flow::decide_by(step const& s, std::uint32_t reg, lane_mask candidates,
                           char const* dependent) {
  undefined_register const* const r = s.find(reg);
  if (r == nullptr) return;
  lane_mask deciding = 0;
  each_lane<std::size_t>(
      candidates, [&](std::size_t t) { deciding |= r->missing[t] != 0 ? lane_mask{1} << t : 0; });
  if (deciding == 0) return;
  decide(s, *r, deciding, dependent);
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
                p.form == kind::end || i->opcode.starts_with("br")
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
        provenance const origins{guard->origin, all_lanes, all_lanes};
        set({w, op, *i, p, unsure, registers}, d, missing, origins);
        s.active &= ~unsure;
      }
  }
  bool const by_all = p.form == kind::shuffle || p.form == kind::vote || p.form == kind::fold;
  if (s.active == 0 || by_all != together) return;
  for (decision const& d : p.decisions) decide_by(s, d.reg, s.active, d.dependent);
  switch (p.form) {
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
                     std::array<std::uint32_t, lanes> const& missing, provenance const& origins) {
  s.registers.define(s.in(), destination, s.active);
  bool any = false;
  each_lane<std::size_t>(s.active, [&](std::size_t t) { any = any || missing[t] != 0; });
  if (!any || origins.origin == nullptr) return;
  undefined_register& to = s.registers.at(s.in(), destination);
  to.origin = origins.origin;
  to.whole = (to.whole & ~s.active) | (origins.whole & s.active);
  to.computed = (to.computed & ~s.active) | (origins.computed & s.active);
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
  provenance const of_sources = moves_bits(s.p.how, s.i) ? provenance_of(s) : computed_from(s);
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
    std::uint32_t moved = packed_bytes != 0 ? packed : values[0].missing;
    for (std::size_t k = 0; k < s.p.destinations.size(); ++k) {
      int const bytes = bytes_of_register(s.code(), s.p.destinations[k]);
      if (moves) {
        missing[k][t] = moved & all_bytes(bytes);
        moved >>= std::max(1, bytes);
      } else {
        missing[k][t] = undefined_result(s.p.how, s.i, values, bytes);
      }
    }
    for (operand_value const& v : values) missing.back()[t] |= v.missing != 0 ? 1U : 0U;
  });
  for (std::size_t k = 0; k < s.p.destinations.size(); ++k)
    set(s, s.p.destinations[k], missing[k], of_sources);
  if (!carries) return;
  s.registers.define(s.in(), undefined_registers::carry, s.active);
  each_lane<std::size_t>(s.active, [&](std::size_t t) {
    if (missing.back()[t] == 0) return;
    undefined_register& carry = s.registers.at(s.in(), undefined_registers::carry);
    carry.missing[t] = 1;
    carry.origin = of_sources.origin;
  });
}

void value_flow::shuffle(step const& s) {
  ptx::instruction const& i = s.i;
  if (i.operands.size() < 4 || s.p.destinations.empty()) return;
  undefined_register const* const source = s.find(i.operands[1].reg);
  std::array<std::uint32_t, lanes> missing{};
  if (source != nullptr)
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
      missing[lane] = source->missing[inside ? j & 31 : t];
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
  provenance const origins = computed_from(s);
  set(s, s.p.destinations[0], missing, origins);
}

void value_flow::fold(step const& s) {
  if (s.p.sources.empty()) return;
  undefined_register const* const source = s.find(s.p.sources[0]->reg);
  bool any = false;
  if (source != nullptr)
    each_lane<std::size_t>(s.active, [&](std::size_t t) { any = any || source->missing[t] != 0; });
  provenance const origins = computed_from(s);
  for (std::uint32_t const d : s.p.destinations) {
    std::array<std::uint32_t, lanes> missing{};
    missing.fill(any ? all_bytes(bytes_of_register(s.code(), d)) : 0);
    set(s, d, missing, origins);
  }
}

}  // namespace device::check
