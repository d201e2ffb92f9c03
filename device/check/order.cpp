// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/check/order.hpp>

#include <algorithm>
#include <bit>

namespace device::check {
namespace {

template <class F>
void each(lane_mask mask, F const& f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<std::uint32_t>(std::countr_zero(mask)));
}

}  // namespace

void knowledge::join(knowledge const& o) {
  known.join(o.known);
  fenced_wide.join(o.fenced_wide);
  fenced_block.join(o.fenced_block);
  pending_wide.join(o.pending_wide);
  pending_block.join(o.pending_block);
  proxy.join(o.proxy);
}

void knowledge::clear() {
  known.clear();
  fenced_wide.clear();
  fenced_block.clear();
  pending_wide.clear();
  pending_block.clear();
  proxy.clear();
}

void block_order::begin(std::uint32_t block, std::size_t warp_count) {
  id = block;
  own = 0;
  common.clear();
  covered.clear();
  warps.resize(warp_count);
  for (warp_order& w : warps) {
    w.extra.clear();
    w.synced = w.fenced_wide = w.fenced_block = 0;
    if (w.special != 0)
      for (lane_order& l : *w.of_lane) l.extra.clear();
    w.special = 0;
  }
  for (auto& a : arrivals) a.clear();
}

time_stamp order::pass() {
  if (!stamped_) return now_ - 1;
  stamped_ = false;
  if (now_ == last_time) return now_;  // from here on races are missed
  return now_++;
}

//! A lane's own knowledge, empty at first.
lane_order& order::lane(warp_order& w, std::uint32_t lane) {
  if (w.of_lane == nullptr) w.of_lane = std::make_unique<std::array<lane_order, lanes>>();
  lane_order& l = (*w.of_lane)[lane];
  if ((w.special >> lane & 1) == 0) {
    w.special |= lane_mask{1} << lane;
    l.extra.clear();
    l.own.fill(0);
  }
  return l;
}

//! All lanes of a warp know what one knows, and what one has fenced of its own.
void order::merge_lanes(block_order& b, std::uint32_t warp) {
  warp_order& w = b.warps[warp];
  each(w.special, [&](std::uint32_t t) {
    lane_order& l = (*w.of_lane)[t];
    w.extra.join(l.extra);
    l.extra.clear();
  });
  w.special = 0;
  thread_id const first = first_thread(b.id, warp);
  if (w.fenced_wide != 0) w.extra.fenced_wide.add_warp(first, w.fenced_wide);
  if (w.fenced_block != 0) w.extra.fenced_block.add_warp(first, w.fenced_block);
  w.fenced_wide = w.fenced_block = 0;
}

void order::warp_sync(block_order& b, std::uint32_t warp, lane_mask members, lane_mask alive) {
  warp_order& w = b.warps[warp];
  if ((alive & ~members) == 0) {
    merge_lanes(b, warp);
    w.synced = pass();
    return;
  }
  members &= alive;
  if ((members & (members - 1)) == 0) return;
  thread_id const first = first_thread(b.id, warp);
  time_stamp const now = pass();
  knowledge sum;
  std::array<time_stamp, lanes> own{};
  each(members & w.special, [&](std::uint32_t t) {
    lane_order const& l = (*w.of_lane)[t];
    sum.join(l.extra);
    for (std::uint32_t k = 0; k < lanes; ++k) own[k] = std::max(own[k], l.own[k]);
  });
  each(members, [&](std::uint32_t t) {
    own[t] = now;
    if (w.fenced_wide != 0) sum.fenced_wide.add_thread(first + t, w.fenced_wide);
    if (w.fenced_block != 0) sum.fenced_block.add_thread(first + t, w.fenced_block);
  });
  each(members, [&](std::uint32_t t) {
    lane_order& l = lane(w, t);
    l.extra = sum;
    l.own = own;
  });
}

void order::arrive(block_order& b, int barrier, std::uint32_t warp, lane_mask lanes_of_warp,
                   lane_mask alive, bool waits) {
  b.arrivals[static_cast<std::size_t>(barrier)].push_back(
      {warp, lanes_of_warp, (alive & ~lanes_of_warp) == 0, waits, pass()});
}

