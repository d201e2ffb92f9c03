// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of libraries that have no PTX: the argument names one.
#include <cublas_v2.h>
#include <cufft.h>

#include <cstdio>
#include <string_view>

int main(int count, char** arguments) {
  std::string_view const library = count > 1 ? arguments[1] : "";
  int status = 0;
  cublasHandle_t products{};
  cufftHandle transforms{};
  if (library == "cublas") status = static_cast<int>(cublasCreate(&products));
  if (library == "cufft") status = static_cast<int>(cufftPlan1d(&transforms, 256, CUFFT_C2C, 1));
  std::printf("%d\n", status);  // nobody asks for the status
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
