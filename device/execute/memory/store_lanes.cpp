// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/memory/handlers.hpp>
#include <device/execute/memory/usual.hpp>
#include <device/execute/memory/values.hpp>
#include <device/memory/weak_memory.hpp>

// The handlers of st.
namespace device::DEVICE_ISA {

using namespace memory_access_detail;

namespace {

slot element(operation const& op, int k) { return op.list == nullptr ? op.b : op.list[k]; }
int elements(operation const& op) { return op.list == nullptr ? 1 : op.list_size; }

template <class Memory, class Register>
Memory narrowed(Register r) {
  return static_cast<Memory>(r);
}

//! Writes lanes that lie one after another, from `begin` on.
template <class Memory, class Register>
void store_neighbours(warp const& w, operation const& op, std::byte* begin, int n) {
  for (int k = 0; k < n; ++k) {
    Register const* const s = w.source<Register>(element(op, k));
    std::byte* const to = begin + k * static_cast<int>(sizeof(Memory));
    if (n == 1 && sizeof(Memory) == sizeof(Register)) {
      std::memcpy(to, s, sizeof(Memory) * lanes);
    } else {
      std::size_t const step = sizeof(Memory) * static_cast<std::size_t>(n);
      for (std::size_t t = 0; t < lanes; ++t) write_plain(to + t * step, narrowed<Memory>(s[t]));
    }
  }
}

//! The values of a store as observers are told: lane after lane, all elements of a lane together.
template <class Memory, class Register>
struct stored_values {
  // leaves of_lanes as they are
  stored_values(warp const& of_warp, operation const& of_op) : w(of_warp), op(of_op) {}

  std::byte const* operator()() const {
    int const n = elements(op);
    std::size_t const step = sizeof(Memory) * static_cast<std::size_t>(n);
    for (int k = 0; k < n; ++k) {
      Register const* const s = w.source<Register>(element(op, k));
      std::byte* const to = of_lanes + k * static_cast<int>(sizeof(Memory));
      for (std::size_t t = 0; t < lanes; ++t) write_plain(to + t * step, narrowed<Memory>(s[t]));
    }
    return of_lanes;
  }

