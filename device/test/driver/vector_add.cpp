// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules, launches in all ways, copies, fills, variables: what vectorAddDrv and matrixMulDrv of
// the toolkit's samples use.
#include "driver.hpp"

#include <cstring>

namespace {

constexpr int n = 1000;

void check_sums(CUdeviceptr sums, float factor, int line) {
  std::vector<float> found(n);
  SUCCEED(cuMemcpyDtoH(found.data(), sums, n * sizeof(float)));
  bool right = true;
  for (int i = 0; i < n; ++i) right = right && found[i] == factor * static_cast<float>(i);
  driver::expect(right, "the sums", line);
  SUCCEED(cuMemsetD32(sums, 0, n));
  SUCCEED(cuCtxSynchronize());  // a fill of the device's memory is not waited for
}

void count_host_call(void* to) { ++*static_cast<int*>(to); }

}  // namespace

int main() {
  CUdevice const device = driver::begin();
  char name[100];
  SUCCEED(cuDeviceGetName(name, sizeof name, device));
  EXPECT(std::strstr(name, "NVIDIA") != nullptr);
  int major = 0, version = 0;
  SUCCEED(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  SUCCEED(cuDriverGetVersion(&version));
  EXPECT(major >= 7 && version >= 13000);

  CUmodule module;
  CUfunction add;
  SUCCEED(cuModuleLoadData(&module, driver::add_ptx));
  SUCCEED(cuModuleGetFunction(&add, module, "add"));
  int threads = 0;
  SUCCEED(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, add));
  EXPECT(threads == 1024);

  std::vector<float> one(n), two(n);
  for (int i = 0; i < n; ++i) {
    one[i] = static_cast<float>(i);
    two[i] = static_cast<float>(2 * i);
  }
  CUdeviceptr a, b, c;
  for (CUdeviceptr* p : {&a, &b, &c}) SUCCEED(cuMemAlloc(p, n * sizeof(float)));
  SUCCEED(cuMemcpyHtoD(a, one.data(), n * sizeof(float)));
  SUCCEED(cuMemcpyHtoD(b, two.data(), n * sizeof(float)));
  SUCCEED(cuMemsetD32(c, 0, n));
  int count = n;
  void* arguments[] = {&a, &b, &c, &count};
  SUCCEED(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  SUCCEED(cuCtxSynchronize());
  check_sums(c, 3, __LINE__);

  // The arguments in one buffer
  struct {
    CUdeviceptr a, b, c;
    int n;
  } buffer{a, b, c, n};
  std::size_t bytes = sizeof buffer;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  SUCCEED(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, nullptr, extra));
  check_sums(c, 3, __LINE__);

  // A stream, with attributes, by events
  CUstream stream;
  CUevent begin, end;
  SUCCEED(cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, -1));
  SUCCEED(cuEventCreate(&begin, CU_EVENT_DEFAULT));
  SUCCEED(cuEventCreate(&end, CU_EVENT_DEFAULT));
  SUCCEED(cuEventRecord(begin, stream));
  CUlaunchAttribute attribute{};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim.x = 2;
  attribute.value.clusterDim.y = attribute.value.clusterDim.z = 1;
  CUlaunchConfig config{4, 1, 1, 256, 1, 1, 0, stream, &attribute, 1};
  SUCCEED(cuLaunchKernelEx(&config, add, arguments, nullptr));
  attribute = {};
  attribute.id = CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT;
  attribute.value.launchCompletionEvent.event = begin;  // has times
  GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernelEx(&config, add, arguments, nullptr));
  CUevent begun;
  SUCCEED(cuEventCreate(&begun, CU_EVENT_DISABLE_TIMING));
  attribute.value.launchCompletionEvent.event = begun;
  SUCCEED(cuLaunchKernelEx(&config, add, arguments, nullptr));
  SUCCEED(cuEventSynchronize(begun));
  SUCCEED(cuEventDestroy(begun));
  int called = 0;
  SUCCEED(cuLaunchHostFunc(stream, count_host_call, &called));
  SUCCEED(cuEventRecord(end, stream));
  SUCCEED(cuEventSynchronize(end));
  float milliseconds = -1;
  SUCCEED(cuEventElapsedTime(&milliseconds, begin, end));
  EXPECT(called == 1 && milliseconds >= 0);
  check_sums(c, 3, __LINE__);
  SUCCEED(cuLaunchCooperativeKernel(add, 4, 1, 1, 256, 1, 1, 0, stream, arguments));
  SUCCEED(cuStreamSynchronize(stream));
  check_sums(c, 3, __LINE__);

  // A variable of the module
  CUdeviceptr launches;
  std::size_t size = 0;
  unsigned value = 0;
  SUCCEED(cuModuleGetGlobal(&launches, &size, module, "launches"));
  SUCCEED(cuMemcpyDtoH(&value, launches, sizeof value));
  EXPECT(size == 4 && value == 5);

  // A library, whose kernel is launched by its own handle
  CUlibrary library;
  CUkernel kernel;
  unsigned kernels = 0;
  SUCCEED(cuLibraryLoadData(&library, driver::add_ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  SUCCEED(cuLibraryGetKernelCount(&kernels, library));
  SUCCEED(cuLibraryGetKernel(&kernel, library, "add"));
  EXPECT(kernels == 1);
  SUCCEED(cuLaunchKernel(reinterpret_cast<CUfunction>(kernel), 4, 1, 1, 256, 1, 1, 0, nullptr,
                         arguments, nullptr));
  check_sums(c, 3, __LINE__);
  SUCCEED(cuLibraryUnload(library));

  // Occupancy
  int grid = 0, block = 0, blocks = 0;
  SUCCEED(cuOccupancyMaxPotentialBlockSize(&grid, &block, add, nullptr, 0, 0));
  SUCCEED(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, block, 0));
  EXPECT(grid > 0 && block >= 128 && block <= 1024 && blocks * block >= 1024);

  // Rows, boxes and patterns
  CUdeviceptr rows;
  std::size_t pitch = 0;
  SUCCEED(cuMemAllocPitch(&rows, &pitch, 100, 8, 4));
  EXPECT(pitch >= 100);
  SUCCEED(cuMemsetD2D16(rows, pitch, 0x1234, 50, 8));
  std::vector<unsigned short> tile(30 * 4);
  CUDA_MEMCPY2D box{};
  box.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  box.srcDevice = rows;
  box.srcPitch = pitch;
  box.srcXInBytes = 40;
  box.srcY = 4;
  box.dstMemoryType = CU_MEMORYTYPE_HOST;
  box.dstHost = tile.data();
  box.dstPitch = 60;
  box.WidthInBytes = 60;
  box.Height = 4;
  SUCCEED(cuMemcpy2D(&box));
  bool all = true;
  for (unsigned short const t : tile) all = all && t == 0x1234;
  EXPECT(all);

  // Memory in the order of a stream, managed memory, pointers' attributes
  CUdeviceptr pooled, managed, of_pointer;
  unsigned is_managed = 0, type = 0;
  SUCCEED(cuMemAllocAsync(&pooled, 4096, stream));
  SUCCEED(cuMemsetD8Async(pooled, 7, 4096, stream));
  SUCCEED(cuMemFreeAsync(pooled, stream));
  SUCCEED(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
  SUCCEED(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, managed));
  SUCCEED(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, a));
  SUCCEED(cuPointerGetAttribute(&of_pointer, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, a + 100));
  EXPECT(is_managed == 1 && type == CU_MEMORYTYPE_DEVICE && of_pointer == a);

  // A graph, captured and built
  CUgraph graph;
  CUgraphExec runnable;
  SUCCEED(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  SUCCEED(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  SUCCEED(cuStreamEndCapture(stream, &graph));
  CUgraphNode node, copy;
  std::size_t nodes = 1;
  SUCCEED(cuGraphGetNodes(graph, &node, &nodes));
  EXPECT(nodes == 1);
  std::vector<float> sums(n);
  CUDA_MEMCPY3D whole{};
  whole.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  whole.srcDevice = c;
  whole.dstMemoryType = CU_MEMORYTYPE_HOST;
  whole.dstHost = sums.data();
  whole.WidthInBytes = n * sizeof(float);
  whole.Height = whole.Depth = 1;
  SUCCEED(cuGraphAddMemcpyNode(&copy, graph, &node, 1, &whole, nullptr));
  CUDA_KERNEL_NODE_PARAMS parameters{};
  SUCCEED(cuGraphKernelNodeGetParams(node, &parameters));
  EXPECT(parameters.gridDimX == 4 && parameters.blockDimX == 256);
  SUCCEED(cuGraphInstantiate(&runnable, graph, 0));
  SUCCEED(cuGraphLaunch(runnable, stream));
  SUCCEED(cuStreamSynchronize(stream));
  EXPECT(sums[n - 1] == 3.0F * (n - 1));
  SUCCEED(cuGraphExecDestroy(runnable));
  SUCCEED(cuGraphDestroy(graph));

  for (CUdeviceptr const p : {a, b, c, rows, managed}) SUCCEED(cuMemFree(p));
  SUCCEED(cuEventDestroy(begin));
  SUCCEED(cuEventDestroy(end));
  SUCCEED(cuStreamDestroy(stream));
  SUCCEED(cuModuleUnload(module));
  SUCCEED(cuDevicePrimaryCtxRelease(device));
  return driver::finish(60);
}
