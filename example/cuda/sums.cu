// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the library's algorithms as kernels. Exit status 77 without a GPU.
// [include]
#include <mmm/mmm.cuh>
// [/include]

#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("no CUDA device: skipped\n");
    return 77;
  }
  try {
    cudaStream_t stream = nullptr;
    // [call]
    using machine = mmm::hmm<64, 32, 29, 700>;  // 64 DMMs: a grid of 64 blocks
    auto const on = mmm::cuda::on<machine>(mmm::threads(64 * 512), stream);

    thrust::device_vector<float> a(1 << 20, 0.5F);
    float const s = mmm::sum(on, a.begin(), a.end());     // waits for the result
    mmm::prefix_sums(on, a.begin(), a.end(), a.begin());  // runs in the order of the stream
    // [/call]
    // [iterator]
    thrust::counting_iterator<mmm::index> const first(0);
    // an iterator that device code may use
    mmm::index const total = mmm::sum(on, first, first + 1000);
    // [/iterator]
    std::string refusal;
    // [errors]
    try {
      // a block of 4096 threads
      auto const greedy = mmm::cuda::on<mmm::dmm<32, 1>>(mmm::threads(4096), stream);
      static_cast<void>(mmm::sum(greedy, a.begin(), a.end()));
    } catch (std::invalid_argument const& e) {
      // "mmm: the number of threads of a block is 4096; accepted: 1 to 1024 for this kernel"
      refusal = e.what();
    }
    // [/errors]
    std::printf("%s\n", refusal.c_str());
    bool const right = s == 524288.0F && a.back() == s && total == 499500 &&
                       refusal.find("4096") != std::string::npos;
    std::printf("sum %g, last prefix-sum %g, 0 + ... + 999 = %lld\n", static_cast<double>(s),
                static_cast<double>(a.back()), static_cast<long long>(total));
    return right ? 0 : 1;
  } catch (std::exception const& e) {
    std::fprintf(stderr, "sums: %s\n", e.what());
    return 1;
  }
}
