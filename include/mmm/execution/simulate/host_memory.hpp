// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

#include <cstddef>
#include <cstdint>

#if defined(__linux__) && __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

//! Hints to the system and the processor about the memory of a simulation.
namespace mmm::detail {

//! Asks the processor for a word that is needed soon. The address may be of no word.
MMM_ALWAYS_INLINE void prefetch([[maybe_unused]] void const* word) {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(word, 1);
#endif
}

//! Asks the system for pages of 2 MiB for memory that has not been used yet. The lanes of a strided
//! access each touch another page, and a processor caches the addresses of only a few small ones.
//! Does nothing where there are no such pages, or for less than 4 MiB.
inline void prefer_large_pages([[maybe_unused]] void* first, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::size_t page = std::size_t{1} << 21;
  if (bytes < 2 * page) return;
  std::size_t const before = (page - reinterpret_cast<std::uintptr_t>(first) % page) % page;
  std::size_t const pages = (bytes - before) / page;
  // A failed request is harmless.
  static_cast<void>(madvise(static_cast<char*>(first) + before, pages * page, MADV_HUGEPAGE));
#endif
}

}  // namespace mmm::detail
