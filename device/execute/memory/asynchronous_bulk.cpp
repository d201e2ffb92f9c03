// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/memory/asynchronous.hpp>
#include <device/execute/memory/bulk.hpp>
#include <device/execute/memory/form.hpp>
#include <device/execute/memory/mbarrier.hpp>
#include <device/execute/memory/values.hpp>
#include <device/memory/weak_memory.hpp>

#include <string>

//! cp.async.bulk and cp.reduce.async.bulk between global memory and the shared memory of a
//! cluster's blocks, and st.async. operation::b: bytes; list: base and offset of the destination,
//! of the source and of the mbarrier, and the mask of a multicast; immediate: the reducer.
namespace device::memory_access_detail {
namespace {

//! The meaning of operation::target.
enum bulk_flag : std::uint32_t { has_barrier = 1, multicast = 2, to_global = 4, from_global = 8 };

void run_bulk(warp& w, operation const& op) {
  std::uint64_t to[lanes];
  std::uint64_t source[lanes];
  std::uint64_t barrier[lanes];
  addresses_of(w, {op.list[0], op.list[1]}, (op.flags & base_of_4_bytes) != 0, to);
  addresses_of(w, {op.list[2], op.list[3]}, (op.flags & base_2_of_4_bytes) != 0, source);
  bool const completes = (op.target & has_barrier) != 0;
  if (completes)
    addresses_of(w, {op.list[4], op.list[5]}, (op.flags & base_3_of_4_bytes) != 0, barrier);
  auto const* const size = w.source<std::uint32_t>(op.b);
  auto const reduces = reinterpret_cast<reducer>(op.immediate);
  device::space const source_space = (op.target & from_global) != 0 ? space::global : space::shared;
  device::space const space_of_copy = (op.target & to_global) != 0 ? space::global : space::shared;
  bool const threads = space_of_copy == space::global && w.of_block->of_launch->workers > 1;
  w.each_active([&](int t) {
    std::uint64_t const bytes = size[t];
    if (bytes % bulk_unit != 0) refuse_bulk_size(w, op, t, bytes);
    bulk_range const s = locate_bulk(w, op, source_space, access_kind::read, t, source[t], bytes);
    settle_bulk(w, t, s.first, bytes);
    notify_bulk(w, op, access_kind::read, t, s, bytes);
    auto const copy = [&](std::uint64_t address, block* owner) {
      bulk_range const d = locate_bulk(w, op, space_of_copy, access_kind::write, t, address, bytes);
      settle_bulk(w, t, d.first, bytes);
      notify_bulk(w, op, reduces == nullptr ? access_kind::write : access_kind::update, t, d,
                  bytes);
      if (reduces != nullptr)
        reduces(d.first, s.first, bytes, threads);
      else if (bytes != 0)
        std::memmove(d.first, s.first, bytes);
      if (completes) complete_bytes(w, op, t, barrier[t], bytes, owner);
    };
    if ((op.target & multicast) == 0)
      copy(to[t], nullptr);
    else
      each_multicast(w, op, t, w.source<std::uint16_t>(op.list[6])[t], to[t], copy);
  });
  note_change(w);
}

//! st.async: list: base and offset of the mbarrier, then the values, each of operation::bytes. With
//! `Reduces` red.async: base and offset of the destination follow its one value; immediate: the
//! reducer.
template <bool Reduces>
void run_store_async(warp& w, operation const& op) {
  std::uint64_t to[lanes];
  std::uint64_t barrier[lanes];
  if constexpr (Reduces)
    addresses_of(w, {op.list[3], op.list[4]}, (op.flags & base_of_4_bytes) != 0, to);
  else
    addresses_of(w, op, to);
  addresses_of(w, {op.list[0], op.list[1]}, (op.flags & base_2_of_4_bytes) != 0, barrier);
  int const n = Reduces ? 1 : op.list_size - 2;
  int const bytes = n * op.bytes;
  access_kind const kind = Reduces ? access_kind::update : access_kind::write;
  request r;
  std::copy_n(to, lanes, r.address);
  locate_given(w, op, space::shared, kind, bytes, w.active, r);
  notify(w, op, kind, bytes, w.active, r);
  w.each_active([&](int t) {
    for (int k = 0; k < n; ++k) {
      slot const s = op.list[2 + k];
      std::byte* const place = r.pointer[t] + k * op.bytes;
      if constexpr (Reduces)
        reinterpret_cast<reducer>(op.immediate)(
            place,
            op.bytes == 8 ? reinterpret_cast<std::byte const*>(&w.source<std::uint64_t>(s)[t])
                          : reinterpret_cast<std::byte const*>(&w.source<std::uint32_t>(s)[t]),
            op.bytes, false);
      else if (op.bytes == 8)
        write_plain(place, w.source<std::uint64_t>(s)[t]);
      else
        write_plain(place, w.source<std::uint32_t>(s)[t]);
    }
    complete_bytes(w, op, t, barrier[t], static_cast<std::uint64_t>(bytes));
  });
  note_change(w);
}

}  // namespace

void build_store_async(ptx::instruction const& i, decode::context& c) {
  operation op;
  bool const reduces = i.opcode == "red";
  op.kind = reduces ? instruction_kind::atomic : instruction_kind::store;
  op.where = space::shared;
  std::size_t count = 1;
  ptx::scalar type = ptx::scalar::none;
  std::string_view name;
  for (std::string_view const m : i.modifiers) {
    if (reduces && (m == "relaxed" || m == "cluster"))
      continue;
    else if (reduces && ptx::scalar_of(m) == ptx::scalar::none && name.empty() && m != "async" &&
             m.find(':') == std::string_view::npos)
      name = m;
    else if (!reduces && (m == "v2" || m == "v4"))
      count = static_cast<std::size_t>(m[1] - '0');
    else if (ptx::scalar const s = ptx::scalar_of(m);
             ptx::bytes_of(s) == 4 || ptx::bytes_of(s) == 8)
      type = s;
    else if (m != "async" && m != "weak" && m != "shared::cluster" &&
             m != "mbarrier::complete_tx::bytes")
      c.refuse(i, "the modifier ." + std::string(m) + " is not supported");
  }
  if (type == ptx::scalar::none || !i.has("mbarrier::complete_tx::bytes"))
    c.refuse(i, "this form is not supported");
  reducer const made = reduces ? reducer_of(name, type) : nullptr;
  if (reduces && (made == nullptr || type == ptx::scalar::f32 || type == ptx::scalar::f64))
    c.refuse(i, "this reduction is not supported");
  require_operands(i, c, 3, 3);
  op.bytes = static_cast<std::uint8_t>(ptx::bytes_of(type));
  if (!reduces) set_address(op, i, i.operands[0], c);
  other_address const barrier = other_address_of(op, base_2_of_4_bytes, i.operands[2], c);
  std::vector<slot> slots{barrier.base, barrier.offset};
  access_form f;
  f.vector = static_cast<int>(count);
  for (ptx::operand const* const o : elements_of(i.operands[1], f, i, c))
    slots.push_back(c.source(*o, op.bytes));
  if (reduces) {
    other_address const to = other_address_of(op, base_of_4_bytes, i.operands[0], c);
    slots.push_back(to.base);
    slots.push_back(to.offset);
    op.immediate = reinterpret_cast<std::uintptr_t>(made);
  }
  op.list_size = static_cast<std::uint8_t>(slots.size());
  op.list = c.list(std::move(slots));
  op.run = reduces ? run_store_async<true> : run_store_async<false>;
  c.emit(op);
}

void build_bulk_copy(ptx::instruction const& i, decode::context& c) {
  if (i.has("commit_group") || i.has("wait_group")) return build_bulk_group(i, c);
  if (i.has("tensor")) return build_tensor_copy(i, c);
  std::string direction;
  std::string_view name;
  ptx::scalar type = ptx::scalar::none;
  bool policy = false;
  bool const prefetches = i.has("prefetch");
  for (std::string_view const m : i.modifiers) {
    if (m == "global" || m == "shared::cta" || m == "shared::cluster")
      direction += m == "global" ? 'g' : 's';
    else if (m == "L2::cache_hint")
      policy = true;
    else if (i.has("reduce") && ptx::scalar_of(m) != ptx::scalar::none &&
             ptx::scalar_of(m) != ptx::scalar::other)
      type = ptx::scalar_of(m);
    else if (m != "async" && m != "bulk" && m != "mbarrier" && m != "complete_tx::bytes" &&
             m != "mbarrier::complete_tx::bytes" && m != "bulk_group" && m != "reduce" &&
             m != "noftz" && m != "multicast::cluster" &&
             !(prefetches && (m == "prefetch" || m == "L2"))) {
      if (!i.has("reduce") || !name.empty())
        c.refuse(i, "the modifier ." + std::string(m) + " is not supported");
      name = m;
    }
  }
  if (prefetches) return emit_nothing(c);
  std::uint32_t flags = 0;
  if (!i.has("bulk_group")) flags |= has_barrier;
  if (i.has("multicast::cluster")) flags |= multicast;
  bool const completes = (flags & has_barrier) != 0;
  if (direction.size() != 2 || (direction == "gs") == completes || direction == "gg" ||
      ((flags & multicast) != 0 && direction != "sg") || (i.has("reduce") && direction == "sg"))
    c.refuse(i, "a copy between these spaces is not supported");
  if (direction[0] == 'g') flags |= to_global;
  if (direction[1] == 'g') flags |= from_global;
  reducer const reduces = i.has("reduce") ? reducer_of(name, type) : nullptr;
  if (i.has("reduce") && reduces == nullptr) c.refuse(i, "this reduction is not supported");
  std::size_t const needed =
      (completes ? 4U : 3U) + ((flags & multicast) != 0 ? 1U : 0U) + (policy ? 1U : 0U);
  require_operands(i, c, needed, needed);
  operation op;
  op.kind = instruction_kind::load;
  op.bytes = static_cast<std::uint8_t>(bulk_unit);
  op.flags = of_bulk;
  op.run = run_bulk;
  op.target = flags;
  op.immediate = reinterpret_cast<std::uintptr_t>(reduces);
  std::vector<slot> slots;
  auto const add = [&](flag narrow, ptx::operand const& o) {
    other_address const a = other_address_of(op, narrow, o, c);
    slots.push_back(a.base);
    slots.push_back(a.offset);
  };
  add(base_of_4_bytes, i.operands[0]);
  add(base_2_of_4_bytes, i.operands[1]);
  op.b = c.source(i.operands[2], 4);
  if (completes) add(base_3_of_4_bytes, i.operands[3]);
  if ((flags & multicast) != 0) slots.push_back(c.source(i.operands[4], 2));
  op.list_size = static_cast<std::uint8_t>(slots.size());
  op.list = c.list(std::move(slots));
  c.emit(op);
}

}  // namespace device::memory_access_detail
