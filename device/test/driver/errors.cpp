// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of wrong calls, by their own names.
#include "driver.hpp"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

namespace {

//! An empty fat binary, whose only member ends too early: the header of a container, and of PTX.
std::vector<char> broken_fat_binary() {
  std::vector<char> image(200, '\0');
  std::uint32_t const magic = 0xba55ed50U;
  std::uint16_t const version = 1, header = 16;
  std::uint64_t const bytes = 100;
  std::memcpy(image.data(), &magic, 4);
  std::memcpy(image.data() + 4, &version, 2);
  std::memcpy(image.data() + 6, &header, 2);
  std::memcpy(image.data() + 8, &bytes, 8);
  std::uint16_t const ptx = 1;
  std::uint32_t const member_header = 64;
  std::uint64_t const member = 10'000;
  std::memcpy(image.data() + 16, &ptx, 2);
  std::memcpy(image.data() + 20, &member_header, 4);
  std::memcpy(image.data() + 24, &member, 8);
  return image;
}

//! Memory that is not freed.
int leak() {
  driver::begin();
  CUdeviceptr memory = 0;
  SUCCEED(cuMemAlloc(&memory, 100));
  return 0;
}

//! The end of a context is that of all that it has.
void check_end_of_context() {
  CUcontext context = nullptr;
  CUdeviceptr memory = 0, kept = 0;
  CUmodule module = nullptr;
  CUstream stream = nullptr;
  CUevent event = nullptr;
  std::size_t before = 0, after = 0, total = 0;
  SUCCEED(cuMemAlloc(&kept, 100));
  SUCCEED(cuMemGetInfo(&before, &total));
  SUCCEED(cuCtxCreate(&context, nullptr, 0, 0));
  SUCCEED(cuMemAlloc(&memory, 1 << 20));
  SUCCEED(cuModuleLoadData(&module, driver::add_ptx));
  SUCCEED(cuStreamCreate(&stream, 0));
  SUCCEED(cuEventCreate(&event, 0));
  SUCCEED(cuCtxDestroy(context));
  SUCCEED(cuMemGetInfo(&after, &total));
  EXPECT(before == after);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoD(memory, kept, 4));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(module));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamSynchronize(stream));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventSynchronize(event));
  GIVES(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxDestroy(context));
  SUCCEED(cuMemFree(kept));
}

