// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/memory/atomic_lanes.hpp>

//! Atomic operations on integers and bits.
namespace device::memory_access_detail {
namespace {

template <atomic_name Name, class T>
handler handler_for() {
  return run_atomic<integer_atomic<Name, T>, integer_atomic<Name, T>>;
}

template <atomic_name Name>
handler of_wide() {
  return run_atomic<wide_atomic<Name>, wide_atomic<Name>>;
}

//! add, min, max of u32, s32, u64, s64; inc and dec of u32.
handler arithmetic(atomic_name name, ptx::scalar type) {
  using enum atomic_name;
  bool const wide_type = type == ptx::scalar::u64 || type == ptx::scalar::s64;
  bool const has_sign = type == ptx::scalar::s32 || type == ptx::scalar::s64;
  switch (name) {
    case add:
      return wide_type ? handler_for<add, std::uint64_t>() : handler_for<add, std::uint32_t>();
    case increment:
      return type == ptx::scalar::u32 ? handler_for<increment, std::uint32_t>() : nullptr;
    case decrement:
      return type == ptx::scalar::u32 ? handler_for<decrement, std::uint32_t>() : nullptr;
    case min:
      if (wide_type)
        return has_sign ? handler_for<min, std::int64_t>() : handler_for<min, std::uint64_t>();
      return has_sign ? handler_for<min, std::int32_t>() : handler_for<min, std::uint32_t>();
    case max:
      if (wide_type)
        return has_sign ? handler_for<max, std::int64_t>() : handler_for<max, std::uint64_t>();
      return has_sign ? handler_for<max, std::int32_t>() : handler_for<max, std::uint32_t>();
    default:
      return nullptr;
  }
}

template <class T>
handler bitwise(atomic_name name) {
  using enum atomic_name;
  switch (name) {
    case bit_and:
      return handler_for<bit_and, T>();
    case bit_or:
      return handler_for<bit_or, T>();
    case bit_xor:
      return handler_for<bit_xor, T>();
    case exchange:
      return handler_for<exchange, T>();
    case compare:
      return handler_for<compare, T>();
    default:
      return nullptr;
  }
}

}  // namespace

handler integer_atomic_handler(atomic_name name, ptx::scalar type) {
  using enum atomic_name;
  bool const is_arithmetic =
      name == add || name == increment || name == decrement || name == min || name == max;
  switch (type) {
    case ptx::scalar::u32:
    case ptx::scalar::s32:
      return is_arithmetic ? arithmetic(name, type) : bitwise<std::uint32_t>(name);
    case ptx::scalar::u64:
    case ptx::scalar::s64:
      return is_arithmetic ? arithmetic(name, type) : bitwise<std::uint64_t>(name);
    case ptx::scalar::b32:
      return bitwise<std::uint32_t>(name);
    case ptx::scalar::b64:
      return bitwise<std::uint64_t>(name);
    case ptx::scalar::b16:
    case ptx::scalar::u16:
      return name == compare    ? handler_for<compare, std::uint16_t>()
             : name == exchange ? handler_for<exchange, std::uint16_t>()
                                : nullptr;
    case ptx::scalar::b128:
      return name == compare    ? of_wide<compare>()
             : name == exchange ? of_wide<exchange>()
                                : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace device::memory_access_detail
