// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

#include <cuda_runtime_api.h>

#include <memory>

//! NVIDIA's libraries that do the same as some algorithms. Each may be missing where the benchmark
//! is compiled (MMM_HAS_CUBLAS, MMM_HAS_CUDNN, MMM_HAS_CUFFT): then nothing is there. What fails
//! throws std::runtime_error.
namespace bench {

using mmm::index;

class blas {
 public:
  explicit blas(cudaStream_t stream);
  ~blas();
  [[nodiscard]] bool there() const;
  //! `out` = the transpose of the side x side array `a`.
  void transpose(float const* a, index side, float* out) const;
  //! c = a b, n x n each, row-major, in float32 without tensor cores.
  void product(float const* a, float const* b, index n, float* c) const;

 private:
  struct library;
  std::unique_ptr<library> of_;
};

//! The convolution of a one-channel image of `rows` x `columns` with `taps_down` x `taps_across`
//! taps, odd numbers; the result is as large, and what lies outside is 0. With one row and
//! taps_down = 1, nothing is padded: the result is `taps_across - 1` shorter.
class dnn {
 public:
  dnn(cudaStream_t stream, index rows, index columns, index taps_down, index taps_across);
  ~dnn();
  [[nodiscard]] bool there() const;
  void convolve(float const* image, float const* taps, float* out) const;

 private:
  struct library;
  std::unique_ptr<library> of_;
};

//! z(i) = sum of x(k) y(i + k) by Fourier transforms of all of y. Times include the transform of
//! the taps.
class fft {
 public:
  fft(cudaStream_t stream, index taps, index words);
  ~fft();
  [[nodiscard]] bool there() const;
  //! Writes `words - taps + 1` values and some more behind them: `out` has room for `words`.
  void convolve(float const* x, float const* y, float* out) const;

 private:
  struct library;
  std::unique_ptr<library> of_;
};

}  // namespace bench
