// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/execute/memory/atomic_lanes.hpp>

//! Atomic operations on integers and bits.
namespace device::memory_access_detail {
namespace {

template <atomic_name Name, class T>
handler of() {
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
      return wide_type ? of<add, std::uint64_t>() : of<add, std::uint32_t>();
    case increment:
      return type == ptx::scalar::u32 ? of<increment, std::uint32_t>() : nullptr;
    case decrement:
      return type == ptx::scalar::u32 ? of<decrement, std::uint32_t>() : nullptr;
    case min:
      if (wide_type) return has_sign ? of<min, std::int64_t>() : of<min, std::uint64_t>();
      return has_sign ? of<min, std::int32_t>() : of<min, std::uint32_t>();
    case max:
      if (wide_type) return has_sign ? of<max, std::int64_t>() : of<max, std::uint64_t>();
      return has_sign ? of<max, std::int32_t>() : of<max, std::uint32_t>();
    default:
      return nullptr;
  }
}

template <class T>
handler bitwise(atomic_name name) {
  using enum atomic_name;
  switch (name) {
    case bit_and:
      return of<bit_and, T>();
    case bit_or:
      return of<bit_or, T>();
    case bit_xor:
      return of<bit_xor, T>();
    case exchange:
      return of<exchange, T>();
    case compare:
      return of<compare, T>();
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
      return name == compare    ? of<compare, std::uint16_t>()
             : name == exchange ? of<exchange, std::uint16_t>()
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
