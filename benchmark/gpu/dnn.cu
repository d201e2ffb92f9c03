// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device.cuh"
#include "libraries.hpp"

#include <stdexcept>
#include <string>

#if MMM_HAS_CUDNN
// The cuDNN calls that need no graph are deprecated; the warnings about them are switched off.
#pragma nv_diag_suppress 1444
#include <cudnn.h>
#endif

namespace bench {

#if MMM_HAS_CUDNN
namespace {

void demand(cudnnStatus_t status, char const* call) {
  if (status != CUDNN_STATUS_SUCCESS)
    throw std::runtime_error(std::string(call) + ": " + cudnnGetErrorString(status));
}

}  // namespace

struct dnn::library {
  cudnnHandle_t handle = nullptr;
  cudnnTensorDescriptor_t in = nullptr;
  cudnnTensorDescriptor_t out = nullptr;
  cudnnFilterDescriptor_t taps = nullptr;
  cudnnConvolutionDescriptor_t convolution = nullptr;
  cudnnConvolutionFwdAlgo_t algorithm{};
  std::unique_ptr<buffer<char>> room;

  library(cudaStream_t stream, index rows, index columns, index taps_down, index taps_across) {
    auto const whole = [](index n) { return static_cast<int>(n); };
    bool const padded = taps_down > 1;
    int const down = padded ? whole(taps_down / 2) : 0;
    int const across = padded ? whole(taps_across / 2) : 0;
    demand(cudnnCreate(&handle), "cudnnCreate");
    demand(cudnnSetStream(handle, stream), "cudnnSetStream");
    demand(cudnnCreateTensorDescriptor(&in), "cudnnCreateTensorDescriptor");
    demand(cudnnCreateTensorDescriptor(&out), "cudnnCreateTensorDescriptor");
    demand(cudnnCreateFilterDescriptor(&taps), "cudnnCreateFilterDescriptor");
    demand(cudnnCreateConvolutionDescriptor(&convolution), "cudnnCreateConvolutionDescriptor");
    demand(cudnnSetTensor4dDescriptor(in, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, whole(rows),
                                      whole(columns)),
           "cudnnSetTensor4dDescriptor");
    demand(cudnnSetFilter4dDescriptor(taps, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 1, 1,
                                      whole(taps_down), whole(taps_across)),
           "cudnnSetFilter4dDescriptor");
    demand(cudnnSetConvolution2dDescriptor(convolution, down, across, 1, 1, 1, 1,
                                           CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT),
           "cudnnSetConvolution2dDescriptor");
    demand(cudnnSetConvolutionMathType(convolution, CUDNN_FMA_MATH), "cudnnSetConvolutionMathType");
    int n = 0;
    int channels = 0;
    int height = 0;
    int width = 0;
    demand(cudnnGetConvolution2dForwardOutputDim(convolution, in, taps, &n, &channels, &height,
                                                 &width),
           "cudnnGetConvolution2dForwardOutputDim");
    demand(cudnnSetTensor4dDescriptor(out, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, channels, height,
                                      width),
           "cudnnSetTensor4dDescriptor");
    int found = 0;
    cudnnConvolutionFwdAlgoPerf_t best{};
    demand(cudnnGetConvolutionForwardAlgorithm_v7(handle, in, taps, convolution, out, 1, &found,
                                                  &best),
           "cudnnGetConvolutionForwardAlgorithm_v7");
    demand(best.status, "cudnnGetConvolutionForwardAlgorithm_v7");
    algorithm = best.algo;
    std::size_t bytes = 0;
    demand(cudnnGetConvolutionForwardWorkspaceSize(handle, in, taps, convolution, out, algorithm,
                                                   &bytes),
           "cudnnGetConvolutionForwardWorkspaceSize");
    room = std::make_unique<buffer<char>>(static_cast<index>(bytes));
  }
  library(library const&) = delete;
  library& operator=(library const&) = delete;
  ~library() {
    if (convolution != nullptr) static_cast<void>(cudnnDestroyConvolutionDescriptor(convolution));
    if (taps != nullptr) static_cast<void>(cudnnDestroyFilterDescriptor(taps));
    if (out != nullptr) static_cast<void>(cudnnDestroyTensorDescriptor(out));
    if (in != nullptr) static_cast<void>(cudnnDestroyTensorDescriptor(in));
    if (handle != nullptr) static_cast<void>(cudnnDestroy(handle));
  }
};

dnn::dnn(cudaStream_t stream, index rows, index columns, index taps_down, index taps_across)
    : of_(std::make_unique<library>(stream, rows, columns, taps_down, taps_across)) {}

void dnn::convolve(float const* image, float const* taps, float* out) const {
  float const one = 1;
  float const zero = 0;
  demand(cudnnConvolutionForward(of_->handle, &one, of_->in, image, of_->taps, taps,
                                 of_->convolution, of_->algorithm, of_->room->begin(),
                                 of_->room->bytes(), &zero, of_->out, out),
         "cudnnConvolutionForward");
}
#else
struct dnn::library {};
dnn::dnn(cudaStream_t, index, index, index, index) {
  throw std::runtime_error("compiled without cuDNN");
}
void dnn::convolve(float const*, float const*, float*) const {}
#endif

dnn::~dnn() = default;

}  // namespace bench
