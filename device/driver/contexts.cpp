// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contexts.hpp"

#include "modules.hpp"

#include <device/runtime/agenda.hpp>
#include <device/runtime/tables.hpp>

#include <algorithm>

namespace device::driver {

using runtime::context;

namespace {

constexpr unsigned api_version = 13000;
constexpr unsigned schedule_mask = 0x07;
constexpr unsigned flags_mask = 0xff;

bool has_context() { return this_thread().context_count != 0; }

void check_flags(unsigned flags) {
  unsigned const schedule = flags & schedule_mask;
  require((flags & ~flags_mask) == 0 &&
              (schedule == 0 || schedule == 1 || schedule == 2 || schedule == 4),
          cudaErrorInvalidValue);
}

void push(context& c) {
  runtime::thread_state& t = this_thread();
  require(static_cast<std::size_t>(t.context_count) < t.contexts.size(), cudaErrorInvalidValue);
  ++t.context_count;
  runtime::make_current(c);
}

//! Null if the thread has none.
context* pop() {
  runtime::thread_state& t = this_thread();
  if (t.context_count == 0) return nullptr;
  context* const top = t.contexts[static_cast<std::size_t>(--t.context_count)];
  if (t.context_count != 0)
    t.device = t.contexts[static_cast<std::size_t>(t.context_count - 1)]->number;
  return top;
}

//! Waits for a device's work, as the end of a context on it does.
void finish(process& p, int device) {
  try {
    p.todo.wait_for_device(device);
  } catch (failure const&) {  // of a kernel's fault: the context ends for it
  }
  runtime::flush_prints(p);
  if (p.order != nullptr) p.order->host_waited_for_device(device);
}

void end_primary(process& p, context& c) {
  finish(p, c.number);
  runtime::reset_device(p, c.number);
  c.fault = cudaSuccess;
}

//! Frees what ends with a context that the program has created.
void end_created(process& p, context& c) {
  std::erase_if(p.table.mipmapped, [&](auto const& m) {
    return c.memory.contains(m.second->levels.front()->texels.begin);
  });
  std::erase_if(p.table.arrays,
                [&](auto const& a) { return c.memory.contains(a.second->texels.begin); });
  for (std::uint64_t const begin : std::set<std::uint64_t>(c.memory)) {
    if (p.table.pooled_memory.contains(begin) || p.table.graph_memory.contains(begin)) continue;
    (void)p.free(begin);
    p.table.host_flags.erase(begin);
  }
  std::erase_if(p.table.streams, [&](auto const& s) { return s.second->owner == &c; });
  std::erase_if(p.table.events, [&](auto const& e) { return e.second->owner == &c; });
  p.forget_peers(c);
  unload_of(p, c);
}

cudaError_t create(process& p, CUcontext* out, unsigned flags, CUdevice device) {
  require(out != nullptr, cudaErrorInvalidValue);
  check_flags(flags);
  context const& primary = p.of_device(device);
  auto& made = *p.created.emplace_back(std::make_unique<context>());
  made.number = device;
  made.limits = primary.limits;
  made.is_primary = false;
  made.flags = flags;
  push(made);
  *out = handle_of(made);
  return cudaSuccess;
}

}  // namespace

void require_context(process& p) {
  require(has_context(), cudaErrorDeviceUninitialized);
  require(!p.current().is_destroyed, cudaErrorContextIsDestroyed);
}

context& context_of(process& p, CUcontext handle) {
  auto* const wanted = reinterpret_cast<context*>(handle);
  for (context& c : p.contexts)
    if (&c == wanted) return c;
  for (auto const& c : p.created)
    if (c.get() == wanted) {
      require(!c->is_destroyed, cudaErrorContextIsDestroyed);
      return *c;
    }
  throw failure{cudaErrorDeviceUninitialized};
}

int device_of(process& p, CUcontext handle) {
  return handle == nullptr ? p.current().number : context_of(p, handle).number;
}

// --- primary contexts ----------------------------------------------------------------------------

MMM_CUDA_API CUresult cuDevicePrimaryCtxRetain(CUcontext* out, CUdevice device) {
  return call<needs::initialization>([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    context& c = p.of_device(device);
    ++c.retained;
    *out = handle_of(c);
  });
}

MMM_CUDA_API CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return call<needs::initialization>([&](process& p) {
    context& c = p.of_device(device);
    require(c.retained > 0, cudaErrorDeviceUninitialized);
    if (--c.retained == 0 && !c.used_by_runtime) end_primary(p, c);
  });
}