//! A conditional node, by the driver's API.
void check_condition() {
  CUdeviceptr memory = 0;
  CUgraph graph = nullptr;
  CUgraphConditionalHandle condition = 0;
  CUgraphNode node = nullptr;
  CUcontext context = nullptr;
  SUCCEED(cuCtxGetCurrent(&context));
  SUCCEED(cuMemAlloc(&memory, 4));
  SUCCEED(cuGraphCreate(&graph, 0));
  SUCCEED(
      cuGraphConditionalHandleCreate(&condition, graph, context, 1, CU_GRAPH_COND_ASSIGN_DEFAULT));
  CUgraphNodeParams params{};
  params.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
  params.conditional.handle = condition;
  params.conditional.type = CU_GRAPH_COND_TYPE_SWITCH;
  params.conditional.size = 2;
  params.conditional.ctx = context;
  SUCCEED(cuGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  for (unsigned k = 0; k < 2; ++k) {
    CUDA_MEMSET_NODE_PARAMS fill{memory, 0, 5 + k, 4, 1, 1};
    SUCCEED(
        cuGraphAddMemsetNode(&node, params.conditional.phGraph_out[k], nullptr, 0, &fill, context));
  }
  CUgraphExec run = nullptr;
  SUCCEED(cuGraphInstantiate(&run, graph, 0));
  SUCCEED(cuMemsetD32(memory, 0, 1));
  SUCCEED(cuGraphLaunch(run, nullptr));
  unsigned found = 0;
  SUCCEED(cuMemcpyDtoH(&found, memory, 4));
  EXPECT(found == 6);
  SUCCEED(cuGraphExecDestroy(run));
  SUCCEED(cuGraphDestroy(graph));
  SUCCEED(cuMemFree(memory));
}

//! Calls that end the program with a line that names what is missing.
int refused(std::string const& what) {
  driver::begin();
  CUmodule module;
  if (what == "function") cuDestroyExternalMemory(nullptr);
  if (what == "machine_code")
    cuModuleLoadData(&module, "\x7f"
                              "ELF\x02\x01\x01");
  return 1;
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count > 1 && std::string(arguments[1]) == "leak") return leak();
  if (argument_count > 1) return refused(arguments[1]);
  CUdeviceptr memory = 0;
  CUdevice device = 0;
  int count = 0;
  GIVES(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&count));
  GIVES(CUDA_ERROR_NOT_INITIALIZED, cuMemAlloc(&memory, 4));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuInit(1));
  SUCCEED(cuInit(0));
  SUCCEED(cuDeviceGetCount(&count));
  GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, count));
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&memory, 4));
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxSynchronize());
  CUcontext current = nullptr, context = nullptr, popped = nullptr;
  SUCCEED(cuCtxGetCurrent(&current));
  EXPECT(current == nullptr);
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent(&popped));

  // Contexts
  SUCCEED(cuCtxCreate(&context, nullptr, 0, 0));
  SUCCEED(cuCtxGetCurrent(&current));
  EXPECT(current == context);
  SUCCEED(cuCtxPopCurrent(&popped));
  EXPECT(popped == context);
  SUCCEED(cuCtxPushCurrent(context));
  SUCCEED(cuCtxDestroy(context));
  GIVES(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSetCurrent(context));
  unsigned flags = 0;
  int active = -1;
  SUCCEED(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT(active == 0);
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease(0));
  device = driver::begin();
  SUCCEED(cuDevicePrimaryCtxGetState(device, &flags, &active));
  EXPECT(active == 1);

  // Modules
  CUmodule module = nullptr;
  char log[200] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  char const* const head = ".version 8.0\n.target sm_75\n.address_size 64\n";
  std::string const wrong = std::string{head} + ".visible .entry k()\n{\n  frobnicate.u32 1;\n}\n";
  GIVES(CUDA_ERROR_INVALID_PTX, cuModuleLoadDataEx(&module, wrong.c_str(), 2, options, values));
  EXPECT(std::strstr(log, "line 6") != nullptr && std::strstr(log, "frobnicate") != nullptr);
  EXPECT(reinterpret_cast<std::size_t>(values[1]) == std::strlen(log) + 1);
  values[1] = reinterpret_cast<void*>(sizeof log);
  std::string const misspelt =
      std::string{head} + ".visible .entry k()\n{\n  .reg .b32 %r<2>;\n  mov.u33 %r1, 1;\n}\n";
  GIVES(CUDA_ERROR_INVALID_PTX, cuModuleLoadDataEx(&module, misspelt.c_str(), 2, options, values));
  EXPECT(std::strstr(log, "line 7: `.u33` is no modifier") != nullptr);
  // An instruction of PTX that this device has not: only a launch is refused.
  std::string const unsupported =
      std::string{head} + ".visible .entry k()\n.maxntid 96\n{\n  .reg .b64 %rd<2>;\n"
                          "  applypriority.global.L2::evict_normal [%rd1], 128;\n  ret;\n}\n";
  CUfunction k = nullptr;
  int threads = 0;
  SUCCEED(cuModuleLoadData(&module, unsupported.c_str()));
  SUCCEED(cuModuleGetFunction(&k, module, "k"));
  SUCCEED(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, k));
  EXPECT(threads == 96);
  SUCCEED(cuModuleUnload(module));
  GIVES(CUDA_ERROR_INVALID_PTX, cuModuleLoadData(&module, ".version 8.0\n.target sm_75\n.entry ("));
  GIVES(CUDA_ERROR_INVALID_PTX,
        cuModuleLoadData(&module, ".version 9.0\n.target sm_999\n.address_size 64\n"));
  GIVES(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, "\x01\x02"));
  GIVES(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, broken_fat_binary().data()));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuModuleLoadData(&module, nullptr));
  GIVES(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&module, "/no/such/file"));
  // A file that ends within a member
  std::string const file = std::string{arguments[0]} + ".fatbin";
  std::vector<char> const image = broken_fat_binary();
  std::ofstream(file, std::ios::binary).write(image.data(), 80);
  GIVES(CUDA_ERROR_INVALID_IMAGE, cuModuleLoad(&module, file.c_str()));
  std::remove(file.c_str());
  CUfunction add = nullptr;
  SUCCEED(cuModuleLoadData(&module, driver::add_ptx));
  GIVES(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&add, module, "subtract"));
  std::size_t bytes = 0;
  GIVES(CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal(&memory, &bytes, module, "nothing"));
  SUCCEED(cuModuleGetFunction(&add, module, "add"));

  // Launches
  int n = 0;
  void* all[] = {&memory, &memory, &memory, &n};
  GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(add, 0, 1, 1, 32, 1, 1, 0, nullptr, all, nullptr));
  GIVES(CUDA_ERROR_INVALID_VALUE,
        cuLaunchKernel(add, 1, 1, 1, 2048, 1, 1, 0, nullptr, all, nullptr));
  GIVES(CUDA_ERROR_INVALID_VALUE,
        cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr));
  GIVES(CUDA_ERROR_INVALID_VALUE,
        cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 10'000'000, nullptr, all, nullptr));
  GIVES(CUDA_ERROR_INVALID_HANDLE,
        cuLaunchKernel(nullptr, 1, 1, 1, 32, 1, 1, 0, nullptr, all, nullptr));
  GIVES(CUDA_ERROR_INVALID_HANDLE,
        cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, reinterpret_cast<CUstream>(&n), all, nullptr));
  std::size_t short_size = 4;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &n, CU_LAUNCH_PARAM_BUFFER_SIZE, &short_size,
                   CU_LAUNCH_PARAM_END};
  GIVES(CUDA_ERROR_INVALID_VALUE,
        cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, nullptr, all, extra));
  SUCCEED(cuModuleUnload(module));
  GIVES(CUDA_ERROR_INVALID_HANDLE,
        cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, nullptr, all, nullptr));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuModuleGetFunction(&add, module, "add"));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(module));

  check_end_of_context();
  check_condition();

  // Memory
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(&memory, 0));
  GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&memory, std::size_t{1} << 50));
  SUCCEED(cuMemAlloc(&memory, 100));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(memory, log, 101));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(memory + 1, 0, 4));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree(memory + 4));
  SUCCEED(cuMemFree(memory));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree(memory));
  unsigned type = 0;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                                        reinterpret_cast<CUdeviceptr>(log)));

  // Calls that end the life of an object need no current context.
  CUstream stream = nullptr;
  SUCCEED(cuMemAlloc(&memory, 100));
  SUCCEED(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
  SUCCEED(cuModuleLoadData(&module, driver::add_ptx));
  SUCCEED(cuCtxPopCurrent(&popped));
  SUCCEED(cuMemFree(memory));
  SUCCEED(cuStreamDestroy(stream));
  SUCCEED(cuModuleUnload(module));
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&memory, 100));
  SUCCEED(cuCtxPushCurrent(popped));

  // Names
  char const* text = nullptr;
  SUCCEED(cuGetErrorName(CUDA_ERROR_INVALID_PTX, &text));
  EXPECT(std::strcmp(text, "CUDA_ERROR_INVALID_PTX") == 0);
  SUCCEED(cuGetErrorString(CUDA_ERROR_INVALID_CONTEXT, &text));
  EXPECT(std::strcmp(text, "invalid device context") == 0);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGetErrorName(static_cast<CUresult>(12345), &text));
  EXPECT(text == nullptr);

  // Entry points by version
  void* function = nullptr;
  CUdriverProcAddressQueryResult status;
  SUCCEED(cuGetProcAddress("cuMemAlloc", &function, 12000, 0, &status));
  EXPECT(function == reinterpret_cast<void*>(&cuMemAlloc) && status == CU_GET_PROC_ADDRESS_SUCCESS);
  SUCCEED(cuGetProcAddress("cuLibraryLoadData", &function, 11000, 0, &status));
  EXPECT(function == nullptr && status == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  SUCCEED(cuGetProcAddress("cuNothing", &function, 13000, 0, &status));
  EXPECT(function == nullptr && status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  GIVES(CUDA_ERROR_NOT_FOUND, cuGetProcAddress("cuNothing", &function, 13000, 0, nullptr));
  void* own = nullptr;
  SUCCEED(cuGetProcAddress("cuStreamSynchronize", &function, 13000, CU_GET_PROC_ADDRESS_DEFAULT,
                           &status));
  SUCCEED(cuGetProcAddress("cuStreamSynchronize", &own, 13000,
                           CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, &status));
  EXPECT(function != own && own != nullptr);
  SUCCEED(reinterpret_cast<CUresult (*)(CUstream)>(own)(nullptr));
  SUCCEED(cuDevicePrimaryCtxRelease(device));
  return driver::finish(70);
}
