// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/kernel/cuda_error.cuh>
#include <mmm/execution/kernel/launch_limits.cuh>
#include <mmm/execution/overlap.hpp>

#include <thrust/type_traits/unwrap_contiguous_iterator.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

//! Checks of the caller's pointers before a launch. The runtime is only asked about new pointers:
//! each host thread remembers some.
namespace mmm::detail {

//! The address of a contiguous iterator, or of the contiguous iterator that it computes its values
//! from. Host memory that the launch replaces has none.
template <class Iterator>
[[nodiscard]] auto address_in(Iterator const& it) {
  if constexpr (std::is_pointer_v<Iterator>) {
    return it;
  } else {
    auto const inner = thrust::try_unwrap_contiguous_iterator(it);
    if constexpr (std::is_pointer_v<std::remove_const_t<decltype(inner)>>)
      return inner;
    else if constexpr (requires { it.first; })
      return address_in(it.first);
    else
      return no_sequence{};
  }
}

//! A cache of pointers that are known to be accessible on a device.
class known_pointers {
 public:
  [[nodiscard]] static known_pointers& of_thread() {
    thread_local known_pointers all;
    return all;
  }
  [[nodiscard]] bool has(void const* pointer, int device) {
    entry const& one = entry_of(pointer);
    return one.pointer == pointer && one.device == device;
  }
  void add(void const* pointer, int device) { entry_of(pointer) = {pointer, device}; }

 private:
  struct entry {
    void const* pointer = nullptr;
    int device = -1;
  };
  //! The pointer's only place in the cache. Most arrays begin at multiples of 256 bytes.
  [[nodiscard]] entry& entry_of(void const* pointer) {
    auto const address = reinterpret_cast<std::uintptr_t>(pointer);
    return entries_[(address / 256 + address / 65536 + address / 4) % max_entries];
  }
  static constexpr std::size_t max_entries = 256;
  entry entries_[max_entries];
};

[[noreturn]] inline void reject_memory(char const* use, index words, char const* found) {
  throw_invalid_argument(failure_text("mmm: the memory that a kernel ", use, ", ", words,
                                      " words, is ", found,
                                      "; accepted: memory that the device can access"));
}

//! Throws std::invalid_argument for a null pointer, and for memory of the host's own.
inline void demand_accessible(char const* use, void const* first, index words) {
  if (words == 0) return;
  if (first == nullptr) reject_memory(use, words, "null");
  int device = 0;
  cuda::check(cudaGetDevice(&device), "cudaGetDevice", "looking for a CUDA device");
  if (known_pointers::of_thread().has(first, device)) return;
  cudaPointerAttributes found{};
  cuda::check(cudaPointerGetAttributes(&found, first), "cudaPointerGetAttributes",
              "looking at an argument");
  if (found.type == cudaMemoryTypeUnregistered &&
      device_attribute(cudaDevAttrPageableMemoryAccess, device) == 0)
    reject_memory(use, words, "the host's");
  known_pointers::of_thread().add(first, device);
}

//! True for an argument whose `in` or `out` may stand for an address.
template <class Argument>
concept has_sequences = requires(Argument const& x) { x.in, x.out, x.given, x.words; };

template <class Argument>
void demand_argument(void const* room, Argument const& x) {
  if constexpr (has_sequences<Argument>) {
    auto const in = address_in(x.in);
    auto const out = address_in(x.out);
    if constexpr (std::is_pointer_v<std::remove_const_t<decltype(in)>>)
      if (in != room || room == nullptr) demand_accessible("reads", in, x.given);
    if constexpr (std::is_pointer_v<std::remove_const_t<decltype(out)>>)
      if (out != room || room == nullptr) demand_accessible("writes", out, x.words);
  }
}

//! Throws std::invalid_argument if the output of one argument overlaps the input of another.
template <class Written, class Read>
void demand_apart(Written const& written, Read const& read) {
  if constexpr (has_sequences<Written> && has_sequences<Read>) {
    auto const out = address_in(written.out);
    auto const in = address_in(read.in);
    using target = std::remove_const_t<decltype(out)>;
    using source = std::remove_const_t<decltype(in)>;
    if constexpr (std::is_pointer_v<target> && std::is_pointer_v<source>)
      if (!written.in_place)
        overlap_check<source, target>::reject(in, read.given, out, written.words);
  }
}

//! Checks all arguments of a launch. \param room memory of the library's own, which is not checked.
template <class... Arguments>
void demand_memory(void const* room, Arguments const&... arguments) {
  (demand_argument(room, arguments), ...);
  [[maybe_unused]] auto const apart = [&](auto const& written) {
    (demand_apart(written, arguments), ...);
  };
  (apart(arguments), ...);
}

}  // namespace mmm::detail