  warp const& w;
  operation const& op;
  alignas(64) mutable std::byte of_lanes[lanes * 32];
};

//! locate(), with the values for observers.
template <class Memory, class Register>
void locate_store(warp& w, operation const& op, request& r) {
  int const bytes = elements(op) * static_cast<int>(sizeof(Memory));
  locate_silently(w, op, access_kind::write, bytes, w.active, r);
  if (!observed(w)) return;
  stored_values<Memory, Register> const values(w, op);
  notify(w, op, access_kind::write, bytes, w.active, r, true, values());
}

//! All kinds of plain stores, lane after lane, each at its own place.
template <class Memory, class Register>
[[gnu::noinline]] void store_located(warp& w, operation const& op) {
  int const n = elements(op);
  request r;
  locate_store<Memory, Register>(w, op, r);
  weak_memory* const weak = w.of_block->weak;
  lane_mask const late = weak == nullptr ? 0 : r.global | r.shared;
  for (int k = 0; k < n; ++k) {
    Register const* const s = w.source<Register>(element(op, k));
    std::size_t const offset = static_cast<std::size_t>(k) * sizeof(Memory);
    w.each_active([&](int t) {
      auto const value = narrowed<Memory>(s[t]);
      if ((late >> t & 1) == 0)
        write_plain(r.pointer[t] + offset, value);
      else
        weak->store(w.of_block->number, thread_number(w, t), (r.shared >> t & 1) != 0,
                    r.pointer[t] + offset, reinterpret_cast<std::byte const*>(&value),
                    sizeof value);
    });
  }
  note_change(w);
}

template <class Memory, class Register>
void store_global(warp& w, operation const& op) {
  if (w.of_block->weak != nullptr) return store_located<Memory, Register>(w, op);
  usual_addresses<std::uint64_t> found;
  stored_values<Memory, Register> const values(w, op);
  if (std::byte* const begin = neighbours(w, op, access_kind::write, sizeof(Memory))) {
    store_neighbours<Memory, Register>(w, op, begin, 1);
  } else if (global_addresses(w, op, access_kind::write, sizeof(Memory), found, values)) {
    Register const* const s = w.source<Register>(op.b);
    w.each_active([&](int t) {
      write_plain(reinterpret_cast<std::byte*>(found.address[t]), narrowed<Memory>(s[t]));
    });
  } else {
    return store_located<Memory, Register>(w, op);
  }
  note_change(w);
}

template <class Memory, class Register>
void store_global_vector(warp& w, operation const& op) {
  if (w.of_block->weak != nullptr) return store_located<Memory, Register>(w, op);
  int const n = op.list_size;
  std::uint64_t const bytes = sizeof(Memory) * op.list_size;
  usual_addresses<std::uint64_t> found;
  stored_values<Memory, Register> const values(w, op);
  if (std::byte* const begin = neighbours(w, op, access_kind::write, bytes)) {
    store_neighbours<Memory, Register>(w, op, begin, n);
  } else if (global_addresses(w, op, access_kind::write, bytes, found, values)) {
    for (int k = 0; k < n; ++k) {
      Register const* const s = w.source<Register>(op.list[k]);
      std::uint64_t const offset = static_cast<std::uint64_t>(k) * sizeof(Memory);
      w.each_active([&](int t) {
        write_plain(reinterpret_cast<std::byte*>(found.address[t] + offset),
                    narrowed<Memory>(s[t]));
      });
    }
  } else {
    return store_located<Memory, Register>(w, op);
  }
  note_change(w);
}

//! Stores of `n` elements to shared memory.
template <class Memory, class Register>
[[gnu::always_inline]] inline void store_shared_elements(warp& w, operation const& op, int n) {
  usual_addresses<std::uint32_t> found;
  stored_values<Memory, Register> const values(w, op);
  auto const bytes = static_cast<std::uint32_t>(sizeof(Memory)) * static_cast<std::uint32_t>(n);
  if (w.of_block->weak != nullptr ||
      !shared_offsets(w, op, access_kind::write, bytes, found, values))
    return store_located<Memory, Register>(w, op);
  std::byte* const shared = w.of_block->shared.data();
  if (found.pattern == lane_pattern::consecutive) {
    store_neighbours<Memory, Register>(w, op, shared + found.address[0], n);
  } else {
    for (int k = 0; k < n; ++k) {
      std::byte* const to = shared + static_cast<std::size_t>(k) * sizeof(Memory);
      Register const* const s = w.source<Register>(element(op, k));
      w.each_active([&](int t) { write_plain(to + found.address[t], narrowed<Memory>(s[t])); });
    }
  }
  note_change(w);
}

template <class Memory, class Register>
void store_shared(warp& w, operation const& op) {
  store_shared_elements<Memory, Register>(w, op, 1);
}
template <class Memory, class Register>
void store_shared_vector(warp& w, operation const& op) {
  store_shared_elements<Memory, Register>(w, op, op.list_size);
}

//! Volatile, relaxed and releasing stores: to memory, at once, all elements of a lane together.
template <class Memory, class Register>
void store_strong(warp& w, operation const& op) {
  int const n = elements(op);
  int const bytes = n * static_cast<int>(sizeof(Memory));
  request r;
  locate_store<Memory, Register>(w, op, r);
  if (op.order == strength::release) release(w, op.reach);
  lane_mask const of_others = r.global | r.shared;
  w.each_active([&](int t) {
    if (w.of_block->weak != nullptr && (of_others >> t & 1) != 0)
      w.of_block->weak->settle(w.of_block->number, thread_number(w, t), r.pointer[t], bytes);
    alignas(32) std::byte value[32];
    for (int k = 0; k < n; ++k)
      write_plain(value + static_cast<std::size_t>(k) * sizeof(Memory),
                  narrowed<Memory>(w.source<Register>(element(op, k))[t]));
    if ((r.global >> t & 1) != 0)
      copy_at_once(r.pointer[t], value, bytes);
    else
      std::memcpy(r.pointer[t], value, static_cast<std::size_t>(bytes));
  });
  note_change(w);
}

template <class Memory, class Register>
handler handler_for(operation const& op) {
  if (op.order != strength::weak) return store_strong<Memory, Register>;
  bool const vector = op.list != nullptr;
  bool const narrow_base = (op.flags & base_of_4_bytes) != 0;
  if ((op.where == space::global || op.where == space::generic) && !narrow_base)
    return vector ? store_global_vector<Memory, Register> : store_global<Memory, Register>;
  if (op.where == space::shared)
    return vector ? store_shared_vector<Memory, Register> : store_shared<Memory, Register>;
  return store_located<Memory, Register>;
}

template <class Memory>
handler handler_for(operation const& op, int register_bytes) {
  return for_register<Memory>(register_bytes,
                              [&]<class Register>() { return handler_for<Memory, Register>(op); });
}

}  // namespace

handler store_handler(operation const& op, int memory_bytes, int register_bytes) {
  switch (memory_bytes) {
    case 1:
      return handler_for<std::uint8_t>(op, register_bytes);
    case 2:
      return handler_for<std::uint16_t>(op, register_bytes);
    case 4:
      return handler_for<std::uint32_t>(op, register_bytes);
    case 8:
      return handler_for<std::uint64_t>(op, register_bytes);
    case 16:
      return handler_for<wide>(op, register_bytes);
    default:
      return nullptr;
  }
}

}  // namespace device::DEVICE_ISA
