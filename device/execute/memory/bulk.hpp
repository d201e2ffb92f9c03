// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/context.hpp>
#include <device/execute/memory/request.hpp>
#include <device/ptx/module.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

//! The common part of cp.async.bulk, cp.reduce.async.bulk and their tensor forms, which one thread
//! makes. A copy is made at once.
namespace device::memory_access_detail {

inline constexpr std::uint64_t bulk_unit = 16;

//! Bytes that a bulk copy reaches.
struct bulk_range {
  std::byte* first = nullptr;
  std::uint64_t begin = 0;  //!< an address of global memory, or an offset in the owner's shared
  block* owner = nullptr;   //!< null in global memory
  [[nodiscard]] space where() const { return owner == nullptr ? space::global : space::shared; }
};

//! Checks `bytes` from a lane's address on, and its alignment to `align`, and finds them.
[[nodiscard]] bulk_range locate_bulk(warp&, operation const&, space, access_kind, int lane,
                                     std::uint64_t begin, std::uint64_t bytes, int align = 16);

//! Tells the observers of accesses of `bytes` at the addresses, all parts of one lane's copy.
void notify_bulk(warp&, operation const&, access_kind, int lane, bulk_range const&,
                 std::vector<std::uint64_t> const& addresses, int bytes);
//! The same for all bytes of a range, 16 at a time.
void notify_bulk(warp&, operation const&, access_kind, int lane, bulk_range const&,
                 std::uint64_t bytes);

//! Stores that wait in weak memory are in memory before a copy that reaches their bytes.
void settle_bulk(warp&, int lane, std::byte const* first, std::uint64_t bytes);

//! So many bytes have come: completes them at the mbarrier of a lane, at `address`; `owner` is the
//! block that has it, where the address does not say so (multicast).
void complete_bytes(warp&, operation const&, int lane, std::uint64_t address, std::uint64_t bytes,
                    block* owner = nullptr);

//! `f(address, block)` for each block of a multicast's mask: the address of the same byte there.
template <class F>
void each_multicast(warp& w, operation const& op, int lane, std::uint32_t mask,
                    std::uint64_t address, F const& f) {
  for (; mask != 0; mask &= mask - 1) {
    block& to = peer_of(w, op, lane, static_cast<std::uint64_t>(std::countr_zero(mask)));
    std::uint64_t const rank =
        &to == w.of_block ? 0 : static_cast<std::uint64_t>(to.rank + 1) << rank_shift;
    f((address & shared_offset_mask) | rank, &to);
  }
}

//! `to = to op source` for all elements of `bytes`; `threads`: other host threads reach `to`.
using reducer = void (*)(std::byte* to, std::byte const* source, std::uint64_t bytes, bool threads);
//! Null for an operation that the type does not have. \param name "add", "min", "and", …
[[nodiscard]] reducer reducer_of(std::string_view name, ptx::scalar);

//! cp.async.bulk.tensor, cp.reduce.async.bulk.tensor and their prefetch.
void build_tensor_copy(ptx::instruction const&, decode::context&);

//! cp.async.bulk.commit_group and wait_group.
void build_bulk_group(ptx::instruction const&, decode::context&);
//! An operation that does nothing: a prefetch.
void emit_nothing(decode::context&);

}  // namespace device::memory_access_detail