MMM_CUDA_API CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  return call<needs::initialization>([&](process& p) { end_primary(p, p.of_device(device)); });
}

MMM_CUDA_API CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  return call<needs::initialization>([&](process& p) {
    check_flags(flags);
    p.of_device(device).flags = flags;
  });
}

MMM_CUDA_API CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  return call<needs::initialization>([&](process& p) {
    require(flags != nullptr && active != nullptr, cudaErrorInvalidValue);
    context const& c = p.of_device(device);
    *flags = c.flags;
    *active = c.retained > 0 || c.used_by_runtime ? 1 : 0;
  });
}

MMM_CUDA_API CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return cuDevicePrimaryCtxRelease_v2(device);
}
MMM_CUDA_API CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  return cuDevicePrimaryCtxReset_v2(device);
}
MMM_CUDA_API CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
  return cuDevicePrimaryCtxSetFlags_v2(device, flags);
}

// --- contexts that the program creates -----------------------------------------------------------

MMM_CUDA_API CUresult cuCtxCreate_v2(CUcontext* out, unsigned flags, CUdevice device) {
  return call<needs::initialization>([&](process& p) { return create(p, out, flags, device); });
}

MMM_CUDA_API CUresult cuCtxCreate_v3(CUcontext* out, void* /*affinities*/, int affinity_count,
                                     unsigned flags, CUdevice device) {
  return call<needs::initialization>([&](process& p) {
    require(affinity_count == 0, cudaErrorUnsupportedExecAffinity);
    return create(p, out, flags, device);
  });
}

MMM_CUDA_API CUresult cuCtxCreate_v4(CUcontext* out, void* parameters, unsigned flags,
                                     CUdevice device) {
  return call<needs::initialization>([&](process& p) {
    require(parameters == nullptr, cudaErrorNotSupported);
    return create(p, out, flags, device);
  });
}

MMM_CUDA_API CUresult cuCtxDestroy_v2(CUcontext handle) {
  return call<needs::initialization>([&](process& p) {
    context& c = context_of(p, handle);
    require(!c.is_primary, cudaErrorDeviceUninitialized);
    finish(p, c.number);
    end_created(p, c);
    c.is_destroyed = true;
    runtime::thread_state const& t = this_thread();
    if (t.context_count != 0 && t.contexts[static_cast<std::size_t>(t.context_count - 1)] == &c)
      (void)pop();
  });
}

MMM_CUDA_API CUresult cuCtxDestroy(CUcontext handle) { return cuCtxDestroy_v2(handle); }

// --- the current one -----------------------------------------------------------------------------

MMM_CUDA_API CUresult cuCtxPushCurrent_v2(CUcontext handle) {
  return call<needs::initialization>([&](process& p) { push(context_of(p, handle)); });
}

MMM_CUDA_API CUresult cuCtxPopCurrent_v2(CUcontext* out) {
  return call<needs::initialization>([&](process&) {
    require(has_context(), cudaErrorDeviceUninitialized);
    context* const top = pop();
    if (out != nullptr) *out = handle_of(*top);
  });
}

MMM_CUDA_API CUresult cuCtxPushCurrent(CUcontext handle) { return cuCtxPushCurrent_v2(handle); }
MMM_CUDA_API CUresult cuCtxPopCurrent(CUcontext* out) { return cuCtxPopCurrent_v2(out); }

MMM_CUDA_API CUresult cuCtxSetCurrent(CUcontext handle) {
  return call<needs::initialization>([&](process& p) {
    if (handle == nullptr)
      (void)pop();
    else
      runtime::make_current(context_of(p, handle));
  });
}

