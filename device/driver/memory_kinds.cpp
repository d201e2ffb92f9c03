// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "entry.hpp"

#include <device/runtime/tables.hpp>

#include <cstring>

// Memory in the order of streams, pools, managed memory and batches of copies: the runtime's.
namespace device::driver {

MMM_CU_FORWARD_IN_STREAM(cuMemAllocAsync, _ptsz, cudaMallocAsync,
                         (void** out, std::size_t bytes, cudaStream_t stream), (out, bytes, stream))
MMM_CU_FORWARD_IN_STREAM(cuMemAllocFromPoolAsync, _ptsz, cudaMallocFromPoolAsync,
                         (void** out, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream),
                         (out, bytes, pool, stream))
MMM_CU_FORWARD_IN_STREAM(cuMemFreeAsync, _ptsz, cudaFreeAsync, (void* pointer, cudaStream_t stream),
                         (pointer, stream))
MMM_CUDA_API CUresult cuDeviceGetDefaultMemPool(cudaMemPool_t* out, CUdevice device) {
  return call<needs::initialization>(
      [&](process&) { return runtime::cudaDeviceGetDefaultMemPool(out, device); });
}
MMM_CUDA_API CUresult cuDeviceGetMemPool(cudaMemPool_t* out, CUdevice device) {
  return call<needs::initialization>(
      [&](process&) { return runtime::cudaDeviceGetMemPool(out, device); });
}
MMM_CUDA_API CUresult cuDeviceSetMemPool(CUdevice device, cudaMemPool_t pool) {
  return call<needs::initialization>(
      [&](process&) { return runtime::cudaDeviceSetMemPool(device, pool); });
}
MMM_CUDA_API CUresult cuMemGetDefaultMemPool(cudaMemPool_t* out, cudaMemLocation* where,
                                             cudaMemAllocationType type) {
  return call<needs::initialization>(
      [&](process&) { return runtime::cudaMemGetDefaultMemPool(out, where, type); });
}
MMM_CUDA_API CUresult cuMemGetMemPool(cudaMemPool_t* out, cudaMemLocation* where,
                                      cudaMemAllocationType type) {
  return call<needs::initialization>(
      [&](process&) { return runtime::cudaMemGetMemPool(out, where, type); });
}
MMM_CUDA_API CUresult cuMemSetMemPool(cudaMemLocation* where, cudaMemAllocationType type,
                                      cudaMemPool_t pool) {
  return call<needs::initialization>(
      [&](process&) { return runtime::cudaMemSetMemPool(where, type, pool); });
}
MMM_CUDA_API CUresult cuMemPoolCreate(cudaMemPool_t* out, cudaMemPoolProps const* props) {
  return call<needs::initialization>(
      [&](process&) { return runtime::cudaMemPoolCreate(out, props); });
}
MMM_CUDA_API CUresult cuMemPoolDestroy(cudaMemPool_t pool) {
  return call<needs::initialization>([&](process&) { return runtime::cudaMemPoolDestroy(pool); });
}
MMM_CUDA_API CUresult cuMemPoolTrimTo(cudaMemPool_t pool, std::size_t bytes) {
  return call<needs::initialization>(
      [&](process&) { return runtime::cudaMemPoolTrimTo(pool, bytes); });
}
MMM_CUDA_API CUresult cuMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute,
                                            void* value) {
  return call<needs::initialization>(
      [&](process&) { return runtime::cudaMemPoolGetAttribute(pool, attribute, value); });
}
MMM_CUDA_API CUresult cuMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute,
                                            void* value) {
  return call<needs::initialization>(
      [&](process&) { return runtime::cudaMemPoolSetAttribute(pool, attribute, value); });
}
MMM_CUDA_API CUresult cuMemPoolSetAccess(cudaMemPool_t pool, cudaMemAccessDesc const* list,
                                         std::size_t count) {
  return call<needs::initialization>(
      [&](process&) { return runtime::cudaMemPoolSetAccess(pool, list, count); });
}
MMM_CUDA_API CUresult cuMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                         cudaMemLocation* where) {
  return call<needs::initialization>(
      [&](process&) { return runtime::cudaMemPoolGetAccess(flags, pool, where); });
}

