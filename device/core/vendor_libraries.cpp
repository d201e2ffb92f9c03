// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vendor_libraries.hpp"

namespace device {

namespace {

struct vendor_library {
  std::string_view begin;    //!< of the file's name
  std::string_view instead;  //!< instead of calling it
};

// A longer name comes before the names that it begins with.
constexpr vendor_library vendor_libraries[] = {
    {"libcublas", "products of matrices run where they are kernels with PTX, as CUTLASS's"},
    {"libcudnn", "convolutions and products run where they are kernels with PTX, as CUTLASS's"},
    {"libcufft", "transforms run where they are kernels with PTX, or on the host, as FFTW's"},
    {"libcurand", "its API for kernels (curand_kernel.h) is PTX and runs"},
    {"libcusolver", "compute that step on the host"},
    {"libcusparseLt", "compute that step by a kernel of the program's own, or on the host"},
    {"libcusparse", "compute that step by a kernel of the program's own, or on the host"},
    {"libcutensor", "compute that step by a kernel of the program's own, or on the host"},
    {"libnccl", "devices reach each other's memory by cudaMemcpyPeer and by kernels"},
    {"libnpp", "compute that step by a kernel of the program's own, or on the host"},
    {"libnvjpeg", "decode images on the host"},
    {"libnvshmem", "devices reach each other's memory by cudaMemcpyPeer and by kernels"},
};

}  // namespace

std::string missing_ptx_of(std::string_view path) {
  std::string_view const file = path.substr(path.rfind('/') + 1);
  for (vendor_library const& v : vendor_libraries)
    if (file.starts_with(v.begin))
      return std::string(file) +
             " has no PTX, only machine code for GPUs, which this device cannot execute; " +
             std::string(v.instead);
  return {};
}

}  // namespace device
