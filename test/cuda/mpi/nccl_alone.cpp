// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library's communicator by NCCL itself, of one process: with a CUDA device it is made, without
// one the error of NCCL is an exception. Exit status: 0 as it should be, 1 otherwise.
#include <mmm/interop/nccl_communicator.cuh>

#include <cuda_runtime_api.h>
#include <mpi.h>
#include <nccl.h>

#include <cstdio>
#include <string>

namespace {

std::string failure_of_communicator() {
  try {
    return mmm::detail::nccl_communicator::shared_by(MPI_COMM_SELF).handle() == nullptr
               ? "no communicator"
               : "";
  } catch (mmm::nccl::error const& e) {
    return e.what();
  }
}

}  // namespace

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  int version = 0;
  ncclGetVersion(&version);
  int devices = 0;
  bool const has_device = cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
  std::string const failure = failure_of_communicator();
  std::printf("NCCL %d, %d devices: %s\n", version, devices, failure.c_str());
  bool const right = version > 0 && (has_device ? failure.empty()
                                                : failure.find("mmm: nccl") == 0 &&
                                                      failure.find(" failed: ") != failure.npos);
  MPI_Finalize();
  return right ? 0 : 1;
}
