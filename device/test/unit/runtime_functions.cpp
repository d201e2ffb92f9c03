// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catch.hpp"
#include "runtime_calls.hpp"

#include <device/runtime/occupancy.hpp>

using namespace runtime_test;

namespace {

//! Resident blocks per multiprocessor of a kernel, which may use all dynamic shared memory of the
//! GPU.
int resident(char const* gpu, int registers, int threads, size shared = 0, size dynamic = 0) {
  using namespace device::runtime;
  auto const& chip = gpu_of(gpu);
  auto const most = static_cast<size>(chip.shared_bytes_per_block_opt_in()) - shared;
  return resident_blocks(chip, {registers, shared, 1024, most}, threads, dynamic);
}

}  // namespace

// The figures agree with CUDA's occupancy calculator.
TEST_CASE("resident blocks", "[runtime]") {
  // limited by threads and blocks
  REQUIRE(resident("h200", 16, 32) == 32);
  REQUIRE(resident("h200", 16, 128) == 16);
  REQUIRE(resident("h200", 16, 1024) == 2);
  REQUIRE(resident("h200", 16, 1025) == 0);
  REQUIRE(resident("h200", 16, 33) == 32);
  REQUIRE(resident("rtx4090", 16, 32) == 24);
  REQUIRE(resident("rtx4090", 16, 1024) == 1);
  REQUIRE(resident("rtx4090", 16, 512) == 3);
  // limited by registers, which are allocated to warps in units of 256, a quarter of them in each
  // partition
  REQUIRE(resident("h200", 32, 256) == 8);
  REQUIRE(resident("h200", 33, 256) == 6);
  REQUIRE(resident("h200", 40, 256) == 6);
  REQUIRE(resident("h200", 64, 256) == 4);
  REQUIRE(resident("h200", 128, 128) == 4);
  REQUIRE(resident("h200", 168, 384) == 1);
  REQUIRE(resident("h200", 255, 256) == 1);
  REQUIRE(resident("h200", 64, 1024) == 1);
  REQUIRE(resident("h200", 65, 1024) == 0);
  // limited by shared memory; the system reserves 1 KiB more per block
  REQUIRE(resident("h200", 16, 64, 48 << 10) == 4);
  REQUIRE(resident("h200", 16, 64, 0, 100 << 10) == 2);
  REQUIRE(resident("h200", 16, 64, 0, 113 << 10) == 2);
  REQUIRE(resident("h200", 16, 64, 0, (113 << 10) + 1) == 1);
  REQUIRE(resident("h200", 16, 64, 1024, 226 << 10) == 1);
  REQUIRE(resident("h200", 16, 64, 1024, (226 << 10) + 1) == 0);
  REQUIRE(resident("a100", 16, 64, 48 << 10) == 3);
  REQUIRE(resident("a100", 16, 64, 0, 163 << 10) == 1);
  REQUIRE(resident("rtx4090", 16, 64, 48 << 10) == 2);
}

TEST_CASE("registers keep to launch bounds", "[runtime]") {
  device::program code;
  device::ptx::function source;
  code.source = &source;
  code.registers_per_thread = 200;
  using device::runtime::max_threads;
  using device::runtime::needs_of;
  REQUIRE(needs_of(code, 0).registers == 200);
  REQUIRE(max_threads(needs_of(code, 0)) == 256);
  source.max_threads[0] = 1024;
  REQUIRE(needs_of(code, 0).registers == 64);
  REQUIRE(max_threads(needs_of(code, 0)) == 1024);
  source.max_threads[0] = 16;
  source.max_threads[1] = 16;
  REQUIRE(needs_of(code, 0).registers == 200);
  REQUIRE(max_threads(needs_of(code, 0)) == 256);
  source.min_blocks = 4;
  REQUIRE(needs_of(code, 0).registers == 64);
  source.max_registers = 40;
  REQUIRE(needs_of(code, 0).registers == 40);
}

