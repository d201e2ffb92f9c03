// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/core/finding.hpp>
#include <device/decode/source_place.hpp>
#include <device/execute/memory/mbarrier.hpp>
#include <device/execute/memory/request.hpp>
#include <sys/mman.h>

#include <cstdio>
#include <optional>
#include <string>

//! Messages about accesses that are not allowed.
namespace device::memory_access_detail {
namespace {

std::string hexadecimal(std::uint64_t n) {
  char text[19];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(n));
  return text;
}

std::string triple(std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
}

std::string thread_and_block(warp const& w, int lane) {
  dim3 const& size = w.of_block->of_launch->block;
  std::uint64_t const n = thread_number(w, lane);
  return "thread " + triple(n % size.x, n / size.x % size.y, n / (std::uint64_t{size.x} * size.y)) +
         " of block " + triple(w.of_block->index.x, w.of_block->index.y, w.of_block->index.z);
}

char const* name_of_kind(access_kind k) {
  return k == access_kind::read ? "load" : k == access_kind::write ? "store" : "atomic operation";
}

char const* name_of_space(space s) {
  switch (s) {
    case space::shared:
      return "shared";
    case space::local:
      return "local";
    case space::constant:
      return "constant";
    case space::param:
      return "parameter";
    default:
      return "global";
  }
}

std::string count_of_bytes(std::uint64_t n) {
  return std::to_string(n) + (n == 1 ? " byte" : " bytes");
}

std::string name_of_allocation(allocation const& a) {
  if (a.kind == allocation_kind::array)
    return "the CUDA array of " + count_of_bytes(a.bytes) + " at " + hexadecimal(a.begin);
  if (!a.name.empty()) return "variable " + a.name + " of " + count_of_bytes(a.bytes);
  return "the allocation of " + count_of_bytes(a.bytes) + " at " + hexadecimal(a.begin);
}

//! True if the host has memory at an address that is no global memory of the device's.
bool is_of_host(global_memory const& memory, std::uint64_t address) {
  constexpr std::uint64_t page = 4096;
  if (address >= memory.arena_begin() && address < memory.arena_end()) return false;
  unsigned char present = 0;  // mincore fails where nothing is mapped
  return mincore(reinterpret_cast<void*>(address / page * page), 1, &present) == 0;
}

//! The place of an address that no allocation is near.
std::string place_without_allocation(global_memory const& memory, std::uint64_t address) {
  constexpr std::uint64_t near_null = 65536;
  if (address == 0) return "a null pointer";
  if (address < near_null) return "a null pointer and an offset of " + count_of_bytes(address);
  if (is_of_host(memory, address))
    return "memory of the host that is not mapped for kernels: a pointer of malloc, new, a "
           "variable "
           "or a container of the host";
  return "no allocation is within 4096 bytes of it";
}

//! The first words of a message, and the check that makes it.
struct fault_name {
  char const* text;
  check_kind check;
};

//! The place of an address relative to the nearest allocation, which may give the fault a name.
std::string place_of(global_memory const& memory, int device, std::uint64_t address, int bytes,
                     fault_name& fault) {
  std::optional<allocation> const a = memory.find(address);
  if (!a) return place_without_allocation(memory, address);
  if (memory.holds(address, static_cast<std::uint64_t>(bytes))) {
    fault = {"no right of access: ", check_kind::bounds};
    return "it lies in " + name_of_allocation(*a) + " of device " + std::to_string(a->device) +
           ", which kernels of device " + std::to_string(device) +
           " have no right to access (cudaDeviceEnablePeerAccess, cudaMemPoolSetAccess or "
           "cuMemSetAccess would give it)";
  }
  if (a->freed) fault = {"use after free: ", check_kind::free};
  if (a->freed) return "it lies in " + name_of_allocation(*a) + ", which was freed";
  std::uint64_t const end = a->begin + a->bytes;
  if (address < a->begin)
    return "it lies " + count_of_bytes(a->begin - address) + " before " + name_of_allocation(*a);
  if (address >= end)
    return "it lies " + count_of_bytes(address - end) + " after the end of " +
           name_of_allocation(*a);
  return "its last byte lies " + count_of_bytes(address + static_cast<std::uint64_t>(bytes) - end) +
         " after the end of " + name_of_allocation(*a);
}

std::string reason(warp const& w, space where, int bytes, std::uint64_t address,
                   fault_name& fault) {
  launch const& launched = *w.of_block->of_launch;
  switch (where) {
    case space::shared:
      return "the block has " + count_of_bytes(w.of_block->shared.size()) + " of shared memory";
    case space::local:
      return "the thread has " + count_of_bytes(w.local_bytes) + " of local memory";
    case space::param:
      return "the kernel has " + count_of_bytes(launched.params.size()) +
             " of parameters, which are only read";
    default:
      return place_of(*launched.memory, launched.device, address, bytes, fault);
  }
}

void set_line(finding& f, warp const& w, operation const& op) {
  decode::set_place(f, w.current == nullptr ? nullptr : w.current->code, op.index);
}

//! A finding at an operation, without message.
finding finding_at(warp const& w, operation const& op, check_kind check) {
  launch const& launched = *w.of_block->of_launch;
  finding f;
  f.check = check;
  f.kernel = launched.kernel == nullptr ? "" : launched.kernel->demangled;
  f.launch = launched.number;
  set_line(f, w, op);
  return f;
}

}  // namespace

