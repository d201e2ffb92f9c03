// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "agenda.hpp"
#include "caller.hpp"
#include "tables.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

// Stream-ordered allocation. Streams execute what is issued at once, so that memory can be given
// and taken back at once. How much a pool holds reserved is kept as the driver does it: in chunks,
// returned at a synchronisation down to the release threshold.
namespace device::runtime {

using namespace abi;

namespace {

constexpr std::uint64_t reserved_chunk = std::uint64_t{32} << 20U;

std::uint64_t in_chunks(std::uint64_t bytes) {
  return (bytes + reserved_chunk - 1) / reserved_chunk * reserved_chunk;
}

pool& pool_of(process& p, cudaMemPool_t handle) {
  auto const found = p.table.pools.find(reinterpret_cast<pool*>(handle));
  require(found != p.table.pools.end() && !found->second->destroyed, cudaErrorInvalidValue);
  return *found->second;
}

pool& make_pool(process& p, int device) {
  auto made = std::make_unique<pool>();
  made->device = device;
  pool& m = *made;
  p.table.pools.emplace(&m, std::move(made));
  return m;
}

void trim(pool& m, std::uint64_t retained_bytes) {
  if (retained_bytes < m.reserved)
    m.reserved = std::max(in_chunks(m.used), in_chunks(retained_bytes));
}

int device_of(process& p, cudaMemLocation const* where) {
  require(where != nullptr && where->type == cudaMemLocationTypeDevice, cudaErrorInvalidValue);
  return p.of_device(where->id).number;
}

cudaError_t allocate_async(void** out, std::size_t bytes, pool* (*which)(process&, void*),
                           void* with, cudaStream_t in) {
  return api([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    stream& s = stream_of(p, in);
    pool& m = *which(p, with);
    if (bytes == 0) {
      *out = nullptr;
    } else if (s.capturing != nullptr) {
      allocate_work a = reserve_for_graph(p, bytes, m.device);
      *out = a.params.dptr;
      add_captured(p, s, std::move(a));
    } else {
      if (s.is_legacy) forbid_legacy_during_capture(p);
      *out = allocate_from(p, m, bytes);
      require(*out != nullptr, cudaErrorMemoryAllocation);
      if (p.order != nullptr) p.order->note_memory(s, "cudaMallocAsync", address_of(*out), bytes);
    }
  });
}

}  // namespace

void make_default_pools(process& p) {
  for (context const& c : p.contexts) {
    pool& m = make_pool(p, c.number);
    m.is_default = true;
    p.table.default_pool.push_back(&m);
    p.table.current_pool.push_back(&m);
  }
}

namespace {

//! The devices whose kernels may access a pool's memory.
device_set devices_of(pool const& m) {
  device_set all = device_bit(m.device);
  for (auto const& [device, flags] : m.access)
    if (flags != cudaMemAccessFlagsProtNone) all |= device_bit(device);
  return all;
}

}  // namespace

void* allocate_from(process& p, pool& m, std::size_t bytes) {
  if (m.props.maxSize != 0 && m.used + bytes > m.props.maxSize) return nullptr;
  std::uint64_t const address =
      p.memory.allocate(bytes, allocation_kind::device, m.device, texture_alignment);
  if (address == 0) return nullptr;
  p.allocated(address);
  p.table.pooled_memory[address] = {&m, bytes};
  p.memory.set_devices(address, devices_of(m));
  m.used += bytes;
  m.used_high = std::max(m.used_high, m.used);
  m.reserved = std::max(m.reserved, in_chunks(m.used));
  m.reserved_high = std::max(m.reserved_high, m.reserved);
  return pointer_to(address);
}

bool give_back_to_pool(process& p, std::uint64_t address) {
  auto const found = p.table.pooled_memory.find(address);
  if (found == p.table.pooled_memory.end()) return false;
  auto const [owner, bytes] = found->second;
  p.table.pooled_memory.erase(found);
  (void)p.free(address);
  owner->used -= bytes;
  if (owner->destroyed && owner->used == 0) p.table.pools.erase(owner);
  return true;
}

//! True if cudaFreeAsync may free it: memory of graphs, pools and cudaMalloc.
bool is_stream_ordered(process& p, std::uint64_t address) {
  auto const of_graph = p.table.graph_memory.find(address);
  if (of_graph != p.table.graph_memory.end()) return of_graph->second.live;
  auto const a = p.memory.find(address);
  return a && a->begin == address && !a->freed && a->kind == allocation_kind::device;
}

void trim_pools(process& p, int device) {
  for (auto const& [handle, m] : p.table.pools)
    if (m->device == device) trim(*m, m->threshold);
}

MMM_CUDA_API cudaError_t cudaMallocAsync(void** out, std::size_t bytes, cudaStream_t in) {
  return allocate_async(
      out, bytes,
      [](process& p, void*) {
        return p.table.current_pool[static_cast<std::size_t>(p.current().number)];
      },
      nullptr, in);
}

MMM_CUDA_API cudaError_t cudaMallocFromPoolAsync(void** out, std::size_t bytes,
                                                 cudaMemPool_t pool_handle, cudaStream_t in) {
  return allocate_async(
      out, bytes,
      [](process& p, void* handle) { return &pool_of(p, static_cast<cudaMemPool_t>(handle)); },
      pool_handle, in);
}

MMM_CUDA_API cudaError_t cudaFreeAsync(void* address, cudaStream_t in) {
  return api([&](process& p) {
    stream& s = stream_of(p, in);
    if (address == nullptr) return;
    if (s.capturing != nullptr) {
      require(p.table.graph_memory.contains(address_of(address)), cudaErrorInvalidValue);
      add_captured(p, s, free_work{address, {}});
      return;
    }
    if (s.is_legacy) forbid_legacy_during_capture(p);
    require(is_stream_ordered(p, address_of(address)), cudaErrorInvalidValue);
    p.todo.issue(s, free_work{address, callers()});
  });
}

MMM_CUDA_API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* out, int device) {
  return api([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = handle_of(p.table.default_pool[static_cast<std::size_t>(p.of_device(device).number)]);
  });
}