MMM_CUDA_API CUresult cuCtxGetCurrent(CUcontext* out) {
  return call<needs::initialization>([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = has_context() ? handle_of(p.current()) : nullptr;
  });
}

MMM_CUDA_API CUresult cuCtxGetDevice_v2(CUdevice* out, CUcontext handle) {
  return call<needs::initialization>([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    require(handle != nullptr || has_context(), cudaErrorDeviceUninitialized);
    *out = device_of(p, handle);
  });
}
MMM_CUDA_API CUresult cuCtxGetDevice(CUdevice* out) { return cuCtxGetDevice_v2(out, nullptr); }

MMM_CUDA_API CUresult cuCtxGetId(CUcontext handle, unsigned long long* out) {
  return call<needs::initialization>([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    require(handle != nullptr || has_context(), cudaErrorDeviceUninitialized);
    context const& c = handle == nullptr ? p.current() : context_of(p, handle);
    auto const made = std::find_if(p.created.begin(), p.created.end(),
                                   [&](auto const& m) { return m.get() == &c; });
    *out = c.is_primary
               ? static_cast<unsigned long long>(c.number) + 1
               : static_cast<unsigned long long>(made - p.created.begin()) + 1 + p.contexts.size();
  });
}

MMM_CUDA_API CUresult cuCtxGetApiVersion(CUcontext handle, unsigned* version) {
  return call<needs::initialization>([&](process& p) {
    require(version != nullptr, cudaErrorInvalidValue);
    require(handle != nullptr || has_context(), cudaErrorDeviceUninitialized);
    (void)device_of(p, handle);
    *version = api_version;
  });
}

MMM_CUDA_API CUresult cuCtxGetFlags(unsigned* flags) {
  return call([&](process& p) {
    require(flags != nullptr, cudaErrorInvalidValue);
    *flags = p.current().flags;
  });
}
MMM_CUDA_API CUresult cuCtxSetFlags(unsigned flags) {
  return call([&](process& p) {
    check_flags(flags);
    p.current().flags = flags;
  });
}

MMM_CUDA_API CUresult cuCtxSynchronize_v2(CUcontext handle) {
  return call([&](process& p) {
    int const before = this_thread().device;
    this_thread().device = device_of(p, handle);
    cudaError_t const result = runtime::cudaDeviceSynchronize();
    this_thread().device = before;
    return result;
  });
}

MMM_CU_FORWARD(cuCtxSynchronize, cudaDeviceSynchronize, (), ())
MMM_CU_FORWARD(cuCtxSetLimit, cudaDeviceSetLimit, (cudaLimit limit, std::size_t value),
               (limit, value))
MMM_CU_FORWARD(cuCtxGetLimit, cudaDeviceGetLimit, (std::size_t* value, cudaLimit limit),
               (value, limit))
MMM_CU_FORWARD(cuCtxSetCacheConfig, cudaDeviceSetCacheConfig, (cudaFuncCache config), (config))
MMM_CU_FORWARD(cuCtxGetCacheConfig, cudaDeviceGetCacheConfig, (cudaFuncCache * config), (config))
MMM_CU_FORWARD(cuCtxSetSharedMemConfig, cudaDeviceSetSharedMemConfig, (cudaSharedMemConfig config),
               (config))
MMM_CU_FORWARD(cuCtxGetSharedMemConfig, cudaDeviceGetSharedMemConfig,
               (cudaSharedMemConfig * config), (config))
MMM_CU_FORWARD(cuCtxGetStreamPriorityRange, cudaDeviceGetStreamPriorityRange,
               (int* least, int* greatest), (least, greatest))
MMM_CU_FORWARD(cuCtxResetPersistingL2Cache, cudaCtxResetPersistingL2Cache, (), ())

MMM_CUDA_API CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  return call([&](process& p) {
    return runtime::cudaDeviceEnablePeerAccess(context_of(p, peer).number, flags);
  });
}
MMM_CUDA_API CUresult cuCtxDisablePeerAccess(CUcontext peer) {
  return call(
      [&](process& p) { return runtime::cudaDeviceDisablePeerAccess(context_of(p, peer).number); });
}

}  // namespace device::driver
