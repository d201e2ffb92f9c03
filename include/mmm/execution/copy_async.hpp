// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/vec.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

//! Asynchronous copies from the global memory to a DMM's shared memory.
namespace mmm {

namespace detail {

//! Bytes that one asynchronous copy instruction of a kernel moves for a word or a vector of words;
//! 0 if there is no such instruction. Words of more than 16 bytes take several.
template <class T>
inline constexpr std::size_t async_bytes = !std::is_trivially_copyable_v<T>            ? 0
                                           : alignof(T) % 16 == 0                      ? 16
                                           : alignof(T) % 8 == 0 && sizeof(T) % 8 == 0 ? 8
                                           : alignof(T) % 4 == 0 && sizeof(T) % 4 == 0 ? 4
                                                                                       : 0;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
//! Begins a copy of `Bytes` bytes under a condition; where it does not hold, nothing is read and
//! zeros are written.
template <std::size_t Bytes>
__device__ inline void begin_copy(std::uint32_t target, std::byte const* source, bool condition) {
  int const read = condition ? static_cast<int>(Bytes) : 0;
  if constexpr (Bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(target), "l"(source),
                 "r"(read)
                 : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(target), "l"(source),
                 "n"(static_cast<int>(Bytes)), "r"(read)
                 : "memory");
}
template <std::size_t Bytes>
__device__ inline void begin_copy(std::uint32_t target, std::byte const* source) {
  if constexpr (Bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(target), "l"(source) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(target), "l"(source),
                 "n"(static_cast<int>(Bytes))
                 : "memory");
}
#endif

//! Plain references to words in memory.
template <class To, class From>
concept same_plain_words =
    plain_value<To> && plain_value<From> && std::is_same_v<To, std::remove_const_t<From>>;

template <class T, class... Condition>
MMM_HOST_DEVICE inline void begin_copies(T& target, T const& source, Condition... condition) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if constexpr (async_bytes<T> != 0) {
    auto const address = static_cast<std::uint32_t>(__cvta_generic_to_shared(&target));
    unroll<static_cast<index>(sizeof(T) / async_bytes<T>)>([&](index k) {
      auto const offset = static_cast<std::size_t>(k) * async_bytes<T>;
      begin_copy<async_bytes<T>>(address + static_cast<std::uint32_t>(offset),
                                 reinterpret_cast<std::byte const*>(&source) + offset,
                                 condition...);
    });
    return;
  }
#endif
  if constexpr (sizeof...(Condition) == 0)
    target = source;
  else
    target = load_if(condition..., source, T{});
}

}  // namespace detail

//! Begins an asynchronous copy of a word of the global memory to a word of the DMM's shared memory,
//! or of one wide access to another: `mmm::copy_async(s[i], a[e])`. The words are there after
//! `block.await_copies<N>()`. Until then no thread may read or write the destination words, nor
//! write the source words. Cost: a read and a write, as of `s[i] = a[e]`. Kernels of sm_80 and
//! later copy words of 4, 8 and 16 bytes past the registers; other words, and words that need a
//! conversion, are loaded and stored at once.
MMM_NO_SIDE_CHECK
template <class To, class From>
MMM_HOST_DEVICE constexpr void copy_async(To&& target, From&& source) {
  if constexpr (detail::same_plain_words<std::remove_reference_t<To>,
                                         std::remove_reference_t<From>>)
    detail::begin_copies(target, source);
  else
    static_cast<To&&>(target) = load(static_cast<From&&>(source));
}

//! Begins an asynchronous copy (copy_async) where the condition holds; elsewhere nothing is read,
//! and zeros are written.
MMM_NO_SIDE_CHECK
template <class Condition, class To, class From>
MMM_HOST_DEVICE constexpr void copy_async_if(Condition const& condition, To&& target,
                                             From&& source) {
  if constexpr (detail::same_plain_words<std::remove_reference_t<To>,
                                         std::remove_reference_t<From>>)
    detail::begin_copies(target, source, condition);
  else
    static_cast<To&&>(target) = load_if(condition, static_cast<From&&>(source), 0);
}

}  // namespace mmm
