// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/execute/memory/atomic_operations.hpp>
#include <device/execute/memory/request.hpp>
#include <device/execute/memory/usual.hpp>
#include <device/memory/weak_memory.hpp>

//! Handlers of atom and red. operation::b and c are operands, d the destination or no_slot; of a
//! vector, `list` has the list_size destinations (or no_slot) and then as many operands.
namespace device::memory_access_detail {

//! The operands of an element of the request.
template <class Bits>
struct atomic_element {
  Bits* d = nullptr;
  Bits const* b = nullptr;
  Bits const* c = nullptr;
  std::size_t offset = 0;  //!< its first byte in the lane's
};

template <class Bits>
[[nodiscard]] atomic_element<Bits> element_of(warp const& w, operation const& op, int k) {
  atomic_element<Bits> e;
  slot const d = op.list == nullptr ? op.d : op.list[k];
  slot const b = op.list == nullptr ? op.b : op.list[op.list_size + k];
  if (d != no_slot) e.d = w.destination<Bits>(d);
  e.b = w.source<Bits>(b);
  e.c = op.c == no_slot ? e.b : w.source<Bits>(op.c);
  e.offset = static_cast<std::size_t>(k) * sizeof(Bits);
  return e;
}

//! `Global` for the lanes of global memory, `Shared` for those of shared and local memory.
template <class Global, class Shared>
void run_atomic(warp& w, operation const& op) {
  using bits = typename Global::bits;
  constexpr int size = static_cast<int>(sizeof(bits));
  int const n = op.list == nullptr ? 1 : op.list_size;
  bool changed = false;

  usual_addresses<std::uint32_t> found;
  if (op.where == space::shared && n == 1 && w.of_block->weak == nullptr && !observed(w) &&
      shared_offsets(w, op, access_kind::update, size, found)) {
    std::byte* const shared = w.of_block->shared.data();
    atomic_element<bits> const e = element_of<bits>(w, op, 0);
    w.each_active([&](int t) {
      auto const old = read_plain<bits>(shared + found.address[t]);
      bits const made = Shared::apply(old, e.b[t], e.c[t]);
      changed |= !(made == old);
      write_plain(shared + found.address[t], made);
      if (e.d != nullptr) e.d[t] = old;
    });
    return changed ? note_change(w) : note_poll(w);
  }

  request r;
  locate_silently(w, op, access_kind::update, n * size, w.active, r);
  auto const apply = [&](int t, bits const& old, bits const& b, bits const& c) {
    return (r.global >> t & 1) != 0 ? Global::apply(old, b, c) : Shared::apply(old, b, c);
  };
  if (op.order == strength::release || op.order == strength::acquire_release) release(w, op.reach);
  if (w.of_block->weak != nullptr)
    w.each_active([&](int t) {
      if (((r.global | r.shared) >> t & 1) != 0)
        w.of_block->weak->settle(w.of_block->number, thread_number(w, t), r.pointer[t], n * size);
    });
  if (observed(w)) {
    // Memory changes if, and only if, some lane would change it as it is now: before the first that
    // does, nothing has.
    bool would_change = false;
    for (int k = 0; k < n; ++k) {
      atomic_element<bits> const e = element_of<bits>(w, op, k);
      w.each_active([&](int t) {
        auto const old = read_plain<bits>(r.pointer[t] + e.offset);
        would_change |= !(apply(t, old, e.b[t], e.c[t]) == old);
      });
    }
    notify(w, op, access_kind::update, n * size, w.active, r, would_change);
  }
  bool const threads = w.of_block->of_launch->workers > 1;
  for (int k = 0; k < n; ++k) {
    atomic_element<bits> const e = element_of<bits>(w, op, k);
    w.each_active([&](int t) {
      bits const b = e.b[t];
      bits const c = e.c[t];
      bool const with_threads = threads && (r.global >> t & 1) != 0;
      bits const old = update<bits>(r.pointer[t] + e.offset, with_threads,
                                    [&](bits const& was) { return apply(t, was, b, c); });
      changed |= !(apply(t, old, b, c) == old);
      if (e.d != nullptr) e.d[t] = old;
    });
  }
  changed ? note_change(w) : note_poll(w);
}

//! The handlers by type, each defined in a file of its own; null for an operation that the type
//! does not have.
[[nodiscard]] handler integer_atomic_handler(atomic_name, ptx::scalar);
[[nodiscard]] handler floating_atomic_handler(atomic_name, ptx::scalar);

}  // namespace device::memory_access_detail
