// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing leaks, and kernels run in the order of their stream.
#include "device_side.cuh"
#include "session.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace memory_tests {

using mmm::index;
using umm = mmm::umm<32, 400>;
using hmm = mmm::hmm<mmm::dynamic, 32, 29, 700, mmm::dynamic>;  // that of kernels_hmm.cu

struct in_use {
  std::uint64_t of_pool;  //!< bytes allocated from the device's pool
  std::size_t free;       //!< free bytes of the device
};

in_use memory_now() {
  mmm::cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize", "a test");
  cudaMemPool_t pool = nullptr;
  mmm::cuda::check(cudaDeviceGetDefaultMemPool(&pool, 0), "cudaDeviceGetDefaultMemPool", "a test");
  mmm::cuda::check(cudaMemPoolTrimTo(pool, 0), "cudaMemPoolTrimTo", "a test");
  in_use now{};
  mmm::cuda::check(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &now.of_pool),
                   "cudaMemPoolGetAttribute", "a test");
  std::size_t total = 0;
  mmm::cuda::check(cudaMemGetInfo(&now.free, &total), "cudaMemGetInfo", "a test");
  return now;
}

//! A stream, destroyed at the end of its lifetime.
struct own_stream {
  cudaStream_t stream = nullptr;
  own_stream() { mmm::cuda::check(cudaStreamCreate(&stream), "cudaStreamCreate", "a test"); }
  own_stream(own_stream const&) = delete;
  own_stream& operator=(own_stream const&) = delete;
  ~own_stream() { static_cast<void>(cudaStreamDestroy(stream)); }
};

void run_all(cudaStream_t stream, checks::device_words<float>& a, float expected) {
  CHECK(mmm::sum(mmm::cuda::on<umm>(mmm::threads(2048), stream), a.begin(), a.end()) == expected);
  CHECK(mmm::sum(mmm::cuda::on(hmm(6, 8192), mmm::threads(6 * 64), stream), a.begin(), a.end()) ==
        expected);
  CHECK(mmm::contiguous(mmm::cuda::on<umm>(mmm::threads(512), stream), a.begin(), a.end()) ==
        expected);
  CHECK_THROWS_SAYING(
      mmm::sum(mmm::cuda::on<umm>(mmm::threads(256 * 1000000), stream), a.begin(), a.end()),
      std::length_error, "blocks that wait");
}

TEST_CASE("nothing leaks") {
  std::vector<float> const ones(100000, 1.0F);
  checks::device_words<float> a(ones.begin(), ones.end());
  own_stream const own;
  // memory that the runtime keeps for itself is allocated in this first run
  run_all(nullptr, a, 100000.0F);
  run_all(own.stream, a, 100000.0F);
  auto const before = memory_now();
  int const times = checks::small_only() ? 3 : 50;
  for (int k = 0; k < times; ++k) {
    run_all(nullptr, a, 100000.0F);
    run_all(own.stream, a, 100000.0F);
  }
  auto const after = memory_now();
  CHECK(after.of_pool == 0);
  CHECK(after.of_pool == before.of_pool);
  // one leaked sum in each run would be 2.4 MB, or 40 MB
  CHECK(after.free + (std::size_t{1} << (checks::small_only() ? 20 : 22)) >= before.free);
}

TEST_CASE("kernels are in order with their stream") {
  index const n = 1 << 16;
  checks::device_words<std::uint32_t> a(static_cast<std::size_t>(n));
  own_stream const own;
  int const times = checks::small_only() ? 5 : 20;
  for (int k = 1; k <= times; ++k) {
    mmm::cuda::check(cudaMemsetAsync(a.begin(), k % 2, static_cast<std::size_t>(n) * 4, own.stream),
                     "cudaMemsetAsync", "a test");
    mmm::prefix_sums(mmm::cuda::on(hmm(6, 8192), mmm::threads(6 * 256), own.stream), a.begin(),
                     a.end(), a.begin());
    std::uint32_t last = 1;
    mmm::cuda::check(cudaMemcpyAsync(&last, a.end() - 1, 4, cudaMemcpyDeviceToHost, own.stream),
                     "cudaMemcpyAsync", "a test");
    mmm::cuda::check(cudaStreamSynchronize(own.stream), "cudaStreamSynchronize", "a test");
    auto const word = static_cast<std::uint32_t>(k % 2) * 0x01010101U;
    CHECK(last == word * static_cast<std::uint32_t>(n));
  }
}

}  // namespace memory_tests
