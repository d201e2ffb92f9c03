// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/memory/handlers.hpp>
#include <device/execute/memory/usual.hpp>
#include <device/execute/memory/values.hpp>
#include <device/memory/weak_memory.hpp>

// The handlers of ld and ldu.
namespace device::DEVICE_ISA {

using namespace memory_access_detail;

namespace {

//! The slot of an element's values.
slot element(operation const& op, int k) { return op.list == nullptr ? op.d : op.list[k]; }
int elements(operation const& op) { return op.list == nullptr ? 1 : op.list_size; }

//! Writes the registers from lanes that lie one after another, from `begin` on.
template <class Memory, class Register>
void load_neighbours(warp const& w, operation const& op, std::byte const* begin, int n) {
  for (int k = 0; k < n; ++k) {
    Register* const d = w.destination<Register>(element(op, k));
    std::byte const* const source = begin + k * static_cast<int>(sizeof(Memory));
    if (n == 1) {
      if constexpr (sizeof(Memory) == sizeof(Register))
        std::memcpy(d, source, sizeof(Memory) * lanes);
      else
        for (std::size_t t = 0; t < lanes; ++t)
          d[t] = widened<Register>(read_plain<Memory>(source + t * sizeof(Memory)));
    } else {
      std::size_t const step = sizeof(Memory) * static_cast<std::size_t>(n);
      for (std::size_t t = 0; t < lanes; ++t)
        d[t] = widened<Register>(read_plain<Memory>(source + t * step));
    }
  }
}

//! Loads `n` elements for each lane from its own place, `base` plus its address.
template <class Memory, class Register, class Address>
[[gnu::always_inline]] inline void load_elements(warp const& w, operation const& op,
                                                 std::byte const* base,
                                                 usual_addresses<Address> const& found, int n) {
  for (int k = 0; k < n; ++k) {
    Register* const d = w.destination<Register>(element(op, k));
    std::size_t const offset = static_cast<std::size_t>(k) * sizeof(Memory);
    auto const value = [&](int t) __attribute__((always_inline)) {
      auto const place = reinterpret_cast<std::uintptr_t>(base) + found.address[t] + offset;
      return widened<Register>(read_plain<Memory>(reinterpret_cast<std::byte const*>(place)));
    };
    if (found.pattern == lane_pattern::uniform) {
      Register const same = value(0);
      w.each_active([&](int t) { d[t] = same; });
    } else {
      w.each_active([&](int t) { d[t] = value(t); });
    }
  }
}

//! All kinds of plain loads, lane after lane, each from its own place.
template <class Memory, class Register>
[[gnu::noinline]] void load_located(warp& w, operation const& op) {
  int const n = elements(op);
  request r;
  locate(w, op, access_kind::read, n * static_cast<int>(sizeof(Memory)), w.active, r);
  weak_memory* const weak = w.of_block->weak;
  lane_mask const late = weak == nullptr ? 0 : r.global | r.shared;
  for (int k = 0; k < n; ++k) {
    Register* const d = w.destination<Register>(element(op, k));
    std::size_t const offset = static_cast<std::size_t>(k) * sizeof(Memory);
    w.each_active([&](int t) {
      if ((late >> t & 1) == 0) {
        d[t] = widened<Register>(read_plain<Memory>(r.pointer[t] + offset));
        return;
      }
      Memory value;
      weak->load(w.of_block->number, thread_number(w, t), r.pointer[t] + offset,
                 reinterpret_cast<std::byte*>(&value), sizeof value);
      d[t] = widened<Register>(value);
    });
  }
}

template <class Memory, class Register>
void load_global(warp& w, operation const& op) {
  if (w.of_block->weak != nullptr) return load_located<Memory, Register>(w, op);
  if (std::byte const* const begin = neighbours(w, op, access_kind::read, sizeof(Memory)))
    return load_neighbours<Memory, Register>(w, op, begin, 1);
  usual_addresses<std::uint64_t> found;
  if (!global_addresses(w, op, access_kind::read, sizeof(Memory), found))
    return load_located<Memory, Register>(w, op);
  load_elements<Memory, Register>(w, op, nullptr, found, 1);
}

template <class Memory, class Register>
void load_global_vector(warp& w, operation const& op) {
  if (w.of_block->weak != nullptr) return load_located<Memory, Register>(w, op);
  int const n = op.list_size;
  std::uint64_t const bytes = sizeof(Memory) * op.list_size;
  if (std::byte const* const begin = neighbours(w, op, access_kind::read, bytes))
    return load_neighbours<Memory, Register>(w, op, begin, n);
  usual_addresses<std::uint64_t> found;
  if (!global_addresses(w, op, access_kind::read, bytes, found))
    return load_located<Memory, Register>(w, op);
  load_elements<Memory, Register>(w, op, nullptr, found, n);
}

//! Loads of `n` elements from shared memory.
template <class Memory, class Register>
[[gnu::always_inline]] inline void load_shared_elements(warp& w, operation const& op, int n) {
  usual_addresses<std::uint32_t> found;
  auto const bytes = static_cast<std::uint32_t>(sizeof(Memory)) * static_cast<std::uint32_t>(n);
  if (w.of_block->weak != nullptr || !shared_offsets(w, op, access_kind::read, bytes, found))
    return load_located<Memory, Register>(w, op);
  std::byte const* const shared = w.of_block->shared.data();
  if (found.pattern == lane_pattern::consecutive)
    load_neighbours<Memory, Register>(w, op, shared + found.address[0], n);
  else
    load_elements<Memory, Register>(w, op, shared, found, n);
}

template <class Memory, class Register>
void load_shared(warp& w, operation const& op) {
  load_shared_elements<Memory, Register>(w, op, 1);
}
template <class Memory, class Register>
void load_shared_vector(warp& w, operation const& op) {
  load_shared_elements<Memory, Register>(w, op, op.list_size);
}

//! A parameter of the kernel: one value for all lanes.
template <class Memory, class Register>
void load_parameter(warp& w, operation const& op) {
  int const n = elements(op);
  std::vector<std::byte> const& params = w.of_block->of_launch->params;
  std::size_t const bytes = sizeof(Memory) * static_cast<std::size_t>(n);
  if (op.a != no_slot || op.immediate > params.size() || bytes > params.size() - op.immediate)
    return load_located<Memory, Register>(w, op);
  for (int k = 0; k < n; ++k) {
    Register* const d = w.destination<Register>(element(op, k));
    auto const value = widened<Register>(read_plain<Memory>(
        params.data() + op.immediate + static_cast<std::size_t>(k) * sizeof(Memory)));
    w.each_active([&](int t) { d[t] = value; });
  }
}

//! Volatile, relaxed and acquiring loads: from memory, at once, all elements of a lane together.
template <class Memory, class Register>
void load_strong(warp& w, operation const& op) {
  int const n = elements(op);
  int const bytes = n * static_cast<int>(sizeof(Memory));
  request r;
  locate(w, op, access_kind::read, bytes, w.active, r);
  lane_mask const of_others = r.global | r.shared;
  w.each_active([&](int t) {
    if (w.of_block->weak != nullptr && (of_others >> t & 1) != 0)
      w.of_block->weak->settle(w.of_block->number, thread_number(w, t), r.pointer[t], bytes);
    alignas(32) std::byte value[32];
    if ((r.global >> t & 1) != 0)
      copy_at_once(value, r.pointer[t], bytes);
    else
      std::memcpy(value, r.pointer[t], static_cast<std::size_t>(bytes));
    for (int k = 0; k < n; ++k)
      w.destination<Register>(element(op, k))[t] = widened<Register>(
          read_plain<Memory>(value + static_cast<std::size_t>(k) * sizeof(Memory)));
  });
  if (op.order == strength::acquire) host_fence(std::memory_order_acquire);
  note_poll(w);
}

//! The handler for values of one type in memory and in registers.
template <class Memory, class Register>
handler handler_for(operation const& op) {
  if (op.order != strength::weak) return load_strong<Memory, Register>;
  bool const vector = op.list != nullptr;
  bool const narrow_base = (op.flags & base_of_4_bytes) != 0;
  if (op.where == space::param && (op.flags & kernel_parameter) != 0)
    return load_parameter<Memory, Register>;
  if ((op.where == space::global || op.where == space::generic) && !narrow_base)
    return vector ? load_global_vector<Memory, Register> : load_global<Memory, Register>;
  if (op.where == space::shared)
    return vector ? load_shared_vector<Memory, Register> : load_shared<Memory, Register>;
  return load_located<Memory, Register>;
}

template <class Memory>
handler handler_for(operation const& op, int register_bytes) {
  return for_register<Memory>(register_bytes,
                              [&]<class Register>() { return handler_for<Memory, Register>(op); });
}

}  // namespace

handler load_handler(operation const& op, int memory_bytes, bool is_signed, int register_bytes) {
  switch (memory_bytes) {
    case 1:
      return is_signed ? handler_for<std::int8_t>(op, register_bytes)
                       : handler_for<std::uint8_t>(op, register_bytes);
    case 2:
      return is_signed ? handler_for<std::int16_t>(op, register_bytes)
                       : handler_for<std::uint16_t>(op, register_bytes);
    case 4:
      return is_signed ? handler_for<std::int32_t>(op, register_bytes)
                       : handler_for<std::uint32_t>(op, register_bytes);
    case 8:
      return handler_for<std::uint64_t>(op, register_bytes);
    case 16:
      return handler_for<wide>(op, register_bytes);
    default:
      return nullptr;
  }
}

}  // namespace device::DEVICE_ISA
