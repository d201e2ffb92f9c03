// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/execute/memory/atomic_half.hpp>
#include <device/execute/memory/values.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

//! The results of atom and red for a value in memory, an operand b and, for cas, an operand c.
//! `bits` is the value as memory and registers hold it.
namespace device::memory_access_detail {

enum class atomic_name : std::uint8_t {
  add,
  increment,
  decrement,
  min,
  max,
  bit_and,
  bit_or,
  bit_xor,
  exchange,
  compare
};

//! Integers: T is signed where that matters.
template <atomic_name Name, class T>
struct integer_atomic {
  using bits = std::make_unsigned_t<T>;
  static bits apply(bits old, bits b, bits c) {
    switch (Name) {
      case atomic_name::add:
        return static_cast<bits>(old + b);
      case atomic_name::increment:
        return old >= b ? bits{0} : static_cast<bits>(old + 1);
      case atomic_name::decrement:
        return old == 0 || old > b ? b : static_cast<bits>(old - 1);
      case atomic_name::min:
        return static_cast<T>(b) < static_cast<T>(old) ? b : old;
      case atomic_name::max:
        return static_cast<T>(b) > static_cast<T>(old) ? b : old;
      case atomic_name::bit_and:
        return static_cast<bits>(old & b);
      case atomic_name::bit_or:
        return static_cast<bits>(old | b);
      case atomic_name::bit_xor:
        return static_cast<bits>(old ^ b);
      case atomic_name::exchange:
        return b;
      case atomic_name::compare:
        return old == b ? c : old;
    }
    return old;
  }
};

template <atomic_name Name>
struct wide_atomic {
  using bits = wide;
  static bits apply(bits const& old, bits const& b, bits const& c) {
    if constexpr (Name == atomic_name::exchange)
      return b;
    else
      return old == b ? c : old;
  }
};

//! f32: on global memory, numbers below the smallest normal one count as zero (PTX ISA, atom); on
//! shared memory, not.
template <bool Flush>
struct float_add {
  using bits = std::uint32_t;
  static float flushed(float v) {
    return Flush && std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0F, v) : v;
  }
  static bits apply(bits old, bits b, bits /*c*/) {
    float const sum = flushed(std::bit_cast<float>(old)) + flushed(std::bit_cast<float>(b));
    return std::isnan(sum) ? 0x7fffffffU : std::bit_cast<bits>(flushed(sum));
  }
};

struct double_add {
  using bits = std::uint64_t;
  static bits apply(bits old, bits b, bits /*c*/) {
    return std::bit_cast<bits>(std::bit_cast<double>(old) + std::bit_cast<double>(b));
  }
};

//! One 16-bit number; min and max give the other operand where one is no number, as PTX's do.
template <atomic_name Name, class Format>
std::uint16_t apply_half(std::uint16_t old, std::uint16_t b) {
  float const x = Format::widen(old);
  float const y = Format::widen(b);
  if constexpr (Name == atomic_name::add) {
    return Format::narrow(x + y);
  } else {
    if (std::isnan(x)) return std::isnan(y) ? std::uint16_t{0x7fff} : b;
    if (std::isnan(y)) return old;
    // -0 counts as less than +0.
    bool const less = y < x || (y == x && std::signbit(y) && !std::signbit(x));
    bool const takes_b = Name == atomic_name::min ? less : !less && old != b;
    return takes_b ? b : old;
  }
}

template <atomic_name Name, class Format>
struct half_atomic {
  using bits = std::uint16_t;
  static bits apply(bits old, bits b, bits /*c*/) { return apply_half<Name, Format>(old, b); }
};

template <atomic_name Name, class Format>
struct half_pair_atomic {
  using bits = std::uint32_t;
  static bits apply(bits old, bits b, bits /*c*/) {
    auto const low =
        apply_half<Name, Format>(static_cast<std::uint16_t>(old), static_cast<std::uint16_t>(b));
    auto const high = apply_half<Name, Format>(static_cast<std::uint16_t>(old >> 16),
                                               static_cast<std::uint16_t>(b >> 16));
    return static_cast<bits>(high) << 16 | low;
  }
};

#if defined(__x86_64__)
//! True if 16 bytes were as expected, and were then replaced; otherwise gives what they were.
[[gnu::target("cx16")]] inline bool compare_exchange(std::byte* pointer, wide& expected,
                                                     wide const& desired) {
  __extension__ using number = unsigned __int128;
  auto const want = std::bit_cast<number>(expected);
  number const found = __sync_val_compare_and_swap(reinterpret_cast<number*>(pointer), want,
                                                   std::bit_cast<number>(desired));
  expected = std::bit_cast<wide>(found);
  return found == want;
}
#else
inline bool compare_exchange(std::byte* pointer, wide& expected, wide const& desired) {
  static std::atomic_flag busy = ATOMIC_FLAG_INIT;  // all such operations wait for each other
  while (busy.test_and_set(std::memory_order_acquire)) {
  }
  wide const found = read_plain<wide>(pointer);
  bool const same = found == expected;
  if (same) write_plain(pointer, desired);
  expected = found;
  busy.clear(std::memory_order_release);
  return same;
}
#endif

//! Makes `f(old)` of a value in memory, at once for other host threads if `shared_with_threads`;
//! what it was.
template <class Bits, class F>
inline Bits update(std::byte* pointer, bool shared_with_threads, F const& f) {
  if (!shared_with_threads) {
    auto const old = read_plain<Bits>(pointer);
    write_plain(pointer, f(old));
    return old;
  }
  if constexpr (std::is_same_v<Bits, wide>) {
    alignas(16) wide old;
    copy_16_at_once(reinterpret_cast<std::byte*>(&old), pointer);
    while (!compare_exchange(pointer, old, f(old))) {
    }
    return old;
  } else {
    std::atomic_ref<Bits> const value(*reinterpret_cast<Bits*>(pointer));
    Bits old = value.load(std::memory_order_relaxed);
    // Sequentially consistent: whatever order the kernel asks for is in that.
    while (!value.compare_exchange_weak(old, f(old))) {
    }
    return old;
  }
}

}  // namespace device::memory_access_detail
