// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

//! Values as they go between registers and memory.
namespace device::memory_access_detail {

//! 16 bytes; in registers aligned as 8 are.
struct wide {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend bool operator==(wide const&, wide const&) = default;
};

//! A value from memory as a register holds it: extended by its sign if it has one, by zeros
//! otherwise.
template <class Register, class Memory>
[[nodiscard, gnu::always_inline]] inline Register widened(Memory m) {
  if constexpr (std::is_same_v<Register, Memory>)
    return m;
  else
    return static_cast<Register>(static_cast<std::make_signed_t<Register>>(m));
}

template <class T>
[[nodiscard, gnu::always_inline]] inline T read_plain(std::byte const* source) {
  T value;
  std::memcpy(&value, source, sizeof value);
  return value;
}
template <class T>
[[gnu::always_inline]] inline void write_plain(std::byte* to, T const& value) {
  std::memcpy(to, &value, sizeof value);
}

//! Orders this host thread's accesses before and after it.
inline void host_fence(std::memory_order order) {
#if defined(__SANITIZE_THREAD__)  // which knows of no fences
  static std::atomic<int> nothing{0};
  nothing.fetch_add(0, order == std::memory_order_seq_cst ? order : std::memory_order_acq_rel);
#else
  std::atomic_thread_fence(order);
#endif
}

#if defined(__SANITIZE_THREAD__)  // which does not know that this is atomic
#define DEVICE_NOT_WATCHED __attribute__((no_sanitize_thread, noinline))
#else
#define DEVICE_NOT_WATCHED __attribute__((always_inline))
#endif

//! 16 aligned bytes at once, as other host threads see it: kernels rely on it for words of a status
//! and a value.
DEVICE_NOT_WATCHED inline void copy_16_at_once(std::byte* to, std::byte const* source) {
#if defined(__SSE2__)  // every processor with AVX does this in one step
  _mm_store_si128(reinterpret_cast<__m128i*>(to),
                  _mm_load_si128(reinterpret_cast<__m128i const*>(source)));
#else
  std::memcpy(to, source, 16);
#endif
}

//! Copies an aligned 1, 2, 4, 8, 16 or 32 bytes to or from memory that other host threads reach, up
//! to 16 of them at once. Both must be aligned to the size, or to 16.
[[gnu::always_inline]] inline void copy_at_once(std::byte* to, std::byte const* source, int bytes) {
  auto const one = [&]<class T>(T) __attribute__((always_inline)) {
    T const value = std::atomic_ref<T const>(*reinterpret_cast<T const*>(source))
                        .load(std::memory_order_relaxed);
    std::atomic_ref<T>(*reinterpret_cast<T*>(to)).store(value, std::memory_order_relaxed);
  };
  switch (bytes) {
    case 1:
      return one(std::uint8_t{});
    case 2:
      return one(std::uint16_t{});
    case 4:
      return one(std::uint32_t{});
    case 8:
      return one(std::uint64_t{});
    default:
      for (int k = 0; k < bytes; k += 16) copy_16_at_once(to + k, source + k);
  }
}

}  // namespace device::memory_access_detail
