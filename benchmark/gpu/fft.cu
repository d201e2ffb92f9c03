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

//! The same for every block of `words`, with one transform of taps.
__global__ void multiply_blocks(cufftComplex const* x, cufftComplex* y, index words, float scale) {
  cufftComplex* const mine = y + index{blockIdx.x} * words;
  for (index i = threadIdx.x; i < words; i += blockDim.x) {
    cufftComplex const a = x[i];
    cufftComplex const b = mine[i];
    mine[i] = {(a.x * b.x + a.y * b.y) * scale, (a.x * b.y - a.y * b.x) * scale};
  }
}

//! Copies the first `step` words of every block of `block` words, `n` words in all.
__global__ void gather_blocks(float const* blocks, index block, index step, index n, float* out) {
  index const first = index{blockIdx.x} * step;
  index const count = n - first < step ? n - first : step;
  for (index i = threadIdx.x; i < count; i += blockDim.x)
    out[first + i] = blocks[index{blockIdx.x} * block + i];
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

struct fft_in_blocks::library {
  cudaStream_t stream;
  index taps, block, step, results, blocks;
  buffer<float> padded_taps, y, z;
  buffer<cufftComplex> x_transform, y_transforms;
  cufftHandle of_taps = 0;
  cufftHandle there = 0;
  cufftHandle back = 0;

  library(cudaStream_t s, index m, index words, index length)
      : stream(s),
        taps(m),
        block(length),
        step(length - m + 1),
        results(words - m + 1),
        blocks((results + step - 1) / step),
        padded_taps(length),
        y((blocks - 1) * step + length),
        z(blocks * length),
        x_transform(length / 2 + 1),
        y_transforms(blocks * (length / 2 + 1)) {
    int n = static_cast<int>(length);
    int half = n / 2 + 1;
    auto const batch = static_cast<int>(blocks);
    demand(cufftPlan1d(&of_taps, n, CUFFT_R2C, 1), "cufftPlan1d");
    demand(cufftPlanMany(&there, 1, &n, &n, 1, static_cast<int>(step), &half, 1, half, CUFFT_R2C,
                         batch),
           "cufftPlanMany");
    demand(cufftPlanMany(&back, 1, &n, &half, 1, half, &n, 1, n, CUFFT_C2R, batch),
           "cufftPlanMany");
    for (cufftHandle const plan : {of_taps, there, back})
      demand(cufftSetStream(plan, s), "cufftSetStream");
    check(cudaMemset(padded_taps.begin(), 0, padded_taps.bytes()), "cudaMemset", "taps");
    check(cudaMemset(y.begin(), 0, y.bytes()), "cudaMemset", "a padded sequence");
  }
  library(library const&) = delete;
  library& operator=(library const&) = delete;
  ~library() {
    for (cufftHandle const plan : {of_taps, there, back}) static_cast<void>(cufftDestroy(plan));
  }
};

fft_in_blocks::fft_in_blocks(cudaStream_t stream, index taps, index words, index block,
                             float const* x, float const* y)
    : of_(std::make_unique<library>(stream, taps, words, block)) {
  check(
      cudaMemcpy(of_->y.begin(), y, static_cast<std::size_t>(words) * 4, cudaMemcpyDeviceToDevice),
      "cudaMemcpy", "a padded sequence");
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize", "a padded sequence");
  transform_taps(x);
}

void fft_in_blocks::transform_taps(float const* x) const {
  library const& l = *of_;
  check(cudaMemcpyAsync(l.padded_taps.begin(), x, static_cast<std::size_t>(l.taps) * 4,
                        cudaMemcpyDeviceToDevice, l.stream),
        "cudaMemcpyAsync", "taps to transform");
  demand(cufftExecR2C(l.of_taps, l.padded_taps.begin(), l.x_transform.begin()), "cufftExecR2C");
}

void fft_in_blocks::convolve(float* out) const {
  library const& l = *of_;
  auto const grid = static_cast<unsigned>(l.blocks);
  demand(cufftExecR2C(l.there, l.y.begin(), l.y_transforms.begin()), "cufftExecR2C");
  multiply_blocks<<<grid, 256, 0, l.stream>>>(l.x_transform.begin(), l.y_transforms.begin(),
                                              l.block / 2 + 1, 1.0F / static_cast<float>(l.block));
  check(cudaGetLastError(), "a kernel", "the products of transforms");
  demand(cufftExecC2R(l.back, l.y_transforms.begin(), l.z.begin()), "cufftExecC2R");
  gather_blocks<<<grid, 256, 0, l.stream>>>(l.z.begin(), l.block, l.step, l.results, out);
  check(cudaGetLastError(), "a kernel", "results of blocks");
}
#else
struct fft::library {};
fft::fft(cudaStream_t, index, index) { throw std::runtime_error("compiled without cuFFT"); }
void fft::convolve(float const*, float const*, float*) const {}
struct fft_in_blocks::library {};
fft_in_blocks::fft_in_blocks(cudaStream_t, index, index, index, float const*, float const*) {
  throw std::runtime_error("compiled without cuFFT");
}
void fft_in_blocks::transform_taps(float const*) const {}
void fft_in_blocks::convolve(float*) const {}
#endif

fft::~fft() = default;
fft_in_blocks::~fft_in_blocks() = default;

}  // namespace bench
