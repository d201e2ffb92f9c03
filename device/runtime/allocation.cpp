// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "agenda.hpp"
#include "caller.hpp"
#include "tables.hpp"

#include <algorithm>

namespace device::runtime {

using namespace abi;

namespace {

constexpr std::size_t pitch_alignment = 512;
constexpr std::uint64_t host_page = 4096;
constexpr unsigned host_flags_mask = 0x07;      // portable, mapped, write-combined
constexpr unsigned register_flags_mask = 0x0f;  // portable, mapped, io memory, read only
constexpr unsigned mapped = 0x02;

void* allocate(process& p, std::size_t bytes, allocation_kind kind) {
  if (bytes == 0) return nullptr;
  // Pages of their own, so that accesses of the host to them can be watched.
  bool const watched = p.order != nullptr && kind != allocation_kind::device;
  std::uint64_t const pointer =
      p.memory.allocate(bytes, kind, p.current().number, watched ? host_page : texture_alignment);
  require(pointer != 0, cudaErrorMemoryAllocation);
  p.allocated(pointer);
  return pointer_to(pointer);
}

std::size_t padded(std::size_t width) {
  return (width + pitch_alignment - 1) / pitch_alignment * pitch_alignment;
}

//! The live allocation that begins at a pointer, or has it; null if there is none.
std::optional<allocation> live_at(process& p, void const* pointer) {
  if (!p.memory.holds(address_of(pointer), 1)) return std::nullopt;
  return p.memory.find(address_of(pointer));
}

bool is_pinned(std::optional<allocation> const& a) {
  return a && (a->kind == allocation_kind::pinned || a->kind == allocation_kind::registered);
}

//! Refuses an address that the program gives to a function that frees and that is no allocation.
[[noreturn]] void refuse_free(process& p, char const* function, void const* pointer) {
  if (p.set.checks_for(check_kind::free)) {
    auto const a = p.memory.find(address_of(pointer));
    finding f;
    f.check = check_kind::free;
    char hex[32];
    std::snprintf(hex, sizeof hex, "%p", pointer);
    std::string const called = called_function();  // also of the driver's API
    f.message = (called.empty() ? function : called) + " of " + hex;
    if (a && a->freed && a->begin == address_of(pointer))
      f.message += ": it was freed before";
    else if (a && !a->freed && address_of(pointer) > a->begin &&
             address_of(pointer) < a->begin + a->bytes)
      f.message += ": it is " + std::to_string(address_of(pointer) - a->begin) +
                   " bytes into an allocation of " + std::to_string(a->bytes) + " bytes";
    else
      f.message += ": no such allocation";
    p.found(f);
  }
  throw failure{cudaErrorInvalidValue};
}

cudaError_t allocate_host(void** out, std::size_t bytes, unsigned flags) {
  return api([&](process& p) {
    require(out != nullptr && (flags & ~host_flags_mask) == 0, cudaErrorInvalidValue);
    forbid_during_capture(p);
    *out = allocate(p, bytes, allocation_kind::pinned);
    if (*out != nullptr) p.table.host_flags[address_of(*out)] = flags | mapped;
  });
}

}  // namespace

MMM_CUDA_API cudaError_t cudaMalloc(void** out, std::size_t bytes) {
  return api([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    forbid_during_capture(p);
    *out = allocate(p, bytes, allocation_kind::device);
  });
}

MMM_CUDA_API cudaError_t cudaMallocManaged(void** out, std::size_t bytes, unsigned flags) {
  return api([&](process& p) {
    require(out != nullptr && bytes != 0 && (flags == 1 || flags == 2), cudaErrorInvalidValue);
    forbid_during_capture(p);
    *out = allocate(p, bytes, allocation_kind::managed);
  });
}

MMM_CUDA_API cudaError_t cudaMallocPitch(void** out, std::size_t* pitch, std::size_t width,
                                         std::size_t height) {
  return api([&](process& p) {
    require(out != nullptr && pitch != nullptr, cudaErrorInvalidValue);
    forbid_during_capture(p);
    std::size_t bytes = 0;
    require(!__builtin_mul_overflow(padded(width), height, &bytes), cudaErrorMemoryAllocation);
    *out = allocate(p, bytes, allocation_kind::device);
    *pitch = padded(width);
  });
}

MMM_CUDA_API cudaError_t cudaMalloc3D(cudaPitchedPtr* out, cudaExtent extent) {
  return api([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    forbid_during_capture(p);
    std::size_t bytes = 0;
    bool const overflows = __builtin_mul_overflow(padded(extent.width), extent.height, &bytes) ||
                           __builtin_mul_overflow(bytes, extent.depth, &bytes);
    require(!overflows, cudaErrorMemoryAllocation);
    *out = {allocate(p, bytes, allocation_kind::device), padded(extent.width), extent.width,
            extent.height};
  });
}

MMM_CUDA_API cudaError_t cudaMallocHost(void** out, std::size_t bytes) {
  return allocate_host(out, bytes, 0);
}
MMM_CUDA_API cudaError_t cudaHostAlloc(void** out, std::size_t bytes, unsigned flags) {
  return allocate_host(out, bytes, flags);
}

MMM_CUDA_API cudaError_t cudaFree(void* pointer) {
  return api([&](process& p) {
    if (pointer == nullptr) return;
    forbid_during_capture(p);
    p.todo.wait_for_device(p.current().number);
    if (p.order != nullptr) p.order->host_waited_for_device(p.current().number);
    if (free_graph_memory(p, address_of(pointer)) || give_back_to_pool(p, address_of(pointer)))
      return;
    if (p.table.graph_memory.contains(address_of(pointer))) refuse_free(p, "cudaFree", pointer);
    auto const a = live_at(p, pointer);
    bool const ours =
        a && (a->kind == allocation_kind::device || a->kind == allocation_kind::managed);
    if (!ours || !p.free(address_of(pointer))) refuse_free(p, "cudaFree", pointer);
    p.table.advised.erase(address_of(pointer));
  });
}

MMM_CUDA_API cudaError_t cudaFreeHost(void* pointer) {
  return api([&](process& p) {
    if (pointer == nullptr) return;
    forbid_during_capture(p);
    p.todo.wait_for_device(p.current().number);
    if (p.order != nullptr) p.order->host_waited_for_device(p.current().number);
    auto const a = live_at(p, pointer);
    if (!a || a->kind != allocation_kind::pinned || !p.free(address_of(pointer)))
      refuse_free(p, "cudaFreeHost", pointer);
    p.table.host_flags.erase(address_of(pointer));
  });
}

MMM_CUDA_API cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags) {
  return api([&](process& p) {
    require(pointer != nullptr && bytes != 0 && (flags & ~register_flags_mask) == 0,
            cudaErrorInvalidValue);
    forbid_during_capture(p);
    require(p.memory.add_registered(address_of(pointer), bytes),
            cudaErrorHostMemoryAlreadyRegistered);
    p.table.host_flags[address_of(pointer)] = flags | mapped;
    p.allocated(address_of(pointer));
  });
}

