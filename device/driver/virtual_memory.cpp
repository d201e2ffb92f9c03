// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "entry.hpp"

#include <device/core/failure.hpp>
#include <device/runtime/agenda.hpp>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <vector>

// Addresses and memory apart. A range of addresses belongs to all devices here; memory that is
// mapped is an allocation once a device may access it; kernels of others may not. Memory can be
// mapped at one place at a time, and keeps its contents when that changes.
namespace device::driver {

namespace {

constexpr std::size_t granularity = std::size_t{2} << 20;

//! CUmemAllocationProp
struct allocation_properties {
  cudaMemAllocationType type;
  cudaMemAllocationHandleType requestedHandleTypes;
  cudaMemLocation location;
  void* win32HandleMetaData;
  struct {
    unsigned char compressionType, gpuDirectRDMACapable;
    unsigned short usage;
    unsigned char reserved[4];
  } allocFlags;
};
static_assert(sizeof(allocation_properties) == 32);

//! Physical memory: a CUmemGenericAllocationHandle.
struct physical {
  std::size_t bytes = 0;
  allocation_properties properties{};
  std::uint64_t references = 1;     //!< of the program, and of the place where it is mapped
  std::uint64_t mapped_at = 0;      //!< 0: nowhere
  std::vector<std::byte> contents;  //!< while it is mapped nowhere, if it was

