// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

//! NVIDIA's libraries as contenders. If a library's headers were not found when the benchmark was
//! compiled (MMM_HAS_CUBLAS, MMM_HAS_CUBLASLT, MMM_HAS_CUDNN, MMM_HAS_CUFFT, MMM_HAS_NPPIF,
//! MMM_HAS_CCCL are 0 or not defined), constructors or calls throw std::runtime_error; so do calls
//! that fail.
namespace bench {

using mmm::index;

//! A contender's run: `use(library)`. The first run, which is not timed, makes the library, a
//! `Library` of these arguments; if that throws, the contender is left out, with the reason.
template <class Library, class Use, class... Arguments>
[[nodiscard]] auto run_of(Use const& use, Arguments... arguments) {
  return [use, arguments..., made = std::shared_ptr<Library>()]() mutable {
    if (made == nullptr) made = std::make_shared<Library>(arguments...);
    use(*made);
  };
}

class blas {
 public:
  explicit blas(cudaStream_t stream);
  ~blas();
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

//! Products and transposes of n x n row-major arrays by cuBLASLt. The algorithms that its heuristic
//! names first, up to eight, are measured by the constructor, and the quickest is taken.
class blas_lt {
 public:
  enum class kind {
    product,            //!< c = a b in float32 without tensor cores
    product_of_halves,  //!< factors of half precision, added up in float32 by the tensor cores
    transpose           //!< cublasLtMatrixTransform of `a`; `b` is not read
  };
  blas_lt(cudaStream_t stream, kind what, index n, void const* a, void const* b, float* c);
  ~blas_lt();
  //! Writes to `c` of the constructor.
  void run() const;

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
  void convolve(float const* image, float const* taps, float* out) const;

 private:
  struct library;
  std::unique_ptr<library> of_;
};

//! The same convolution of a `side` x `side` image with (2v + 1) x (2v + 1) taps by NPP. The
//! constructor copies the image into one with `v` zeros on each side and turns the taps round, as
//! NPP takes them; no run has this in its time.
class npp {
 public:
  npp(cudaStream_t stream, float const* image, index side, float const* taps, index v);
  ~npp();
  void convolve(float* out) const;

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
  //! Writes `words - taps + 1` results, followed by words that do not matter: `out` needs room for
  //! `words`.
  void convolve(float const* x, float const* y, float* out) const;

 private:
  struct library;
  std::unique_ptr<library> of_;
};

//! The same by overlap-save: transforms of `block` words, in one batch, that overlap by `taps - 1`
//! words; the results that do not wrap round are copied out. The constructor copies y, with zeros
//! after it, and transforms the taps; no run has this in its time.
class fft_in_blocks {
 public:
  //! \pre taps <= block
  fft_in_blocks(cudaStream_t stream, index taps, index words, index block, float const* x,
                float const* y);
  ~fft_in_blocks();
  //! Transforms the taps anew, for a run that has this in its time.
  void transform_taps(float const* x) const;
  //! Writes `words - taps + 1` results.
  void convolve(float* out) const;

 private:
  struct library;
  std::unique_ptr<library> of_;
};

//! CUB of a newer CCCL than the toolkit's. As with CUB, a call with `room` null sets `bytes` to the
//! size of the memory that a further call takes.
namespace newer_cub {
//! ", CCCL 3.5"; ", a newer CCCL" if the benchmark was compiled without one.
[[nodiscard]] std::string version();
[[nodiscard]] cudaError_t sum(void* room, std::size_t& bytes, float const* a, float* out, index n,
                              cudaStream_t stream);
[[nodiscard]] cudaError_t inclusive_sum(void* room, std::size_t& bytes, float const* a, float* out,
                                        index n, cudaStream_t stream);
[[nodiscard]] cudaError_t sort_keys(void* room, std::size_t& bytes, std::uint32_t const* keys,
                                    std::uint32_t* out, index n, cudaStream_t stream);
[[nodiscard]] cudaError_t sort_pairs(void* room, std::size_t& bytes, std::uint32_t const* keys,
                                     std::uint32_t* out, std::uint32_t const* values,
                                     std::uint32_t* out_values, index n, cudaStream_t stream);
}  // namespace newer_cub

}  // namespace bench