MMM_CUDA_API cudaError_t cudaHostUnregister(void* pointer) {
  return api([&](process& p) {
    require(pointer != nullptr, cudaErrorInvalidValue);
    forbid_during_capture(p);
    p.todo.wait_for_device(p.current().number);
    if (p.order != nullptr) p.order->host_waited_for_device(p.current().number);
    auto const a = live_at(p, pointer);
    require(a && a->kind == allocation_kind::registered &&
                p.memory.remove_registered(address_of(pointer)),
            cudaErrorHostMemoryNotRegistered);
    p.ended(*a);
    p.table.host_flags.erase(address_of(pointer));
  });
}

MMM_CUDA_API cudaError_t cudaHostGetDevicePointer(void** out, void* pointer, unsigned flags) {
  return api([&](process& p) {
    require(out != nullptr && flags == 0 && is_pinned(live_at(p, pointer)), cudaErrorInvalidValue);
    *out = pointer;
  });
}

MMM_CUDA_API cudaError_t cudaHostGetFlags(unsigned* flags, void* pointer) {
  return api([&](process& p) {
    auto const a = live_at(p, pointer);
    require(flags != nullptr && is_pinned(a), cudaErrorInvalidValue);
    *flags = p.table.host_flags[a->begin];
  });
}

MMM_CUDA_API cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total) {
  return api([&](process& p) {
    std::uint64_t const all = p.memory.capacity();
    std::uint64_t const used = std::min(all, p.memory.used(p.current().number));
    if (free_bytes != nullptr) *free_bytes = all - used;
    if (total != nullptr) *total = all;
  });
}

MMM_CUDA_API cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* out, void const* pointer) {
  return api([&](process& p) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = {};
    void* const here = pointer_to(address_of(pointer));
    auto const a = live_at(p, pointer);
    if (!a) {
      out->type = cudaMemoryTypeUnregistered;
      out->device = -2;  // cudaInvalidDeviceId
      out->hostPointer = here;
      return;
    }
    out->device = a->device;
    out->devicePointer = here;
    switch (a->kind) {
      case allocation_kind::device:
      case allocation_kind::module_variable:
      case allocation_kind::heap:
      case allocation_kind::array:
        out->type = cudaMemoryTypeDevice;
        break;
      case allocation_kind::managed:
        out->type = cudaMemoryTypeManaged;
        break;
      case allocation_kind::pinned:
      case allocation_kind::registered:
        out->type = cudaMemoryTypeHost;
        break;
    }
    if (out->type != cudaMemoryTypeDevice) out->hostPointer = here;
  });
}

}  // namespace device::runtime
