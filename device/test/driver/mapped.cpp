// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Virtual memory management, as in vectorAddMMAP of the toolkit's samples: memory of several
// handles in one range of addresses; memory that moves to other addresses, and keeps its contents.
#include "driver.hpp"

namespace {

//! A context owns what it maps until it unmaps it: other memory that comes to lie at these
//! addresses stays when the context ends.
void unmapped_in_another_context(CUdevice device, CUmemAllocationProp const& properties,
                                 std::size_t granularity) {
  CUmemAccessDesc access{};
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  CUcontext primary{}, own{};
  SUCCEED(cuCtxGetCurrent(&primary));
  CUmemGenericAllocationHandle handle;
  SUCCEED(cuMemCreate(&handle, granularity, &properties, 0));
  CUdeviceptr before, range, fillers[2], memory;
  SUCCEED(cuMemAddressReserve(&before, granularity, 0, 0, 0));
  SUCCEED(cuMemAddressReserve(&range, granularity, 0, 0, 0));
  // Allocations begin at multiples of 512 bytes, and 256 bytes after each range and allocation stay
  // free. These fill the gaps before the two ranges, so that the next allocation, once the second
  // range is free, has its address.
  for (CUdeviceptr& f : fillers) SUCCEED(cuMemAlloc(&f, granularity - 768));

  SUCCEED(cuCtxCreate(&own, nullptr, 0, device));
  SUCCEED(cuMemMap(range, granularity, 0, handle, 0));
  SUCCEED(cuMemSetAccess(range, granularity, &access, 1));
  SUCCEED(cuMemUnmap(range, granularity));
  SUCCEED(cuMemAddressFree(range, granularity));
  SUCCEED(cuCtxSetCurrent(primary));
  SUCCEED(cuMemAlloc(&memory, granularity));
  EXPECT(memory == range);
  SUCCEED(cuCtxDestroy(own));
  SUCCEED(cuMemsetD8(memory, 1, granularity));
  SUCCEED(cuCtxSetCurrent(primary));

  SUCCEED(cuMemFree(memory));
  for (CUdeviceptr const f : fillers) SUCCEED(cuMemFree(f));
  SUCCEED(cuMemAddressFree(before, granularity));
  SUCCEED(cuMemRelease(handle));
}

}  // namespace

int main(int count, char**) {
  CUdevice const device = driver::begin();
  CUmodule module;
  CUfunction add;
  SUCCEED(cuModuleLoadData(&module, driver::add_ptx));
  SUCCEED(cuModuleGetFunction(&add, module, "add"));
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, {device}};
  std::size_t granularity = 0;
  SUCCEED(
      cuMemGetAllocationGranularity(&granularity, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  EXPECT(granularity != 0 && (granularity & (granularity - 1)) == 0);
  unmapped_in_another_context(device, properties, granularity);

  std::size_t const bytes = 2 * granularity;
  int const n = static_cast<int>(bytes / sizeof(float));
  CUdeviceptr range;
  CUmemGenericAllocationHandle halves[2];
  SUCCEED(cuMemAddressReserve(&range, bytes, 0, 0, 0));
  for (int h = 0; h < 2; ++h) {
    SUCCEED(cuMemCreate(&halves[h], granularity, &properties, 0));
    SUCCEED(cuMemMap(range + h * granularity, granularity, 0, halves[h], 0));
  }
  CUmemAccessDesc access{};
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  std::vector<float> values(n, 1);
  // Without access there is no memory.
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(range, values.data(), bytes));
  SUCCEED(cuMemSetAccess(range, bytes, &access, 1));
  unsigned long long flags = 0;
  SUCCEED(cuMemGetAccess(&flags, &properties.location, range + granularity));
  EXPECT(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  for (int i = 0; i < n; ++i) values[i] = static_cast<float>(i % 1000);
  SUCCEED(cuMemcpyHtoD(range, values.data(), bytes));
  int length = n;
  void* arguments[] = {&range, &range, &range, &length};
  unsigned const blocks = (n + 255) / 256;
  SUCCEED(cuLaunchKernel(add, blocks, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  SUCCEED(cuCtxSynchronize());

  // The same memory at other addresses, in the other order
  CUdeviceptr other;
  SUCCEED(cuMemAddressReserve(&other, bytes, 0, 0, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(range, bytes));
  SUCCEED(cuMemUnmap(range, bytes));
  for (int h = 0; h < 2; ++h)
    SUCCEED(cuMemMap(other + (1 - h) * granularity, granularity, 0, halves[h], 0));
  SUCCEED(cuMemSetAccess(other, bytes, &access, 1));
  std::vector<float> found(n);
  SUCCEED(cuMemcpyDtoH(found.data(), other, bytes));
  bool right = true;
  for (int i = 0; i < n; ++i) right = right && found[(i + n / 2) % n] == 2 * values[i];
  EXPECT(right);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(found.data(), range, 4));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemMap(other, granularity, 0, halves[0] + 1, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&halves[0], 100, &properties, 0));

  // A kernel cannot reach what is mapped nowhere.
  if (count > 1) {
    SUCCEED(cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
    GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
    GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemAlloc(&range, 4));
    return driver::finish(50);
  }
  for (CUmemGenericAllocationHandle const h : halves) SUCCEED(cuMemRelease(h));
  SUCCEED(cuMemUnmap(other, bytes));
  SUCCEED(cuMemAddressFree(other, bytes));
  SUCCEED(cuMemAddressFree(range, bytes));
  std::size_t free_bytes = 0, total = 0;
  SUCCEED(cuMemGetInfo(&free_bytes, &total));
  EXPECT(total - free_bytes < granularity);
  SUCCEED(cuModuleUnload(module));
  return driver::finish(55);
}
