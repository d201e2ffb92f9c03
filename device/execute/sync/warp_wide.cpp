// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions for which lanes of a warp come together: shfl, vote, match, redux, elect,
// bar.warp.sync.
#include <device/core/failure.hpp>
#include <device/execute/instructions.hpp>
#include <device/execute/launch.hpp>
#include <device/execute/sync/barriers.hpp>
#include <device/execute/sync/groups.hpp>
#include <device/execute/sync/warp_wide.hpp>
#include <device/memory/weak_memory.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

namespace device {

namespace {

using decode::context;

//! The lanes that lane t waits for at a warp-wide instruction.
[[nodiscard]] lane_mask members_of(warp const& w, std::byte const* registers, operation const& op,
                                   int t) {
  std::byte const* const base = (op.c & in_constants) != 0 ? w.base[1] : registers;
  return reinterpret_cast<std::uint32_t const*>(base + (op.c & ~in_constants))[t];
}

//! True if everybody is there for whom one of the lanes `there` waits.
[[nodiscard]] bool all_there(warp const& w, std::byte const* registers, operation const& op,
                             lane_mask there) {
  for (lane_mask left = there; left != 0; left &= left - 1)
    if ((members_of(w, registers, op, std::countr_zero(left)) & w.alive & ~there) != 0)
      return false;
  return true;
}

using warp_function = void (*)(warp&, operation const&, lane_mask there);

//! The effect of each warp-wide operation once its lanes are together, by operation::flags.
enum class warp_wide_kind : std::uint8_t { sync, shuffle, vote, match, reduce, elect };
void execute_together(warp&, operation const&);

void notify_observers(warp& w, operation const& op, lane_mask there) {
  ++w.sync_count;
  if (w.followed)
    for (observer* const o : *w.of_block->observers) o->executes(w, op, there, true);
  bool const memory = static_cast<warp_wide_kind>(op.flags & 7) == warp_wide_kind::sync;
  if (memory && w.of_block->weak != nullptr)
    for (lane_mask left = there; left != 0; left &= left - 1)
      w.of_block->weak->show_block(
          w.of_block->number,
          w.number * lanes + static_cast<std::uint32_t>(std::countr_zero(left)));
  for (lane_mask left = there; left != 0;) {
    int const t = std::countr_zero(left);
    lane_mask const members = members_of(w, w.base[0], op, t);
    for (observer* const o : *w.of_block->observers) o->warp_sync(w, members & there, memory);
    left &= ~(members | lane_mask{1} << t);
  }
}

//! Groups at one instruction whose lanes are all there execute it together and go on.
[[nodiscard]] bool finish_sync_at(warp& w, operation const& op, frame* group_frame) {
  using enum lane_group::state_type;
  bool const any_place = static_cast<warp_wide_kind>(op.flags & 7) == warp_wide_kind::sync;
  auto const here = [&](lane_group const& g) {
    if (g.state != at_warp_sync) return false;
    if (g.waits_for == &op && g.current == group_frame) return true;
    return any_place && static_cast<warp_wide_kind>(g.waits_for->flags & 7) == warp_wide_kind::sync;
  };
  lane_mask there = 0;
  bool together = true;
  for (lane_group const& g : w.groups)
    if (here(g)) there |= g.arriving;
  for (lane_group const& g : w.groups) {
    if (!here(g)) continue;
    w.base[1] = const_cast<std::byte*>(g.current->code->constants.data());
    for (lane_mask left = g.arriving; left != 0; left &= left - 1)
      together =
          together && (members_of(w, g.current->registers, *g.waits_for, std::countr_zero(left)) &
                       w.alive & ~there) == 0;
  }
  if (there == 0 || !together) return false;
  lane_mask const mask = w.mask;
  frame* const current = w.current;
  w.base[0] = group_frame->registers;
  w.base[1] = const_cast<std::byte*>(group_frame->code->constants.data());
  w.active = there;
  w.current = group_frame;
  notify_observers(w, op, there);
  execute_together(w, op);
  std::vector<lane_group> going;
  std::erase_if(w.groups, [&](lane_group const& g) {
    if (!here(g)) return false;
    going.push_back(g);
    return true;
  });
  for (lane_group& g : going) {
    ++g.pc;
    add_ready(w, g);
  }
  w.mask = mask;
  enter_frame(w, current);
  return true;
}

//! The handler of all of them: waits until the lanes of each member mask are there.
void come_together(warp& w, operation const& op) {
  lane_mask strangers = 0;
  w.each_active([&](int t) {
    if ((members_of(w, w.base[0], op, t) >> t & 1) == 0) strangers |= lane_mask{1} << t;
  });
  if (strangers != 0)
    report_finding(w, op, check_kind::barrier,
                   "a warp-wide instruction is executed by " +
                       std::to_string(std::popcount(strangers)) +
                       " lanes that its mask does not name, " +
                       thread_text(*w.of_block, w, std::countr_zero(strangers)) + " among them");
  if (all_there(w, w.base[0], op, w.active)) {
    notify_observers(w, op, w.active);
    execute_together(w, op);
    return;
  }
  frame* const group_frame = w.current;
  park_current(w, op, lane_group::state_type::at_warp_sync, op.index, w.active);
  static_cast<void>(finish_sync_at(w, op, group_frame));
}

// --- what they do --------------------------------------------------------------------------------

//! operation::flags of a shuffle whose value the program uses, whatever lane it is from.
constexpr std::uint8_t always_used = 8;

//! Lanes `readers` read lane `source`, or others, that do not execute the shuffle with them.
void report_absent(warp& w, operation const& op, lane_mask readers, std::uint32_t source) {
  report_finding(w, op, check_kind::shuffle,
                 "a shuffle gives " + std::to_string(std::popcount(readers)) +
                     " lanes the value of a lane that does not take part, which is undefined and "
                     "used: " +
                     thread_text(*w.of_block, w, std::countr_zero(readers)) + " reads lane " +
                     std::to_string(source));
}

//! shfl: a the value, b the lane, list = {clamp and segment mask, predicate}. operation::target:
//! up, down, bfly, idx.
void shuffle(warp& w, operation const& op) {
  std::uint32_t const* const value = w.source<std::uint32_t>(op.a);
  std::uint32_t const* const lane_operand = w.source<std::uint32_t>(op.b);
  std::uint32_t const* const clamp = w.source<std::uint32_t>(op.list[0]);
  std::array<std::uint32_t, lanes> result{};
  lane_mask inside = 0;
  bool const used = (op.flags & always_used) != 0;
  lane_mask readers = 0;  // of a lane which is not there, or not in their mask
  std::uint32_t absent = 0;
  w.each_active([&](int lane) {
    auto const t = static_cast<std::uint32_t>(lane);
    std::uint32_t const bval = lane_operand[t] & 31;
    std::uint32_t const cval = clamp[t] & 31;
    std::uint32_t const segment = clamp[t] >> 8 & 31;
    std::uint32_t const limit = (t & segment) | (cval & ~segment);
    std::uint32_t const least = t & segment;
    std::uint32_t j = t;
    bool ok = false;
    switch (op.target) {
      case 0:
        j = t - bval;
        ok = static_cast<std::int32_t>(j) >= static_cast<std::int32_t>(limit);
        break;
      case 1:
        j = t + bval;
        ok = j <= limit;
        break;
      case 2:
        j = t ^ bval;
        ok = j <= limit;
        break;
      default:
        j = least | (bval & ~segment);
        ok = j <= limit;
    }
    if (!ok) j = t;
    result[t] = value[j & 31];
    if (ok) inside |= lane_mask{1} << t;
    if (used && ok && ((members_of(w, w.base[0], op, lane) & w.active) >> (j & 31) & 1) == 0) {
      if (readers == 0) absent = j & 31;
      readers |= lane_mask{1} << t;
    }
  });
  if (readers != 0) report_absent(w, op, readers, absent);
  std::uint32_t* const d = w.destination<std::uint32_t>(op.d);
  w.each_active([&](int t) { d[t] = result[static_cast<std::size_t>(t)]; });
  if (op.list[1] != no_slot) w.set_predicate(op.list[1], inside);
}

//! vote: a the predicate; operation::target: all, any, uni, ballot.
void vote(warp& w, operation const& op) {
  lane_mask const holds = w.predicate(op.a);
  std::array<lane_mask, lanes> members{};
  w.each_active([&](int t) {
    members[static_cast<std::size_t>(t)] = members_of(w, w.base[0], op, t) & w.active;
  });
  lane_mask result = 0;
  std::uint32_t* const d = op.target == 3 ? w.destination<std::uint32_t>(op.d) : nullptr;
  w.each_active([&](int t) {
    lane_mask const m = members[static_cast<std::size_t>(t)];
    lane_mask const yes = holds & m;
    if (d != nullptr)
      d[t] = yes;
    else if (op.target == 0 ? yes == m : op.target == 1 ? yes != 0 : yes == m || yes == 0)
      result |= lane_mask{1} << t;
  });
  if (d == nullptr) w.set_predicate(op.d, result);
}

//! match: a the value of operation::bytes bytes; operation::target: any, all; list = {predicate}.
template <class T>
void match_values(warp& w, operation const& op) {
  T const* const value = w.source<T>(op.a);
  std::array<lane_mask, lanes> result{};
  lane_mask equal = 0;
  w.each_active([&](int t) {
    lane_mask const members = members_of(w, w.base[0], op, t) & w.active;
    lane_mask same = 0;
    for (lane_mask left = members; left != 0; left &= left - 1)
      if (value[std::countr_zero(left)] == value[t]) same |= left & (~left + 1);
    if (same == members) equal |= lane_mask{1} << t;
    result[static_cast<std::size_t>(t)] = op.target == 0 || same == members ? same : 0;
  });
  std::uint32_t* const d = w.destination<std::uint32_t>(op.d);
  w.each_active([&](int t) { d[t] = result[static_cast<std::size_t>(t)]; });
  if (op.list[0] != no_slot) w.set_predicate(op.list[0], equal);
}

enum class reduction : std::uint8_t { add, min, max, bit_and, bit_or, bit_xor };

//! redux.sync. Operand a is the value; operation::target is the reduction, + 8 for signed numbers,
//! + 16 for float32, + 32 for .abs, + 64 for .NaN.
void reduce(warp& w, operation const& op) {
  std::uint32_t const* const value = w.source<std::uint32_t>(op.a);
  auto const reduction_kind = static_cast<reduction>(op.target & 7);
  bool const is_signed = (op.target & 8) != 0;
  bool const is_float = (op.target & 16) != 0;
  bool const of_abs = (op.target & 32) != 0;
  bool const propagates_nan = (op.target & 64) != 0;
  auto const combine = [&](std::uint32_t x, std::uint32_t y) -> std::uint32_t {
    if (is_float) {
      auto const magnitude = [&](std::uint32_t bits) { return of_abs ? bits & 0x7fffffffU : bits; };
      auto const a = std::bit_cast<float>(magnitude(x));
      auto const b = std::bit_cast<float>(magnitude(y));
      if (a != a) return propagates_nan ? 0x7fffffffU : magnitude(y);
      if (b != b) return propagates_nan ? 0x7fffffffU : magnitude(x);
      if (a == b)
        return (reduction_kind == reduction::min) == std::signbit(a) ? magnitude(x) : magnitude(y);
      return (reduction_kind == reduction::min) == (a < b) ? magnitude(x) : magnitude(y);
    }
    switch (reduction_kind) {
      case reduction::add:
        return x + y;
      case reduction::bit_and:
        return x & y;
      case reduction::bit_or:
        return x | y;
      case reduction::bit_xor:
        return x ^ y;
      default: {
        bool const less =
            is_signed ? static_cast<std::int32_t>(x) < static_cast<std::int32_t>(y) : x < y;
        return (reduction_kind == reduction::min) == less ? x : y;
      }
    }
  };
  std::array<std::uint32_t, lanes> result{};
  w.each_active([&](int t) {
    lane_mask left = members_of(w, w.base[0], op, t) & w.active;
    std::uint32_t sum = value[std::countr_zero(left)];
    if (is_float && of_abs) sum &= 0x7fffffffU;
    for (left &= left - 1; left != 0; left &= left - 1)
      sum = combine(sum, value[std::countr_zero(left)]);
    result[static_cast<std::size_t>(t)] = sum;
  });
  std::uint32_t* const d = w.destination<std::uint32_t>(op.d);
  w.each_active([&](int t) { d[t] = result[static_cast<std::size_t>(t)]; });
}

//! elect: d the leader's lane, list = {predicate of the leader}.
void elect(warp& w, operation const& op) {
  lane_mask leaders = 0;
  std::uint32_t* const d = w.destination<std::uint32_t>(op.d);
  std::array<std::uint32_t, lanes> first{};
  w.each_active([&](int t) {
    lane_mask const members = members_of(w, w.base[0], op, t) & w.active;
    first[static_cast<std::size_t>(t)] = static_cast<std::uint32_t>(std::countr_zero(members));
    if (std::countr_zero(members) == t) leaders |= lane_mask{1} << t;
  });
  w.each_active([&](int t) { d[t] = first[static_cast<std::size_t>(t)]; });
  w.set_predicate(op.list[0], leaders);
}

void execute_together(warp& w, operation const& op) {
  switch (static_cast<warp_wide_kind>(op.flags & 7)) {
    case warp_wide_kind::sync:
      return;
    case warp_wide_kind::shuffle:
      return shuffle(w, op);
    case warp_wide_kind::vote:
      return vote(w, op);
    case warp_wide_kind::match:
      return op.bytes == 8 ? match_values<std::uint64_t>(w, op)
                           : match_values<std::uint32_t>(w, op);
    case warp_wide_kind::reduce:
      return reduce(w, op);
    case warp_wide_kind::elect:
      return elect(w, op);
  }
}

void active_lanes(warp& w, operation const& op) {
  std::uint32_t* const d = w.destination<std::uint32_t>(op.d);
  w.each_active([&](int t) { d[t] = w.active; });
}

// --- builders ------------------------------------------------------------------------------------

[[nodiscard]] operation together(warp_wide_kind kind) {
  operation op;
  op.run = &come_together;
  op.flags = static_cast<std::uint8_t>(kind);
  return op;
}

void demand_sync(ptx::instruction const& i, context& to) {
  if (!i.has("sync"))
    to.refuse(i, "the form without .sync is of GPUs before compute capability 7.0");
}

//! The position of the modifier that is one of the names; refused if there is none.
template <std::size_t N>
[[nodiscard]] std::uint32_t which(ptx::instruction const& i, context& to,
                                  std::array<std::string_view, N> const& names) {
  for (std::size_t k = 0; k < N; ++k)
    if (i.has(names[k])) return static_cast<std::uint32_t>(k);
  to.refuse(i, "its mode is not supported");
  return 0;
}

//! Destinations `d` or `d|p`.
struct destinations {
  ptx::operand const* d;
  ptx::operand const* p = nullptr;
};
[[nodiscard]] destinations destinations_of(ptx::instruction const& i) {
  ptx::operand const& first = i.operands.at(0);
  if (!first.pair) return {&first};
  return {&first.parts.at(0), &first.parts.at(1)};
}

//! Follows the result of a shuffle to the next branch or label.
struct result_use {
  struct value {
    std::uint32_t reg;
    bool computed;  //!< not a mere copy
    bool read = false;
  };
  std::vector<value> holding;

