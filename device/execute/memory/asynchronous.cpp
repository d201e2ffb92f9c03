// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/instructions.hpp>
#include <device/execute/memory/asynchronous.hpp>
#include <device/execute/memory/form.hpp>
#include <device/execute/memory/mbarrier.hpp>
#include <device/execute/memory/values.hpp>
#include <device/memory/weak_memory.hpp>

#include <string>

//! cp.async. In strong memory a copy is made at once, which is one of the times that PTX allows; in
//! weak memory it is made at some time before it is waited for. operation::list: base and offset of
//! the destination.
namespace device {
namespace {

using namespace memory_access_detail;

//! A source that is shorter than the copy: observers see it in aligned pieces.
void notify_partial_sources(warp& w, operation const& op, lane_mask partial,
                            std::uint32_t const* given, request const& r) {
  request piece;
  for (std::uint32_t bytes = 8; bytes != 0; bytes /= 2) {
    lane_mask of_piece = 0;
    for (int t = 0; t < lanes; ++t) {
      if ((partial >> t & 1) == 0 || (given[t] & bytes) == 0) continue;
      of_piece |= lane_mask{1} << t;
      piece.address[t] = r.address[t] + (given[t] & ~(2 * bytes - 1));
    }
    notify_space(w, op, space::global, access_kind::read, static_cast<int>(bytes), of_piece, piece,
                 true);
  }
}

//! Bytes to take from the source, for each lane: b, or none where the predicate c holds.
void given_bytes(warp const& w, operation const& op, std::uint32_t* given) {
  lane_mask const ignored = op.c == no_slot ? 0 : w.predicate(op.c);
  for (int t = 0; t < lanes; ++t) {
    std::uint32_t const n = op.b == no_slot ? op.bytes : w.source<std::uint32_t>(op.b)[t];
    given[t] = (ignored >> t & 1) != 0 ? 0 : n;
  }
}

void run_copy(warp& w, operation const& op) {
  std::uint32_t given[lanes];
  given_bytes(w, op, given);
  lane_mask full = 0;
  lane_mask partial = 0;
  request source;
  request to;
  addresses_of(w, op, source.address);
  w.each_active([&](int t) {
    if (given[t] >= op.bytes) {
      full |= lane_mask{1} << t;
    } else if (given[t] != 0) {
      partial |= lane_mask{1} << t;
      if (source.address[t] % op.bytes != 0)
        refuse_address(w, op, space::global, access_kind::read, op.bytes, t, source.address[t],
                       true);
      launch const& l = *w.of_block->of_launch;
      if (!l.memory->holds(l.device, source.address[t], given[t]))
        refuse_address(w, op, space::global, access_kind::read, static_cast<int>(given[t]), t,
                       source.address[t], false);
      source.pointer[t] = reinterpret_cast<std::byte*>(source.address[t]);
    }
  });
  if (full != 0) locate_given(w, op, space::global, access_kind::read, op.bytes, full, source);
  addresses_of(w, {op.list[0], op.list[1]}, (op.flags & base_2_of_4_bytes) != 0, to.address);
  locate_given(w, op, space::shared, access_kind::write, op.bytes, w.active, to);
  if (observed(w)) {
    notify_space(w, op, space::global, access_kind::read, op.bytes, full, source, true);
    if (partial != 0) notify_partial_sources(w, op, partial, given, source);
    notify_space(w, op, space::shared, access_kind::write, op.bytes, w.active, to, true);
  }
  w.each_active([&](int t) {
    int const taken = static_cast<int>(std::min<std::uint32_t>(given[t], op.bytes));
    if (w.of_block->weak != nullptr) {
      w.of_block->weak->copy(w.of_block->number, thread_number(w, t), to.pointer[t],
                             source.pointer[t], op.bytes, taken);
      return;
    }
    if (taken > 0) std::memcpy(to.pointer[t], source.pointer[t], static_cast<std::size_t>(taken));
    std::memset(to.pointer[t] + taken, 0, static_cast<std::size_t>(op.bytes - taken));
  });
  note_change(w);
}

//! cp.async.commit_group, wait_group (immediate: groups that may be pending) and wait_all. In
//! strong memory they concern observers only.
enum class step : std::uint8_t { commit, wait, wait_all };

template <step Step>
void run_step(warp& w, operation const& op) {
  for (observer* const o : *w.of_block->observers) {
    if constexpr (Step == step::commit) o->commit(w, asynchronous::copy, w.active);
    if constexpr (Step == step::wait) o->wait(w, asynchronous::copy, w.active, op.immediate);
    if constexpr (Step == step::wait_all) {
      o->commit(w, asynchronous::copy, w.active);
      o->wait(w, asynchronous::copy, w.active, 0);
    }
  }
  weak_memory* const weak = w.of_block->weak;
  if (weak == nullptr) return;
  w.each_active([&](int t) {
    if constexpr (Step == step::commit)
      weak->commit_copies(w.of_block->number, thread_number(w, t));
    if constexpr (Step == step::wait)
      weak->wait_copies(w.of_block->number, thread_number(w, t), op.immediate);
    if constexpr (Step == step::wait_all)
      weak->wait_all_copies(w.of_block->number, thread_number(w, t));
  });
}

//! The thread's copies so far are complete: it arrives at the mbarrier whose address the operation
//! gives.
//! `counted` says that the arrival is one of those the barrier waits for (.noinc).
void arrive_after_copies(warp& w, operation const& op, bool counted) {
  request r;
  locate(w, op, access_kind::update, mbarrier_bytes, w.active, r);
  release(w, scope::cta);
  w.each_active([&](int t) {
    mbarrier_word b = mbarrier_at(r.pointer[t]);
    if (!counted) ++b.pending;
    apply_change<mbarrier_change::arrive>(b, 1);
    write_plain(r.pointer[t], b.word());
  });
  note_change(w);
}

void run_counted_arrive(warp& w, operation const& op) {
  run_step<step::wait_all>(w, op);
  arrive_after_copies(w, op, true);
}
void run_uncounted_arrive(warp& w, operation const& op) {
  run_step<step::wait_all>(w, op);
  arrive_after_copies(w, op, false);
}

void build_arrive(ptx::instruction const& i, decode::context& c) {
  require_operands(i, c, 1, 1);
  operation op;
  op.kind = instruction_kind::barrier;
  op.order = strength::release;
  op.reach = scope::cta;
  op.where = i.has("shared") || i.has("shared::cta") ? space::shared : space::generic;
  set_address(op, i, i.operands[0], c);
  op.run = i.has("noinc") ? run_counted_arrive : run_uncounted_arrive;
  c.emit(op);
}

void emit_step(handler run, std::uint64_t pending, decode::context& c) {
  operation op;
  op.kind = instruction_kind::barrier;
  op.run = run;
  op.immediate = pending;
  c.emit(op);
}

void build_copy(ptx::instruction const& i, decode::context& c) {
  bool policy = false;
  for (std::string_view const m : i.modifiers) {
    if (m == "L2::cache_hint")
      policy = true;
    else if (m != "async" && m != "ca" && m != "cg" && m != "shared" && m != "shared::cta" &&
             m != "global" && m != "L2::64B" && m != "L2::128B" && m != "L2::256B")
      c.refuse(i, "the modifier ." + std::string(m) + " is not supported");
  }
  require_operands(i, c, policy ? 4 : 3, policy ? 5 : 4);
  ptx::operand const& size = i.operands[2];
  if (size.kind != ptx::operand::kind_type::integer ||
      (size.bits != 4 && size.bits != 8 && size.bits != 16))
    c.refuse(i, "it copies neither 4 nor 8 nor 16 bytes");
  operation op;
  op.kind = instruction_kind::load;
  op.where = space::global;
  op.bytes = static_cast<std::uint8_t>(size.bits);
  set_address(op, i, i.operands[1], c);
  other_address const to = other_address_of(op, base_2_of_4_bytes, i.operands[0], c);
  op.list = c.list({to.base, to.offset});
  op.list_size = 2;
  op.flags |= of_copy;
  if (i.operands.size() > (policy ? 4U : 3U)) {
    ptx::operand const& last = i.operands[3];
    // A size, or a predicate that says to ignore the source.
    if (last.kind == ptx::operand::kind_type::reg && c.register_bytes(last) == 0)
      op.c = c.predicate(last);
    else
      op.b = c.source(last, 4);
  }
  op.run = run_copy;
  c.emit(op);
}

void build_cp(ptx::instruction const& i, decode::context& c) {
  if (!i.has("async") || (i.has("reduce") && !i.has("bulk"))) c.refuse(i, "it is not supported");
  if (i.has("bulk")) return build_bulk_copy(i, c);
  if (i.has("commit_group")) return emit_step(run_step<step::commit>, 0, c);
  if (i.has("wait_all")) return emit_step(run_step<step::wait_all>, 0, c);
  if (i.has("mbarrier")) return build_arrive(i, c);
  if (!i.has("wait_group")) return build_copy(i, c);
  require_operands(i, c, 1, 1);
  if (i.operands[0].kind != ptx::operand::kind_type::integer)
    c.refuse(i, "it has no number of groups");
  emit_step(run_step<step::wait>, i.operands[0].bits, c);
}

}  // namespace

void add_asynchronous_instructions(decode::instruction_table& table) { table["cp"] = build_cp; }

}  // namespace device
