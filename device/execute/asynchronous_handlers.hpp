// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/decode/context.hpp>
#include <device/execute/memory_request.hpp>

//! The builders of cp.async and mbarrier.
namespace device::memory_access_detail {

void build_mbarrier(ptx::instruction const&, decode::context&);
void build_bulk_copy(ptx::instruction const&, decode::context&);  // cp.async.bulk

//! The thread's copies so far are complete: it arrives at the mbarrier whose address the operation
//! gives.
//! `counted` says that the arrival is one of those the barrier waits for (.noinc).
void arrive_after_copies(warp&, operation const&, bool counted);
//! So many bytes have come: what a bulk copy does to the mbarrier at `word`.
void complete_bytes(std::byte* word, std::uint64_t bytes);

}  // namespace device::memory_access_detail
