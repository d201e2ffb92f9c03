// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barriers of a block: bar, barrier.
#include <device/core/failure.hpp>
#include <device/decode/source_place.hpp>
#include <device/execute/instructions.hpp>
#include <device/execute/memory/request.hpp>
#include <device/execute/sync/barriers.hpp>
#include <device/execute/sync/groups.hpp>
#include <device/execute/sync/warp_wide.hpp>
#include <device/memory/weak_memory.hpp>

#include <algorithm>
#include <array>

namespace device {

namespace {

using decode::context;

enum class barrier_action : std::uint8_t { sync, arrive, red_popc, red_and, red_or };
constexpr std::uint8_t aligned_flag = 8;

[[nodiscard]] barrier_action action_of(operation const& op) {
  return static_cast<barrier_action>(op.flags & 7);
}
[[nodiscard]] bool reduces(operation const& op) {
  return action_of(op) >= barrier_action::red_popc;
}

[[nodiscard]] bool at_aligned_barrier(lane_group const& g) {
  return g.state == lane_group::state_type::at_barrier && (g.waits_for->flags & aligned_flag) != 0;
}

void report_reached(warp const& w, lane_group const& g, lane_mask arrived) {
  report_finding(*w.of_block, *g.current, *g.waits_for, check_kind::barrier,
                 "a barrier is reached by " + std::to_string(std::popcount(arrived)) + " of the " +
                     std::to_string(std::popcount(w.alive)) +
                     " threads of a warp that have not ended, " +
                     thread_text(*w.of_block, w, std::countr_zero(arrived)) +
                     " among them; all must reach it together");
}

//! Gives a group that waited the result of a bar.red.
void deliver(warp& w, lane_group const& g, block_barrier const& b) {
  operation const& op = *g.waits_for;
  if (!reduces(op)) return;
  std::byte* const registers = g.current->registers + op.d;
  bool const all = b.population == b.participants;
  bool const any = b.population != 0;
  if (action_of(op) == barrier_action::red_popc) {
    for (lane_mask left = g.arriving; left != 0; left &= left - 1)
      reinterpret_cast<std::uint32_t*>(registers)[std::countr_zero(left)] = b.population;
  } else {
    lane_mask& p = *reinterpret_cast<lane_mask*>(registers);
    bool const value = action_of(op) == barrier_action::red_and ? all : any;
    p = value ? p | g.arriving : p & ~g.arriving;
  }
  static_cast<void>(w);
}

//! A finding if lanes of a warp wait at one barrier by different instructions of the kind that all
//! lanes execute together.
void report_different_instructions(warp const& w, int number) {
  lane_group const* first = nullptr;
  for (lane_group const& g : w.groups) {
    if (!at_aligned_barrier(g) || g.barrier != number) continue;
    if (first != nullptr && g.waits_for != first->waits_for)
      return report_reached(w, *first, first->arriving);
    first = &g;
  }
}

void complete(block& b, int number) {
  block_barrier& barrier = b.barriers[static_cast<std::size_t>(number)];
  for (warp& w : b.warps) {
    if (w.groups.size() == 1) {  // the usual case: all lanes together
      lane_group& g = w.groups.front();
      if (g.state != lane_group::state_type::at_barrier || g.barrier != number) continue;
      deliver(w, g, barrier);
      g.state = lane_group::state_type::ready;
      continue;
    }
    report_different_instructions(w, number);
    std::vector<lane_group> going;
    std::erase_if(w.groups, [&](lane_group const& g) {
      if (g.state != lane_group::state_type::at_barrier || g.barrier != number) return false;
      going.push_back(g);
      return true;
    });
    for (lane_group const& g : going) {
      deliver(w, g, barrier);
      add_ready(w, g);
    }
  }
  barrier = {};
  ++b.barriers_complete;
  if (b.weak != nullptr) b.weak->show_block(b.number);
  for (observer* const o : *b.observers) o->barrier_complete(b, number);
}

[[nodiscard]] bool is_complete(block const& b, block_barrier const& barrier) {
  if (barrier.arrived == 0) return false;
  return barrier.expected == 0 ? barrier.arrived >= b.threads_alive
                               : barrier.arrived >= barrier.expected;
}

//! A barrier with a number of threads counts whole warps: lanes that do not exist or have ended
//! count once all others of their warp have arrived.
void fill_up(block_barrier& barrier, warp const& w) {
  std::erase_if(barrier.parts, [&](block_barrier::part const& p) {
    if (p.warp != w.number || (w.alive & ~p.arrived) != 0) return false;
    barrier.arrived += static_cast<std::uint32_t>(lanes - std::popcount(p.arrived));
    return true;
  });
}
void count_part(block_barrier& barrier, warp const& w, lane_mask arriving) {
  auto const known = std::find_if(barrier.parts.begin(), barrier.parts.end(),
                                  [&](block_barrier::part const& p) { return p.warp == w.number; });
  if (known == barrier.parts.end())
    barrier.parts.push_back({w.number, arriving});
  else
    known->arrived |= arriving;
  fill_up(barrier, w);
}

//! The threads for which a barrier waits, in whole warps.
[[nodiscard]] std::uint32_t threads_of(block const& b, std::uint32_t count) {
  return count != 0 ? count : static_cast<std::uint32_t>(b.warps.size()) * lanes;
}

//! Findings about the operands of lanes that arrive: PTX wants the count to be whole warps and the
//! same for all who use a phase of the barrier, and keeps bar.red apart from the others.
[[gnu::noinline]] void report_operands(warp const& w, operation const& op, lane_mask arriving,
                                       std::uint32_t number, std::uint32_t count) {
  block const& b = *w.of_block;
  block_barrier const& barrier = b.barriers[number];
  auto const report = [&](std::string const& text) {
    report_finding(w, op, check_kind::barrier,
                   "barrier " + std::to_string(number) + " " + text + "; " +
                       thread_text(b, w, std::countr_zero(arriving)) + " asks for it");
  };
  if (count % lanes != 0)
    report("is to wait for " + std::to_string(count) +
           " threads: the number is no multiple of the 32 of a warp");
  if (barrier.arrived == 0) return;
  if (threads_of(b, barrier.expected) != threads_of(b, count))
    report("waits for " + std::to_string(threads_of(b, barrier.expected)) + " threads, of which " +
           std::to_string(barrier.arrived) + " have arrived, and now is to wait for " +
           std::to_string(threads_of(b, count)));
  if ((barrier.participants != 0) != reduces(op))
    report("is used by bar.red and by bar.sync or bar.arrive in one phase");
}

//! Lanes `arriving`, all with the same barrier and count, arrive.
void arrive(warp& w, operation const& op, lane_mask arriving, std::uint32_t number,
            std::uint32_t count) {
  block& b = *w.of_block;
  if (number >= b.barriers.size())
    throw device_fault(
        device_fault::kind_type::illegal_instruction,
        "a barrier has the number " + std::to_string(number) + "; there are 0 to 15");
  block_barrier& barrier = b.barriers[number];
  bool const as_before = barrier.arrived == 0 ||
                         (barrier.expected == count && (barrier.participants != 0) == reduces(op));
  if (!as_before || count % lanes != 0) report_operands(w, op, arriving, number, count);
  barrier.arrived += lane_count(arriving);
  if (count != 0) count_part(barrier, w, arriving);
  barrier.expected = count;
  if (reduces(op)) {
    barrier.population += static_cast<std::uint32_t>(std::popcount(w.predicate(op.c) & arriving));
    barrier.participants += static_cast<std::uint32_t>(std::popcount(arriving));
  }
  for (observer* const o : *b.observers)
    o->barrier_arrive(w, op, static_cast<int>(number), arriving);
  if (action_of(op) != barrier_action::arrive) {
    // the others go on and wait for nobody
    if (arriving != w.mask) split_off(w, w.mask & ~arriving, w.pc);
    park_current(w, op, lane_group::state_type::at_barrier, w.pc, arriving).barrier =
        static_cast<int>(number);
  }
  if (is_complete(b, barrier)) complete(b, static_cast<int>(number));
}

//! a: number of the barrier; b: of threads, or none; c: predicate of bar.red.
void at_barrier(warp& w, operation const& op) {
  lane_mask left = w.active;
  std::uint32_t const* const number = w.source<std::uint32_t>(op.a);
  std::uint32_t const* const count = op.b == no_slot ? nullptr : w.source<std::uint32_t>(op.b);
  int const first = std::countr_zero(left);
  auto const is_constant = [](slot s) { return s != no_slot && (s & in_constants) != 0; };
  bool const all_same = is_constant(op.a) && (count == nullptr || is_constant(op.b));
  lane_mask same = all_same ? left : 0;
  for (left &= ~same; left != 0; left &= left - 1) {
    int const t = std::countr_zero(left);
    if (number[t] == number[first] && (count == nullptr || count[t] == count[first]))
      same |= lane_mask{1} << t;
  }
  // lanes that mean another barrier come here again on their own
  if (same != w.active) split_off(w, w.mask & ~same, op.index);
  arrive(w, op, same, number[first], count == nullptr ? 0 : count[first]);
}

template <class F>
void each_block(block& b, F const& f) {
  if (b.of_cluster == nullptr) return f(b);
  for (block* const other : b.of_cluster->blocks) f(*other);
}

//! Completes the phase of the cluster's barrier if all threads that have not ended have arrived.
void complete_cluster(block& of_cluster) {
  bool missing = false;
  bool arrived = false;
  each_block(of_cluster, [&](block const& b) {
    if (missing || b.threads_alive == 0) return;
    for (warp const& w : b.warps) {
      missing = missing || (w.alive & ~w.at_cluster) != 0;
      arrived = arrived || (w.alive & w.at_cluster) != 0;
    }
  });
  if (missing || !arrived) return;
  each_block(of_cluster, [](block& b) {
    for (warp& w : b.warps) w.at_cluster = 0;
  });
  each_block(of_cluster, [](block& b) {
    for (warp& w : b.warps) {
      std::vector<lane_group> going;
      std::erase_if(w.groups, [&](lane_group const& g) {
        if (g.state != lane_group::state_type::at_cluster) return false;
        going.push_back(g);
        return true;
      });
      for (lane_group const& g : going) {
        for (observer* const o : *b.observers) o->cluster_wait(w, g.arriving);
        add_ready(w, g);
      }
    }
  });
}

void arrive_at_cluster(warp& w, operation const& op) {
  if ((w.active & w.at_cluster) != 0)
    throw device_fault(device_fault::kind_type::illegal_instruction,
                       thread_text(*w.of_block, w, std::countr_zero(w.active & w.at_cluster)) +
                           " arrives twice in a phase of the cluster's barrier");
  bool const releases = op.order != strength::relaxed;
  for (observer* const o : *w.of_block->observers) o->cluster_arrive(w, w.active, releases);
  if (releases) memory_access_detail::release(w, scope::cluster);
  w.at_cluster |= w.active;
  complete_cluster(*w.of_block);
}

void wait_for_cluster(warp& w, operation const& op) {
  lane_mask const early = w.active & w.at_cluster;
  if ((w.active & ~early) != 0)
    for (observer* const o : *w.of_block->observers) o->cluster_wait(w, w.active & ~early);
  if (early == 0) return;
  lane_mask const rest = w.mask & ~early;
  if (rest != 0) split_off(w, rest, w.pc);
  park_current(w, op, lane_group::state_type::at_cluster, w.pc, early);
}

void build_cluster_barrier(ptx::instruction const& i, context& to) {
  operation op;
  for (std::string_view const m : i.modifiers) {
    if (m == "arrive")
      op.run = arrive_at_cluster;
    else if (m == "wait")
      op.run = wait_for_cluster;
    else if (m == "relaxed")
      op.order = strength::relaxed;
    else if (m != "cluster" && m != "aligned" && m != "release" && m != "acquire")
      to.refuse(i, "the modifier ." + std::string(m) + " is not supported");
  }
  if (op.run == nullptr) to.refuse(i, "it neither arrives nor waits");
  op.kind = instruction_kind::barrier;
  to.emit(op);
}

void build_barrier(ptx::instruction const& i, context& to) {
  if (i.has("warp")) return build_warp_barrier(i, to);
  if (i.has("cluster")) return build_cluster_barrier(i, to);
  operation op;
  op.run = &at_barrier;
  bool const red = i.has("red");
  std::size_t next = 0;
  if (red) {
    bool const population = i.has("popc");
    op.flags = static_cast<std::uint8_t>(population     ? barrier_action::red_popc
                                         : i.has("and") ? barrier_action::red_and
                                                        : barrier_action::red_or);
    op.d = population ? to.destination(i.operands.at(next), 4)
                      : to.predicate_destination(i.operands.at(next));
    ++next;
  } else {
    op.flags =
        static_cast<std::uint8_t>(i.has("arrive") ? barrier_action::arrive : barrier_action::sync);
  }
  if (i.opcode == "bar" || i.has("aligned")) op.flags |= aligned_flag;
  std::size_t const last = i.operands.size() - (red ? 1 : 0);
  op.a = to.source(i.operands.at(next++), 4);
  if (next < last) op.b = to.source(i.operands.at(next), 4);
  if (red) op.c = to.predicate(i.operands.back());
  to.emit(op);
}

}  // namespace

void finish_barriers(warp const& ended_in) {
  block& b = *ended_in.of_block;
  complete_cluster(b);
  for (int k = 0; k < static_cast<int>(b.barriers.size()); ++k) {
    block_barrier& barrier = b.barriers[static_cast<std::size_t>(k)];
    if (barrier.arrived == 0) continue;
    if (!barrier.parts.empty()) fill_up(barrier, ended_in);
    if (is_complete(b, barrier)) complete(b, k);
  }
}

void report_partial_barriers(warp const& w) {
  for (lane_group const& g : w.groups) {
    if (!at_aligned_barrier(g)) continue;
    lane_mask arrived = 0;
    for (lane_group const& other : w.groups)
      if (at_aligned_barrier(other) && other.waits_for == g.waits_for) arrived |= other.arriving;
    if (arrived != w.alive) return report_reached(w, g, arrived);
  }
}

std::string thread_text(block const& b, warp const& w, int lane) {
  std::uint32_t const t = w.number * lanes + static_cast<std::uint32_t>(lane);
  dim3 const& size = b.of_launch->block;
  auto const text = [](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
  };
  return "thread " + text(t % size.x, t / size.x % size.y, t / size.x / size.y) + " of block " +
         text(b.index.x, b.index.y, b.index.z);
}

namespace {

//! "barrier 1, at which 32 of 64 threads have arrived"
[[nodiscard]] std::string barrier_text(block const& b, int number) {
  block_barrier const& barrier = b.barriers[static_cast<std::size_t>(number)];
  std::string text = "barrier " + std::to_string(number);
  if (barrier.expected == 0) return text;
  return text + ", at which " + std::to_string(barrier.arrived) + " of " +
         std::to_string(barrier.expected) + " threads have arrived";
}

}  // namespace

std::string waiting_text(block const& b) {
  std::string text;
  int named = 0;
  for (warp const& w : b.warps)
    for (lane_group const& g : w.groups) {
      if (g.state == lane_group::state_type::ready) continue;
      if (++named > 4) return text + "; and others";
      if (named > 1) text += "; ";
      text += std::to_string(std::popcount(g.arriving)) + " threads with " +
              thread_text(b, w, std::countr_zero(g.arriving)) + " wait at " +
              (g.state == lane_group::state_type::at_barrier ? barrier_text(b, g.barrier)
               : g.state == lane_group::state_type::at_cluster
                   ? std::string("the cluster's barrier")
                   : std::string("a warp-wide instruction for lanes that do not come to it")) +
              " (" + decode::place_text(g.current->code, g.waits_for->index) + ")";
    }
  return text;
}

void report_finding(warp const& w, operation const& op, check_kind kind, std::string message) {
  report_finding(*w.of_block, *w.current, op, kind, std::move(message));
}

void report_finding(block const& b, frame const& at_frame, operation const& op, check_kind kind,
                    std::string message) {
  launch const& l = *b.of_launch;
  if (!l.report) return;
  finding f;
  f.check = kind;
  f.kernel = l.kernel->demangled;
  f.launch = l.number;
  f.message = std::move(message);
  decode::set_place(f, at_frame.code, op.index);
  l.report(f);
}

void add_barrier_instructions(decode::instruction_table& table) {
  table["bar"] = &build_barrier;
  table["barrier"] = &build_barrier;
}

}  // namespace device
