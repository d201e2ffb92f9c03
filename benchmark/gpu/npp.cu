// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device.cuh"
#include "libraries.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#if MMM_HAS_NPPIF
#include <nppi_filtering_functions.h>
#endif

namespace bench {

#if MMM_HAS_NPPIF
namespace {

NppStreamContext context_of(cudaStream_t stream) {
  NppStreamContext of{};
  of.hStream = stream;
  check(cudaGetDevice(&of.nCudaDeviceId), "cudaGetDevice", "NPP");
  cudaDeviceProp p{};
  check(cudaGetDeviceProperties(&p, of.nCudaDeviceId), "cudaGetDeviceProperties", "NPP");
  of.nMultiProcessorCount = p.multiProcessorCount;
  of.nMaxThreadsPerMultiProcessor = p.maxThreadsPerMultiProcessor;
  of.nMaxThreadsPerBlock = p.maxThreadsPerBlock;
  of.nSharedMemPerBlock = p.sharedMemPerBlock;
  of.nCudaDevAttrComputeCapabilityMajor = p.major;
  of.nCudaDevAttrComputeCapabilityMinor = p.minor;
  check(cudaStreamGetFlags(stream, &of.nStreamFlags), "cudaStreamGetFlags", "NPP");
  return of;
}

}  // namespace

struct npp::library {
  NppStreamContext context;
  index side, v;
  buffer<float> padded, taps;

  library(cudaStream_t stream, index n, index radius)
      : context(context_of(stream)),
        side(n),
        v(radius),
        padded((n + 2 * radius) * (n + 2 * radius)),
        taps((2 * radius + 1) * (2 * radius + 1)) {}
  [[nodiscard]] index pitch() const { return side + 2 * v; }
  [[nodiscard]] float* first_pixel() const { return padded.begin() + v * pitch() + v; }
};

npp::npp(cudaStream_t stream, float const* image, index side, float const* taps, index v)
    : of_(std::make_unique<library>(stream, side, v)) {
  auto const row = static_cast<std::size_t>(side) * 4;
  of_->padded.set(0);
  check(cudaMemcpy2D(of_->first_pixel(), static_cast<std::size_t>(of_->pitch()) * 4, image, row,
                     row, static_cast<std::size_t>(side), cudaMemcpyDeviceToDevice),
        "cudaMemcpy2D", "a padded image");
  std::vector<float> turned(static_cast<std::size_t>(of_->taps.size()));
  check(cudaMemcpy(turned.data(), taps, of_->taps.bytes(), cudaMemcpyDeviceToHost), "cudaMemcpy",
        "taps");
  std::reverse(turned.begin(), turned.end());
  of_->taps.assign(turned);
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize", "a padded image");
}

void npp::convolve(float* out) const {
  auto const whole = [](index n) { return static_cast<int>(n); };
  int const width = whole(2 * of_->v + 1);
  NppStatus const status =
      nppiFilter_32f_C1R_Ctx(of_->first_pixel(), whole(of_->pitch() * 4), out, whole(of_->side * 4),
                             {whole(of_->side), whole(of_->side)}, of_->taps.begin(),
                             {width, width}, {whole(of_->v), whole(of_->v)}, of_->context);
  if (status != NPP_SUCCESS)
    throw std::runtime_error("nppiFilter_32f_C1R_Ctx failed: " + std::to_string(status));
}
#else
struct npp::library {};
npp::npp(cudaStream_t, float const*, index, float const*, index) {
  throw std::runtime_error("compiled without NPP");
}
void npp::convolve(float*) const {}
#endif

npp::~npp() = default;

}  // namespace bench
