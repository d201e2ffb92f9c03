// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries.hpp"

#include <stdexcept>
#include <string>

#if MMM_HAS_CUBLAS
#include <cublas_v2.h>
#endif

namespace bench {

#if MMM_HAS_CUBLAS
namespace {

void demand(cublasStatus_t status, char const* call) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string(call) + ": " + cublasGetStatusString(status));
}

}  // namespace

struct blas::library {
  cublasHandle_t handle = nullptr;
  explicit library(cudaStream_t stream) {
    demand(cublasCreate(&handle), "cublasCreate");
    demand(cublasSetStream(handle, stream), "cublasSetStream");
    demand(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH), "cublasSetMathMode");
  }
  library(library const&) = delete;
  library& operator=(library const&) = delete;
  ~library() { static_cast<void>(cublasDestroy(handle)); }
};

blas::blas(cudaStream_t stream) : of_(std::make_unique<library>(stream)) {}

void blas::transpose(float const* a, index side, float* out) const {
  float const one = 1;
  float const zero = 0;
  auto const n = static_cast<int>(side);
  demand(
      cublasSgeam(of_->handle, CUBLAS_OP_T, CUBLAS_OP_N, n, n, &one, a, n, &zero, out, n, out, n),
      "cublasSgeam");
}

void blas::product(float const* a, float const* b, index side, float* c) const {
  float const one = 1;
  float const zero = 0;
  auto const n = static_cast<int>(side);
  // cuBLAS matrices are column-major, that is, the transposes of ours: it computes c' = b' a'.
  demand(cublasSgemm(of_->handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, n, a, n, &zero, c, n),
         "cublasSgemm");
}

void blas::product_of_halves(void const* a, void const* b, index side, float* c) const {
  float const one = 1;
  float const zero = 0;
  auto const n = static_cast<int>(side);
  demand(
      cublasGemmEx(of_->handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, CUDA_R_16F, n, a,
                   CUDA_R_16F, n, &zero, c, CUDA_R_32F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
      "cublasGemmEx");
}
#else
struct blas::library {};
blas::blas(cudaStream_t) { throw std::runtime_error("compiled without cuBLAS"); }
void blas::transpose(float const*, index, float*) const {}
void blas::product(float const*, float const*, index, float*) const {}
void blas::product_of_halves(void const*, void const*, index, float*) const {}
#endif

blas::~blas() = default;

}  // namespace bench
