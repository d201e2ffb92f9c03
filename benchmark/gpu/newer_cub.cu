// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// This file alone is compiled with the include folder of a newer CCCL than the toolkit's. CUB's
// names have its version in them, so that both are in one program.
#include "libraries.hpp"

#include <stdexcept>

#if MMM_HAS_CCCL
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#endif

namespace bench::newer_cub {

#if MMM_HAS_CCCL
std::string version() {
  return ", CCCL " + std::to_string(CCCL_MAJOR_VERSION) + "." + std::to_string(CCCL_MINOR_VERSION);
}

cudaError_t sum(void* room, std::size_t& bytes, float const* a, float* out, index n,
                cudaStream_t stream) {
  return cub::DeviceReduce::Sum(room, bytes, a, out, n, stream);
}

cudaError_t inclusive_sum(void* room, std::size_t& bytes, float const* a, float* out, index n,
                          cudaStream_t stream) {
  return cub::DeviceScan::InclusiveSum(room, bytes, a, out, n, stream);
}

cudaError_t sort_keys(void* room, std::size_t& bytes, std::uint32_t const* keys, std::uint32_t* out,
                      index n, cudaStream_t stream) {
  return cub::DeviceRadixSort::SortKeys(room, bytes, keys, out, static_cast<int>(n), 0, 32, stream);
}

cudaError_t sort_pairs(void* room, std::size_t& bytes, std::uint32_t const* keys,
                       std::uint32_t* out, std::uint32_t const* values, std::uint32_t* out_values,
                       index n, cudaStream_t stream) {
  return cub::DeviceRadixSort::SortPairs(room, bytes, keys, out, values, out_values,
                                         static_cast<int>(n), 0, 32, stream);
}
#else
namespace {

constexpr char const* missing = "compiled without a newer CCCL";

}  // namespace

std::string version() { return ", a newer CCCL"; }
cudaError_t sum(void*, std::size_t&, float const*, float*, index, cudaStream_t) {
  throw std::runtime_error(missing);
}
cudaError_t inclusive_sum(void*, std::size_t&, float const*, float*, index, cudaStream_t) {
  throw std::runtime_error(missing);
}
cudaError_t sort_keys(void*, std::size_t&, std::uint32_t const*, std::uint32_t*, index,
                      cudaStream_t) {
  throw std::runtime_error(missing);
}
cudaError_t sort_pairs(void*, std::size_t&, std::uint32_t const*, std::uint32_t*,
                       std::uint32_t const*, std::uint32_t*, index, cudaStream_t) {
  throw std::runtime_error(missing);
}
#endif

}  // namespace bench::newer_cub
