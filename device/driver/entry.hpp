// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/driver/abi.hpp>
#include <device/runtime/entry_points.hpp>
#include <device/runtime/process.hpp>

#include <type_traits>
#include <utility>

//! The entry points of the driver's API. Their bodies are the runtime's entry points, or work on
//! what those work on (runtime/process.hpp), so that a process that uses both has one state.
namespace device::driver {

using namespace abi;
using runtime::after_fault;
using runtime::api;
using runtime::failure;
using runtime::process;
using runtime::require;
using runtime::this_thread;

//! The driver's result for an error of the runtime: of the same number, but for those that only the
//! runtime has.
[[nodiscard]] CUresult result_of(cudaError_t);

//! The requirement of an entry point.
enum class needs {
  initialization,  //!< cuInit, or a call of the runtime
  context          //!< a current context, which no fault of a kernel has ended
};

//! Fails with cudaErrorDeviceUninitialized if the calling thread has no current context, with
//! cudaErrorContextIsDestroyed if that has ended.
void require_context(process&);

//! The time that a thread spends in a call of the driver's API. Its errors are not those of
//! cudaGetLastError.
class driver_call {
 public:
  driver_call() : last_error_(this_thread().last_error) { ++this_thread().driver_calls; }
  ~driver_call() {
    --this_thread().driver_calls;
    this_thread().last_error = last_error_;
  }
  driver_call(driver_call const&) = delete;
  driver_call& operator=(driver_call const&) = delete;

 private:
  cudaError_t last_error_;
};

//! `body(process&)`, which gives a cudaError_t or nothing, as an entry point's work; also for the
//! finding of --check api.
template <needs Needs = needs::context, class Body>
[[nodiscard]] CUresult call(Body const& body) noexcept {
  driver_call const in_progress;
  if (!runtime::is_initialized()) return CUDA_ERROR_NOT_INITIALIZED;
  return result_of(api(
      [&](process& p) -> cudaError_t {
        if constexpr (Needs == needs::context) require_context(p);
        if constexpr (std::is_void_v<std::invoke_result_t<Body const&, process&>>) {
          body(p);
          return cudaSuccess;
        } else {
          return body(p);
        }
      },
      Needs == needs::context ? after_fault::fails : after_fault::works));
}

}  // namespace device::driver

//! Defines a function of the driver's API that is one of the runtime's.
#define MMM_CU_FORWARD(name, to, parameters, arguments)                   \
  MMM_CUDA_API CUresult name parameters {                                 \
    return call([&](process&) { return device::runtime::to arguments; }); \
  }
//! The same for one that ends the life of an object: it needs no current context, since the object
//! has one.
#define MMM_CU_FORWARD_END(name, to, parameters, arguments)                                      \
  MMM_CUDA_API CUresult name parameters {                                                        \
    return call<needs::initialization>([&](process&) { return device::runtime::to arguments; }); \
  }
//! MMM_CU_FORWARD, and the function's twin for programs whose default stream is the thread's own.
#define MMM_CU_FORWARD_IN_STREAM(name, suffix, to, parameters, arguments) \
  MMM_CU_FORWARD(name, to, parameters, arguments)                         \
  MMM_CU_TWIN(name, suffix, parameters, arguments)
//! Defines the twin of a function.
#define MMM_CU_TWIN(name, suffix, parameters, arguments) \
  MMM_CUDA_API CUresult name##suffix parameters {        \
    device::runtime::own_default const in_progress;      \
    return name arguments;                               \
  }