//! All threads of the block have waited for each other.
void order::complete_all(block_order& b) {
  time_stamp const now = pass();
  for (std::uint32_t k = 0; k < b.warps.size(); ++k) {
    merge_lanes(b, k);
    warp_order& w = b.warps[k];
    if (!w.extra.empty()) {
      b.common.join(w.extra);
      w.extra.clear();
    }
    w.synced = now;
  }
  b.own = now;
}

void order::complete(block_order& b, int barrier, std::vector<lane_mask> const& alive) {
  auto& arrivals = b.arrivals[static_cast<std::size_t>(barrier)];
  std::array<lane_mask, lanes> arrived{};
  bool all = true;
  for (block_order::arrival const& a : arrivals) {
    arrived[a.warp] |= a.lanes_of_warp;
    all = all && a.waits;
  }
  for (std::size_t k = 0; k < alive.size(); ++k) all = all && (alive[k] & ~arrived[k]) == 0;
  if (all) {
    arrivals.clear();
    complete_all(b);
    return;
  }
  time_stamp const now = pass();
  knowledge sum;
  for (block_order::arrival const& a : arrivals) {
    warp_order const& w = b.warps[a.warp];
    thread_id const first = first_thread(b.id, a.warp);
    sum.join(w.extra);
    each(a.lanes_of_warp & w.special, [&](std::uint32_t t) { sum.join((*w.of_lane)[t].extra); });
    sum.known.add_warp(first, a.whole ? a.when : w.synced);
    if (!a.whole)
      each(a.lanes_of_warp, [&](std::uint32_t t) {
        sum.known.add_thread(first + t, a.when);
        if ((w.special >> t & 1) == 0) return;
        for (std::uint32_t k = 0; k < lanes; ++k)
          sum.known.add_thread(first + k, (*w.of_lane)[t].own[k]);
      });
    // Accesses that one lane has fenced are fenced for every thread that it lets go on.
    if (a.whole) {
      sum.fenced_wide.add_warp(first, std::min(w.fenced_wide, a.when));
      sum.fenced_block.add_warp(first, std::min(w.fenced_block, a.when));
    } else {
      each(a.lanes_of_warp, [&](std::uint32_t t) {
        sum.fenced_wide.add_thread(first + t, std::min(w.fenced_wide, a.when));
        sum.fenced_block.add_thread(first + t, std::min(w.fenced_block, a.when));
      });
    }
  }
  sum.fenced_block.join(sum.known);
  for (block_order::arrival const& a : arrivals) {
    if (!a.waits) continue;
    warp_order& w = b.warps[a.warp];
    if (a.whole) {
      merge_lanes(b, a.warp);
      w.extra.join(sum);
      w.synced = now;
    } else {
      each(a.lanes_of_warp, [&](std::uint32_t t) { lane(w, t).extra.join(sum); });
    }
  }
  arrivals.clear();
}

//! The accesses that all lanes of a warp know of.
clock order::warp_clock(block_order const& b, std::uint32_t warp) {
  warp_order const& w = b.warps[warp];
  clock sum = b.common.known;
  sum.join(w.extra.known);
  sum.add_block(b.id, b.own);
  if (w.synced > b.own) sum.add_warp(first_thread(b.id, warp), w.synced);
  return sum;
}

//! The accesses that a thread knows of, its own included.
clock order::thread_clock(block_order const& b, thread_id thread, time_stamp own) {
  warp_order const& w = b.warps[warp_of(thread)];
  clock sum = warp_clock(b, warp_of(thread));
  std::uint32_t const t = lane_of(thread);
  if ((w.special >> t & 1) != 0) {
    lane_order const& l = (*w.of_lane)[t];
    sum.join(l.extra.known);
    for (std::uint32_t k = 0; k < lanes; ++k)
      if (l.own[k] > w.synced) sum.add_thread(thread - t + k, l.own[k]);
  }
  sum.add_thread(thread, own);
  return sum;
}

clock order::known_to(block_order const& b, thread_id thread) {
  return thread_clock(b, thread, pass());
}

