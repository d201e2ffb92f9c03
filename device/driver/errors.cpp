// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "entry.hpp"
#include "functions.hpp"

namespace device::driver {

namespace {

struct error_text {
  CUresult code;
  char const* name;
  char const* text;
};
constexpr error_text error_texts[] = {
#define MMM_CU_ERROR(value, name, text) {name, #name, text},
#include "errors.def"
#undef MMM_CU_ERROR
};

error_text const* text_of(CUresult code) {
  for (error_text const& e : error_texts)
    if (e.code == code) return &e;
  return nullptr;
}

cudaError_t error_text_of(CUresult code, char const** out, char const* error_text::* part) {
  if (out == nullptr) return cudaErrorInvalidValue;
  error_text const* const known = text_of(code);
  *out = known == nullptr ? nullptr : known->*part;
  return known == nullptr ? cudaErrorInvalidValue : cudaSuccess;
}

}  // namespace

CUresult result_of(cudaError_t e) {
  switch (e) {
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidHostPointer:
    case cudaErrorInvalidDevicePointer:
    case cudaErrorInvalidMemcpyDirection:
    case cudaErrorInvalidChannelDescriptor:
    case cudaErrorInvalidFilterSetting:
      return CUDA_ERROR_INVALID_VALUE;
    case cudaErrorInvalidSymbol:
      return CUDA_ERROR_NOT_FOUND;
    case cudaErrorInvalidDeviceFunction:
      return CUDA_ERROR_INVALID_HANDLE;
    default:
      break;
  }
  auto const same = static_cast<CUresult>(e);
  return text_of(same) == nullptr ? CUDA_ERROR_UNKNOWN : same;
}

char const* error_name(cudaError_t e) { return text_of(result_of(e))->name; }

MMM_CUDA_API CUresult cuGetErrorName(CUresult code, char const** out) {
  return result_of(error_text_of(code, out, &error_text::name));
}
MMM_CUDA_API CUresult cuGetErrorString(CUresult code, char const** out) {
  return result_of(error_text_of(code, out, &error_text::text));
}

}  // namespace device::driver
