// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

#include <cuda_runtime_api.h>

#include <memory>

//! NVIDIA's libraries as contenders. A library whose headers were not found when the benchmark was
//! compiled (MMM_HAS_CUBLAS, MMM_HAS_CUDNN, MMM_HAS_CUFFT not defined) has no contenders. A call
//! that fails throws std::runtime_error.
namespace bench {

using mmm::index;

class blas {
 public:
  explicit blas(cudaStream_t stream);
  ~blas();
  [[nodiscard]] bool there() const;
  //! Writes the transpose of the side x side array `a` to `out`.
  void transpose(float const* a, index side, float* out) const;
  //! c = a b for n x n row-major matrices, in float32 without tensor cores.
  void product(float const* a, float const* b, index n, float* c) const;
  //! The same for factors of half precision, by the tensor cores.
  void product_of_halves(void const* a, void const* b, index n, float* c) const;

 private:
  struct library;
  std::unique_ptr<library> of_;
};

//! The convolution of a one-channel image of `rows` x `columns` with `taps_down` x `taps_across`
//! taps, both odd. The result has the size of the image, which is padded with zeros. With one row
//! and taps_down = 1 there is no padding, and the result is shorter by `taps_across - 1`.
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

//! z(i) = sum of x(k) y(i + k), by one Fourier transform over all of y. Measured times include the
//! transform of the taps.
class fft {
 public:
  fft(cudaStream_t stream, index taps, index words);
  ~fft();
  [[nodiscard]] bool there() const;
  //! Writes `words - taps + 1` results, followed by words that do not matter: `out` needs room for
  //! `words`.
  void convolve(float const* x, float const* y, float* out) const;

 private:
  struct library;
  std::unique_ptr<library> of_;
};

}  // namespace bench
