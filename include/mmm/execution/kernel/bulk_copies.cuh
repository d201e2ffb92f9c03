// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/kernel/transaction_barrier.cuh>

#include <cstdint>

//! Bulk copies by a GPU's copy engine, and the barriers that count their bytes (sm_90 and later).
namespace mmm::detail {

//! Makes an mbarrier on which one thread waits; by this thread, before a barrier of the block.
__device__ inline void begin_transaction_barrier([[maybe_unused]] std::uint64_t* word) {
#if __CUDA_ARCH__ >= 900
  transaction_barrier{shared_address(word)}.begin(1);
  publish_barriers();
#endif
}

//! Copies `bytes` bytes, a multiple of 16, from the global to the shared memory: `begins` is true
//! in the thread that begins the copy. False where the addresses are no multiples of 16, or without
//! a copy engine.
__device__ inline bool copy_in_bulk([[maybe_unused]] std::uint64_t* word,
                                    [[maybe_unused]] void* target,
                                    [[maybe_unused]] void const* source,
                                    [[maybe_unused]] index bytes, [[maybe_unused]] bool begins) {
#if __CUDA_ARCH__ >= 900
  if (reinterpret_cast<std::uintptr_t>(source) % 16 != 0 || shared_address(target) % 16 != 0)
    return false;
  if (begins && bytes > 0) {
    auto const count = static_cast<std::uint32_t>(bytes);
    transaction_barrier const barrier{shared_address(word)};
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    barrier.expect(count);
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%1], [%2], %3, [%0];" ::
            "r"(barrier.address),
        "r"(shared_address(target)), "l"(source), "r"(count)
        : "memory");
  }
  return true;
#else
  return false;
#endif
}

//! Waits, in the thread that begins copies, until all bytes are there that an mbarrier expects; and
//! in each thread for its own asynchronous copies, where the threads have copied. A barrier of the
//! block follows, after which all threads see the bytes.
__device__ inline void await_transactions([[maybe_unused]] std::uint64_t* word,
                                          [[maybe_unused]] bool begins) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
#if __CUDA_ARCH__ >= 900
  if (begins) transaction_barrier{shared_address(word)}.arrive_and_wait();
#endif
}

}  // namespace mmm::detail