void refuse_address(warp& w, operation const& op, space where, access_kind kind, int bytes,
                    int lane, std::uint64_t address, bool misaligned) {
  launch const& launched = *w.of_block->of_launch;
  fault_name fault{"out of bounds: ", check_kind::bounds};
  if (misaligned) fault = {"misaligned ", check_kind::misaligned};
  std::string const why = misaligned ? "it is no multiple of " + std::to_string(bytes)
                                     : reason(w, where, bytes, address, fault);
  finding f = finding_at(w, op, fault.check);
  f.message = fault.text + std::string(name_of_space(where)) + " " + name_of_kind(kind) + " of " +
              count_of_bytes(static_cast<std::uint64_t>(bytes)) + " by " +
              thread_and_block(w, lane) + "\naddress " + hexadecimal(address) + ": " + why;
  if (where == space::global) f.address = address;
  if (launched.report) launched.report(f);
  throw device_fault(misaligned ? device_fault::kind_type::misaligned_address
                                : device_fault::kind_type::illegal_address,
                     f.message);
}

void refuse_object(warp& w, operation const& op, int lane, check_kind check,
                   std::string const& why) {
  launch const& launched = *w.of_block->of_launch;
  finding f = finding_at(w, op, check);
  char const* const fault = check == check_kind::free         ? "use after free: "
                            : check == check_kind::bounds     ? "out of bounds: "
                            : check == check_kind::misaligned ? "misaligned "
                                                              : "";
  f.message =
      fault + std::string("texture or surface access by ") + thread_and_block(w, lane) + "\n" + why;
  if (launched.report) launched.report(f);
  using enum device_fault::kind_type;
  throw device_fault(check == check_kind::descriptor   ? illegal_instruction
                     : check == check_kind::misaligned ? misaligned_address
                                                       : illegal_address,
                     f.message);
}

void refuse_bulk_size(warp& w, operation const& op, int lane, std::uint64_t bytes) {
  launch const& launched = *w.of_block->of_launch;
  finding f = finding_at(w, op, check_kind::misaligned);
  f.message = "a bulk copy of " + count_of_bytes(bytes) + " by " + thread_and_block(w, lane) +
              "\nits size must be a multiple of 16 bytes";
  if (launched.report) launched.report(f);
  throw device_fault(device_fault::kind_type::misaligned_address, f.message);
}

void report_owner(warp& w, operation const& op, access_kind kind, int bytes, int lane,
                  std::uint64_t owner) {
  launch const& launched = *w.of_block->of_launch;
  finding f = finding_at(w, op, check_kind::bounds);
  std::uint64_t const thread = (owner - 1) % 1024;
  std::uint64_t const block = (owner - 1) / 1024;
  dim3 const& size = launched.block;
  dim3 const& grid = launched.grid;
  f.message =
      "local variable of another thread: " + std::string(name_of_kind(kind)) + " of " +
      count_of_bytes(static_cast<std::uint64_t>(bytes)) + " by " + thread_and_block(w, lane) +
      "\nits address is of local memory of thread " +
      triple(thread % size.x, thread / size.x % size.y, thread / (std::uint64_t{size.x} * size.y)) +
      " of block " +
      triple(block % grid.x, block / grid.x % grid.y, block / (std::uint64_t{grid.x} * grid.y)) +
      ", which no other thread reaches";
  if (launched.report) launched.report(f);
}

void report_descriptor(warp& w, operation const& op, std::string message) {
  launch const& launched = *w.of_block->of_launch;
  finding f = finding_at(w, op, check_kind::descriptor);
  f.message = std::move(message);
  if (launched.report) launched.report(f);
}

std::string awaited_text(std::byte const* mbarrier, std::uint64_t offset) {
  std::string const name = "for the mbarrier at offset " +
                           hexadecimal(offset & shared_offset_mask) + " of shared memory";
  auto const b = mbarrier_word::parsed(read_plain<std::uint64_t>(mbarrier));
  if (!b) return name + ", which no mbarrier.init made";
  std::string text = name + ": " + std::to_string(b->expected - b->pending) + " of " +
                     std::to_string(b->expected) + " arrivals have come";
  if (b->bytes > 0)
    text += ", and " + count_of_bytes(static_cast<std::uint64_t>(b->bytes)) +
            " that are expected are missing";
  if (b->bytes < 0)
    text += ", and " + count_of_bytes(static_cast<std::uint64_t>(-b->bytes)) +
            " more than expected have come";
  return text;
}

block& peer_of(warp& w, operation const& op, int lane, std::uint64_t rank) {
  block& own = *w.of_block;
  bool const exists = rank < own.cluster_size();
  block* const peer = !exists || own.of_cluster == nullptr ? &own : own.of_cluster->blocks[rank];
  if (exists && (peer == &own || peer->threads_alive != 0)) return *peer;
  launch const& launched = *own.of_launch;
  finding f = finding_at(w, op, exists ? check_kind::free : check_kind::bounds);
  f.message = "shared memory of another block is accessed by " + thread_and_block(w, lane) + "\n" +
              (exists ? "block " + triple(peer->index.x, peer->index.y, peer->index.z) +
                            " of the cluster has ended, and with it its shared memory"
                      : "the cluster has " + std::to_string(own.cluster_size()) +
                            " blocks, none of rank " + std::to_string(rank));
  if (launched.report) launched.report(f);
  throw device_fault(device_fault::kind_type::illegal_address, f.message);
}

}  // namespace device::memory_access_detail
