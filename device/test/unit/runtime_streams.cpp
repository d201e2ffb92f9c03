// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catch.hpp"
#include "runtime_calls.hpp"

#include <thread>

using namespace runtime_test;

TEST_CASE("streams", "[runtime]") {
  cudaStream_t s = nullptr;
  unsigned flags = 0;
  int priority = 0;
  REQUIRE(cudaStreamCreateWithPriority(&s, 1, -100) == cudaSuccess);
  REQUIRE(cudaStreamGetFlags(s, &flags) == cudaSuccess);
  REQUIRE(flags == 1);
  REQUIRE(cudaStreamGetPriority(s, &priority) == cudaSuccess);
  REQUIRE(priority == -5);  // the greatest priority
  device_array const a(4);
  REQUIRE(add(a.at(), 2, 4, s) == cudaSuccess);
  REQUIRE(cudaMemsetAsync(a.at(), 0, 4, s) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(s) == cudaSuccess);
  REQUIRE(cudaStreamQuery(s) == cudaSuccess);
  REQUIRE(a.host() == std::vector{0, 2, 2, 2});
  REQUIRE(cudaSetDevice(1) == cudaSuccess);
  // a stream of another device
  REQUIRE(cudaMemsetAsync(a.at(), 0, 4, s) == cudaErrorInvalidResourceHandle);
  REQUIRE(cudaSetDevice(0) == cudaSuccess);
  REQUIRE(cudaStreamDestroy(s) == cudaSuccess);
  REQUIRE(cudaStreamDestroy(s) == cudaErrorInvalidResourceHandle);
  REQUIRE(cudaStreamSynchronize(s) == cudaErrorInvalidResourceHandle);
  REQUIRE(cudaStreamDestroy(nullptr) == cudaErrorInvalidResourceHandle);
  REQUIRE(cudaStreamCreateWithFlags(&s, 2) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

TEST_CASE("functions of the host in a stream", "[runtime]") {
  struct seen {
    int calls = 0;
    cudaError_t inside = cudaSuccess;
  } by_function, by_callback;
  REQUIRE(cudaLaunchHostFunc(
              nullptr,
              [](void* data) {
                int count = 0;
                auto& s = *static_cast<seen*>(data);
                s.calls += 1;
                s.inside = cudaGetDeviceCount(&count);
              },
              &by_function) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(by_function.calls == 1);
  REQUIRE(by_function.inside == cudaErrorNotPermitted);
  REQUIRE(cudaStreamAddCallback(
              nullptr,
              [](cudaStream_t, cudaError_t status, void* data) {
                *static_cast<seen*>(data) = {1, status};
              },
              &by_callback, 0) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(nullptr) == cudaSuccess);
  REQUIRE((by_callback.calls == 1 && by_callback.inside == cudaSuccess));
  REQUIRE(cudaLaunchHostFunc(nullptr, nullptr, nullptr) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

TEST_CASE("events", "[runtime]") {
  cudaEvent_t a = nullptr, b = nullptr, untimed = nullptr;
  float milliseconds = -1;
  REQUIRE(cudaEventCreate(&a) == cudaSuccess);
  REQUIRE(cudaEventCreate(&b) == cudaSuccess);
  REQUIRE(cudaEventCreateWithFlags(&untimed, 2) == cudaSuccess);
  REQUIRE(cudaEventQuery(a) == cudaSuccess);
  // an event that was not recorded
  REQUIRE(cudaEventElapsedTime(&milliseconds, a, b) == cudaErrorInvalidResourceHandle);
  REQUIRE(cudaEventRecord(a, nullptr) == cudaSuccess);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  REQUIRE(cudaEventRecord(b, nullptr) == cudaSuccess);
  REQUIRE(cudaEventRecord(untimed, nullptr) == cudaSuccess);
  REQUIRE(cudaEventSynchronize(b) == cudaSuccess);
  REQUIRE(cudaEventElapsedTime(&milliseconds, a, b) == cudaSuccess);
  REQUIRE(milliseconds >= 20);
  REQUIRE(cudaEventElapsedTime(&milliseconds, b, a) == cudaSuccess);
  REQUIRE(milliseconds <= -20);
  REQUIRE(cudaEventElapsedTime(&milliseconds, a, untimed) == cudaErrorInvalidResourceHandle);
  REQUIRE(cudaStreamWaitEvent(nullptr, b, 0) == cudaSuccess);
  for (cudaEvent_t const e : {a, b, untimed}) REQUIRE(cudaEventDestroy(e) == cudaSuccess);
  REQUIRE(cudaEventDestroy(a) == cudaErrorInvalidResourceHandle);
  (void)cudaGetLastError();
}

TEST_CASE("threads call at the same time", "[runtime]") {
  constexpr int threads = 4, rounds = 20;
  std::vector<int> sums(threads);
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&, t] {
      cudaStream_t s = nullptr;
      (void)cudaStreamCreate(&s);
      device_array const a(8);
      for (int r = 0; r < rounds; ++r) (void)add(a.at(), t, 8, s);
      (void)cudaStreamSynchronize(s);
      for (int const v : a.host()) sums[static_cast<size>(t)] += v;
      (void)cudaMalloc(nullptr, 1);
      // each thread has a last error of its own
      if (cudaGetLastError() != cudaErrorInvalidValue) sums[static_cast<size>(t)] = -1;
      (void)cudaStreamDestroy(s);
    });
  for (std::thread& t : all) t.join();
  for (int t = 0; t < threads; ++t) REQUIRE(sums[static_cast<size>(t)] == 8 * rounds * t);
  REQUIRE(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("a thread begins with device 0", "[runtime]") {
  REQUIRE(cudaSetDevice(1) == cudaSuccess);
  int device = -1;
  std::thread([&] { (void)cudaGetDevice(&device); }).join();
  REQUIRE(device == 0);
  REQUIRE(cudaSetDevice(0) == cudaSuccess);
}

TEST_CASE("devices", "[runtime]") {
  int count = 0, can = -1, value = 0, device = -1;
  REQUIRE(cudaGetDeviceCount(&count) == cudaSuccess);
  REQUIRE(count == 3);
  REQUIRE(cudaSetDevice(3) == cudaErrorInvalidDevice);
  REQUIRE(cudaDeviceCanAccessPeer(&can, 0, 1) == cudaSuccess);
  REQUIRE(can == 1);
  REQUIRE(cudaDeviceEnablePeerAccess(1, 0) == cudaSuccess);
  REQUIRE(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorPeerAccessAlreadyEnabled);
  REQUIRE(cudaDeviceDisablePeerAccess(1) == cudaSuccess);
  REQUIRE(cudaDeviceDisablePeerAccess(1) == cudaErrorPeerAccessNotEnabled);
  char text[16] = {};
  REQUIRE(cudaDeviceGetPCIBusId(text, sizeof text, 1) == cudaSuccess);
  REQUIRE(cudaDeviceGetByPCIBusId(&device, text) == cudaSuccess);
  REQUIRE(device == 1);

  cudaDeviceProp d{};
  REQUIRE(cudaGetDeviceProperties(&d, 0) == cudaSuccess);
  REQUIRE(std::string(d.name) == "NVIDIA H200");
  REQUIRE((d.major == 9 && d.minor == 0 && d.multiProcessorCount == 132 && d.warpSize == 32));
  REQUIRE((d.sharedMemPerBlockOptin == 232448 && d.sharedMemPerMultiprocessor == 233472));
  REQUIRE(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0) ==
          cudaSuccess);
  REQUIRE(value == 232448);
  REQUIRE(cudaDeviceGetAttribute(&value, cudaDevAttrClockRate, 0) == cudaSuccess);
  REQUIRE(value == 1980000);
  REQUIRE(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(0), 0) ==
          cudaErrorInvalidValue);
  REQUIRE(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 3) == cudaErrorInvalidDevice);

  size limit = 0;
  REQUIRE(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 123456) == cudaSuccess);
  REQUIRE(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize) == cudaSuccess);
  REQUIRE(limit == 123456);
  REQUIRE(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 3) == cudaErrorUnsupportedLimit);

  void* function = &device;
  cudaDriverEntryPointQueryResult status{};
  REQUIRE(cudaGetDriverEntryPointByVersion("cuNothing", &function, 12000, 0, &status) ==
          cudaSuccess);
  REQUIRE((function == nullptr && status == cudaDriverEntryPointSymbolNotFound));
  REQUIRE(cudaGetDriverEntryPointByVersion("cuDeviceGetCount", &function, 12000, 0, &status) ==
          cudaSuccess);
  REQUIRE(status == cudaDriverEntryPointSuccess);
  REQUIRE(reinterpret_cast<cudaError_t (*)(int*)>(function)(&value) == cudaSuccess);
  REQUIRE(value == 3);
  (void)cudaGetLastError();
}
