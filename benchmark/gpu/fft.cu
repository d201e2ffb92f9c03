// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device.cuh"
#include "libraries.hpp"

#include <stdexcept>
#include <string>

#if MMM_HAS_CUFFT
#include <cufft.h>
#endif

namespace bench {

#if MMM_HAS_CUFFT
namespace {

void demand(cufftResult status, char const* call) {
  if (status != CUFFT_SUCCESS)
    throw std::runtime_error(std::string(call) + " failed: " + std::to_string(status));
}

//! y(k) = conj(x(k)) y(k) / words
__global__ void multiply(cufftComplex const* x, cufftComplex* y, index n, float scale) {
  index const step = index{gridDim.x} * blockDim.x;
  for (index i = index{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    cufftComplex const a = x[i];
    cufftComplex const b = y[i];
    y[i] = {(a.x * b.x + a.y * b.y) * scale, (a.x * b.y - a.y * b.x) * scale};
  }
}

}  // namespace

struct fft::library {
  cudaStream_t stream;
  index taps;
  index words;
  buffer<float> padded;
  buffer<cufftComplex> x;
  buffer<cufftComplex> y;
  cufftHandle there = 0;
  cufftHandle back = 0;

  library(cudaStream_t s, index m, index n)
      : stream(s), taps(m), words(n), padded(n), x(n / 2 + 1), y(n / 2 + 1) {
    demand(cufftPlan1d(&there, static_cast<int>(n), CUFFT_R2C, 1), "cufftPlan1d");
    demand(cufftPlan1d(&back, static_cast<int>(n), CUFFT_C2R, 1), "cufftPlan1d");
    demand(cufftSetStream(there, s), "cufftSetStream");
    demand(cufftSetStream(back, s), "cufftSetStream");
  }
  library(library const&) = delete;
  library& operator=(library const&) = delete;
  ~library() {
    static_cast<void>(cufftDestroy(there));
    static_cast<void>(cufftDestroy(back));
  }
};

fft::fft(cudaStream_t stream, index taps, index words)
    : of_(std::make_unique<library>(stream, taps, words)) {}

void fft::convolve(float const* x, float const* y, float* out) const {
  library const& l = *of_;
  check(cudaMemsetAsync(l.padded.begin(), 0, l.padded.bytes(), l.stream), "cudaMemsetAsync",
        "taps to transform");
  check(cudaMemcpyAsync(l.padded.begin(), x, static_cast<std::size_t>(l.taps) * 4,
                        cudaMemcpyDeviceToDevice, l.stream),
        "cudaMemcpyAsync", "taps to transform");
  demand(cufftExecR2C(l.there, l.padded.begin(), l.x.begin()), "cufftExecR2C");
  // An out-of-place transform, which leaves y unchanged.
  demand(cufftExecR2C(l.there, const_cast<float*>(y), l.y.begin()), "cufftExecR2C");
  multiply<<<2048, 256, 0, l.stream>>>(l.x.begin(), l.y.begin(), l.words / 2 + 1,
                                       1.0F / static_cast<float>(l.words));
  check(cudaGetLastError(), "a kernel", "the product of two transforms");
  demand(cufftExecC2R(l.back, l.y.begin(), out), "cufftExecC2R");
}
#else
struct fft::library {};
fft::fft(cudaStream_t, index, index) {}
void fft::convolve(float const*, float const*, float*) const {
  throw std::runtime_error("compiled without cuFFT");
}
#endif

fft::~fft() = default;
bool fft::there() const { return of_ != nullptr; }

}  // namespace bench
