// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tables.hpp"

#include <algorithm>
#include <cstring>

// Advice and prefetches for managed memory: there is one memory, so that they move nothing; what
// was advised can be asked.
namespace device::runtime {

using namespace abi;

namespace {

constexpr int invalid_device = -2;  // cudaInvalidDeviceId
constexpr int cpu = -1;             // cudaCpuDeviceId

//! Checks that a range is managed memory, or memory of the host that the device may reach.
std::uint64_t managed_range(process& p, void const* pointer, std::size_t bytes) {
  auto const a = p.memory.find(address_of(pointer));
  bool const managed =
      a && !a->freed &&
      (a->kind == allocation_kind::managed || a->kind == allocation_kind::module_variable);
  require(bytes != 0 && managed && p.memory.holds(address_of(pointer), bytes),
          cudaErrorInvalidValue);
  return a->begin;
}

int device_of(process& p, cudaMemLocation const& where) {
  switch (where.type) {
    case cudaMemLocationTypeDevice:
      return p.of_device(where.id).number;
    case cudaMemLocationTypeHost:
    case cudaMemLocationTypeHostNuma:
    case cudaMemLocationTypeHostNumaCurrent:
      return cpu;
    default:
      throw failure{cudaErrorInvalidValue};
  }
}

void prefetch(process& p, void const* pointer, std::size_t bytes, cudaMemLocation const& where) {
  auto& advice = p.table.advised[managed_range(p, pointer, bytes)];
  advice.last_prefetch = device_of(p, where);
}

void range_attribute(process& p, void* data, std::size_t size, cudaMemRangeAttribute attribute,
                     void const* pointer, std::size_t bytes) {
  require(data != nullptr && size >= sizeof(int) && size % sizeof(int) == 0, cudaErrorInvalidValue);
  auto const found = p.table.advised.find(managed_range(p, pointer, bytes));
  tables::advice const a = found == p.table.advised.end() ? tables::advice{} : found->second;
  auto const type_of = [](int device) -> int {
    return device == invalid_device ? cudaMemLocationTypeInvalid
           : device == cpu          ? cudaMemLocationTypeHost
                                    : cudaMemLocationTypeDevice;
  };
  auto const give = [&](int value) { std::memcpy(data, &value, sizeof value); };
  switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
      return give(a.read_mostly ? 1 : 0);
    case cudaMemRangeAttributePreferredLocation:
    case cudaMemRangeAttributePreferredLocationId:
      return give(a.preferred);
    case cudaMemRangeAttributeLastPrefetchLocation:
    case cudaMemRangeAttributeLastPrefetchLocationId:
      return give(a.last_prefetch);
    case cudaMemRangeAttributePreferredLocationType:
      return give(type_of(a.preferred));
    case cudaMemRangeAttributeLastPrefetchLocationType:
      return give(type_of(a.last_prefetch));
    case cudaMemRangeAttributeAccessedBy: {
      auto next = a.accessed_by.begin();
      for (std::size_t k = 0; k < size / sizeof(int); ++k) {
        int const device = next == a.accessed_by.end() ? invalid_device : *next++;
        std::memcpy(static_cast<char*>(data) + k * sizeof(int), &device, sizeof device);
      }
      return;
    }
  }
  throw failure{cudaErrorInvalidValue};
}

}  // namespace

MMM_CUDA_API cudaError_t cudaMemPrefetchAsync(void const* pointer, std::size_t bytes,
                                              cudaMemLocation where, unsigned flags,
                                              cudaStream_t in) {
  return api([&](process& p) {
    require(flags == 0, cudaErrorInvalidValue);
    forbid_if_capturing(p, stream_of(p, in));
    prefetch(p, pointer, bytes, where);
  });
}

MMM_CUDA_API cudaError_t cudaMemPrefetchBatchAsync(void** pointer, std::size_t* bytes,
                                                   std::size_t count, cudaMemLocation* places,
                                                   std::size_t* first_of, std::size_t place_count,
                                                   unsigned long long flags, cudaStream_t in) {
  return api([&](process& p) {
    bool const given =
        pointer != nullptr && bytes != nullptr && places != nullptr && first_of != nullptr;
    require(given && flags == 0 && place_count != 0 && place_count <= count && first_of[0] == 0,
            cudaErrorInvalidValue);
    forbid_if_capturing(p, stream_of(p, in));
    std::size_t place = 0;
    for (std::size_t k = 0; k < count; ++k) {
      if (place + 1 < place_count && first_of[place + 1] == k) ++place;
      prefetch(p, pointer[k], bytes[k], places[place]);
    }
  });
}

MMM_CUDA_API cudaError_t cudaMemAdvise(void const* pointer, std::size_t bytes,
                                       cudaMemoryAdvise kind, cudaMemLocation where) {
  return api([&](process& p) {
    auto& advice = p.table.advised[managed_range(p, pointer, bytes)];
    switch (kind) {
      case cudaMemAdviseSetReadMostly:
        advice.read_mostly = true;
        return;
      case cudaMemAdviseUnsetReadMostly:
        advice.read_mostly = false;
        return;
      case cudaMemAdviseSetPreferredLocation:
        advice.preferred = device_of(p, where);
        return;
      case cudaMemAdviseUnsetPreferredLocation:
        advice.preferred = invalid_device;
        return;
      case cudaMemAdviseSetAccessedBy:
        advice.accessed_by.insert(device_of(p, where));
        return;
      case cudaMemAdviseUnsetAccessedBy:
        advice.accessed_by.erase(device_of(p, where));
        return;
    }
    throw failure{cudaErrorInvalidValue};
  });
}

MMM_CUDA_API cudaError_t cudaMemRangeGetAttribute(void* data, std::size_t size,
                                                  cudaMemRangeAttribute attribute,
                                                  void const* pointer, std::size_t bytes) {
  return api([&](process& p) { range_attribute(p, data, size, attribute, pointer, bytes); });
}

MMM_CUDA_API cudaError_t cudaMemRangeGetAttributes(void** data, std::size_t* sizes,
                                                   cudaMemRangeAttribute* attributes,
                                                   std::size_t count, void const* pointer,
                                                   std::size_t bytes) {
  return api([&](process& p) {
    require(data != nullptr && sizes != nullptr && attributes != nullptr && count != 0,
            cudaErrorInvalidValue);
    for (std::size_t k = 0; k < count; ++k)
      range_attribute(p, data[k], sizes[k], attributes[k], pointer, bytes);
  });
}

}  // namespace device::runtime
