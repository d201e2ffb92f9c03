// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/jit/environment.hpp>
#include <mmm/jit/error.hpp>

#include <cuda.h>
#include <dlfcn.h>
#include <link.h>
#include <nvrtc.h>

#include <string>
#include <utility>
#include <vector>

//! The functions of the driver and of NVRTC, from libraries that are loaded when they are first
//! needed: a program that includes this links neither, and starts where they are missing.
namespace mmm::jit::detail {

//! A shared library, to the end of the process.
class library {
 public:
  //! \param names tried in their order.
  library(char const* purpose, char const* variable, std::vector<std::string> const& names) {
    std::string tried;
    for (std::string const& name : names) {
      handle_ = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (handle_ != nullptr) {
        name_ = std::string(purpose) + " (" + path() + ")";
        return;
      }
      char const* const why = ::dlerror();
      tried += std::string("\n  ") + (why == nullptr ? name.c_str() : why);
    }
    throw error(std::string(purpose) + " is not there" +
                (variable == nullptr ? "" : std::string(" (") + variable + " may name it)") + ":" +
                tried);
  }
  template <class Function>
  void find(Function*& function, char const* name) const {
    function = reinterpret_cast<Function*>(::dlsym(handle_, name));
    if (function == nullptr)
      throw error(name_ + " lacks the function " + name + ": it is too old; CUDA 12 has it");
  }
  //! The library's file.
  [[nodiscard]] std::string path() const {
    ::link_map* map = nullptr;
    return ::dlinfo(handle_, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr ? map->l_name : "";
  }
  [[nodiscard]] bool has(char const* name) const { return ::dlsym(handle_, name) != nullptr; }

 private:
  void* handle_ = nullptr;
  std::string name_;
};

//! The driver's functions.
struct driver_functions {
  decltype(&::cuInit) init;
  decltype(&::cuGetErrorName) error_name;
  decltype(&::cuGetErrorString) error_string;
  decltype(&::cuCtxGetCurrent) current_context;
  decltype(&::cuCtxSetCurrent) set_current_context;
  decltype(&::cuCtxGetDevice) device_of_context;
  decltype(&::cuDeviceGet) device;
  decltype(&::cuDeviceGetAttribute) device_attribute;
  decltype(&::cuDeviceGetName) device_name;
  decltype(&::cuDevicePrimaryCtxRetain) retain_context;
  decltype(&::cuModuleLoadDataEx) load_module;
  decltype(&::cuModuleGetFunction) function_of_module;
  decltype(&::cuFuncGetAttribute) function_attribute;
  decltype(&::cuFuncSetAttribute) set_function_attribute;
  decltype(&::cuOccupancyMaxActiveBlocksPerMultiprocessor) blocks_per_multiprocessor;
  decltype(&::cuLaunchKernelEx) launch;
  decltype(&::cuMemAlloc) allocate_now;
  decltype(&::cuMemFree) free_now;
  decltype(&::cuMemcpyHtoD) copy_to_device;
  decltype(&::cuMemcpyDtoH) copy_to_host;
  decltype(&::cuMemAllocAsync) allocate;
  decltype(&::cuMemFreeAsync) free;
  decltype(&::cuMemsetD8Async) fill;
  decltype(&::cuPointerGetAttribute) pointer_attribute;
  bool in_software;  //!< the device in software of this project, which reads PTX only

  //! Errors: mmm::jit::error if there is no driver.
  [[nodiscard]] static driver_functions const& get() {
    static driver_functions const all;
    return all;
  }
  //! Throws mmm::jit::error for a call that failed.
  void check(CUresult code, char const* call, std::string const& purpose,
             std::string const& log = "") const {
    if (code == CUDA_SUCCESS) return;
    char const *name = nullptr, *text = nullptr;
    static_cast<void>(error_name(code, &name));
    static_cast<void>(error_string(code, &text));
    throw error(purpose + ": " + call + " failed: " + (text == nullptr ? "?" : text) + " (" +
                    (name == nullptr ? std::to_string(static_cast<int>(code)) : name) + ")",
                log);
  }

