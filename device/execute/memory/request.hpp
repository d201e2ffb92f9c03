// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/context.hpp>
#include <device/execute/launch.hpp>
#include <device/execute/observer.hpp>
#include <device/execute/warp.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace device {
enum class check_kind : std::uint8_t;  // core/finding.hpp
}

//! The common part of all instructions that reach memory: addresses, their places on the host, and
//! the check that they are allowed.
namespace device::memory_access_detail {

//! The meaning of operation::flags for handlers of memory accesses.
enum flag : std::uint8_t {
  base_of_4_bytes = 1,     //!< the base register has 32 bits
  kernel_parameter = 2,    //!< space::param: in launch::params, not in the frame's
  no_poll = 4,             //!< of mbarrier.test_wait: does not give the turn away at once
  base_2_of_4_bytes = 8,   //!< the same of a second address
  base_3_of_4_bytes = 16,  //!< and of a third
  //! a bulk copy, reported to observers as accesses of 16 bytes by its lane: no warp's requests
  of_copy = 32,  //!< cp.async, whose thread does not wait for it
  of_bulk = 64,
  of_matrices = 128  //!< ldmatrix, stmatrix: list_size of them
};

//! The addresses of a request's lanes, on the device and on the host.
struct request {
  //! addresses without windows; in space::local relative to the thread's, in space::shared to the
  //! block's
  alignas(64) std::uint64_t address[lanes];
  alignas(64) std::byte* pointer[lanes];
  lane_mask shared = 0;  //!< the lanes that reach shared memory
  lane_mask global = 0;  //!< the lanes that reach global memory
  lane_mask local = 0;   //!< the lanes that reach local memory
  //! the lanes of `shared` that reach another block's, whose rank in the cluster is rank[lane]
  lane_mask remote = 0;
  std::uint8_t rank[lanes];
};

//! Writes the addresses of all lanes, base plus offset, to `out`.
[[gnu::always_inline]] inline void addresses_of(warp const& w, operation const& op,
                                                std::uint64_t* out) {
  if (op.a == no_slot) {
    for (int t = 0; t < lanes; ++t) out[t] = op.immediate;
  } else if ((op.flags & base_of_4_bytes) != 0) {
    auto const* const base = w.source<std::uint32_t>(op.a);
    auto const offset = static_cast<std::uint32_t>(op.immediate);
    for (int t = 0; t < lanes; ++t) out[t] = base[t] + offset;  // modulo 2^32, as the hardware's
  } else {
    auto const* const base = w.source<std::uint64_t>(op.a);
    for (int t = 0; t < lanes; ++t) out[t] = base[t] + op.immediate;
  }
}

//! Gives a memory operand's base, offset and space to an operation whose `where` is the
//! instruction's space.
void set_address(operation&, ptx::instruction const&, ptx::operand const&, decode::context&);

//! The same for an operand besides the operation's own: its slots for operation::list, base and
//! offset.
struct other_address {
  slot base = no_slot;
  slot offset = no_slot;
};
[[nodiscard]] other_address other_address_of(operation&, flag narrow, ptx::operand const&,
                                             decode::context&);
void addresses_of(warp const&, other_address const&, bool narrow, std::uint64_t* out);

//! Finds where every active lane's `bytes` lie, checks bounds and alignment, and tells the
//! observers. Nothing has happened to memory if it throws device_fault.
void locate(warp&, operation const&, access_kind, int bytes, lane_mask active, request&);
//! Locates the addresses without telling the observers; tell() does so afterwards.
void locate_silently(warp&, operation const&, access_kind, int bytes, lane_mask active, request&);
//! `values`: of a store, as memory_access has them.
void notify(warp&, operation const&, access_kind, int bytes, lane_mask active, request const&,
            bool changes = true, std::byte const* values = nullptr);
//! The same for addresses in `r.address` (with windows, if `where` is generic) that are not the
//! operation's own operand.
void locate_given(warp&, operation const&, device::space where, access_kind, int bytes,
                  lane_mask active, request& r);
//! tell() for the lanes of one space.
//! \param owner the block whose shared memory it is; null: the warp's.
void notify_space(warp&, operation const&, device::space, access_kind, int bytes, lane_mask,
                  request const&, bool changes, std::byte const* values = nullptr,
                  block* owner = nullptr);

//! The block of the cluster with that rank, for a lane that accesses its shared memory. Throws
//! device_fault if there is none or if it has ended, after a finding.
[[nodiscard]] block& peer_of(warp&, operation const&, int lane, std::uint64_t rank);
//! The scope as observers see it: a cluster's is the block's or the grid's.
[[nodiscard]] inline device::scope observed_scope(warp const& w, device::scope s) {
  if (s != scope::cluster) return s;
  return w.of_block->cluster_size() > 1 ? scope::gpu : scope::cta;
}

//! Reports that a lane's access is not allowed and throws device_fault.
[[noreturn]] void refuse_address(warp&, operation const&, device::space, access_kind, int bytes,
                                 int lane, std::uint64_t address, bool misaligned);

//! Reports that a lane's access to a texture or surface is not allowed, for the reason `why`, and
//! throws device_fault.
[[noreturn]] void refuse_object(warp&, operation const&, int lane, check_kind,
                                std::string const& why);

//! Reports that the size of a lane's bulk copy is no multiple of 16 and throws device_fault.
[[noreturn]] void refuse_bulk_size(warp&, operation const&, int lane, std::uint64_t bytes);

//! Reports that a lane's address is of another thread's local memory, whose number `owner` is.
void report_owner(warp&, operation const&, access_kind, int bytes, int lane, std::uint64_t owner);

//! Reports a descriptor that breaks a rule of the hardware's.
void report_descriptor(warp&, operation const&, std::string message);

//! Tells the observers of an access of all active lanes, whose bytes lie in [begin, end).
void notify_lanes(warp&, operation const&, device::space, access_kind, int bytes,
                  std::uint64_t const* address, lane_pattern, std::uint64_t begin,
                  std::uint64_t end, std::byte const* values = nullptr);

[[nodiscard, gnu::always_inline]] inline bool observed(warp const& w) {
  return w.of_block->observers != nullptr && !w.of_block->observers->empty();
}

//! True if [begin, begin + bytes) of global memory lies in one live allocation that the device may
//! access.
[[nodiscard, gnu::always_inline]] inline bool in_bounds(warp& w, operation const& op,
                                                        std::uint64_t begin, std::uint64_t bytes) {
  global_memory const& memory = *w.of_block->of_launch->memory;
  known_range& known = w.of_block->known[op.index % 8];
  if (known.generation == memory.generation() && begin >= known.begin && begin < known.end &&
      bytes <= known.end - begin)
    return true;
  known = memory.range_of(w.of_block->of_launch->device, begin);
  return begin >= known.begin && begin < known.end && bytes <= known.end - begin;
}

//! The active lanes' earlier stores, and those that they have seen, are visible as far as the scope
//! reaches.
void release(warp&, device::scope);

//! A load, or an atomic operation that changed nothing, may be a turn of a loop that waits: after a
//! few, others go first.
[[gnu::always_inline]] inline void note_poll(warp& w) {
  constexpr std::uint32_t patience = 4;
  if (++w.polls >= patience) w.yielded = true;
}
[[gnu::always_inline]] inline void note_change(warp& w) { w.polls = 0; }

//! The number that weak memory knows a thread by.
[[nodiscard, gnu::always_inline]] inline std::uint32_t thread_number(warp const& w, int lane) {
  return w.number * lanes + static_cast<std::uint32_t>(lane);
}

}  // namespace device::memory_access_detail
