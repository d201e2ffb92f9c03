// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum of floats in the GPU's memory as a function in C, for jit_sum.py: NVRTC compiles its kernel
// at run time, or it comes from the cache.
#include <mmm/jit.hpp>

#include <cstdio>
#include <exception>

//! Writes the sum of n values to *result, in the order of the stream. Returns 0, or 1 and why.
extern "C" int sum_of_floats(void* stream, float const* values, long long n, float* result,
                             char (*why)[1000]) {
  try {
    using machine = mmm::hmm<8, 32, 30, 500, 1024>;
    auto const on = mmm::jit::on<machine>(mmm::threads(8 * 256), static_cast<CUstream>(stream));
    mmm::sum(on, values, values + n, result);
    return 0;
  } catch (std::exception const& e) {
    std::snprintf(*why, sizeof *why, "%s", e.what());
    return 1;
  }
}