 private:
  driver_functions() {
    library const lib("the CUDA driver", nullptr, {"libcuda.so.1"});
    lib.find(init, "cuInit");
    lib.find(error_name, "cuGetErrorName");
    lib.find(error_string, "cuGetErrorString");
    lib.find(current_context, "cuCtxGetCurrent");
    lib.find(set_current_context, "cuCtxSetCurrent");
    lib.find(device_of_context, "cuCtxGetDevice");
    lib.find(device, "cuDeviceGet");
    lib.find(device_attribute, "cuDeviceGetAttribute");
    lib.find(device_name, "cuDeviceGetName");
    lib.find(retain_context, "cuDevicePrimaryCtxRetain");
    lib.find(load_module, "cuModuleLoadDataEx");
    lib.find(function_of_module, "cuModuleGetFunction");
    lib.find(function_attribute, "cuFuncGetAttribute");
    lib.find(set_function_attribute, "cuFuncSetAttribute");
    lib.find(blocks_per_multiprocessor, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    lib.find(launch, "cuLaunchKernelEx");
    lib.find(allocate_now, "cuMemAlloc_v2");
    lib.find(free_now, "cuMemFree_v2");
    lib.find(copy_to_device, "cuMemcpyHtoD_v2");
    lib.find(copy_to_host, "cuMemcpyDtoH_v2");
    lib.find(allocate, "cuMemAllocAsync");
    lib.find(free, "cuMemFreeAsync");
    lib.find(fill, "cuMemsetD8Async");
    lib.find(pointer_attribute, "cuPointerGetAttribute");
    in_software =
        lib.has("__cudaRegisterFunction");  // NVIDIA's driver has no function of the runtime
    check(init(0), "cuInit", "starting the driver");
  }
};

//! NVRTC's functions.
struct compiler_functions {
  decltype(&::nvrtcVersion) version;
  decltype(&::nvrtcGetNumSupportedArchs) capability_count;
  decltype(&::nvrtcGetSupportedArchs) capabilities;
  decltype(&::nvrtcGetErrorString) error_string;
  decltype(&::nvrtcCreateProgram) create;
  decltype(&::nvrtcDestroyProgram) destroy;
  decltype(&::nvrtcAddNameExpression) add_name;
  decltype(&::nvrtcGetLoweredName) lowered_name;
  decltype(&::nvrtcCompileProgram) compile;
  decltype(&::nvrtcGetProgramLogSize) log_size;
  decltype(&::nvrtcGetProgramLog) log;
  decltype(&::nvrtcGetPTXSize) ptx_size;
  decltype(&::nvrtcGetPTX) ptx;
  decltype(&::nvrtcGetCUBINSize) cubin_size;
  decltype(&::nvrtcGetCUBIN) cubin;
  std::string path;  //!< of the library's file

  //! The names of the library, in the order in which they are tried.
  [[nodiscard]] static std::vector<std::string> names() {
    if (std::string own = environment("MMM_NVRTC"); !own.empty()) return {std::move(own)};
    std::string const toolkit = toolkit_folder();
    return {"libnvrtc.so.13", "libnvrtc.so", toolkit + "/lib64/libnvrtc.so",
            toolkit + "/lib/libnvrtc.so"};
  }
  //! Errors: mmm::jit::error if NVRTC is not there.
  [[nodiscard]] static compiler_functions const& get() {
    static compiler_functions const all;
    return all;
  }

 private:
  compiler_functions() {
    library const lib("NVRTC", "MMM_NVRTC", names());
    path = lib.path();
    lib.find(version, "nvrtcVersion");
    lib.find(capability_count, "nvrtcGetNumSupportedArchs");
    lib.find(capabilities, "nvrtcGetSupportedArchs");
    lib.find(error_string, "nvrtcGetErrorString");
    lib.find(create, "nvrtcCreateProgram");
    lib.find(destroy, "nvrtcDestroyProgram");
    lib.find(add_name, "nvrtcAddNameExpression");
    lib.find(lowered_name, "nvrtcGetLoweredName");
    lib.find(compile, "nvrtcCompileProgram");
    lib.find(log_size, "nvrtcGetProgramLogSize");
    lib.find(log, "nvrtcGetProgramLog");
    lib.find(ptx_size, "nvrtcGetPTXSize");
    lib.find(ptx, "nvrtcGetPTX");
    lib.find(cubin_size, "nvrtcGetCUBINSize");
    lib.find(cubin, "nvrtcGetCUBIN");
  }
  //! The CUDA toolkit's folder, by the variables that name it.
  [[nodiscard]] static std::string toolkit_folder() {
    for (char const* const variable : {"CUDA_HOME", "CUDA_PATH"})
      if (std::string const folder = environment(variable); !folder.empty()) return folder;
    return "/usr/local/cuda";
  }
};

}  // namespace mmm::jit::detail
