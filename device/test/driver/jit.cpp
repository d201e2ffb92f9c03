// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that NVRTC compiles, as in ptxjit of the toolkit's samples and every front end of Python;
// the linker, whose result is loaded like any image.
#include "driver.hpp"

#include <nvrtc.h>

#include <cstring>
#include <string>

namespace {

std::string compiled(char const* source) {
  nvrtcProgram program;
  char const* options[] = {"--gpu-architecture=compute_75", "-lineinfo", "-rdc=true"};
  std::size_t bytes = 0;
  EXPECT(nvrtcCreateProgram(&program, source, "source.cu", 0, nullptr, nullptr) == NVRTC_SUCCESS);
  EXPECT(nvrtcCompileProgram(program, 3, options) == NVRTC_SUCCESS);
  EXPECT(nvrtcGetPTXSize(program, &bytes) == NVRTC_SUCCESS);
  std::string ptx(bytes, '\0');
  EXPECT(nvrtcGetPTX(program, ptx.data()) == NVRTC_SUCCESS);
  nvrtcDestroyProgram(&program);
  return ptx;
}

int launched(CUmodule module) {
  CUfunction function;
  CUdeviceptr memory;
  SUCCEED(cuModuleGetFunction(&function, module, "write"));
  SUCCEED(cuMemAlloc(&memory, sizeof(int)));
  void* arguments[] = {&memory};
  SUCCEED(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  int value = 0;
  SUCCEED(cuMemcpyDtoH(&value, memory, sizeof value));
  SUCCEED(cuMemFree(memory));
  return value;
}

}  // namespace

int main() {
  driver::begin();
  std::string const alone = compiled("extern \"C\" __global__ void write(int* to) { *to = 7; }");
  CUmodule module;
  SUCCEED(cuModuleLoadData(&module, alone.c_str()));
  EXPECT(launched(module) == 7);
  SUCCEED(cuModuleUnload(module));

  std::string const caller = compiled(
      "__device__ int value(int); extern \"C\" __global__ void write(int* to) { *to = value(4); }");
  std::string const called = compiled("__device__ int value(int x) { return 10 * x + 2; }");
  CUlinkState link;
  void* image = nullptr;
  std::size_t bytes = 0;
  SUCCEED(cuLinkCreate(0, nullptr, nullptr, &link));
  SUCCEED(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(caller.c_str()),
                        caller.size() + 1, "caller", 0, nullptr, nullptr));
  SUCCEED(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(called.c_str()),
                        called.size() + 1, "called", 0, nullptr, nullptr));
  SUCCEED(cuLinkComplete(link, &image, &bytes));
  EXPECT(image != nullptr && bytes > caller.size() + called.size());
  std::vector<char> const copy(static_cast<char*>(image), static_cast<char*>(image) + bytes);
  SUCCEED(cuLinkDestroy(link));
  SUCCEED(cuModuleLoadData(&module, copy.data()));
  EXPECT(launched(module) == 42);
  SUCCEED(cuModuleUnload(module));

  // Mistakes are found when the link is completed, with their log.
  char log[200] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  char wrong[] = ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(\n";
  SUCCEED(cuLinkCreate(2, options, values, &link));
  SUCCEED(cuLinkAddData(link, CU_JIT_INPUT_PTX, wrong, sizeof wrong, "wrong", 0, nullptr, nullptr));
  GIVES(CUDA_ERROR_INVALID_PTX, cuLinkComplete(link, &image, &bytes));
  EXPECT(std::strstr(log, "PTX line") != nullptr);
  SUCCEED(cuLinkDestroy(link));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuLinkDestroy(link));
  return driver::finish(35);
}
