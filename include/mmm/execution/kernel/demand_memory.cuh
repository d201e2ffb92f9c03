// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/kernel/cuda_error.cuh>
#include <mmm/execution/kernel/launch_limits.cuh>
#include <mmm/execution/kernel/memory.hpp>
#include <mmm/execution/overlap.hpp>

#include <cstddef>
#include <type_traits>

//! What the pointers of a launch must be: the runtime is asked about each that is new in its place.
namespace mmm::detail {

//! The address that an iterator stands for where it is a pointer of either kind, or computes from
//! what one points to.
template <class Iterator>
[[nodiscard]] auto address_in(Iterator const& it) {
  if constexpr (std::is_pointer_v<Iterator>)
    return it;
  else if constexpr (is_aligned_pointer<Iterator>)
    return it.first;
  else if constexpr (requires { it.first; })
    return address_in(it.first);
  else
    return no_sequence{};
}

[[noreturn]] inline void reject_memory(char const* use, index words, char const* found) {
  throw_invalid_argument(failure_text("mmm: the memory that a kernel ", use, ", ", words,
                                      " words, is ", found,
                                      "; accepted: memory that the device can access"));
}

//! std::invalid_argument for a null pointer, and for memory of the host's own.
inline void demand_accessible(kernel_limits& limits, std::size_t place, char const* use,
                              void const* first, index words) {
  if (words == 0 || limits.has_seen(place, first)) return;
  if (first == nullptr) reject_memory(use, words, "null");
  cudaPointerAttributes found{};
  cuda::check(cudaPointerGetAttributes(&found, first), "cudaPointerGetAttributes",
              "looking at an argument");
  if (found.type == cudaMemoryTypeUnregistered &&
      device_attribute(cudaDevAttrPageableMemoryAccess, limits.device()) == 0)
    reject_memory(use, words, "the host's");
  limits.remember(place, first);
}

//! True for an argument whose `in` or `out` stands for an address.
template <class Argument>
concept has_sequences = requires(Argument const& x) { x.in, x.out, x.given, x.words; };

template <class Argument>
void demand_argument(kernel_limits& limits, std::size_t place, Argument const& x) {
  if constexpr (has_sequences<Argument>) {
    auto const in = address_in(x.in);
    auto const out = address_in(x.out);
    if constexpr (std::is_pointer_v<decltype(in)>)
      demand_accessible(limits, 2 * place, "reads", in, x.given);
    if constexpr (std::is_pointer_v<decltype(out)>)
      demand_accessible(limits, 2 * place + 1, "writes", out, x.words);
  }
}

//! std::invalid_argument if what one argument writes is what another one reads.
template <class Written, class Read>
void demand_apart(Written const& written, Read const& read) {
  if constexpr (has_sequences<Written> && has_sequences<Read>) {
    auto const out = address_in(written.out);
    auto const in = address_in(read.in);
    if constexpr (std::is_pointer_v<decltype(out)> && std::is_pointer_v<decltype(in)>)
      if (!written.in_place)
        overlap_check<decltype(in), decltype(out)>::reject(in, read.given, out, written.words);
  }
}

template <class... Arguments>
void demand_memory(kernel_limits& limits, Arguments const&... arguments) {
  std::size_t place = 0;
  (demand_argument(limits, place++, arguments), ...);
  [[maybe_unused]] auto const apart = [&](auto const& written) {
    (demand_apart(written, arguments), ...);
  };
  (apart(arguments), ...);
}

}  // namespace mmm::detail
