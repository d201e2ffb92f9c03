// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/execution/kernel/cuda_error.cuh>

#include <mutex>
#include <vector>

//! Counters of arrived blocks, for kernels whose last block goes on alone (first_alone).
namespace mmm::detail {

//! A counter for each stream, zero between kernels, as each kernel's last block resets it. The
//! kernels of a stream run one after the other, so one counter is enough for all of them. It is
//! cleared once and lives to the end of the process.
class arrivals_of_streams {
 public:
  arrivals_of_streams() = default;
  arrivals_of_streams(arrivals_of_streams const&) = delete;
  arrivals_of_streams& operator=(arrivals_of_streams const&) = delete;
  ~arrivals_of_streams() {
    for (counter const& one : counters_) static_cast<void>(cudaFree(one.first));
  }
  //! The counter of a stream on the current device.
  [[nodiscard]] unsigned* counter_of(cudaStream_t stream) {
    stream_name name{};
    cuda::check(cudaGetDevice(&name.device), "cudaGetDevice", "looking for a CUDA device");
    cuda::check(cudaStreamGetId(stream, &name.number), "cudaStreamGetId",
                "looking for the counter of a stream");
    std::lock_guard const lock(one_);
    for (counter const& known : counters_)
      if (known.stream == name) return known.first;
    void* first = nullptr;
    cuda::check(cudaMalloc(&first, sizeof(unsigned)), "cudaMalloc", "a counter of blocks");
    counters_.push_back({name, cleared(first, stream)});
    return counters_.back().first;
  }
  //! Clears a counter, in the order of the stream.
  [[nodiscard]] static unsigned* cleared(void* counter, cudaStream_t stream) {
    cuda::check(cudaMemsetAsync(counter, 0, sizeof(unsigned), stream), "cudaMemsetAsync",
                "a counter of blocks");
    return static_cast<unsigned*>(counter);
  }

 private:
  struct stream_name {
    int device;
    unsigned long long number;  //!< unique among all streams of the process, also those destroyed
    friend bool operator==(stream_name const&, stream_name const&) = default;
  };
  struct counter {
    stream_name stream;
    unsigned* first;
  };
  std::mutex one_;
  std::vector<counter> counters_;
};

//! A counter of blocks for a launch, zero before it. A launch that is captured in a graph may later
//! run beside other kernels of the stream: its counter is in memory of the launch's `own`, and is
//! cleared each time.
[[nodiscard]] inline unsigned* arrivals_of(cudaStream_t stream, void* own) {
  cudaStreamCaptureStatus status{};
  cuda::check(cudaStreamIsCapturing(stream, &status), "cudaStreamIsCapturing",
              "asking whether a launch is captured");
  if (status != cudaStreamCaptureStatusNone) return arrivals_of_streams::cleared(own, stream);
  static arrivals_of_streams all;
  return all.counter_of(stream);
}

}  // namespace mmm::detail
