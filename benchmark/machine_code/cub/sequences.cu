// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// row copy: transform_kernel
// row sum: DeviceReduceKernel<
// row sum, one block: DeviceReduceSingleTileKernel<
// row prefix-sums: DeviceScanKernel<
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_transform.cuh>
#include <cuda/std/functional>

void sequences(void* room, std::size_t bytes, float* a, float* b, int n) {
  static_cast<void>(cub::DeviceTransform::Transform(a, b, n, cuda::std::identity{}));
  static_cast<void>(cub::DeviceReduce::Sum(room, bytes, a, b, n));
  static_cast<void>(cub::DeviceScan::InclusiveSum(room, bytes, a, b, n));
}
