// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

//! Memory that kernels can reach. An address of global memory is the host's own address of that
//! byte, so that managed, pinned and registered memory need nothing more. Other spaces have windows
//! in the generic address space:
namespace device {

//! + offset in the block's shared memory
inline constexpr std::uint64_t shared_window = 0x0100'0000'0000'0000U;
//! In the shared memory of a cluster, 1 + rank of the block is in the bits of an offset from here
//! on; 0: the thread's own block.
inline constexpr int rank_shift = 24;
inline constexpr std::uint64_t shared_offset_mask = (std::uint64_t{1} << rank_shift) - 1;
//! + offset in the thread's local memory
inline constexpr std::uint64_t local_window = 0x0200'0000'0000'0000U;
//! The bits of an offset from here on hold 1 + number of the thread in its block + 1024 * number of
//! the block, modulo 2^32, if launch::names_owners holds; 0: any thread's.
inline constexpr int owner_shift = 24;
inline constexpr std::uint64_t local_offset_mask = (std::uint64_t{1} << owner_shift) - 1;
[[nodiscard]] constexpr std::uint64_t owner_of_local(std::uint64_t block, std::uint32_t thread) {
  return ((block << 10 | thread) + 1) & 0xffff'ffffU;
}
//! + offset in the kernel's parameters
inline constexpr std::uint64_t param_window = 0x0300'0000'0000'0000U;
//! + number of a function
inline constexpr std::uint64_t function_window = 0x0400'0000'0000'0000U;
inline constexpr std::uint64_t window_mask = 0xff00'0000'0000'0000U;

//! The purpose of an allocation.
enum class allocation_kind : std::uint8_t {
  device,
  managed,
  pinned,
  registered,
  module_variable,
  heap,
  array  //!< a CUDA array, which no pointer of the program reaches
};

struct allocation {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;  //!< as asked for
  allocation_kind kind = allocation_kind::device;
  int device = 0;
  bool freed = false;
  std::string name{};        //!< of a module's variable; else empty
  std::uint64_t number = 0;  //!< counts allocations, from 1
  std::string function{};    //!< that allocated it; empty where it is not known
  //! places in the host's code, innermost first; empty where they are not known
  std::vector<void*> allocated_by{}, freed_by{};
};

//! Devices, a bit for each.
using device_set = std::uint64_t;
inline constexpr device_set all_devices = ~device_set{0};
inline constexpr int max_devices = 64;
[[nodiscard]] constexpr device_set device_bit(int device) { return device_set{1} << device; }

//! The bounds of a live allocation, as they were when global_memory::generation() had that value:
//! to check accesses by comparing them instead of asking again. Empty if the address asked for is
//! in no allocation.
struct known_range {
  std::uint64_t begin = 1;
  std::uint64_t end = 0;
  std::uint64_t generation = 0;
};

//! The global memory of all devices: allocations, their bounds, and whether an address is in one.
//! Thread-safe. One object, which all parts share.
class global_memory {
 public:
  //! \param capacity bytes of one device's memory; \param devices how many.
  global_memory(std::uint64_t capacity, int devices);
  ~global_memory();
  global_memory(global_memory const&) = delete;
  global_memory& operator=(global_memory const&) = delete;

  //! Bytes aligned to `align` (a power of two, at least 256 are used), zeroed by the system the
  //! first time only; 0 if there are no more. At least 256 bytes that belong to nobody lie between
  //! two allocations.
  [[nodiscard]] std::uint64_t allocate(std::uint64_t bytes, allocation_kind, int device,
                                       std::uint64_t align = 256, std::string name = {});
  //! False if no live allocation begins there. The bytes are used again as late as possible.
  bool free(std::uint64_t begin);
  //! Notes the place in the host's code that allocated the memory which begins there, and the
  //! function that it called; or the place that freed it, if it is freed.
  void note_callers(std::uint64_t begin, std::vector<void*> callers, std::string function = {});
  //! Makes host memory that is not ours reachable, as cudaHostRegister does, and undoes it.
  bool add_registered(std::uint64_t begin, std::uint64_t bytes);
  bool remove_registered(std::uint64_t begin);

  //! Addresses that nobody else is given, a multiple of `align`; 0 if there are none. No access to
  //! them is allowed until memory is mapped there.
  [[nodiscard]] std::uint64_t reserve(std::uint64_t bytes, std::uint64_t align);
  //! Ends a reservation. False if none begins there, has that size, and has nothing mapped in it.
  bool unreserve(std::uint64_t begin, std::uint64_t bytes);
  //! Makes [begin, begin + bytes) of a reservation an allocation. False if it is not in one, or
  //! meets another that is mapped. Its bytes are those that were there, or zero.
  bool map(std::uint64_t begin, std::uint64_t bytes, int device);
  //! Ends a mapping; the bytes are lost. False if none begins there.
  bool unmap(std::uint64_t begin);
  //! Lets the kernels of a device access another one's memory, allocated before or later, or no
  //! longer; but for allocations with rights of their own.
  void set_peer_access(int device, int owner, bool allowed);
  //! Gives the allocation that begins there rights of its own: the devices whose kernels access it.
  void set_devices(std::uint64_t begin, device_set);
  //! Counts bytes of a device as used. False if there are not so many.
  bool take_bytes(int device, std::uint64_t bytes);
  void give_back_bytes(int device, std::uint64_t bytes);

  //! True if [address, address + bytes) lies in one live allocation, or in mapped ones that follow
  //! each other without a gap. Time: O(1) in the arena; takes no lock there.
  [[nodiscard]] bool holds(std::uint64_t address, std::uint64_t bytes) const {
    return holds_for(all_devices, address, bytes);
  }
  //! The same for kernels of a device.
  [[nodiscard]] bool holds(int device, std::uint64_t address, std::uint64_t bytes) const {
    return holds_for(device_bit(device), address, bytes);
  }
  //! The live allocation that the address is in. Time: as holds().
  [[nodiscard]] known_range range_of(std::uint64_t address) const {
    return range_for(all_devices, address);
  }
  //! The same for kernels of a device: empty, too, if they have no right to access it.
  [[nodiscard]] known_range range_of(int device, std::uint64_t address) const {
    return range_for(device_bit(device), address);
  }
  //! Changes whenever an allocation or a right ends: what was known of ranges may no longer hold.
  [[nodiscard]] std::uint64_t generation() const {
    return generation_.load(std::memory_order_relaxed);
  }
  //! The allocation that the address is in or, if in none, the nearest one before or after within
  //! 4096 bytes, or one that was freed there: for messages and pointer attributes.
  [[nodiscard]] std::optional<allocation> find(std::uint64_t address) const;
  [[nodiscard]] std::vector<allocation> live() const;
  [[nodiscard]] std::uint64_t used(int device) const;
  [[nodiscard]] std::uint64_t capacity() const { return capacity_; }

  //! The arena in which all but registered allocations lie, for shadows of it: [arena_begin(),
  //! arena_end()).
  [[nodiscard]] std::uint64_t arena_begin() const { return arena_; }
  [[nodiscard]] std::uint64_t arena_end() const { return arena_ + arena_bytes_; }

 private:
  std::uint64_t capacity_ = 0;
  std::uint64_t arena_ = 0;
  std::uint64_t arena_bytes_ = 0;
  std::atomic<std::uint64_t> generation_{1};
  struct state;
  state* state_ = nullptr;

  [[nodiscard]] known_range range_for(device_set, std::uint64_t address) const;
  [[nodiscard]] bool holds_for(device_set, std::uint64_t address, std::uint64_t bytes) const;
};

}  // namespace device
