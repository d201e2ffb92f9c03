// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/ptx/module.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace device {

inline constexpr int lanes = 32;
using lane_mask = std::uint32_t;  //!< as PTX has it; mmm::detail::lane_set is for warps of any size
inline constexpr lane_mask all_lanes = 0xffffffffU;
//! The number of lanes of a mask. The mask of all lanes, the usual one, is not counted: the
//! baseline of x86-64 has no instruction that counts bits.
[[nodiscard]] constexpr std::uint32_t lane_count(lane_mask m) {
  return m == all_lanes ? lanes : static_cast<std::uint32_t>(std::popcount(m));
}

struct warp;
struct program;
struct operation;

//! Executes one operation for the lanes of warp::active.
using handler = void (*)(warp&, operation const&);

//! The place of the 32 values of an operand: a byte offset in the frame's registers or, with the
//! top bit, in the program's constants. A value of n bytes of lane t is at offset + n * t, where n
//! is 2 (8 and 16 bits), 4, 8 or 16; a predicate is one lane_mask of 4 bytes.
using slot = std::uint32_t;
inline constexpr slot in_constants = 0x80000000U;
inline constexpr slot no_slot = 0x7fffffffU;

//! The class in which an instruction is counted.
enum class instruction_kind : std::uint8_t {
  integer,
  float32,
  fma32,
  float64,
  half,
  convert,
  move,
  predicate,
  control,
  load,
  store,
  atomic,
  barrier,
  warp,
  other,
  texture  //!< of textures and surfaces
};
inline constexpr int instruction_kinds = 16;
//! "integer", "float32", "fma", …
[[nodiscard]] char const* name_of(instruction_kind);

//! The state spaces of PTX: mmm::memory_space has the two that the machines have, but a thread of
//! PTX reads its parameters, local memory and constants, too. `generic` is resolved lane by lane
//! when it is executed.
enum class space : std::uint8_t { generic, global, shared, local, constant, param };

//! Strength and scope of a memory operation (PTX ISA, memory consistency model).
enum class strength : std::uint8_t {
  weak,
  relaxed,
  acquire,
  release,
  acquire_release,
  is_volatile
};
enum class scope : std::uint8_t { none, cta, cluster, gpu, system };

//! One step of an instruction, decoded: what the interpreter walks over.
struct operation {
  handler run = nullptr;
  slot d = no_slot;  //!< destination
  slot a = no_slot;
  slot b = no_slot;
  slot c = no_slot;
  slot guard = no_slot;      //!< a predicate
  std::uint32_t target = 0;  //!< of a branch: operation; of a call: number of the function
  //! of a branch: operation at which its lanes meet again (immediate post-dominator)
  std::uint32_t reconverge = 0;
  std::uint32_t index = 0;      //!< in program::operations, also that of its counters
  std::uint64_t immediate = 0;  //!< address offset, mask, …
  slot const* list = nullptr;   //!< further operands (vectors, pairs); list_size of them
  std::uint8_t list_size = 0;
  bool guard_negated = false;
  bool auxiliary = false;  //!< not the first operation of its instruction: not counted as one
  instruction_kind kind = instruction_kind::other;
  std::uint8_t bytes = 0;  //!< of one element of a memory access
  device::space where = space::generic;
  strength order = strength::weak;
  device::scope reach = scope::none;
  std::uint8_t flags = 0;  //!< as the handler likes
  //! it reads and writes registers and memory only: the group of lanes goes on to the next
  //! operation, and nothing depends on the block's clock
  bool simple = false;
  //! operations from here on, one after another, that are simple and have no guard
  std::uint16_t straight = 0;
};

//! A call: what is copied into the callee's parameters and back.
struct call_site {
  //! Bytes from the caller's .param variable (at `offset` in its thread's parameters), or from a
  //! slot.
  struct value {
    std::uint32_t offset = 0;
    slot in_slot = no_slot;
    std::uint32_t bytes = 0;
  };
  std::vector<value> arguments;
  std::vector<value> results;  //!< `offset` is where the caller's variable is
  std::string callee;          //!< mangled; empty for an indirect call
};

//! An instruction that this device does not support.
struct refused_instruction {
  std::uint32_t instruction = 0;  //!< index into body.instructions
  std::string why;
};

//! A shared variable with a size, [begin, end) in the block's shared memory.
struct shared_array {
  std::string_view name;  //!< mangled
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

//! A function, decoded. Does not change while kernels run.
struct program {
  std::string name;       //!< mangled
  std::string demangled;  //!< "transpose_tiles(float const*, float*, int)"
  ptx::module const* source_module = nullptr;
  ptx::function const* source = nullptr;
  ptx::body body;  //!< its locations serve the reports
  std::vector<operation> operations;
  //! of each operation: index into body.locations, or ptx::none
  std::vector<std::uint32_t> location_of;
  std::vector<std::uint32_t> text_line_of;  //!< of each operation: line of the PTX
  //! of each operation: index into body.instructions, or ptx::none
  std::vector<std::uint32_t> instruction_of{};
  std::vector<slot> register_slots{};  //!< of each of body.registers
  std::vector<shared_array> arrays{};  //!< that it names
  //! of each operation: 1 + index of the shared array from whose address that of its access is
  //! computed, or 0
  std::vector<std::uint32_t> array_of{};
  //! of each operation of a kernel: 1 + index of the parameter, a pointer to global memory, from
  //! which the address of its access is computed, or 0
  std::vector<std::uint32_t> argument_of{};
  std::vector<std::byte> constants;     //!< what slots with in_constants mean
  std::deque<std::vector<slot>> lists;  //!< what operation::list points into
  std::deque<call_site> calls;          //!< operation::immediate of a call counts them
  //! of a device function: in its thread's part of frame::params
  std::vector<std::uint32_t> parameter_offsets;
  std::vector<std::uint32_t> result_offsets;
  //! The first operations of a kernel's basic blocks from which threads only store until they end:
  //! they read nothing that a barrier orders.
  std::vector<std::uint32_t> storing_ends{};
  std::uint32_t number = 0;          //!< in its linked module
  std::uint32_t register_bytes = 0;  //!< of a frame, for a warp
  std::uint32_t local_bytes = 0;     //!< of a thread's frame in local memory
  std::uint32_t param_bytes =
      0;  //!< of a thread's .param variables in a frame: its arguments, results and those of calls
  //! static shared memory of a kernel, its callees' included
  std::uint32_t shared_bytes = 0;
  std::uint32_t dynamic_shared_offset = 0;  //!< where a kernel's dynamic shared memory begins
  //! estimated: the most 32-bit values alive at once, plus what the ABI takes
  int registers_per_thread = 0;
  //! The instructions that this device does not support. A function that has some is described by
  //! the rest of this structure, but must not be executed.
  std::vector<refused_instruction> refused{};
};

}  // namespace device
