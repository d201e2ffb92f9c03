// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/kernel/launch.hpp>
#include <mmm/gpu/devices.hpp>
#include <mmm/jit/compiler.hpp>
#include <mmm/jit/error.hpp>
#include <mmm/jit/libraries.hpp>

#include <cuda.h>

#include <cstddef>
#include <cstdio>
#include <mutex>
#include <string>
#include <vector>

//! The GPU that is there, its facts, and kernels that are loaded on it.
namespace mmm::jit {

namespace detail {

//! The current context of the thread: the primary one of device 0 if there is none.
struct current_gpu {
  driver_functions const& driver = driver_functions::get();
  CUcontext context = nullptr;
  CUdevice device = 0;

  current_gpu() {
    driver.check(driver.current_context(&context), "cuCtxGetCurrent", "looking for a GPU");
    if (context == nullptr) {
      driver.check(driver.device(&device, 0), "cuDeviceGet", "looking for a GPU");
      driver.check(driver.retain_context(&context, device), "cuDevicePrimaryCtxRetain",
                   "looking for a GPU");
      driver.check(driver.set_current_context(context), "cuCtxSetCurrent", "looking for a GPU");
    }
    driver.check(driver.device_of_context(&device), "cuCtxGetDevice", "looking for a GPU");
  }
  [[nodiscard]] index attribute(CUdevice_attribute which) const {
    int value = 0;
    driver.check(driver.device_attribute(&value, which, device), "cuDeviceGetAttribute",
                 "asking for a GPU's limits");
    return value;
  }
  [[nodiscard]] index capability() const {
    return attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) * 10 +
           attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  }
};

//! A kernel on the GPU, and its limits.
struct loaded_kernel {
  CUcontext context;
  std::string name;  //!< the expression that names it
  CUfunction function;
  settings made_by;
  index multiprocessors;
  mmm::detail::launch_limits limits;
};

//! Says once in a process that the cache is not written.
inline void report_cache(std::string const& failure) {
  static std::once_flag once;
  if (!failure.empty())
    std::call_once(once, [&] {
      std::fprintf(stderr, "%s; kernels are compiled again by each process\n", failure.c_str());
    });
}

//! Compiles a kernel for the current GPU and loads it, to the end of the process.
[[nodiscard]] inline loaded_kernel load_kernel(current_gpu const& gpu, std::string const& name,
                                               settings const& given) {
  driver_functions const& driver = gpu.driver;
  bool const ptx =
      given.form == code_form::ptx || (given.form == code_form::automatic && driver.in_software);
  compiled_kernel const compiled = compile(name, gpu.capability(), ptx, given);
  report_cache(compiled.cache_failure);
  char log[4096] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  CUmodule module = nullptr;
  CUresult const result = driver.load_module(&module, compiled.code.data(), 2, options, values);
  driver.check(result, "cuModuleLoadDataEx", "loading a kernel", log);
  CUfunction function = nullptr;
  driver.check(driver.function_of_module(&function, module, compiled.name.c_str()),
               "cuModuleGetFunction", "looking for kernel " + compiled.name);
  auto const limit = [&](CUfunction_attribute which) -> index {
    int value = 0;
    driver.check(driver.function_attribute(&value, which, function), "cuFuncGetAttribute",
                 "asking for a kernel's limits");
    return value;
  };
  auto const allow = [&](CUfunction_attribute which, index value) {
    driver.check(driver.set_function_attribute(function, which, static_cast<int>(value)),
                 "cuFuncSetAttribute", "setting a kernel's limits");
  };
  index const shared = gpu.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) -
                       limit(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  allow(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared);
  bool const clusters = gpu.attribute(CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH) != 0;
  if (clusters) allow(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
  return {gpu.context,
          name,
          function,
          given,
          gpu.attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
          {limit(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), shared,
           gpu.attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X), clusters}};
}

}  // namespace detail

//! The facts of the current GPU, as its driver reports them; its latencies, which no driver
//! reports, are those of the GPU of mmm::gpu with the nearest compute capability that is not
//! higher. Errors: mmm::jit::error without a driver or a GPU.
[[nodiscard]] inline gpu::device_facts facts_of_current_gpu() {
  detail::current_gpu const gpu;
  index const capability = gpu.capability();
  gpu::device_facts facts = capability >= 100  ? gpu::b200::facts
                            : capability >= 90 ? gpu::h100::facts
                            : capability >= 89 ? gpu::rtx4090::facts
                            : capability >= 80 ? gpu::a100::facts
                                               : gpu::v100::facts;
  facts.sms = gpu.attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  facts.compute_capability = capability;
  facts.shared_bytes_per_block =
      gpu.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  facts.max_threads_per_block = gpu.attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  facts.max_threads_per_sm = gpu.attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
  facts.l2_bytes = gpu.attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  facts.memory_mib = 0;
  // A driver may report no clocks, in a virtual machine for one: then those of the nearest GPU.
  index const clock = gpu.attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE) / 1000;
  index const bandwidth = gpu.attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE) *
                          gpu.attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH) / 4 / 1000000;
  if (clock > 0) facts.clock_mhz = clock;
  if (bandwidth > 0) facts.bandwidth_gb = bandwidth;
  return facts;
}

}  // namespace mmm::jit