void order::fence(block_order& b, std::uint32_t warp, lane_mask lanes_of_warp, lane_mask alive,
                  scope reach) {
  bool const wide = is_wide(reach);
  time_stamp const now = pass();
  warp_order& w = b.warps[warp];
  auto const take = [&](clock& known, knowledge const& known_to_lane) {
    known.join(known_to_lane.pending_block);
    if (wide) known.join(known_to_lane.pending_wide);
  };
  auto const drop = [&](knowledge& known_to_lane) {
    known_to_lane.pending_block.clear();
    if (wide) known_to_lane.pending_wide.clear();
  };
  if ((alive & ~lanes_of_warp) == 0 && w.special == 0) {
    take(w.extra.known, w.extra);
    take(w.extra.known, b.common);
    drop(w.extra);
    clock const all = warp_clock(b, warp);
    w.extra.fenced_block = all;
    w.fenced_block = now;
    if (wide) {
      w.extra.fenced_wide = all;
      w.fenced_wide = now;
    }
  } else {
    each(lanes_of_warp, [&](std::uint32_t t) {
      lane_order& l = lane(w, t);
      take(l.extra.known, l.extra);
      take(l.extra.known, w.extra);
      take(l.extra.known, b.common);
      drop(l.extra);
      clock const all = thread_clock(b, first_thread(b.id, warp) + t, now);
      l.extra.fenced_block = all;
      if (wide) l.extra.fenced_wide = all;
    });
  }
}

void order::proxy_fence(block_order& b, std::uint32_t warp, lane_mask lanes_of_warp,
                        lane_mask alive) {
  time_stamp const now = pass();
  warp_order& w = b.warps[warp];
  thread_id const first = first_thread(b.id, warp);
  if ((alive & ~lanes_of_warp) == 0 && w.special == 0) {
    w.extra.proxy.join(warp_clock(b, warp));
    w.extra.proxy.add_warp(first, now);
    return;
  }
  each(lanes_of_warp, [&](std::uint32_t t) {
    clock const all = thread_clock(b, first + t, now);
    lane(w, t).extra.proxy.join(all);
  });
}

void order::learn(block_order& b, std::uint32_t warp, lane_mask lanes_of_warp, lane_mask alive,
                  std::uint32_t kind, std::array<time_stamp, lanes> const& until) {
  warp_order& w = b.warps[warp];
  thread_id const first = helper_of(first_thread(b.id, warp), kind);
  bool same = (alive & ~lanes_of_warp) == 0;
  time_stamp const common = until[static_cast<std::size_t>(std::countr_zero(lanes_of_warp))];
  each(lanes_of_warp, [&](std::uint32_t t) { same = same && until[t] == common; });
  if (same) {
    if (common != 0) w.extra.known.add_warp(first, common);
    return;
  }
  each(lanes_of_warp, [&](std::uint32_t t) {
    if (until[t] != 0) lane(w, t).extra.known.add_thread(first + t, until[t]);
  });
}

bool order::sees_by_proxy(block_order const& b, thread_id thread, thread_id other,
                          time_stamp when) {
  warp_order const& w = b.warps[warp_of(thread)];
  if (b.common.proxy.covers(other, when) || w.extra.proxy.covers(other, when)) return true;
  std::uint32_t const t = lane_of(thread);
  return (w.special >> t & 1) != 0 && (*w.of_lane)[t].extra.proxy.covers(other, when);
}

void order::acquire(block_order& b, thread_id thread, released const& location, scope reach,
                    bool by_itself) {
  bool const takes_wide = is_wide(reach) && !location.wide.empty();
  bool const takes_within = location.block == b.id && !location.within.empty();
  if (!takes_wide && !takes_within) return;
  auto const is_new = [&](clock const& c) {
    if (c.empty() || c.same_as(b.covered)) return false;
    if (!b.common.known.covers(c)) return true;
    b.covered = c;
    return false;
  };
  bool const new_wide = takes_wide && is_new(location.wide);
  bool const new_within = takes_within && is_new(location.within);
  if (!new_wide && !new_within) return;
  lane_order& l = lane(b.warps[warp_of(thread)], lane_of(thread));
  l.extra.proxy.join(location.proxy);
  if (new_wide) (by_itself ? l.extra.known : l.extra.pending_wide).join(location.wide);
  if (new_within) (by_itself ? l.extra.known : l.extra.pending_block).join(location.within);
}

