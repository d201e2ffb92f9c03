// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/launch.hpp>
#include <device/execute/sync/barriers.hpp>
#include <device/execute/sync/groups.hpp>
#include <device/execute/sync/warp_wide.hpp>

#include <algorithm>
#include <cstring>

namespace device {

namespace {

[[nodiscard]] reconvergence_point* new_reconvergence_point(warp& w, reconvergence_point const& m) {
  if (w.free_reconvergence_points.empty()) {
    w.reconvergence_points.push_back(std::make_unique<reconvergence_point>(m));
    return w.reconvergence_points.back().get();
  }
  reconvergence_point* const found = w.free_reconvergence_points.back();
  w.free_reconvergence_points.pop_back();
  *found = m;
  return found;
}

//! All lanes are there: they are a group again.
void complete(warp& w, reconvergence_point* m) {
  lane_group g;
  g.pc = m->pc;
  g.mask = m->arrived;
  g.current = m->current;
  g.until = m->outer;
  if (m->callee != nullptr) w.free_frames.push_back(m->callee);
  m->arrived = m->expected = 0;
  w.free_reconvergence_points.push_back(m);
  if (g.mask != 0) add_ready(w, g);
}

void drop_current(warp& w) {
  w.mask = 0;
  w.switched = true;
}

//! Lanes will not arrive at a reconvergence point any more, nor at the outer ones.
void no_longer_expected(warp& w, reconvergence_point* m, lane_mask lanes_gone) {
  while (m != nullptr) {
    reconvergence_point* const outer = m->outer;
    m->expected &= ~lanes_gone;
    if (m->arrived == m->expected) complete(w, m);
    m = outer;
  }
}

}  // namespace

void ensure_local(warp& w, std::uint32_t bytes) {
  w.local_bytes = std::max(w.local_bytes, bytes);
  if (bytes <= w.local_stride) return;
  if (bytes > max_local_bytes)
    throw device_fault(device_fault::kind_type::hardware_stack,
                       "a kernel has more than 1 MiB of local variables");
  std::uint32_t const stride = std::max(bytes, w.local_stride * 2);
  std::vector<std::byte> larger(std::size_t{stride} * lanes);
  for (std::size_t t = 0; t < lanes; ++t)
    if (w.local_stride != 0)
      std::memcpy(larger.data() + t * stride, w.local.data() + t * w.local_stride, w.local_stride);
  w.local = std::move(larger);
  w.local_stride = stride;
}

void enter_frame(warp& w, frame* f) {
  w.current = f;
  w.base[0] = f->registers;
  w.base[1] = const_cast<std::byte*>(f->code->constants.data());
  w.switched = true;
}

frame* new_frame(warp& w, program const& p, frame* caller) {
  auto const same = std::find_if(w.free_frames.begin(), w.free_frames.end(),
                                 [&](frame* f) { return f->code == &p; });
  frame* f = nullptr;
  if (same != w.free_frames.end()) {
    f = *same;
    w.free_frames.erase(same);
  } else {
    w.frames.push_back(std::make_unique<frame>());
    f = w.frames.back().get();
    std::size_t const registers = (p.register_bytes + 63) / 64 * 64;
    std::size_t const bytes = registers + std::size_t{p.param_bytes} * lanes + 64;
    f->storage = std::make_unique<std::byte[]>(bytes);
    auto const begin = (reinterpret_cast<std::uintptr_t>(f->storage.get()) + 63) / 64 * 64;
    f->registers = reinterpret_cast<std::byte*>(begin);
    f->params = f->registers + registers;
  }
  f->code = &p;
  f->caller = caller;
  f->call = nullptr;
  f->local_base = caller == nullptr ? 0 : caller->local_end();
  f->allocated.reset();
  f->max_allocated = 0;
  ensure_local(w, f->local_end());
  return f;
}

void start_warp(warp& w, program const& kernel, lane_mask present) {
  w.groups.clear();
  w.free_frames.clear();
  w.free_reconvergence_points.clear();
  for (auto const& f : w.frames) w.free_frames.push_back(f.get());
  for (auto const& m : w.reconvergence_points) {
    m->arrived = m->expected = 0;
    w.free_reconvergence_points.push_back(m.get());
  }
  w.local_bytes = 0;
  std::fill(w.local.begin(), w.local.end(), std::byte{0});
  w.alive = w.present = w.mask = present;
  w.pc = 0;
  w.until = nullptr;
  w.polls = 0;
  w.quiet = 0;
  w.yielded = false;
  w.sync_count = 0;
  w.at_cluster = 0;
  w.followed = false;
  enter_frame(w, new_frame(w, kernel, nullptr));
}

bool pick_group(warp& w) {
  for (auto g = w.groups.begin(); g != w.groups.end(); ++g) {
    if (g->state != lane_group::state_type::ready) continue;
    w.pc = g->pc;
    w.mask = g->mask;
    w.until = g->until;
    enter_frame(w, g->current);
    if (g + 1 == w.groups.end())
      w.groups.pop_back();
    else
      w.groups.erase(g);
    return true;
  }
  return false;
}

lane_group& park_current(warp& w, operation const& op, lane_group::state_type state,
                         std::uint32_t pc, lane_mask arriving) {
  lane_group& g = w.groups.emplace_back();
  g.state = state;
  g.pc = pc;
  g.mask = w.mask;
  g.current = w.current;
  g.until = w.until;
  g.arriving = arriving;
  g.waits_for = &op;
  drop_current(w);
  return g;
}

void rotate_groups(warp& w) {
  if (w.mask == 0) return;
  bool const others = std::any_of(w.groups.begin(), w.groups.end(), [](lane_group const& g) {
    return g.state == lane_group::state_type::ready;
  });
  if (!others) return;
  lane_group g;
  g.pc = w.pc;
  g.mask = w.mask;
  g.current = w.current;
  g.until = w.until;
  drop_current(w);
  add_ready(w, g);
}

void add_ready(warp& w, lane_group g) {
  g.state = lane_group::state_type::ready;
  for (lane_group& other : w.groups)
    if (other.state == lane_group::state_type::ready && other.pc == g.pc &&
        other.current == g.current && other.until == g.until) {
      other.mask |= g.mask;
      return;
    }
  w.groups.push_back(g);
}

void split_off(warp& w, lane_mask leaving, std::uint32_t pc) {
  lane_group g;
  g.pc = pc;
  g.mask = leaving;
  g.current = w.current;
  g.until = w.until;
  w.mask &= ~leaving;
  add_ready(w, g);
}

void diverge(warp& w, lane_mask taken, std::uint32_t target, std::uint32_t other,
             std::uint32_t reconverge) {
  bool const known = reconverge == ptx::none ||
                     (reconvergence_pc(w) == reconverge && w.until->current == w.current);
  if (!known) {
    reconvergence_point m;
    m.pc = reconverge;
    m.current = w.current;
    m.expected = w.mask;
    m.outer = w.until;
    w.until = new_reconvergence_point(w, m);
  }
  split_off(w, taken, target);
  w.pc = other;
  w.switched = true;
}

void reconverge_group(warp& w) {
  reconvergence_point* const m = w.until;
  m->arrived |= w.mask;
  drop_current(w);
  if (m->arrived == m->expected) complete(w, m);
}

void enter_call(warp& w, frame* f, lane_mask callers) {
  reconvergence_point m;
  m.pc = w.pc;
  m.of_call = true;
  m.current = w.current;
  m.expected = callers;
  m.outer = w.until;
  m.callee = f;
  w.until = new_reconvergence_point(w, m);
  w.mask = callers;
  w.pc = 0;
  enter_frame(w, f);
}

void return_lanes(warp& w, lane_mask returning) {
  frame* const f = w.current;
  if (f->caller == nullptr) {
    end_lanes(w, returning);
    return;
  }
  call_site const& site = f->caller->code->calls[f->call->immediate];
  std::uint32_t const from_stride = f->code->param_bytes;
  std::uint32_t const to_stride = f->caller->code->param_bytes;
  for (std::size_t k = 0; k < site.results.size() && k < f->code->result_offsets.size(); ++k) {
    call_site::value const& result = site.results[k];
    std::uint32_t const offset = f->code->result_offsets[k];
    for (lane_mask left = returning; left != 0; left &= left - 1) {
      auto const t = static_cast<std::uint32_t>(std::countr_zero(left));
      std::byte const* const source = f->params + t * from_stride + offset;
      if (result.in_slot == no_slot)
        std::memcpy(f->caller->params + t * to_stride + result.offset, source, result.bytes);
      else
        std::memcpy(f->caller->registers + result.in_slot + t * result.bytes, source, result.bytes);
    }
  }
  reconvergence_point* const m = w.until;
  m->arrived |= returning;
  w.mask &= ~returning;
  w.switched = true;
  if (m->arrived == m->expected) complete(w, m);
}

void end_lanes(warp& w, lane_mask ending) {
  for (observer* const o : *w.of_block->observers) o->exit(w, ending);
  w.alive &= ~ending;
  w.mask &= ~ending;
  w.switched = true;
  w.of_block->threads_alive -= static_cast<std::uint32_t>(std::popcount(ending));
  no_longer_expected(w, w.until, ending);
  finish_warp_syncs(w);
  finish_barriers(w);
}

reconvergence_point release_waiting(warp& w) {
  for (std::unique_ptr<reconvergence_point> const& known : w.reconvergence_points) {
    reconvergence_point* const m = known.get();
    if (m->arrived == 0) continue;
    reconvergence_point const before = *m;
    lane_group g;
    g.pc = m->pc;
    g.mask = m->arrived;
    g.current = m->current;
    g.until = m->outer;
    m->expected &= ~m->arrived;
    m->arrived = 0;
    add_ready(w, g);
    return before;
  }
  return {};
}

}  // namespace device