TEST_CASE("what is known of a kernel", "[runtime]") {
  auto const& k = program();
  cudaFuncAttributes a{};
  REQUIRE(cudaFuncGetAttributes(&a, k.shares) == cudaSuccess);
  REQUIRE((a.sharedSizeBytes == 1024 && a.localSizeBytes == 0 && a.maxThreadsPerBlock == 1024));
  REQUIRE((a.ptxVersion == 90 && a.binaryVersion == 90 &&
           a.maxDynamicSharedSizeBytes == 48 * 1024 - 1024));
  REQUIRE((a.numRegs > 0 && a.numRegs <= 64));
  REQUIRE(cudaFuncGetAttributes(&a, k.bounded) == cudaSuccess);
  REQUIRE(a.maxThreadsPerBlock == 64);
  REQUIRE(cudaFuncGetAttributes(&a, &a) == cudaErrorInvalidDeviceFunction);

  REQUIRE(cudaFuncSetAttribute(k.shares, cudaFuncAttributeMaxDynamicSharedMemorySize, 226 << 10) ==
          cudaSuccess);
  REQUIRE(cudaFuncSetAttribute(k.shares, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               (226 << 10) + 1) == cudaErrorInvalidValue);
  REQUIRE(cudaFuncSetAttribute(k.shares, cudaFuncAttributeMax, 0) == cudaErrorInvalidValue);
  REQUIRE(cudaFuncGetAttributes(&a, k.shares) == cudaSuccess);
  REQUIRE(a.maxDynamicSharedSizeBytes == 226 << 10);
  device_array const out(1);
  int* to = out.at();
  void* arguments[] = {&to};
  REQUIRE(cudaLaunchKernel(k.shares, {1, 1, 1}, {32, 1, 1}, arguments, 226 << 10, nullptr) ==
          cudaSuccess);
  REQUIRE(out.host()[0] == 7);

  int blocks = 0;
  size bytes = 0;
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k.bounded, 64, 0) == cudaSuccess);
  REQUIRE(blocks == 32);
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k.bounded, 128, 0) == cudaSuccess);
  REQUIRE(blocks == 0);
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k.bounded, 0, 0) ==
          cudaErrorInvalidValue);
  REQUIRE(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, k.shares, 2, 64) == cudaSuccess);
  // half of 228 KiB, less the bytes reserved by the system and used by the kernel
  REQUIRE(bytes == 114 * 1024 - 2048);

  char const* name = nullptr;
  size offset = 0;
  REQUIRE(cudaFuncGetName(&name, k.add_number) == cudaSuccess);
  REQUIRE(std::string(name) == "add_number");
  REQUIRE(cudaFuncGetParamInfo(k.add_number, 1, &offset, &bytes) == cudaSuccess);
  REQUIRE((offset == 8 && bytes == 4));
  REQUIRE(cudaFuncGetParamInfo(k.add_number, 2, &offset, &bytes) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

TEST_CASE("ways to launch a kernel", "[runtime]") {
  device_array const a(4);
  int* to = a.at();
  int number = 1;
  void* arguments[] = {&to, &number};
  void const* const host = program().add_number;
  cudaKernel_t handle = nullptr;
  REQUIRE(__cudaGetKernel(&handle, host) == cudaSuccess);
  REQUIRE(__cudaLaunchKernel(handle, {1, 1, 1}, {4, 1, 1}, arguments, 0, nullptr) == cudaSuccess);
  number = 10;
  REQUIRE(cudaLaunchKernel(handle, {1, 1, 1}, {4, 1, 1}, arguments, 0, nullptr) == cudaSuccess);
  number = 100;
  REQUIRE(cudaLaunchKernel_ptsz(host, {1, 1, 1}, {4, 1, 1}, arguments, 0, nullptr) == cudaSuccess);
  number = 1000;
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t const config{{1, 1, 1}, {4, 1, 1}, 0, nullptr, &attribute, 1};
  REQUIRE(cudaLaunchKernelExC(&config, host, arguments) == cudaSuccess);
  number = 10000;
  cudaEvent_t event = nullptr, timed = nullptr;
  REQUIRE(cudaEventCreateWithFlags(&event, 2) == cudaSuccess);
  REQUIRE(cudaEventCreateWithFlags(&timed, 0) == cudaSuccess);
  attribute.id = cudaLaunchAttributeLaunchCompletionEvent;
  attribute.val.launchCompletionEvent.event = timed;
  REQUIRE(cudaLaunchKernelExC(&config, host, arguments) == cudaErrorInvalidValue);
  attribute.id = static_cast<cudaLaunchAttributeID>(77);
  REQUIRE(cudaLaunchKernelExC(&config, host, arguments) == cudaErrorInvalidValue);
  attribute.id = cudaLaunchAttributeLaunchCompletionEvent;
  attribute.val.launchCompletionEvent.event = event;
  REQUIRE(cudaLaunchKernelExC(&config, host, arguments) == cudaSuccess);
  REQUIRE(cudaEventSynchronize(event) == cudaSuccess);
  REQUIRE(a.host() == std::vector(4, 11111));
  for (cudaEvent_t const e : {event, timed}) REQUIRE(cudaEventDestroy(e) == cudaSuccess);
  (void)cudaGetLastError();
  number = 100000;
  REQUIRE(cudaLaunchCooperativeKernel(host, {1, 1, 1}, {4, 1, 1}, arguments, 0, nullptr) ==
          cudaSuccess);
  REQUIRE(a.host() == std::vector(4, 111111));
}