//! The knowledge that a lane's strong store passes on if it is not a release itself: that of the
//! fences before it.
clock order::fenced(block_order const& b, thread_id thread, clock knowledge::* which,
                    time_stamp own) {
  warp_order const& w = b.warps[warp_of(thread)];
  clock sum = b.common.*which;
  sum.join(w.extra.*which);
  if ((w.special >> lane_of(thread) & 1) != 0) sum.join((*w.of_lane)[lane_of(thread)].extra.*which);
  sum.add_thread(thread, own);
  return sum;
}

bool order::has_fenced(block_order const& b, thread_id thread) {
  warp_order const& w = b.warps[warp_of(thread)];
  return !b.common.fenced_block.empty() || w.fenced_block != 0 || !w.extra.fenced_block.empty() ||
         !b.common.fenced_wide.empty() ||
         ((w.special >> lane_of(thread) & 1) != 0 &&
          !(*w.of_lane)[lane_of(thread)].extra.fenced_block.empty());
}

void order::release(block_order& b, thread_id thread, released& to, scope reach, bool by_itself,
                    bool adds) {
  bool const wide = is_wide(reach);
  if (!by_itself && !has_fenced(b, thread)) {
    if (!adds) to = released{};
    return;
  }
  if (adds && ++to.additions > (exact_ < max_exact ? max_additions : few_additions)) {
    time_stamp const until = by_itself ? pass() : now_ - 1;
    if (wide) to.wide.become_all(until);
    to.within.become_all(until);
    to.block = b.id;
    return;
  }
  ++exact_;
  clock of_all;
  clock of_block;
  clock proxy = b.common.proxy;
  proxy.join(b.warps[warp_of(thread)].extra.proxy);
  if ((b.warps[warp_of(thread)].special >> lane_of(thread) & 1) != 0)
    proxy.join((*b.warps[warp_of(thread)].of_lane)[lane_of(thread)].extra.proxy);
  if (by_itself) {
    of_block = thread_clock(b, thread, pass());
    if (wide) of_all = of_block;
  } else {
    warp_order const& w = b.warps[warp_of(thread)];
    of_block = fenced(b, thread, &knowledge::fenced_block, w.fenced_block);
    if (wide) of_all = fenced(b, thread, &knowledge::fenced_wide, w.fenced_wide);
  }
  if (!adds) {
    to.wide = std::move(of_all);
    to.within = std::move(of_block);
    to.proxy = std::move(proxy);
    to.additions = 0;
  } else {
    to.proxy.join(proxy);
    to.wide.join(of_all);
    if (to.block == b.id)
      to.within.join(of_block);
    else
      to.within = std::move(of_block);
  }
  to.block = b.id;
}

bool order::knows(block_order const& b, thread_id thread, thread_id other, time_stamp when) {
  if (thread == other) return true;
  warp_order const& w = b.warps[warp_of(thread)];
  if (same_block(thread, other) && when <= b.own) return true;
  std::uint32_t const t = lane_of(thread);
  lane_order const* const l = (w.special >> t & 1) == 0 ? nullptr : &(*w.of_lane)[t];
  if (same_warp(thread, other)) {
    if (when <= w.synced) return true;
    if (l != nullptr && when <= l->own[lane_of(other)]) return true;
  }
  if (b.common.known.covers(other, when) || w.extra.known.covers(other, when)) return true;
  return l != nullptr && l->extra.known.covers(other, when);
}

bool order::knows(block_order const& b, thread_id thread, released const& location) {
  if (location.empty()) return false;
  bool const here = location.block == b.id;
  if (!here && location.wide.empty()) return false;
  clock const& needed = here ? location.within : location.wide;
  if (b.common.known.covers(needed)) return true;
  return thread_clock(b, thread, 0).covers(needed);
}

}  // namespace device::check
