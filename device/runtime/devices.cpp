// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "agenda.hpp"
#include "tables.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace device::runtime {

using namespace abi;

namespace {

constexpr unsigned schedule_mask = 0x07;
constexpr unsigned device_flags_mask = 0xff;
constexpr unsigned map_host = 0x08;

}  // namespace

void reset_device(process& p, int device) {
  context& c = p.of_device(device);
  find_leaks(p, device);
  for (allocation const& a : p.memory.live()) {
    if (a.device != device || a.kind == allocation_kind::module_variable) continue;
    if (p.table.pooled_memory.contains(a.begin)) continue;  // outlives the context
    if (a.kind == allocation_kind::registered)
      (void)p.memory.remove_registered(a.begin);
    else
      (void)p.free(a.begin);
    p.table.host_flags.erase(a.begin);
    p.table.graph_memory.erase(a.begin);
  }
  forget_arrays(p, device);
  std::erase_if(p.table.streams, [&](auto const& s) { return s.second->device == device; });
  std::erase_if(p.table.events, [&](auto const& e) { return e.second->device == device; });
  p.forget_peers(c);
  c.flags = 0;
}

// --- which device --------------------------------------------------------------------------------

MMM_CUDA_API cudaError_t cudaGetDeviceCount(int* count) {
  return api(
      [&](process& p) {
        require(count != nullptr, cudaErrorInvalidValue);
        *count = p.set.devices;
      },
      after_fault::works);
}

MMM_CUDA_API cudaError_t cudaGetDevice(int* device) {
  return api(
      [&](process&) {
        require(device != nullptr, cudaErrorInvalidValue);
        *device = this_thread().device;
      },
      after_fault::works);
}

MMM_CUDA_API cudaError_t cudaSetDevice(int device) {
  return api(
      [&](process& p) {
        context& c = p.of_device(device);
        make_current(c);
        c.used_by_runtime = true;
        return c.fault;
      },
      after_fault::works);
}

MMM_CUDA_API cudaError_t cudaInitDevice(int device, unsigned flags, unsigned which) {
  return api(
      [&](process& p) {
        context& c = p.of_device(device);
        require(which <= 1 && (flags & ~device_flags_mask) == 0, cudaErrorInvalidValue);
        if (which == 1) c.flags = flags;
      },
      after_fault::works);
}

MMM_CUDA_API cudaError_t cudaSetValidDevices(int* devices, int count) {
  return api([&](process& p) {
    require(count >= 0 && (devices != nullptr || count == 0), cudaErrorInvalidValue);
    for (int d = 0; d < count; ++d) (void)p.of_device(devices[d]);
    if (count > 0) make_current(p.of_device(devices[0]));
  });
}

MMM_CUDA_API cudaError_t cudaChooseDevice(int* device, cudaDeviceProp const* wanted) {
  return api([&](process&) {
    require(device != nullptr && wanted != nullptr, cudaErrorInvalidValue);
    *device = 0;  // all are the same
  });
}

MMM_CUDA_API cudaError_t cudaDeviceSynchronize() {
  return api([&](process& p) {
    forbid_during_capture(p);
    p.todo.wait_for_device(p.current().number);
    flush_prints(p);
    if (p.order != nullptr) p.order->host_waited_for_device(p.current().number);
    trim_pools(p, p.current().number);
  });
}

MMM_CUDA_API cudaError_t cudaDeviceReset() {
  return api([&](process& p) {
    p.todo.wait_for_device(p.current().number);
    flush_prints(p);
    if (p.order != nullptr) p.order->host_waited_for_device(p.current().number);
    reset_device(p, p.current().number);
  });
}

// --- flags, limits, hints ------------------------------------------------------------------------

MMM_CUDA_API cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return api([&](process& p) {
    unsigned const schedule = flags & schedule_mask;
    bool const one = schedule == 0 || schedule == 1 || schedule == 2 || schedule == 4;
    require((flags & ~device_flags_mask) == 0 && one, cudaErrorInvalidValue);
    p.current().flags = flags;
  });
}

MMM_CUDA_API cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return api([&](process& p) {
    require(flags != nullptr, cudaErrorInvalidValue);
    *flags = p.current().flags | map_host;
  });
}

MMM_CUDA_API cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
  return api([&](process& p) {
    require(limit <= cudaLimitPersistingL2CacheSize, cudaErrorUnsupportedLimit);
    bool const is_gone = limit == cudaLimitDevRuntimeSyncDepth && p.chip.capability() >= 90;
    require(!is_gone, cudaErrorUnsupportedLimit);
    require(limit != cudaLimitMaxL2FetchGranularity || value <= 128, cudaErrorInvalidValue);
    require(limit != cudaLimitPersistingL2CacheSize || value == 0, cudaErrorUnsupportedLimit);
    p.current().limits[limit] = value;
  });
}

