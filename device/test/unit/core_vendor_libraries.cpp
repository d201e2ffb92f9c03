// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catch.hpp"

#include <device/core/vendor_libraries.hpp>

#include <string>

TEST_CASE("a vendor's library is known by the name of its file") {
  for (std::string const file :
       {"libcublas.so.13", "libcublasLt.so.13", "libcudnn.so.9", "libcudnn_ops.so.9",
        "libcufft.so.12", "libcurand.so.10", "libcusolver.so.12", "libcusolverMg.so.12",
        "libcusparse.so.12", "libcusparseLt.so.0", "libcutensor.so.2", "libnccl.so.2",
        "libnppc.so.13", "libnvjpeg.so.13", "libnvshmem_host.so.3"}) {
    INFO(file);
    CHECK(device::missing_ptx_of("/usr/lib/" + file).starts_with(file + " has no PTX, only "));
    CHECK(device::missing_ptx_of(file) == device::missing_ptx_of("/usr/lib/" + file));
  }
  CHECK(device::missing_ptx_of("libcurand.so.10").ends_with("(curand_kernel.h) is PTX and runs"));
  CHECK(device::missing_ptx_of("libcudart.so.13").empty());
  CHECK(device::missing_ptx_of("libcuda.so.1").empty());
  CHECK(device::missing_ptx_of("/opt/libcublas/libm.so.6").empty());
  CHECK(device::missing_ptx_of("").empty());
}