  [[nodiscard]] int device() const { return properties.location.id; }
};

struct mapping {
  physical* memory = nullptr;
  unsigned access = cudaMemAccessFlagsProtNone;
  std::set<int> devices{};  //!< that have access
};

struct mappings {
  std::map<physical const*, std::unique_ptr<physical>> memory;
  std::map<std::uint64_t, mapping> mapped;  //!< by address
};

mappings& all() {
  static mappings& t = *new mappings;
  return t;
}

physical& physical_of(std::uint64_t handle) {
  auto const found = all().memory.find(reinterpret_cast<physical*>(handle));
  require(found != all().memory.end(), cudaErrorInvalidValue);
  return *found->second;
}

void check_properties(process& p, allocation_properties const* given) {
  require(given != nullptr && given->type == cudaMemAllocationTypePinned, cudaErrorInvalidValue);
  if (given->location.type != cudaMemLocationTypeDevice)
    throw unsupported("cuMemCreate: memory of the host is not supported");
  (void)p.of_device(given->location.id);
  require(given->requestedHandleTypes == cudaMemHandleTypeNone ||
              given->requestedHandleTypes == cudaMemHandleTypePosixFileDescriptor,
          cudaErrorNotSupported);
}

void drop(process& p, physical& m) {
  if (--m.references != 0) return;
  p.memory.give_back_bytes(m.device(), m.bytes);
  all().memory.erase(&m);
}

//! The mappings that a range consists of; fails with cudaErrorInvalidValue if it is not exactly
//! some of them.
std::vector<std::uint64_t> mappings_of(std::uint64_t begin, std::size_t bytes) {
  std::vector<std::uint64_t> found;
  for (std::uint64_t next = begin; next < begin + bytes;) {
    auto const m = all().mapped.find(next);
    require(m != all().mapped.end() && m->second.memory->bytes <= begin + bytes - next,
            cudaErrorInvalidValue);
    found.push_back(next);
    next += m->second.memory->bytes;
  }
  require(!found.empty(), cudaErrorInvalidValue);
  return found;
}

bool is_accessible(mapping const& m) { return m.access != cudaMemAccessFlagsProtNone; }

//! The devices whose kernels may access a mapping.
device_set devices_of(mapping const& m) {
  device_set all = 0;
  for (int const device : m.devices) all |= device_bit(device);
  return all;
}

//! Makes mapped memory an allocation, with its contents.
void open(process& p, std::uint64_t address, mapping& m) {
  physical& memory = *m.memory;
  require(p.memory.map(address, memory.bytes, memory.device()), cudaErrorInvalidValue);
  p.allocated(address);
  if (memory.contents.empty()) return;
  std::memcpy(runtime::pointer_to(address), memory.contents.data(), memory.bytes);
  p.host_wrote(runtime::pointer_to(address), memory.bytes);
  memory.contents = {};
}

//! The other way round.
void close(process& p, std::uint64_t address, mapping& m, bool holds_contents) {
  p.todo.wait_for_device(m.memory->device());
  if (auto const a = p.memory.find(address)) p.ended(*a);
  if (holds_contents) {
    auto const* const bytes = static_cast<std::byte const*>(runtime::pointer_to(address));
    m.memory->contents.assign(bytes, bytes + m.memory->bytes);
  }
  (void)p.memory.unmap(address);
}

}  // namespace

MMM_CUDA_API CUresult cuMemGetAllocationGranularity(std::size_t* out,
                                                    allocation_properties const* properties,
                                                    unsigned option) {
  return call<needs::initialization>([&](process& p) {
    require(out != nullptr && option <= 1, cudaErrorInvalidValue);
    check_properties(p, properties);
    *out = granularity;
  });
}

MMM_CUDA_API CUresult cuMemAddressReserve(void** out, std::size_t bytes, std::size_t align,
                                          void* /*wish*/, unsigned long long flags) {
  return call<needs::initialization>([&](process& p) {
    require(out != nullptr && bytes != 0 && bytes % granularity == 0 && flags == 0 &&
                (align & (align - 1)) == 0,
            cudaErrorInvalidValue);
    std::uint64_t const begin = p.memory.reserve(bytes, std::max(align, granularity));
    require(begin != 0, cudaErrorMemoryAllocation);
    *out = runtime::pointer_to(begin);
  });
}

MMM_CUDA_API CUresult cuMemAddressFree(void* begin, std::size_t bytes) {
  return call<needs::initialization>([&](process& p) {
    std::uint64_t const address = runtime::address_of(begin);
    auto const mapped = all().mapped.lower_bound(address);
    require(mapped == all().mapped.end() || mapped->first >= address + bytes,
            cudaErrorInvalidValue);
    require(p.memory.unreserve(address, bytes), cudaErrorInvalidValue);
  });
}

MMM_CUDA_API CUresult cuMemCreate(std::uint64_t* out, std::size_t bytes,
                                  allocation_properties const* properties,
                                  unsigned long long flags) {
  return call<needs::initialization>([&](process& p) {
    require(out != nullptr && bytes != 0 && bytes % granularity == 0 && flags == 0,
            cudaErrorInvalidValue);
    check_properties(p, properties);
    require(p.memory.take_bytes(properties->location.id, bytes), cudaErrorMemoryAllocation);
    auto made = std::make_unique<physical>();
    made->bytes = bytes;
    made->properties = *properties;
    *out = reinterpret_cast<std::uint64_t>(made.get());
    all().memory.emplace(made.get(), std::move(made));
  });
}

MMM_CUDA_API CUresult cuMemRelease(std::uint64_t handle) {
  return call<needs::initialization>([&](process& p) { drop(p, physical_of(handle)); });
}

MMM_CUDA_API CUresult cuMemMap(void* pointer, std::size_t bytes, std::size_t offset,
                               std::uint64_t handle, unsigned long long flags) {
  return call<needs::initialization>([&](process& p) {
    physical& memory = physical_of(handle);
    std::uint64_t const address = runtime::address_of(pointer);
    require(flags == 0 && offset == 0 && bytes == memory.bytes && address % granularity == 0,
            cudaErrorInvalidValue);
    if (memory.mapped_at != 0)
      throw unsupported("cuMemMap: memory that is mapped at two places at once is not supported");
    auto const after = all().mapped.lower_bound(address);
    bool const is_free =
        (after == all().mapped.end() || after->first >= address + bytes) &&
        (after == all().mapped.begin() ||
         std::prev(after)->first + std::prev(after)->second.memory->bytes <= address);
    require(is_free, cudaErrorInvalidValue);
    // Tried, so that addresses outside of a reservation are refused now.
    require(p.memory.map(address, bytes, memory.device()), cudaErrorInvalidValue);
    (void)p.memory.unmap(address);
    memory.mapped_at = address;
    ++memory.references;
    all().mapped.emplace(address, mapping{&memory, cudaMemAccessFlagsProtNone, {}});
  });
}

MMM_CUDA_API CUresult cuMemUnmap(void* pointer, std::size_t bytes) {
  return call<needs::initialization>([&](process& p) {
    for (std::uint64_t const address : mappings_of(runtime::address_of(pointer), bytes)) {
      mapping& m = all().mapped.at(address);
      if (is_accessible(m)) close(p, address, m, m.memory->references > 1);
      m.memory->mapped_at = 0;
      physical& memory = *m.memory;
      all().mapped.erase(address);
      drop(p, memory);
    }
  });
}

MMM_CUDA_API CUresult cuMemSetAccess(void* pointer, std::size_t bytes,
                                     cudaMemAccessDesc const* list, std::size_t count) {
  return call<needs::initialization>([&](process& p) {
    require(list != nullptr && count != 0, cudaErrorInvalidValue);
    for (std::size_t k = 0; k < count; ++k) {
      unsigned const flags = list[k].flags;
      require(flags == cudaMemAccessFlagsProtNone || flags == cudaMemAccessFlagsProtReadWrite ||
                  flags == cudaMemAccessFlagsProtRead,
              cudaErrorInvalidValue);
      require(list[k].location.type == cudaMemLocationTypeDevice, cudaErrorInvalidValue);
      (void)p.of_device(list[k].location.id);
    }
    for (std::uint64_t const address : mappings_of(runtime::address_of(pointer), bytes)) {
      mapping& m = all().mapped.at(address);
      bool const was = is_accessible(m);
      for (std::size_t k = 0; k < count; ++k) {
        if (list[k].flags == cudaMemAccessFlagsProtNone) {
          m.devices.erase(list[k].location.id);
        } else {
          m.devices.insert(list[k].location.id);
          m.access = list[k].flags;
        }
      }
      if (m.devices.empty()) m.access = cudaMemAccessFlagsProtNone;
      if (!was && is_accessible(m)) open(p, address, m);
      if (is_accessible(m)) p.memory.set_devices(address, devices_of(m));
      if (was && !is_accessible(m)) close(p, address, m, true);
    }
  });
}

MMM_CUDA_API CUresult cuMemGetAccess(unsigned long long* flags, cudaMemLocation const* where,
                                     void* pointer) {
  return call<needs::initialization>([&](process& p) {
    require(flags != nullptr && where != nullptr && where->type == cudaMemLocationTypeDevice,
            cudaErrorInvalidValue);
    int const device = p.of_device(where->id).number;
    std::uint64_t const address = runtime::address_of(pointer);
    auto const after = all().mapped.upper_bound(address);
    require(after != all().mapped.begin(), cudaErrorInvalidValue);
    auto const& [begin, m] = *std::prev(after);
    require(address - begin < m.memory->bytes, cudaErrorInvalidValue);
    *flags = m.devices.contains(device) ? m.access : unsigned{cudaMemAccessFlagsProtNone};
  });
}

MMM_CUDA_API CUresult cuMemGetAllocationPropertiesFromHandle(allocation_properties* out,
                                                             std::uint64_t handle) {
  return call<needs::initialization>([&](process&) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = physical_of(handle).properties;
  });
}

MMM_CUDA_API CUresult cuMemRetainAllocationHandle(std::uint64_t* out, void* pointer) {
  return call<needs::initialization>([&](process&) {
    require(out != nullptr, cudaErrorInvalidValue);
    std::uint64_t const address = runtime::address_of(pointer);
    auto const after = all().mapped.upper_bound(address);
    require(after != all().mapped.begin(), cudaErrorInvalidValue);
    auto const& [begin, m] = *std::prev(after);
    require(address - begin < m.memory->bytes, cudaErrorInvalidValue);
    ++m.memory->references;
    *out = reinterpret_cast<std::uint64_t>(m.memory);
  });
}

}  // namespace device::driver