  //! True if an operand is a register that depends on the result, or has such a part.
  bool read(ptx::operand const& o, bool& computed) {
    bool found = false;
    for (value& v : holding)
      if (o.reg != ptx::none && v.reg == o.reg) found = v.read = true, computed |= v.computed;
    for (ptx::operand const& part : o.parts) found |= read(part, computed);
    return found;
  }
  void write(ptx::operand const& o, bool computed) {
    if (o.reg != ptx::none) holding.push_back({o.reg, computed});
    for (ptx::operand const& part : o.parts) write(part, computed);
  }
};

//! True if the code before the next branch or label stores the result of a shuffle or shuffles it
//! again, or computes with it what it leaves to the code behind. A guard, selp and `and` are taken
//! for conditions under which the lane that was read took part.
[[nodiscard]] bool is_always_used(ptx::instruction const& shuffle, ptx::body const& body) {
  result_use use;
  use.write(*destinations_of(shuffle).d, false);
  auto const first = body.instructions.data();
  for (auto i = &shuffle + 1; i != first + body.instructions.size(); ++i) {
    if (std::ranges::any_of(body.labels, [&](auto const& l) { return l.second == i - first; }) ||
        i->opcode == "bra" || i->opcode == "brx" || i->opcode == "ret")
      break;
    bool uses = false, computed = i->opcode != "mov", in_memory = i->opcode == "shfl";
    for (ptx::operand const& o : i->operands) {
      bool const memory = o.kind == ptx::operand::kind_type::memory;
      in_memory |= memory;
      if (memory || &o != i->operands.data()) uses |= use.read(o, computed);
    }
    if (i->guard != ptx::none) continue;
    if (uses && i->opcode != "selp" && i->opcode != "and") {
      if (in_memory) return true;
      use.write(i->operands[0], computed);
    } else if (!i->operands.empty() && i->operands[0].kind == ptx::operand::kind_type::reg) {
      std::erase_if(use.holding, [&](auto const& v) { return v.reg == i->operands[0].reg; });
    }
  }
  return std::ranges::any_of(use.holding, [](auto const& v) { return v.computed && !v.read; });
}

void build_shuffle(ptx::instruction const& i, context& to) {
  demand_sync(i, to);
  operation op = together(warp_wide_kind::shuffle);
  op.target = which(i, to, std::array<std::string_view, 4>{"up", "down", "bfly", "idx"});
  auto const [d, p] = destinations_of(i);
  if (is_always_used(i, to.body())) op.flags |= always_used;
  op.a = to.source(i.operands.at(1), 4);
  op.b = to.source(i.operands.at(2), 4);
  slot const clamp = to.source(i.operands.at(3), 4);
  op.c = to.source(i.operands.at(4), 4);
  op.d = to.destination(*d, 4);
  op.list = to.list({clamp, p == nullptr ? no_slot : to.predicate_destination(*p)});
  op.list_size = 2;
  to.emit(op);
}

void build_vote(ptx::instruction const& i, context& to) {
  demand_sync(i, to);
  operation op = together(warp_wide_kind::vote);
  op.target = which(i, to, std::array<std::string_view, 4>{"all", "any", "uni", "ballot"});
  op.a = to.predicate(i.operands.at(1));
  op.c = to.source(i.operands.at(2), 4);
  op.d =
      op.target == 3 ? to.destination(i.operands[0], 4) : to.predicate_destination(i.operands[0]);
  to.emit(op);
}

void build_match(ptx::instruction const& i, context& to) {
  demand_sync(i, to);
  operation op = together(warp_wide_kind::match);
  op.target = which(i, to, std::array<std::string_view, 2>{"any", "all"});
  op.bytes = i.has("b64") ? 8 : 4;
  auto const [d, p] = destinations_of(i);
  op.a = to.source(i.operands.at(1), op.bytes);
  op.c = to.source(i.operands.at(2), 4);
  op.d = to.destination(*d, 4);
  op.list = to.list({p == nullptr ? no_slot : to.predicate_destination(*p)});
  op.list_size = 1;
  to.emit(op);
}

void build_reduce(ptx::instruction const& i, context& to) {
  demand_sync(i, to);
  operation op = together(warp_wide_kind::reduce);
  op.target =
      which(i, to, std::array<std::string_view, 6>{"add", "min", "max", "and", "or", "xor"});
  if (i.has("s32")) op.target |= 8;
  if (i.has("f32")) op.target |= 16;
  if (i.has("abs")) op.target |= 32;
  if (i.has("NaN")) op.target |= 64;
  op.a = to.source(i.operands.at(1), 4);
  op.c = to.source(i.operands.at(2), 4);
  op.d = to.destination(i.operands[0], 4);
  to.emit(op);
}

void build_elect(ptx::instruction const& i, context& to) {
  demand_sync(i, to);
  operation op = together(warp_wide_kind::elect);
  auto const [d, p] = destinations_of(i);
  if (p == nullptr) to.refuse(i, "it has no predicate");
  op.c = to.source(i.operands.at(1), 4);
  op.d = to.destination(*d, 4);
  op.list = to.list({to.predicate_destination(*p)});
  op.list_size = 1;
  to.emit(op);
}

void build_active_lanes(ptx::instruction const& i, context& to) {
  operation op;
  op.run = &active_lanes;
  op.d = to.destination(i.operands.at(0), 4);
  to.emit(op);
}

}  // namespace

void build_warp_barrier(ptx::instruction const& i, context& to) {
  operation op = together(warp_wide_kind::sync);
  op.c = to.source(i.operands.at(0), 4);
  to.emit(op);
}

void report_absent_members(warp& w, lane_mask gone) {
  std::byte* const constants = w.base[1];
  for (lane_group const& g : w.groups) {
    if (g.state != lane_group::state_type::at_warp_sync) continue;
    w.base[1] = const_cast<std::byte*>(g.current->code->constants.data());
    lane_mask expected = 0;
    for (lane_mask left = g.arriving; left != 0; left &= left - 1)
      expected |= members_of(w, g.current->registers, *g.waits_for, std::countr_zero(left));
    w.base[1] = constants;
    lane_mask const absent = expected & gone & w.alive;
    if (absent == 0) continue;
    report_finding(*w.of_block, *g.current, *g.waits_for, check_kind::barrier,
                   thread_text(*w.of_block, w, std::countr_zero(g.arriving)) +
                       " waits at a warp-wide instruction for " +
                       std::to_string(std::popcount(absent)) +
                       " lanes of its mask that go around it, " +
                       thread_text(*w.of_block, w, std::countr_zero(absent)) + " among them");
    return;
  }
}

void finish_warp_syncs(warp& w) {
  for (bool again = true; again;) {
    again = false;
    for (lane_group const& g : w.groups)
      if (g.state == lane_group::state_type::at_warp_sync &&
          finish_sync_at(w, *g.waits_for, g.current)) {
        again = true;
        break;
      }
  }
}

void add_warp_instructions(decode::instruction_table& table) {
  table["shfl"] = &build_shuffle;
  table["vote"] = &build_vote;
  table["match"] = &build_match;
  table["redux"] = &build_reduce;
  table["elect"] = &build_elect;
  table["activemask"] = &build_active_lanes;
}

}  // namespace device