MMM_CUDA_API cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  return api([&](process& p) {
    require(value != nullptr, cudaErrorInvalidValue);
    require(limit <= cudaLimitPersistingL2CacheSize, cudaErrorUnsupportedLimit);
    *value = p.current().limits[limit];
  });
}

MMM_CUDA_API cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return api([&](process& p) {
    require(config <= cudaFuncCachePreferEqual, cudaErrorInvalidValue);
    p.current().cache = config;
  });
}

MMM_CUDA_API cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return api([&](process& p) {
    require(config != nullptr, cudaErrorInvalidValue);
    *config = p.current().cache;
  });
}

MMM_CUDA_API cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return api(
      [&](process&) { require(config <= cudaSharedMemBankSizeEightByte, cudaErrorInvalidValue); });
}

MMM_CUDA_API cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return api([&](process& p) {
    require(config != nullptr, cudaErrorInvalidValue);
    *config = p.current().banks;
  });
}

MMM_CUDA_API cudaError_t cudaCtxResetPersistingL2Cache() {
  return api([](process&) {});
}

// --- names on the bus ----------------------------------------------------------------------------

MMM_CUDA_API cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  return api([&](process& p) {
    require(text != nullptr && length >= 13, cudaErrorInvalidValue);
    std::snprintf(text, static_cast<std::size_t>(length), "0000:%02X:00.0",
                  p.of_device(device).number + 1);
  });
}

MMM_CUDA_API cudaError_t cudaDeviceGetByPCIBusId(int* device, char const* text) {
  return api([&](process& p) {
    require(device != nullptr && text != nullptr, cudaErrorInvalidValue);
    unsigned domain = 0, bus = 0, slot = 0, function = 0;
    int const parts = std::sscanf(text, "%x:%x:%x.%x", &domain, &bus, &slot, &function);
    if (parts < 3) {
      domain = 0;
      require(std::sscanf(text, "%x:%x.%x", &bus, &slot, &function) >= 2, cudaErrorInvalidValue);
    }
    bool const known =
        domain == 0 && slot == 0 && function == 0 && bus >= 1 && bus <= p.contexts.size();
    require(known, cudaErrorInvalidDevice);
    *device = static_cast<int>(bus) - 1;
  });
}

// --- several devices -----------------------------------------------------------------------------

MMM_CUDA_API cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return api([&](process& p) {
    require(can != nullptr, cudaErrorInvalidValue);
    (void)p.of_device(device);
    (void)p.of_device(peer);
    *can = device != peer ? 1 : 0;
  });
}

MMM_CUDA_API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return api([&](process& p) {
    require(flags == 0, cudaErrorInvalidValue);
    (void)p.of_device(peer);
    require(peer != p.current().number, cudaErrorInvalidDevice);
    require(p.current().peers.insert(peer).second, cudaErrorPeerAccessAlreadyEnabled);
    p.allow_peer(p.current().number, peer);
  });
}

MMM_CUDA_API cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return api([&](process& p) {
    (void)p.of_device(peer);
    require(p.current().peers.erase(peer) == 1, cudaErrorPeerAccessNotEnabled);
    p.allow_peer(p.current().number, peer);
  });
}

MMM_CUDA_API cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute,
                                                   int device, int peer) {
  return api([&](process& p) {
    require(value != nullptr, cudaErrorInvalidValue);
    (void)p.of_device(device);
    (void)p.of_device(peer);
    require(device != peer, cudaErrorInvalidDevice);
    switch (attribute) {
      case cudaDevP2PAttrPerformanceRank:
        *value = 0;
        return;
      case cudaDevP2PAttrAccessSupported:
      case cudaDevP2PAttrNativeAtomicSupported:
        *value = 1;
        return;
      case cudaDevP2PAttrCudaArrayAccessSupported:
      case cudaDevP2PAttrOnlyPartialNativeAtomicSupported:
        *value = 0;
        return;
    }
    throw failure{cudaErrorInvalidValue};
  });
}

// --- versions, profiler --------------------------------------------------------------------------

MMM_CUDA_API cudaError_t cudaRuntimeGetVersion(int* version) {
  if (version == nullptr) return remember(cudaErrorInvalidValue);
  *version = runtime_version;
  return cudaSuccess;
}

MMM_CUDA_API cudaError_t cudaDriverGetVersion(int* version) {
  return cudaRuntimeGetVersion(version);
}

MMM_CUDA_API cudaError_t cudaProfilerStart() {
  return api([](process&) {});
}
MMM_CUDA_API cudaError_t cudaProfilerStop() {
  return api([](process&) {});
}

}  // namespace device::runtime
