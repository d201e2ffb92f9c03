// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

#include <cstdint>

//! Barriers in shared memory that also wait for bytes: those of bulk and tensor copies (compute
//! capability 9.0).
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
namespace mmm::detail {

[[nodiscard]] __device__ inline std::uint32_t shared_address(void const* p) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}

//! A barrier in shared memory (PTX ISA, "mbarrier"), by its address.
struct transaction_barrier {
  std::uint32_t address;

  //! One thread does this, before `publish_barriers` and a barrier of the block.
  __device__ void begin(std::uint32_t arrivals) const {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address), "r"(arrivals)
                 : "memory");
  }
  __device__ void arrive() const {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address) : "memory");
  }
  //! Arrives, and lets the phase end only after copies of so many bytes.
  __device__ void arrive_expecting(std::uint32_t bytes) const {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address), "r"(bytes)
                 : "memory");
  }
  //! Lets the phase end only after copies of so many bytes, too.
  __device__ void expect(std::uint32_t bytes) const {
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(address),
                 "r"(bytes)
                 : "memory");
  }
  //! Arrives, and waits for the end of the phase, whatever its parity.
  __device__ void arrive_and_wait() const {
    asm volatile("{ .reg .b64 phase; .reg .pred complete;\n"
                 "  mbarrier.arrive.shared.b64 phase, [%0];\n"
                 "again:\n"
                 "  mbarrier.try_wait.shared.b64 complete, [%0], phase;\n"
                 "  @!complete bra again; }" ::"r"(address)
                 : "memory");
  }
  //! Waits for the end of the phase of this parity: 0 for the first one, then by turns.
  __device__ void await(std::uint32_t parity) const {
    std::uint32_t ended = 0;
    do {
      asm volatile("{ .reg .pred p;\n"
                   "  mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                   "  selp.u32 %0, 1, 0, p; }"
                   : "=r"(ended)
                   : "r"(address), "r"(parity)
                   : "memory");
    } while (ended == 0);
  }
};
__device__ inline void publish_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

}  // namespace mmm::detail
#endif
