// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/memory/request.hpp>
#include <device/execute/memory/values.hpp>
#include <device/memory/weak_memory.hpp>

#include <bit>

namespace device::memory_access_detail {
namespace {

//! `f(lane)` for every lane of a mask.
template <class F>
void each(lane_mask mask, F const& f) {
  for (; mask != 0; mask &= mask - 1) f(std::countr_zero(mask));
}

//! One space's lanes of a request.
struct lanes_of_space {
  warp& w;
  operation const& op;
  access_kind kind;
  int bytes;
  request& r;

  [[noreturn]] void refuse(space where, int t, std::uint64_t address,
                           bool misaligned = false) const {
    refuse_address(w, op, where, kind, bytes, t, address, misaligned);
  }

  void require_aligned(space where, lane_mask mask) const {
    auto const low = static_cast<std::uint64_t>(bytes) - 1;
    std::uint64_t wrong = 0;
    each(mask, [&](int t) { wrong |= r.address[t]; });
    if ((wrong & low) == 0) return;
    each(mask, [&](int t) {
      if ((r.address[t] & low) != 0) refuse(where, t, r.address[t], true);
    });
  }

  void global(space where, lane_mask mask) const {
    require_aligned(where, mask);
    auto const n = static_cast<std::uint64_t>(bytes);
    std::uint64_t lowest = ~std::uint64_t{0};
    std::uint64_t highest = 0;
    each(mask, [&](int t) {
      lowest = std::min(lowest, r.address[t]);
      highest = std::max(highest, r.address[t]);
    });
    // Lanes mostly reach one allocation: then its two ends are all there is to check.
    if (!in_bounds(w, op, lowest, highest - lowest + n)) {
      launch const& l = *w.of_block->of_launch;
      each(mask, [&](int t) {
        if (!l.memory->holds(l.device, r.address[t], n)) refuse(where, t, r.address[t]);
      });
    }
    each(mask, [&](int t) { r.pointer[t] = reinterpret_cast<std::byte*>(r.address[t]); });
  }

  //! Lanes whose addresses count from the start of `size` bytes at `begin` (+ stride for each
  //! lane).
  void counted(space where, lane_mask mask, std::byte* begin, std::uint64_t size,
               std::uint64_t stride) const {
    require_aligned(where, mask);
    auto const n = static_cast<std::uint64_t>(bytes);
    each(mask, [&](int t) {
      if (r.address[t] >= size || n > size - r.address[t]) refuse(where, t, r.address[t]);
      r.pointer[t] = begin + static_cast<std::uint64_t>(t) * stride + r.address[t];
    });
  }