MMM_CUDA_API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* out, int device) {
  return api([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = handle_of(p.table.current_pool[static_cast<std::size_t>(p.of_device(device).number)]);
  });
}

MMM_CUDA_API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t handle) {
  return api([&](process& p) {
    pool& m = pool_of(p, handle);
    require(m.device == p.of_device(device).number, cudaErrorInvalidValue);
    p.table.current_pool[static_cast<std::size_t>(device)] = &m;
  });
}

MMM_CUDA_API cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* out, cudaMemLocation* where,
                                                  cudaMemAllocationType type) {
  return api([&](process& p) {
    require(out != nullptr && type == cudaMemAllocationTypePinned, cudaErrorInvalidValue);
    *out = handle_of(p.table.default_pool[static_cast<std::size_t>(device_of(p, where))]);
  });
}

MMM_CUDA_API cudaError_t cudaMemGetMemPool(cudaMemPool_t* out, cudaMemLocation* where,
                                           cudaMemAllocationType type) {
  return api([&](process& p) {
    require(out != nullptr && type == cudaMemAllocationTypePinned, cudaErrorInvalidValue);
    *out = handle_of(p.table.current_pool[static_cast<std::size_t>(device_of(p, where))]);
  });
}

MMM_CUDA_API cudaError_t cudaMemSetMemPool(cudaMemLocation* where, cudaMemAllocationType type,
                                           cudaMemPool_t handle) {
  return api([&](process& p) {
    pool& m = pool_of(p, handle);
    int const device = device_of(p, where);
    require(type == cudaMemAllocationTypePinned && m.device == device, cudaErrorInvalidValue);
    p.table.current_pool[static_cast<std::size_t>(device)] = &m;
  });
}

MMM_CUDA_API cudaError_t cudaMemPoolCreate(cudaMemPool_t* out, cudaMemPoolProps const* props) {
  return api([&](process& p) {
    require(out != nullptr && props != nullptr, cudaErrorInvalidValue);
    require(props->allocType == cudaMemAllocationTypePinned, cudaErrorInvalidValue);
    // sharing between processes
    require(props->handleTypes == cudaMemHandleTypeNone, cudaErrorNotSupported);
    pool& m = make_pool(p, device_of(p, &props->location));
    m.props = *props;
    *out = handle_of(&m);
  });
}

