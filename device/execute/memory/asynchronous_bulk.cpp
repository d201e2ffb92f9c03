// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/memory/asynchronous.hpp>
#include <device/execute/memory/form.hpp>
#include <device/execute/memory/mbarrier.hpp>
#include <device/execute/memory/values.hpp>
#include <device/memory/weak_memory.hpp>

#include <string>

//! cp.async.bulk between global memory and a block's shared memory, made at once. operation: the
//! destination's address; b: bytes; list: base and offset of the source and, if there is one, of
//! the mbarrier.
namespace device::memory_access_detail {
namespace {

constexpr std::uint64_t unit = 16;

//! So many bytes have come: what a bulk copy does to the mbarrier at `word`.
void complete_bytes(std::byte* word, std::uint64_t bytes) {
  mbarrier_word b = mbarrier_at(word);
  apply_change<mbarrier_change::complete>(b, bytes);
  write_plain(word, b.word());
}

//! Checks the `bytes` from a lane's address on, 16 at a time, and returns the host's pointer to
//! them.
std::byte* locate_bulk(warp& w, operation const& op, device::space where, access_kind kind,
                       int lane, std::uint64_t begin, std::uint64_t bytes) {
  lane_mask const one = lane_mask{1} << lane;
  request r;
  std::byte* first = nullptr;
  for (std::uint64_t k = 0; k < bytes; k += unit) {
    r.address[lane] = begin + k;
    locate_given(w, op, where, kind, static_cast<int>(unit), one, r);
    if (k == 0) first = r.pointer[lane];
    if (r.pointer[lane] != first + k)
      refuse_address(w, op, where, kind, static_cast<int>(unit), lane, begin + k, false);
  }
  return first;
}

void notify_bulk(warp& w, operation const& op, device::space where, access_kind kind, int lane,
                 std::uint64_t begin, std::uint64_t bytes) {
  if (!observed(w)) return;
  request r;
  for (std::uint64_t k = 0; k < bytes; k += unit) {
    r.address[lane] = (begin & ~window_mask) + k;
    notify_space(w, op, where, kind, static_cast<int>(unit), lane_mask{1} << lane, r, true);
  }
}

template <device::space To, device::space From>
void run_bulk(warp& w, operation const& op) {
  request to;
  request source;
  request barrier;
  addresses_of(w, op, to.address);
  addresses_of(w, {op.list[0], op.list[1]}, (op.flags & base_2_of_4_bytes) != 0, source.address);
  bool const has_barrier = op.list_size == 4;
  if (has_barrier) {
    addresses_of(w, {op.list[2], op.list[3]}, (op.flags & base_3_of_4_bytes) != 0, barrier.address);
    locate_given(w, op, space::shared, access_kind::update, 8, w.active, barrier);
  }
  auto const* const size = w.source<std::uint32_t>(op.b);
  w.each_active([&](int t) {
    std::uint64_t const bytes = size[t];
    if (bytes % unit != 0)
      throw device_fault(device_fault::kind_type::misaligned_address,
                         "cp.async.bulk: its size is no multiple of 16 bytes");
    std::byte* const d = locate_bulk(w, op, To, access_kind::write, t, to.address[t], bytes);
    std::byte* const s = locate_bulk(w, op, From, access_kind::read, t, source.address[t], bytes);
    notify_bulk(w, op, From, access_kind::read, t, source.address[t], bytes);
    notify_bulk(w, op, To, access_kind::write, t, to.address[t], bytes);
    if (w.of_block->weak != nullptr)
      for (std::uint64_t k = 0; k < bytes; k += unit) {
        w.of_block->weak->settle(w.of_block->number, thread_number(w, t), s + k,
                                 static_cast<int>(unit));
        w.of_block->weak->settle(w.of_block->number, thread_number(w, t), d + k,
                                 static_cast<int>(unit));
      }
    if (bytes != 0) std::memmove(d, s, bytes);
    if (!has_barrier) return;
    notify_space(w, op, space::shared, access_kind::update, 8, lane_mask{1} << t, barrier, true);
    complete_bytes(barrier.pointer[t], bytes);
  });
  note_change(w);
}

void run_nothing(warp&, operation const&) {}

//! cp.async.bulk.commit_group and wait_group, which have nothing to wait for, and prefetches.
void emit_nothing(decode::context& c) {
  operation op;
  op.run = run_nothing;
  op.kind = instruction_kind::barrier;
  c.emit(op);
}

}  // namespace

void build_bulk_copy(ptx::instruction const& i, decode::context& c) {
  if (i.has("commit_group") || i.has("wait_group") || i.has("prefetch")) return emit_nothing(c);
  std::string direction;
  bool policy = false;
  for (std::string_view const m : i.modifiers) {
    if (m == "global" || m == "shared::cta" || m == "shared::cluster")
      direction += m == "global" ? 'g' : 's';
    else if (m == "L2::cache_hint")
      policy = true;
    else if (m != "async" && m != "bulk" && m != "mbarrier" && m != "complete_tx::bytes" &&
             m != "mbarrier::complete_tx::bytes" && m != "bulk_group")
      c.refuse(i, "the modifier ." + std::string(m) + " is not supported");
  }
  bool const has_barrier = !i.has("bulk_group");
  std::size_t const needed = has_barrier ? 4 : 3;
  require_operands(i, c, needed, needed + (policy ? 1U : 0U));
  operation op;
  op.kind = instruction_kind::load;
  op.bytes = static_cast<std::uint8_t>(unit);
  op.flags = of_bulk;
  if (direction == "sg" && has_barrier) {
    op.run = run_bulk<space::shared, space::global>;
    op.where = space::shared;
  } else if (direction == "ss" && has_barrier) {
    op.run = run_bulk<space::shared, space::shared>;
    op.where = space::shared;
  } else if (direction == "gs" && !has_barrier) {
    op.run = run_bulk<space::global, space::shared>;
    op.where = space::global;
  } else {
    c.refuse(i, "a copy between these spaces is not supported");
  }
  set_address(op, i, i.operands[0], c);
  other_address const source = other_address_of(op, base_2_of_4_bytes, i.operands[1], c);
  std::vector<slot> slots{source.base, source.offset};
  op.b = c.source(i.operands[2], 4);
  if (has_barrier) {
    other_address const barrier = other_address_of(op, base_3_of_4_bytes, i.operands[3], c);
    slots.push_back(barrier.base);
    slots.push_back(barrier.offset);
  }
  op.list_size = static_cast<std::uint8_t>(slots.size());
  op.list = c.list(std::move(slots));
  c.emit(op);
}

}  // namespace device::memory_access_detail
