// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/machine/memory_space.hpp>
#include <mmm/trace/shadow.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

//! Arrays of traced kernels, and their addresses.
namespace mmm::gpu {

//! The memory that an array of a traced kernel is in.
using mmm::memory_space;

namespace detail {

//! The bytes of an array: their place on the host, and their addresses on the GPU.
struct region {
  memory_space space;
  bool checked;  //!< false for read-only arrays, which have no races
  index bytes;
  index base;  //!< its first address, a multiple of 16 (shared) or 256 (global)
  std::byte* first;
  std::unique_ptr<std::byte[]> own;  //!< memory of a shared array
  shadow marks;
  std::uint64_t launch = 0;  //!< the launch whose accesses the marks are

  //! Makes a shared array of zeros.
  region(memory_space s, index size, index element, index address)
      : space(s),
        checked(true),
        bytes(size),
        base(address),
        own(std::make_unique<std::byte[]>(static_cast<std::size_t>(size))),
        marks(size, piece_of(element)) {
    first = own.get();
  }
  //! Makes an array in global memory with the caller's values.
  region(std::byte* data, index size, index element, bool writable)
      : space(memory_space::global),
        checked(writable),
        bytes(size),
        base(next_address(size)),
        first(data),
        marks(size, piece_of(element)) {}

 private:
  [[nodiscard]] static index piece_of(index element) {
    return element % 4 == 0 ? 4 : element % 2 == 0 ? 2 : 1;
  }
  //! The address of the next array in global memory: arrays lie one after the other, each from a
  //! multiple of 256 on, as cudaMalloc allocates them.
  [[nodiscard]] static index next_address(index size) {
    static thread_local index next = 0;
    index const address = next;
    next += (size + 255) / 256 * 256;
    return address;
  }
};

}  // namespace detail
}  // namespace mmm::gpu