  void shared(lane_mask mask) const {
    if (w.of_block->cluster_size() > 1) mask &= ~remote(mask);
    counted(space::shared, mask, w.of_block->shared.data(), w.of_block->shared.size(), 0);
  }
  //! Locates the lanes that name a block of the cluster, and returns those of other blocks.
  lane_mask remote(lane_mask mask) const {
    each(mask, [&](int t) {
      std::uint64_t const named = r.address[t] >> rank_shift;
      if (named == 0) return;
      block& peer = peer_of(w, op, t, named - 1);
      r.address[t] &= shared_offset_mask;
      if (&peer == w.of_block) return;
      r.remote |= lane_mask{1} << t;
      r.rank[t] = static_cast<std::uint8_t>(peer.rank);
      counted(space::shared, lane_mask{1} << t, peer.shared.data(), peer.shared.size(), 0);
    });
    return r.remote;
  }
  void local(lane_mask mask) const {
    each(mask, [&](int t) {
      std::uint64_t const owner = (r.address[t] & ~window_mask) >> owner_shift;
      if (owner == 0) return;
      block const& b = *w.of_block;
      // On a GPU, too, the address leads to the thread's own memory.
      if (b.of_launch->names_owners && owner != owner_of_local(b.number, thread_number(w, t)))
        report_owner(w, op, kind, bytes, t, owner);
      r.address[t] &= local_offset_mask;
    });
    counted(space::local, mask, w.local.data(), w.local_bytes, w.local_stride);
  }
  void kernel_parameters(lane_mask mask) const {
    std::vector<std::byte> const& params = w.of_block->of_launch->params;
    if (kind != access_kind::read)
      refuse(space::param, std::countr_zero(mask), r.address[std::countr_zero(mask)]);
    // only read
    counted(space::param, mask, const_cast<std::byte*>(params.data()), params.size(), 0);
  }
};

//! The lanes of an address's window.
struct windows {
  lane_mask global = 0;
  lane_mask shared = 0;
  lane_mask local = 0;
  lane_mask param = 0;
};

windows split(lanes_of_space const& requested, lane_mask active) {
  windows found;
  each(active, [&](int t) {
    std::uint64_t const window = requested.r.address[t] & window_mask;
    lane_mask const bit = lane_mask{1} << t;
    if (window == 0) {
      found.global |= bit;
      return;
    }
    if (window == shared_window)
      found.shared |= bit;
    else if (window == local_window)
      found.local |= bit;
    else if (window == param_window)
      found.param |= bit;
    else
      requested.refuse(space::global, t, requested.r.address[t]);
    requested.r.address[t] &= ~window_mask;
  });
  return found;
}

}  // namespace

void notify_space(warp& w, operation const& op, space where, access_kind kind, int bytes,
                  lane_mask mask, request const& r, bool changes, std::byte const* values,
                  block* owner) {
  if (mask == 0) return;
  // The scope of an mbarrier's operations is the block's if none is written; those of a cluster
  // are used by all its blocks.
  bool const of_barrier = op.kind == instruction_kind::barrier && kind == access_kind::update;
  device::scope const reach = observed_scope(w, of_barrier ? scope::cluster : op.reach);
  memory_access access{
      w.of_block, &w,
      &op,        kind,
      where,      bytes,
      mask,       r.address,
      op.order,   reach,
      changes,    values,
      owner,      (op.flags & of_copy) != 0 ? asynchronous::copy : asynchronous::none};
  access.counted = !of_barrier || changes;  // not the waits
  for (observer* const o : *w.of_block->observers) o->access(access);
}

void notify_lanes(warp& w, operation const& op, space where, access_kind kind, int bytes,
                  std::uint64_t const* address, lane_pattern pattern, std::uint64_t begin,
                  std::uint64_t end, std::byte const* values) {
  memory_access access{w.of_block, &w,       &op,     kind,     where,
                       bytes,      w.active, address, op.order, observed_scope(w, op.reach),
                       true,       values};
  access.pattern = pattern;
  access.begin = begin;
  access.end = end;
  for (observer* const o : *w.of_block->observers) o->access(access);
}

void notify(warp& w, operation const& op, access_kind kind, int bytes, lane_mask active,
            request const& r, bool changes, std::byte const* values) {
  if (!observed(w)) return;
  notify_space(w, op, space::global, kind, bytes, active & r.global, r, changes, values);
  notify_space(w, op, space::shared, kind, bytes, active & r.shared & ~r.remote, r, changes,
               values);
  for (lane_mask left = active & r.remote; left != 0;) {
    std::uint8_t const rank = r.rank[std::countr_zero(left)];
    lane_mask same = 0;
    each(left, [&](int t) { same |= static_cast<lane_mask>(r.rank[t] == rank) << t; });
    notify_space(w, op, space::shared, kind, bytes, same, r, changes, values,
                 w.of_block->of_cluster->blocks[rank]);
    left &= ~same;
  }
  notify_space(w, op, space::local, kind, bytes, active & r.local, r, changes, values);
}

void locate_given(warp& w, operation const& op, space where, access_kind kind, int bytes,
                  lane_mask active, request& r) {
  lanes_of_space const requested{w, op, kind, bytes, r};
  r.global = r.shared = r.local = r.remote = 0;
  switch (where) {
    case space::global:
      requested.global(where, r.global = active);
      break;
    case space::constant:
      requested.global(where, active);
      break;
    case space::shared:
      each(active, [&](int t) {
        if ((r.address[t] & window_mask) == shared_window) r.address[t] &= ~window_mask;
      });
      requested.shared(r.shared = active);
      break;
    case space::local:
      requested.local(r.local = active);
      break;
    case space::param:
      each(active, [&](int t) { r.address[t] &= ~window_mask; });
      requested.kernel_parameters(active);
      break;
    case space::generic: {
      windows const found = split(requested, active);
      if (found.global != 0) requested.global(space::global, r.global = found.global);
      if (found.shared != 0) requested.shared(r.shared = found.shared);
      if (found.local != 0) requested.local(r.local = found.local);
      if (found.param != 0) requested.kernel_parameters(found.param);
      break;
    }
  }
}

void locate_silently(warp& w, operation const& op, access_kind kind, int bytes, lane_mask active,
                     request& r) {
  addresses_of(w, op, r.address);
  if (op.where == space::param && (op.flags & kernel_parameter) == 0) {
    // The decoder knows the variable's size; its place in the frame is the thread's own.
    std::uint64_t const each_lane = w.current->code->param_bytes;
    r.global = r.shared = r.local = r.remote = 0;
    each(active, [&](int t) {
      if (r.address[t] + static_cast<std::uint64_t>(bytes) > each_lane)
        refuse_address(w, op, space::param, kind, bytes, t, r.address[t], false);
      r.pointer[t] = w.current->params + static_cast<std::uint64_t>(t) * each_lane + r.address[t];
    });
    return;
  }
  locate_given(w, op, op.where, kind, bytes, active, r);
}

void locate(warp& w, operation const& op, access_kind kind, int bytes, lane_mask active,
            request& r) {
  locate_silently(w, op, kind, bytes, active, r);
  notify(w, op, kind, bytes, active, r);
}

void set_address(operation& op, ptx::instruction const& i, ptx::operand const& o,
                 decode::context& c) {
  decode::context::address const a = c.address_of(o);
  op.a = a.base;
  op.immediate = a.offset;
  if (a.base != no_slot && a.base_bytes == 4) op.flags |= base_of_4_bytes;
  if (a.variable_space == space::param) {
    if (op.where != space::param)
      c.refuse(i, "a parameter's name is an address in the .param space only");
    if (a.of_kernel) op.flags |= kernel_parameter;
  } else if (op.where == space::param) {
    op.flags |= kernel_parameter;  // only the address of a kernel's parameter can be in a register
  }
  if (op.where != space::generic || a.variable_space == space::generic) return;
  // A variable's name in a generic access stands for its address in its own space; PTX ISA allows
  // it for .global ones only.
  if (a.variable_space == space::global || a.variable_space == space::constant)
    op.where = space::global;
  else
    op.where = a.variable_space;
}

other_address other_address_of(operation& op, flag narrow, ptx::operand const& o,
                               decode::context& c) {
  decode::context::address const a = c.address_of(o);
  if (a.base != no_slot && a.base_bytes == 4) op.flags |= narrow;
  return {a.base, c.constant(a.offset, 8)};
}

void addresses_of(warp const& w, other_address const& a, bool narrow, std::uint64_t* out) {
  auto const* const offset = w.source<std::uint64_t>(a.offset);
  if (a.base == no_slot) {
    std::copy_n(offset, lanes, out);
  } else if (narrow) {
    auto const* const base = w.source<std::uint32_t>(a.base);
    for (int t = 0; t < lanes; ++t) out[t] = base[t] + static_cast<std::uint32_t>(offset[t]);
  } else {
    auto const* const base = w.source<std::uint64_t>(a.base);
    for (int t = 0; t < lanes; ++t) out[t] = base[t] + offset[t];
  }
}

void release(warp& w, device::scope reach) {
  host_fence(std::memory_order_release);
  weak_memory* const weak = w.of_block->weak;
  if (weak == nullptr) return;
  w.each_active([&](int t) {
    if (observed_scope(w, reach) == scope::cta)
      weak->show_block(w.of_block->number, thread_number(w, t));
    else
      weak->show_all(w.of_block->number, thread_number(w, t));
  });
}

}  // namespace device::memory_access_detail
