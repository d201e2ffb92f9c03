// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/mpi/messages.hpp>

#include <cstddef>
#include <cstring>
#include <iterator>
#include <memory>
#include <new>
#include <type_traits>

namespace mmm::mpi {

//! The memory of a process's node: where its arrays are, and how their words get there. This is
//! memory of the host, which MPI accesses; a node that works in other memory, a GPU, specializes it
//! for its handle (interop/mpi_device_memory.cuh). All functions are called on the process that has
//! the memory.
template <class Node>
struct memory_of {
  //! Messages between arrays, and broadcasts of their words.
  using messages = mmm::detail::host_messages;
  using broadcast = mmm::detail::host_broadcast;
  //! n uninitialized words, freed with the last pointer to them.
  template <class T>
  [[nodiscard]] static std::shared_ptr<T> allocate(Node const&, index n) {
    constexpr std::align_val_t alignment{256};
    index const bytes = mmm::detail::checked_multiply(n, sizeof(T));
    return {static_cast<T*>(::operator new(static_cast<std::size_t>(bytes), alignment)),
            [](T* first) { ::operator delete(first, std::align_val_t{256}); }};
  }
  //! True if the node accesses a caller's sequence itself, without a copy.
  template <class Iterator>
  static constexpr bool accesses = std::contiguous_iterator<Iterator>;
  //! Its first word then; `first` may be past the end.
  template <class Iterator>
  [[nodiscard]] static auto address(Node const&, Iterator first) {
    return std::to_address(first);
  }
  //! Copies a caller's n values to an array.
  template <class In, class T>
  static void bring(Node const&, In first, index n, T* words) {
    for (index i = 0; i < n; ++i, ++first) words[i] = static_cast<T>(*first);
  }
  //! Copies n words of an array to the caller's.
  template <class T, class Out>
  static void deliver(Node const&, T const* words, index n, Out out) {
    for (index i = 0; i < n; ++i, ++out) *out = words[i];
  }
  //! Copies `rows` rows of `n` words, which begin a pitch after each other, between arrays.
  template <class T>
  static void copy(Node const&, T const* source, index source_pitch, T* target, index target_pitch,
                   index n, index rows) {
    for (index row = 0; row < rows; ++row)
      std::memcpy(target + row * target_pitch, source + row * source_pitch,
                  static_cast<std::size_t>(n) * sizeof(T));
  }
  //! `target[i] = op(target[i], words[i])` for n words.
  template <class T, class Operator>
  static void combine(Node const&, T* target, T const* words, index n, Operator const& op) {
    for (index i = 0; i < n; ++i) target[i] = static_cast<T>(op(target[i], words[i]));
  }
  //! Waits until the node's work on its arrays is done.
  static void finish(Node const&) {}
};

}  // namespace mmm::mpi