// --- managed memory ------------------------------------------------------------------------------

namespace {

//! A device's number, or -1 for the host, as versions before 12.2 give a place.
cudaMemLocation place_of(CUdevice device) {
  if (device < 0) return {cudaMemLocationTypeHost, 0};
  return {cudaMemLocationTypeDevice, device};
}

}  // namespace

MMM_CU_FORWARD(cuMemAdvise_v2, cudaMemAdvise,
               (void* pointer, std::size_t bytes, cudaMemoryAdvise advice, cudaMemLocation where),
               (pointer, bytes, advice, where))
MMM_CU_FORWARD(cuMemAdvise, cudaMemAdvise,
               (void* pointer, std::size_t bytes, cudaMemoryAdvise advice, CUdevice device),
               (pointer, bytes, advice, place_of(device)))
MMM_CU_FORWARD_IN_STREAM(cuMemPrefetchAsync_v2, _ptsz, cudaMemPrefetchAsync,
                         (void* pointer, std::size_t bytes, cudaMemLocation where, unsigned flags,
                          cudaStream_t stream),
                         (pointer, bytes, where, flags, stream))
MMM_CU_FORWARD(cuMemPrefetchAsync, cudaMemPrefetchAsync,
               (void* pointer, std::size_t bytes, CUdevice device, cudaStream_t stream),
               (pointer, bytes, place_of(device), 0, stream))
MMM_CU_TWIN(cuMemPrefetchAsync, _ptsz,
            (void* pointer, std::size_t bytes, CUdevice device, cudaStream_t stream),
            (pointer, bytes, device, stream))
MMM_CU_FORWARD_IN_STREAM(cuMemPrefetchBatchAsync, _ptsz, cudaMemPrefetchBatchAsync,
                         (void** pointer, std::size_t* bytes, std::size_t count,
                          cudaMemLocation* places, std::size_t* first_of, std::size_t place_count,
                          unsigned long long flags, cudaStream_t stream),
                         (pointer, bytes, count, places, first_of, place_count, flags, stream))
MMM_CU_FORWARD(cuMemRangeGetAttribute, cudaMemRangeGetAttribute,
               (void* data, std::size_t size, cudaMemRangeAttribute attribute, void* pointer,
                std::size_t bytes),
               (data, size, attribute, pointer, bytes))
MMM_CU_FORWARD(cuMemRangeGetAttributes, cudaMemRangeGetAttributes,
               (void** data, std::size_t* sizes, cudaMemRangeAttribute* attributes,
                std::size_t count, void* pointer, std::size_t bytes),
               (data, sizes, attributes, count, pointer, bytes))

// --- batches of copies ---------------------------------------------------------------------------

MMM_CU_FORWARD_IN_STREAM(cuMemcpyBatchAsync_v2, _ptsz, cudaMemcpyBatchAsync,
                         (void** to, void** source, std::size_t* bytes, std::size_t count,
                          cudaMemcpyAttributes* attributes, std::size_t* first_of,
                          std::size_t attribute_count, cudaStream_t stream),
                         (to, source, bytes, count, attributes, first_of, attribute_count, stream))
MMM_CU_FORWARD_IN_STREAM(cuMemcpy3DBatchAsync_v2, _ptsz, cudaMemcpy3DBatchAsync,
                         (std::size_t count, cudaMemcpy3DBatchOp* list, unsigned long long flags,
                          cudaStream_t stream),
                         (count, list, flags, stream))

// --- pointers ------------------------------------------------------------------------------------

