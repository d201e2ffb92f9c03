// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device.cuh"
#include "libraries.hpp"

#include <limits>
#include <stdexcept>
#include <string>

#if MMM_HAS_CUBLASLT
#include <cublasLt.h>
#endif

namespace bench {

#if MMM_HAS_CUBLASLT
namespace {

void demand(cublasStatus_t status, char const* call) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string(call) + ": " + cublasLtGetStatusString(status));
}

constexpr float one = 1;
constexpr float zero = 0;

}  // namespace

struct blas_lt::library {
  cudaStream_t stream;
  kind what;
  void const* a;
  void const* b;
  float* c;
  cublasLtHandle_t handle = nullptr;
  cublasLtMatmulDesc_t product = nullptr;
  cublasLtMatrixTransformDesc_t transform = nullptr;
  cublasLtMatrixLayout_t factor = nullptr;
  cublasLtMatrixLayout_t result = nullptr;
  cublasLtMatmulAlgo_t algorithm{};
  buffer<char> room{index{32} << 20};

  library(cudaStream_t s, kind w, index side, void const* x, void const* y, float* z)
      : stream(s), what(w), a(x), b(y), c(z) {
    auto const n = static_cast<std::uint64_t>(side);
    cudaDataType_t const type = what == kind::product_of_halves ? CUDA_R_16F : CUDA_R_32F;
    demand(cublasLtCreate(&handle), "cublasLtCreate");
    demand(cublasLtMatrixLayoutCreate(&factor, type, n, n, side), "cublasLtMatrixLayoutCreate");
    demand(cublasLtMatrixLayoutCreate(&result, CUDA_R_32F, n, n, side),
           "cublasLtMatrixLayoutCreate");
    if (what == kind::transpose) {
      demand(cublasLtMatrixTransformDescCreate(&transform, CUDA_R_32F),
             "cublasLtMatrixTransformDescCreate");
      cublasOperation_t const turned = CUBLAS_OP_T;
      demand(cublasLtMatrixTransformDescSetAttribute(
                 transform, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, &turned, sizeof(turned)),
             "cublasLtMatrixTransformDescSetAttribute");
    } else {
      demand(cublasLtMatmulDescCreate(
                 &product, what == kind::product ? CUBLAS_COMPUTE_32F_PEDANTIC : CUBLAS_COMPUTE_32F,
                 CUDA_R_32F),
             "cublasLtMatmulDescCreate");
      choose();
    }
  }
  library(library const&) = delete;
  library& operator=(library const&) = delete;
  ~library() {
    if (product != nullptr) static_cast<void>(cublasLtMatmulDescDestroy(product));
    if (transform != nullptr) static_cast<void>(cublasLtMatrixTransformDescDestroy(transform));
    if (factor != nullptr) static_cast<void>(cublasLtMatrixLayoutDestroy(factor));
    if (result != nullptr) static_cast<void>(cublasLtMatrixLayoutDestroy(result));
    if (handle != nullptr) static_cast<void>(cublasLtDestroy(handle));
  }

  void multiply(cublasLtMatmulAlgo_t const& by) const {
    // cuBLASLt's matrices are column-major, that is, the transposes of ours: c' = b' a'.
    demand(cublasLtMatmul(handle, product, &one, b, factor, a, factor, &zero, c, result, c, result,
                          &by, room.begin(), room.bytes(), stream),
           "cublasLtMatmul");
  }

  //! Takes the quickest of the algorithms that the heuristic names first, the better of two runs of
  //! each.
  void choose() {
    cublasLtMatmulPreference_t preference = nullptr;
    demand(cublasLtMatmulPreferenceCreate(&preference), "cublasLtMatmulPreferenceCreate");
    std::size_t const bytes = room.bytes();
    cublasLtMatmulHeuristicResult_t named[8]{};
    int count = 0;
    cublasStatus_t status = cublasLtMatmulPreferenceSetAttribute(
        preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, sizeof(bytes));
    if (status == CUBLAS_STATUS_SUCCESS)
      status = cublasLtMatmulAlgoGetHeuristic(handle, product, factor, factor, result, result,
                                              preference, 8, named, &count);
    static_cast<void>(cublasLtMatmulPreferenceDestroy(preference));
    demand(status, "cublasLtMatmulAlgoGetHeuristic");
    double least = std::numeric_limits<double>::infinity();
    event begin;
    event end;
    for (int k = 0; k < count; ++k) {
      if (named[k].state != CUBLAS_STATUS_SUCCESS) continue;
      for (int turn = 0; turn < 3; ++turn) {  // the first one loads the code
        begin.record(stream);
        multiply(named[k].algo);
        end.record(stream);
        double const time = end.since(begin);
        if (turn == 0 || time >= least) continue;
        least = time;
        algorithm = named[k].algo;
      }
    }
    if (least == std::numeric_limits<double>::infinity())
      throw std::runtime_error("cublasLtMatmulAlgoGetHeuristic names no algorithm");
  }
};

blas_lt::blas_lt(cudaStream_t stream, kind what, index n, void const* a, void const* b, float* c)
    : of_(std::make_unique<library>(stream, what, n, a, b, c)) {}

void blas_lt::run() const {
  library const& l = *of_;
  if (l.what != kind::transpose) return l.multiply(l.algorithm);
  demand(cublasLtMatrixTransform(l.handle, l.transform, &one, l.a, l.factor, &zero, nullptr,
                                 nullptr, l.c, l.result, l.stream),
         "cublasLtMatrixTransform");
}
#else
struct blas_lt::library {};
blas_lt::blas_lt(cudaStream_t, kind, index, void const*, void const*, float*) {
  throw std::runtime_error("compiled without cuBLASLt");
}
void blas_lt::run() const {}
#endif

blas_lt::~blas_lt() = default;

}  // namespace bench
