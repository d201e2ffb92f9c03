// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/check/defined_bits.hpp>
#include <device/execute/launch.hpp>
#include <device/execute/observer.hpp>
#include <device/memory/memory.hpp>

#include <cstdint>
#include <vector>

namespace device::check {

//! Finds reads of global and shared memory that was never written: since it was allocated, since
//! the block began.
class uninitialized_check {
 public:
  //! \param begin,end the addresses of the global memory, [begin, end). Memory elsewhere is the
  //! host's, and taken for written.
  uninitialized_check(std::uint64_t begin, std::uint64_t end) : global_(begin, end) {}

  void begin(launch const&);
  //! A block's shared memory: a bit for each byte.
  static void begin(block const&, std::vector<std::uint64_t>& written);
  void access(memory_access const&, std::vector<std::uint64_t>& written_shared);

  void allocated(allocation const&);
  void freed(allocation const& a) { global_.clear(a.begin, a.bytes); }
  void host_wrote(std::uint64_t begin, std::uint64_t bytes) { global_.set(begin, bytes); }
  void host_copied(std::uint64_t destination, std::uint64_t source, std::uint64_t bytes) {
    global_.copy(destination, source, bytes);
  }

 private:
  defined_bits global_;

  void global_access(memory_access const&);
  static void shared_access(memory_access const&, std::vector<std::uint64_t>& written);
  //! True if memory is of a kind that the host may have written behind our back; it is taken for
  //! written from then on.
  [[nodiscard]] bool of_host(launch const&, std::uint64_t address);
};

}  // namespace device::check
