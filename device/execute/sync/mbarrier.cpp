// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/instructions.hpp>
#include <device/execute/memory/form.hpp>
#include <device/execute/memory/mbarrier.hpp>
#include <device/execute/memory/request.hpp>
#include <device/execute/memory/values.hpp>
#include <device/execute/sync/barriers.hpp>
#include <device/memory/weak_memory.hpp>

#include <limits>
#include <string>

//! mbarrier: barriers in shared memory. operation::b is a count, of waits a state or parity; d a
//! state or predicate.
namespace device::memory_access_detail {
namespace {

template <mbarrier_change Change>
void run_change(warp& w, operation const& op) {
  request r;
  bool const makes = Change == mbarrier_change::init || Change == mbarrier_change::inval;
  locate(w, op, makes ? access_kind::write : access_kind::update, mbarrier_bytes, w.active, r);
  if (op.order == strength::release) release(w, op.reach);
  auto const* const count = op.b == no_slot ? nullptr : w.source<std::uint32_t>(op.b);
  auto* const state = op.d == no_slot ? nullptr : w.destination<std::uint64_t>(op.d);
  w.each_active([&](int t) {
    std::uint64_t const n = count == nullptr ? 1 : count[t];
    if (w.of_block->weak != nullptr)
      w.of_block->weak->settle(w.of_block->number, thread_number(w, t), r.pointer[t],
                               mbarrier_bytes);
    if constexpr (Change == mbarrier_change::init) {
      if (n == 0 || n > mbarrier_word::max_arrivals)
        refuse_mbarrier("its count is not from 1 to 2^20 - 1");
      mbarrier_word b;
      b.pending = b.expected = n;
      write_plain(r.pointer[t], b.word());
    } else if constexpr (Change == mbarrier_change::inval) {
      (void)mbarrier_at(r.pointer[t]);
      write_plain(r.pointer[t], std::uint64_t{0});
    } else {
      mbarrier_word b = mbarrier_at(r.pointer[t]);
      if (state != nullptr) state[t] = b.word();
      apply_change<Change>(b, n);
      write_plain(r.pointer[t], b.word());
    }
  });
  note_change(w);
}

//! True if the phase of a state, or the one with that parity, is over. operation::flags: no_poll of
//! test_wait.
template <bool OfParity>
void run_wait(warp& w, operation const& op) {
  request r;
  locate_silently(w, op, access_kind::update, mbarrier_bytes, w.active, r);
  notify(w, op, access_kind::update, mbarrier_bytes, w.active, r, false);
  lane_mask over = 0;
  w.each_active([&](int t) {
    bool const now = mbarrier_at(r.pointer[t]).phase;
    bool asked = false;
    if constexpr (OfParity) {
      asked = (w.source<std::uint32_t>(op.b)[t] & 1) != 0;
    } else {
      auto const state = mbarrier_word::parsed(w.source<std::uint64_t>(op.b)[t]);
      if (!state) refuse_mbarrier("a state was not given by mbarrier.arrive");
      asked = state->phase;
    }
    over |= static_cast<lane_mask>(now != asked) << t;
  });
  w.set_predicate(op.d, over);
  w.waited_mbarrier = nullptr;
  if (over == w.active) return;
  int const waiting = std::countr_zero(w.active & ~over);
  w.waited_mbarrier = r.pointer[waiting];
  w.waited_offset = r.address[waiting];
  // try_wait would sleep here: the others' turn.
  note_poll(w);
  if ((op.flags & no_poll) == 0) w.yielded = true;
}

void run_pending_count(warp& w, operation const& op) {
  auto const* const state = w.source<std::uint64_t>(op.a);
  auto* const d = w.destination<std::uint32_t>(op.d);
  w.each_active([&](int t) {
    auto const b = mbarrier_word::parsed(state[t]);
    if (!b) refuse_mbarrier("a state was not given by mbarrier.arrive");
    d[t] = static_cast<std::uint32_t>(b->pending);
  });
}

struct form {
  std::string_view name;  //!< "arrive", "try_wait", …
  bool expects = false;
  bool parity = false;
  device::space where = space::generic;
  std::optional<strength> order;
  device::scope reach = scope::cta;
};

form read(ptx::instruction const& i, decode::context& c) {
  form f;
  for (std::string_view const m : i.modifiers) {
    if (m == "init" || m == "inval" || m == "arrive" || m == "arrive_drop" || m == "complete_tx" ||
        m == "test_wait" || m == "try_wait" || m == "pending_count")
      f.name = m;
    else if (m == "expect_tx" && f.name.empty())
      f.name = m;
    else if (m == "expect_tx")
      f.expects = true;
    else if (m == "parity")
      f.parity = true;
    else if (m == "shared" || m == "shared::cta" || m == "shared::cluster")
      f.where = space::shared;
    else if (m == "relaxed")
      f.order = strength::relaxed;
    else if (m == "release")
      f.order = strength::release;
    else if (m == "acquire")
      f.order = strength::acquire;
    else if (m == "cluster")
      f.reach = scope::cluster;
    // .noComplete promises what arrive() sees anyway
    else if (m != "cta" && m != "b64" && m != "noComplete")
      c.refuse(i, "the modifier ." + std::string(m) + " is not supported");
  }
  return f;
}

handler change_of(form const& f) {
  if (f.name == "init") return run_change<mbarrier_change::init>;
  if (f.name == "inval") return run_change<mbarrier_change::inval>;
  if (f.name == "expect_tx") return run_change<mbarrier_change::expect>;
  if (f.name == "complete_tx") return run_change<mbarrier_change::complete>;
  if (f.name == "arrive")
    return f.expects ? run_change<mbarrier_change::arrive_expect>
                     : run_change<mbarrier_change::arrive>;
  if (f.name == "arrive_drop")
    return f.expects ? run_change<mbarrier_change::drop_expect> : run_change<mbarrier_change::drop>;
  return nullptr;
}

void build_wait(form const& f, operation op, ptx::instruction const& i, decode::context& c) {
  require_operands(i, c, 3, 4);  // a hint how long to sleep has no effect here
  op.order = f.order.value_or(strength::acquire);
  op.d = c.predicate_destination(i.operands[0]);
  set_address(op, i, i.operands[1], c);
  op.b = c.source(i.operands[2], f.parity ? 4 : 8);
  if (f.name == "test_wait") op.flags |= no_poll;
  op.run = f.parity ? run_wait<true> : run_wait<false>;
  c.emit(op);
}

void build_mbarrier(ptx::instruction const& i, decode::context& c) {
  form const f = read(i, c);
  operation op;
  op.kind = instruction_kind::barrier;
  op.where = f.where;
  op.reach = f.reach;
  op.bytes = mbarrier_bytes;
  if (f.name == "test_wait" || f.name == "try_wait") return build_wait(f, op, i, c);
  if (f.name == "pending_count") {
    require_operands(i, c, 2, 2);
    op.a = c.source(i.operands[1], 8);
    op.d = c.destination(i.operands[0], 4);
    op.run = run_pending_count;
    c.emit(op);
    return;
  }
  op.run = change_of(f);
  if (op.run == nullptr) c.refuse(i, "it is not supported");
  bool const arrives = f.name == "arrive" || f.name == "arrive_drop";
  if (arrives) {
    op.order = f.order.value_or(strength::release);
  } else if (f.name != "init" && f.name != "inval") {
    op.order = strength::relaxed;
  }
  // A state is not returned to a block of another cluster's; then there may be no operand for it.
  bool const has_state =
      arrives && i.operands.size() > 1 && i.operands[0].kind != ptx::operand::kind_type::memory;
  std::size_t next = has_state ? 1 : 0;
  if (has_state) op.d = c.destination(i.operands[0], 8);
  if (i.operands.size() <= next || i.operands.size() > next + 2)
    c.refuse(i, "its operands are too few or too many");
  set_address(op, i, i.operands[next++], c);
  if (next < i.operands.size())
    op.b = c.source(i.operands[next], 4);
  else if (f.expects || (!arrives && f.name != "inval"))
    c.refuse(i, "it has no count");
  c.emit(op);
}

}  // namespace
}  // namespace device::memory_access_detail

namespace device {

void add_mbarrier_instructions(decode::instruction_table& table) {
  table["mbarrier"] = memory_access_detail::build_mbarrier;
}

}  // namespace device