namespace {

//! CUpointer_attribute
enum class pointer_attribute : unsigned {
  context = 1,
  memory_type = 2,
  device_pointer = 3,
  host_pointer = 4,
  p2p_tokens = 5,
  sync_memops = 6,
  buffer_id = 7,
  is_managed = 8,
  device_ordinal = 9,
  is_ipc_capable = 10,
  range_start = 11,
  range_size = 12,
  mapped = 13,
  handle_types = 14,
  is_rdma_capable = 15,
  access_flags = 16,
  pool = 17,
  mapping_size = 18,
  mapping_base = 19,
  block_id = 20,
  is_decompress_capable = 21
};

//! Writes a value of the attribute's own type.
template <class T>
void give(void* to, T const& value) {
  std::memcpy(to, &value, sizeof value);
}

//! The values for memory that is not the device's are 0; fails with
//! cudaErrorInvalidValue if there is nothing to say.
void get_attribute(process& p, void* out, pointer_attribute attribute, void* pointer,
                   bool lenient) {
  using enum pointer_attribute;
  auto const found = p.memory.find(runtime::address_of(pointer));
  bool const is_known = p.memory.holds(runtime::address_of(pointer), 1);
  if (!is_known && attribute != mapped && !lenient) throw failure{cudaErrorInvalidValue};
  allocation const a = is_known ? *found : allocation{};
  bool const is_host =
      is_known && (a.kind == allocation_kind::pinned || a.kind == allocation_kind::registered);
  bool const managed = is_known && a.kind == allocation_kind::managed;
  runtime::context& c = p.of_device(a.device);
  switch (attribute) {
    case context:
      return give(out, is_known ? &c : nullptr);
    case memory_type:
      return give(out, !is_known ? 0U
                       : is_host ? unsigned{CU_MEMORYTYPE_HOST}
                                 : unsigned{CU_MEMORYTYPE_DEVICE});
    case device_pointer:
      return give(out, is_known ? pointer : nullptr);
    case host_pointer:
      if (is_known && !is_host && !managed && !lenient) throw failure{cudaErrorInvalidValue};
      return give(out, is_host || managed || !is_known ? pointer : nullptr);
    case sync_memops:
      return give(out, 0U);
    case buffer_id:
    case block_id:
      return give(out, a.number);
    case is_managed:
      return give(out, managed ? 1U : 0U);
    case device_ordinal:
      return give(out, is_known ? a.device : -2);
    case is_ipc_capable:
    case is_rdma_capable:
    case is_decompress_capable:
      return give(out, 0U);
    case range_start:
    case mapping_base:
      return give(out, a.begin);
    case range_size:
    case mapping_size:
      return give(out, a.bytes);
    case mapped:
      return give(out, is_known ? 1U : 0U);
    case handle_types:
      return give(out, std::uint64_t{0});
    case access_flags:
      return give(out, is_known ? unsigned{cudaMemAccessFlagsProtReadWrite} : 0U);
    case pointer_attribute::pool: {
      auto const owner = p.table.pooled_memory.find(a.begin);
      return give(out, owner == p.table.pooled_memory.end() ? nullptr : owner->second.owner);
    }
    case p2p_tokens:
      throw failure{cudaErrorNotSupported};
  }
  throw failure{cudaErrorInvalidValue};
}

}  // namespace

MMM_CUDA_API CUresult cuPointerGetAttribute(void* out, unsigned attribute, void* pointer) {
  return call([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    get_attribute(p, out, static_cast<pointer_attribute>(attribute), pointer, false);
  });
}

MMM_CUDA_API CUresult cuPointerGetAttributes(unsigned count, unsigned const* attributes, void** out,
                                             void* pointer) {
  return call([&](process& p) {
    require(count != 0 && attributes != nullptr && out != nullptr, cudaErrorInvalidValue);
    for (unsigned k = 0; k < count; ++k)
      get_attribute(p, out[k], static_cast<pointer_attribute>(attributes[k]), pointer, true);
  });
}

MMM_CUDA_API CUresult cuPointerSetAttribute(void const* value, unsigned attribute, void* pointer) {
  return call([&](process& p) {
    require(value != nullptr && attribute == unsigned(pointer_attribute::sync_memops) &&
                p.memory.holds(runtime::address_of(pointer), 1),
            cudaErrorInvalidValue);
  });
}

}  // namespace device::driver
