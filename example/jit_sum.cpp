// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds numbers by a kernel that is chosen for the GPU that is there and compiled when it is called.
// nvcc is not needed:
//
//   g++ -std=c++20 -I include -isystem /usr/local/cuda/include example/jit_sum.cpp -o jit_sum -ldl
//   ./jit_sum [N]              without a GPU: mmm-run ./jit_sum [N]
//
// Exit status 1 if the sum is wrong, 2 with a message for what is missing.
#include <mmm/jit.hpp>

#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <system_error>
#include <vector>

int main(int argc, char** argv) {
  mmm::index n = 20000;
  if (argc > 1) {
    char const* const end = argv[1] + std::strlen(argv[1]);
    auto const [stop, failure] = std::from_chars(argv[1], end, n);
    if (failure != std::errc() || stop != end || n < 1 || n > 1 << 24) {
      std::fprintf(stderr, "jit_sum: N is %s; accepted: 1 to 16777216\n", argv[1]);
      return 2;
    }
  }
  try {
    mmm::jit::device_array<float> const values(
        std::vector<float>(static_cast<std::size_t>(n), 1.0F)),
        result(1);
    // [at_run_time]
    auto const sum = mmm::jit::kernel<mmm::problem_kind::sums, float>(n);
    sum(nullptr, values.data(), result.data());  // on the default stream
    // [/at_run_time]
    float const found = result.copied().front();
    std::printf("%.0f by %s, predicted to take %.1f µs\n", static_cast<double>(found),
                sum.chosen().candidate.c_str(), sum.chosen().time.microseconds);
    return found == static_cast<float>(n) ? 0 : 1;
  } catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
}
