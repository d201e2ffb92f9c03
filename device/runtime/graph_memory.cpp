// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tables.hpp"

#include <algorithm>
#include <cstring>

// Memory that graphs allocate when they run, and the program's objects that graphs keep alive.
namespace device::runtime {

using namespace abi;

namespace {

void give_up(process& p, std::uint64_t address) {
  p.table.graph_memory.erase(address);
  (void)p.free(address);
}

struct bytes_of_graphs {
  std::uint64_t used = 0, reserved = 0;
};
bytes_of_graphs bytes_on(process& p, int device) {
  bytes_of_graphs b;
  for (auto const& [address, m] : p.table.graph_memory) {
    if (m.device != device) continue;
    b.reserved += m.bytes;
    if (m.live) b.used += m.bytes;
  }
  return b;
}

void note_high(process& p, int device) {
  bytes_of_graphs const now = bytes_on(p, device);
  auto& high = p.table.graph_memory_high[device];
  high = {std::max(high[0], now.used), std::max(high[1], now.reserved)};
}

user_object& object_of(process& p, cudaUserObject_t handle) {
  auto const found = p.table.objects.find(reinterpret_cast<user_object*>(handle));
  require(found != p.table.objects.end(), cudaErrorInvalidValue);
  return *found->second;
}

}  // namespace

allocate_work reserve_for_graph(process& p, std::size_t bytes, int device) {
  std::uint64_t const address =
      p.memory.allocate(bytes, allocation_kind::device, device, texture_alignment);
  require(address != 0, cudaErrorMemoryAllocation);
  p.allocated(address);
  p.table.graph_memory[address] = {bytes, device, false, false};
  note_high(p, device);
  allocate_work a;
  a.params.poolProps.allocType = cudaMemAllocationTypePinned;
  a.params.poolProps.location = {cudaMemLocationTypeDevice, device};
  a.params.bytesize = bytes;
  a.params.dptr = pointer_to(address);
  a.reservation = std::shared_ptr<void>(a.params.dptr, [&p, address](void*) {
    auto const entry = p.table.graph_memory.find(address);
    if (entry == p.table.graph_memory.end()) return;
    if (entry->second.live)
      entry->second.orphan = true;  // until the program frees it
    else
      give_up(p, address);
  });
  return a;
}

void graph_allocated(process& p, allocate_work const& a) {
  auto const entry = p.table.graph_memory.find(address_of(a.params.dptr));
  if (entry == p.table.graph_memory.end()) return;
  entry->second.live = true;
  p.allocated(entry->first);
  device_set devices = device_bit(entry->second.device);
  for (cudaMemAccessDesc const& to : a.access)
    if (to.flags != cudaMemAccessFlagsProtNone) devices |= device_bit(to.location.id);
  p.memory.set_devices(entry->first, devices);
  for (auto const& i : p.watching) i->operation_accesses(entry->first, entry->second.bytes, true);
  note_high(p, entry->second.device);
}

void freed_in_order(process& p, void* address, std::vector<void*> const& callers) {
  std::uint64_t const begin = address_of(address);
  if (auto const a = p.memory.find(begin); a && a->begin == begin)
    for (auto const& i : p.watching) i->operation_accesses(begin, a->bytes, true);
  if (!free_graph_memory(p, begin) && !give_back_to_pool(p, begin)) (void)p.free(begin);
  // It may be done by a later call, which waits.
  if (auto const a = p.memory.find(begin); a && a->freed && !callers.empty())
    p.memory.note_callers(begin, callers);
}

bool free_graph_memory(process& p, std::uint64_t address) {
  auto const entry = p.table.graph_memory.find(address);
  if (entry == p.table.graph_memory.end() || !entry->second.live) return false;
  entry->second.live = false;
  if (entry->second.orphan) give_up(p, address);
  return true;
}

void retain(user_object& o, std::uint64_t count) { o.references += count; }

void release(process& p, user_object& o, std::uint64_t count) {
  require(count <= o.references, cudaErrorInvalidValue);
  o.references -= count;
  if (o.references != 0) return;
  auto const destroy = o.destroy;
  void* const data = o.data;
  p.table.objects.erase(&o);
  call_host_function(destroy, data);
}

MMM_CUDA_API cudaError_t cudaDeviceGraphMemTrim(int device) {
  return api([&](process& p) { (void)p.of_device(device); });
}

MMM_CUDA_API cudaError_t cudaDeviceGetGraphMemAttribute(int device,
                                                        cudaGraphMemAttributeType attribute,
                                                        void* value) {
  return api([&](process& p) {
    require(value != nullptr && attribute <= cudaGraphMemAttrReservedMemHigh,
            cudaErrorInvalidValue);
    bytes_of_graphs const now = bytes_on(p, p.of_device(device).number);
    auto const& high = p.table.graph_memory_high[device];
    std::uint64_t const values[] = {now.used, high[0], now.reserved, high[1]};
    std::memcpy(value, &values[attribute], sizeof(std::uint64_t));
  });
}

MMM_CUDA_API cudaError_t cudaDeviceSetGraphMemAttribute(int device,
                                                        cudaGraphMemAttributeType attribute,
                                                        void* value) {
  return api([&](process& p) {
    bytes_of_graphs const now = bytes_on(p, p.of_device(device).number);
    std::uint64_t to = 1;
    if (value != nullptr) std::memcpy(&to, value, sizeof to);
    bool const is_high =
        attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
    require(is_high && to == 0, cudaErrorInvalidValue);
    auto& high = p.table.graph_memory_high[device];
    (attribute == cudaGraphMemAttrUsedMemHigh ? high[0] : high[1]) =
        attribute == cudaGraphMemAttrUsedMemHigh ? now.used : now.reserved;
  });
}

// --- objects -------------------------------------------------------------------------------------

MMM_CUDA_API cudaError_t cudaUserObjectCreate(cudaUserObject_t* out, void* data,
                                              cudaHostFn_t destroy, unsigned references,
                                              unsigned flags) {
  return api([&](process& p) {
    bool const valid = out != nullptr && destroy != nullptr && references != 0 &&
                       references <= 2147483647U && flags == cudaUserObjectNoDestructorSync;
    require(valid, cudaErrorInvalidValue);
    auto made = std::make_unique<user_object>(user_object{data, destroy, references});
    *out = reinterpret_cast<cudaUserObject_t>(made.get());
    p.table.objects.emplace(made.get(), std::move(made));
  });
}

MMM_CUDA_API cudaError_t cudaUserObjectRetain(cudaUserObject_t handle, unsigned count) {
  return api([&](process& p) {
    require(count != 0, cudaErrorInvalidValue);
    retain(object_of(p, handle), count);
  });
}

MMM_CUDA_API cudaError_t cudaUserObjectRelease(cudaUserObject_t handle, unsigned count) {
  return api([&](process& p) {
    require(count != 0, cudaErrorInvalidValue);
    release(p, object_of(p, handle), count);
  });
}

MMM_CUDA_API cudaError_t cudaGraphRetainUserObject(cudaGraph_t handle, cudaUserObject_t object,
                                                   unsigned count, unsigned flags) {
  return api([&](process& p) {
    require(count != 0 && flags <= cudaGraphUserObjectMove, cudaErrorInvalidValue);
    user_object& o = object_of(p, object);
    graph_of(p, handle).objects[&o] += count;
    if (flags != cudaGraphUserObjectMove) retain(o, count);
  });
}

MMM_CUDA_API cudaError_t cudaGraphReleaseUserObject(cudaGraph_t handle, cudaUserObject_t object,
                                                    unsigned count) {
  return api([&](process& p) {
    user_object& o = object_of(p, object);
    auto& objects = graph_of(p, handle).objects;
    auto const found = objects.find(&o);
    require(count != 0 && found != objects.end() && found->second >= count, cudaErrorInvalidValue);
    found->second -= count;
    if (found->second == 0) objects.erase(found);
    release(p, o, count);
  });
}

}  // namespace device::runtime
