// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/check/defined_bits.hpp>
#include <device/check/undefined_words.hpp>
#include <device/check/value_flow.hpp>
#include <device/core/finding.hpp>
#include <device/execute/launch.hpp>
#include <device/execute/observer.hpp>
#include <device/memory/memory.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace device::check {

//! A bit for each byte of a block's own memory: whether it was written since the block began.
struct written_bits {
  std::vector<std::uint64_t> shared;
  std::vector<std::vector<std::uint64_t>> local;  //!< of each thread, as far as it was written
  std::vector<undefined_registers> registers{};   //!< of each warp
  //! The origins of undefined bytes that were stored: of words of shared memory, and of a thread's
  //! local memory.
  struct source {
    std::shared_ptr<finding const> origin{};
    bool computed = false;
    bool whole = false;  //!< as undefined_register::whole
  };
  std::unordered_map<std::uint64_t, source> sources{};
  //! The undefined bytes that an asynchronous copy has read and is about to write.
  struct copied_bytes {
    operation const* op = nullptr;
    std::array<std::uint64_t, lanes> missing{};  //!< a bit for each byte
    std::shared_ptr<finding const> origin{};
  };
  copied_bytes copied{};
};

//! Finds uses of global, shared and local memory that was never written: since it was allocated,
//! since the block began. Copies and computations pass on which of their bytes are undefined
//! (value_flow.hpp). A finding, at the load, are a decision that depends on undefined bytes, a
//! computed value that depends on them and is stored in global memory, and a copied word that the
//! host gets. Atomic operations and operands that wgmma and bulk copies read are found at once.
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
  //! See observer::executes.
  void executes(warp& w, operation const& op, lane_mask active, bool together, written_bits& own) {
    undefined_registers& registers = own.registers[w.number];
    flow_.executes(w, op, active, together, registers);
    w.followed = !registers.empty();
  }

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
  value_flow flow_{};
  undefined_outputs outputs_;
  std::unordered_map<operation const*, moved_registers> moved_;

  //! The registers that an access loads or stores; none if its values are not followed.
  moved_registers const& moved(memory_access const&);
  template <class Missing>
  void undefined_read(memory_access const&, written_bits& own, written_bits& owner, lane_mask,
                      Missing const&);
  template <class Missing>
  void mark_registers(memory_access const&, written_bits& own, written_bits& owner, lane_mask,
                      Missing const&, std::shared_ptr<finding const> const& origin);
  template <class Unmark>
  void stores(memory_access const&, written_bits& own, Unmark const&);
  void global_access(memory_access const&, written_bits& own);
  void shared_access(memory_access const&, written_bits& own, written_bits& owner);
  void local_access(memory_access const&, written_bits& own);
  //! True if memory is of a kind that the host may have written behind our back; it is taken for
  //! written from then on.
  [[nodiscard]] bool of_host(launch const&, std::uint64_t address);
};

}  // namespace device::check
