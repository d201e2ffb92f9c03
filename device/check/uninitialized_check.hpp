// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/check/copied_words.hpp>
#include <device/check/defined_bits.hpp>
#include <device/core/finding.hpp>
#include <device/execute/launch.hpp>
#include <device/execute/observer.hpp>
#include <device/memory/memory.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace device::check {

//! A bit for each byte of a block's own memory: whether it was written since the block began.
struct written_bits {
  std::vector<std::uint64_t> shared;
  std::vector<std::vector<std::uint64_t>> local;  //!< of each thread, as far as it was written
  undefined_registers registers;
};

//! Finds reads of global, shared and local memory that was never written: since it was allocated,
//! since the block began. A program may copy what it has not written: a load whose registers are
//! only stored is no finding, and what they are stored in is as undefined; it is found when the
//! program computes with it, or when the host gets a copy of a whole word.
class uninitialized_check {
 public:
  //! \param begin,end the addresses of the global memory, [begin, end). Memory elsewhere is the
  //! host's, and taken for written.
  uninitialized_check(std::uint64_t begin, std::uint64_t end) : global_(begin, end) {}

  void begin(launch const&);
  static void begin(block const&, written_bits&);
  //! \param own of the block whose thread makes the access, \param owner of the one whose shared
  //! memory it is to.
  void access(memory_access const&, written_bits& own, written_bits& owner);

  void allocated(allocation const&);
  void freed(allocation const& a) {
    global_.clear(a.begin, a.bytes);
    outputs_.remove(a.begin, a.bytes);
  }
  void host_wrote(std::uint64_t begin, std::uint64_t bytes) {
    global_.set(begin, bytes);
    outputs_.remove(begin, bytes);
  }
  //! A finding if [begin, begin + bytes), which is copied to the host, holds an undefined word that
  //! a kernel stored there, or if nothing of it was ever written: programs copy whole arrays of
  //! which a part has results.
  [[nodiscard]] std::optional<finding> host_reads(global_memory const&, std::uint64_t begin,
                                                  std::uint64_t bytes) const;
  void host_copied(std::uint64_t destination, std::uint64_t source, std::uint64_t bytes) {
    global_.copy(destination, source, bytes);
    outputs_.copy(destination, source, bytes);
  }

 private:
  defined_bits global_;
  register_uses uses_;
  undefined_outputs outputs_;

  template <class Missing>
  void undefined_read(memory_access const&, written_bits& own, lane_mask, Missing const&);
  void loads(memory_access const&, written_bits& own);
  template <class Unmark>
  void stores(memory_access const&, written_bits& own, Unmark const&);
  void global_access(memory_access const&, written_bits& own);
  void shared_access(memory_access const&, written_bits& own, std::vector<std::uint64_t>& written);
  void local_access(memory_access const&, written_bits& own);
  //! True if memory is of a kind that the host may have written behind our back; it is taken for
  //! written from then on.
  [[nodiscard]] bool of_host(launch const&, std::uint64_t address);
};

}  // namespace device::check