MMM_CUDA_API cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle) {
  return api([&](process& p) {
    pool& m = pool_of(p, handle);
    require(!m.is_default, cudaErrorInvalidValue);
    for (std::size_t d = 0; d < p.contexts.size(); ++d)
      if (p.table.current_pool[d] == &m) p.table.current_pool[d] = p.table.default_pool[d];
    m.destroyed = true;  // lives on while it has allocations
    if (m.used == 0) p.table.pools.erase(&m);
  });
}

MMM_CUDA_API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, std::size_t retained_bytes) {
  return api([&](process& p) { trim(pool_of(p, handle), retained_bytes); });
}

MMM_CUDA_API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute,
                                                 void* value) {
  return api([&](process& p) {
    pool& m = pool_of(p, handle);
    require(value != nullptr, cudaErrorInvalidValue);
    if (attribute >= cudaMemPoolReuseFollowEventDependencies &&
        attribute <= cudaMemPoolReuseAllowInternalDependencies) {
      std::memcpy(&m.reuse[attribute - cudaMemPoolReuseFollowEventDependencies], value,
                  sizeof(int));
      return;
    }
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, value, sizeof bytes);
    switch (attribute) {
      case cudaMemPoolAttrReleaseThreshold:
        m.threshold = bytes;
        return;
      case cudaMemPoolAttrReservedMemHigh:
        require(bytes == 0, cudaErrorInvalidValue);
        m.reserved_high = m.reserved;
        return;
      case cudaMemPoolAttrUsedMemHigh:
        require(bytes == 0, cudaErrorInvalidValue);
        m.used_high = m.used;
        return;
      default:
        throw failure{cudaErrorInvalidValue};
    }
  });
}

MMM_CUDA_API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute,
                                                 void* value) {
  return api([&](process& p) {
    pool const& m = pool_of(p, handle);
    require(value != nullptr, cudaErrorInvalidValue);
    auto const give = [&](std::uint64_t bytes) { std::memcpy(value, &bytes, sizeof bytes); };
    switch (attribute) {
      case cudaMemPoolReuseFollowEventDependencies:
      case cudaMemPoolReuseAllowOpportunistic:
      case cudaMemPoolReuseAllowInternalDependencies:
        std::memcpy(value, &m.reuse[attribute - cudaMemPoolReuseFollowEventDependencies],
                    sizeof(int));
        return;
      case cudaMemPoolAttrReleaseThreshold:
        return give(m.threshold);
      case cudaMemPoolAttrReservedMemCurrent:
        return give(m.reserved);
      case cudaMemPoolAttrReservedMemHigh:
        return give(m.reserved_high);
      case cudaMemPoolAttrUsedMemCurrent:
        return give(m.used);
      case cudaMemPoolAttrUsedMemHigh:
        return give(m.used_high);
    }
    throw failure{cudaErrorInvalidValue};
  });
}

MMM_CUDA_API cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, cudaMemAccessDesc const* list,
                                              std::size_t count) {
  return api([&](process& p) {
    pool& m = pool_of(p, handle);
    require(list != nullptr || count == 0, cudaErrorInvalidValue);
    for (std::size_t k = 0; k < count; ++k) {
      int const device = device_of(p, &list[k].location);
      bool const revoked = device == m.device && list[k].flags != cudaMemAccessFlagsProtReadWrite;
      require(!revoked, cudaErrorInvalidDevice);
      m.access[device] = list[k].flags;
    }
    for (auto const& [address, pooled] : p.table.pooled_memory)
      if (pooled.owner == &m) p.memory.set_devices(address, devices_of(m));
  });
}

MMM_CUDA_API cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t handle,
                                              cudaMemLocation* where) {
  return api([&](process& p) {
    pool const& m = pool_of(p, handle);
    require(flags != nullptr, cudaErrorInvalidValue);
    int const device = device_of(p, where);
    auto const found = m.access.find(device);
    *flags = device == m.device        ? cudaMemAccessFlagsProtReadWrite
             : found == m.access.end() ? cudaMemAccessFlagsProtNone
                                       : found->second;
  });
}

}  // namespace device::runtime
