// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/trace/region.hpp>
#include <mmm/trace/shadow.hpp>
#include <mmm/trace/source_place.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

//! What a traced kernel did.
namespace mmm::gpu {

//! Sizes of a grid or a block, as CUDA's dim3; an index in one.
struct dim {
  index x = 1;
  index y = 1;
  index z = 1;

  constexpr dim() = default;
  constexpr dim(index x_, index y_ = 1, index z_ = 1) : x(x_), y(y_), z(z_) {}  // NOLINT: as dim3
  //! CUDA's dim3.
  template <class Dim3>
  requires requires(Dim3 const& d) { index{d.x + d.y + d.z}; }
  constexpr dim(Dim3 const& d) : x(d.x), y(d.y), z(d.z) {}  // NOLINT: as dim3
  [[nodiscard]] constexpr index count() const { return x * y * z; }
  friend constexpr bool operator==(dim const&, dim const&) = default;
};

//! "kernel.cpp:17".
[[nodiscard]] inline std::string text(source_place const& at) {
  std::string_view const file = at.file;
  return std::string(file.substr(file.find_last_of('/') + 1)) + ":" + std::to_string(at.line);
}

//! The figures of the accesses of one kind that stand at one place of the source, as a profiler
//! counts them.
struct traced_line {
  source_place place;
  memory_space space = memory_space::global;
  access_kind use = access_kind::read;
  int bytes = 4;        //!< that a lane asks for
  index requests = 0;   //!< warp-wide instructions
  index lanes = 0;      //!< active lanes of all requests: 32 times the requests, if none is idle
  index transfers = 0;  //!< wavefronts of shared memory, sectors of global memory
  index ideal = 0;      //!< the fewest that such requests can take
  index lines = 0;      //!< of global memory: lines of 128 bytes
  index turns = 0;      //!< of atomics: the most lanes at one address, of each request

  //! Transfers beyond the ideal: "bank conflicts" of shared memory.
  [[nodiscard]] index excessive() const { return transfers - ideal; }
  //! Lanes of its warps that were not active.
  [[nodiscard]] index idle_lanes() const { return 32 * requests - lanes; }
};

//! The kinds of errors that are looked for.
enum class finding_kind : std::uint8_t {
  race,           //!< two threads access bytes without an order, at least one writes
  uninitialized,  //!< a read of shared memory that nobody has written
  barrier,        //!< threads that meet at barriers of different lines
  shuffle         //!< a lane takes the value of a lane that takes no part
};
//! "race", "uninitialized", …
[[nodiscard]] constexpr char const* name_of(finding_kind kind) {
  constexpr char const* names[] = {"race", "uninitialized", "barrier", "shuffle"};
  return names[static_cast<int>(kind)];
}

//! An error in the kernel.
struct trace_finding {
  finding_kind kind = finding_kind::race;
  source_place place;
  source_place other;  //!< of a race: the earlier access
  std::string what;    //!< in words, of the first time
  index count = 1;     //!< how often
  std::uint32_t place_number = 0;
  std::uint32_t other_number = 0;
};

//! What the blocks of a traced kernel did.
struct kernel_trace {
  dim grid;
  dim block;
  std::vector<traced_line> lines;  //!< by file, line and column
  std::vector<trace_finding> findings;
  index barriers = 0;      //!< of all blocks
  index exchanges = 0;     //!< shuffles and votes of warps
  index shared_bytes = 0;  //!< of a block

  //! The sum of a figure over the accesses to a memory: `sum(memory_space::shared,
  //! &traced_line::transfers)`.
  [[nodiscard]] index sum(memory_space space, index traced_line::* figure) const {
    index total = 0;
    for (traced_line const& l : lines)
      if (l.space == space) total += l.*figure;
    return total;
  }
  //! Wavefronts of shared memory, and the fewest that would do.
  [[nodiscard]] index wavefronts() const {
    return sum(memory_space::shared, &traced_line::transfers);
  }
  [[nodiscard]] index ideal_wavefronts() const {
    return sum(memory_space::shared, &traced_line::ideal);
  }
  //! Bank conflicts: wavefronts beyond the ideal.
  [[nodiscard]] index excessive_wavefronts() const { return wavefronts() - ideal_wavefronts(); }
  //! Sectors of global memory, and the fewest that hold what was asked for.
  [[nodiscard]] index sectors() const { return sum(memory_space::global, &traced_line::transfers); }
  [[nodiscard]] index ideal_sectors() const {
    return sum(memory_space::global, &traced_line::ideal);
  }
  //! Errors of a kind: places, or pairs of places, where it occurs.
  [[nodiscard]] index count(finding_kind kind) const {
    index total = 0;
    for (trace_finding const& f : findings) total += f.kind == kind;
    return total;
  }
};

//! How a kernel is traced.
struct trace_settings {
  bool checks = true;                   //!< look for races and uninitialized reads
  bool merges_pairs = false;            //!< wide loads of shared memory: see nvidia_merging
  index shared_bytes = 48 * 1024;       //!< of a block, at most
  index dynamic_shared_bytes = 0;       //!< that the launch gives, for MMM_DYNAMIC_SHARED
  index threads = 1024;                 //!< of a block, at most
  std::size_t stack_bytes = 64 * 1024;  //!< of each thread
  //! Of a thread, at most. One that makes more waits for another thread's writes in a loop, which
  //! never come without a barrier: the launch ends with an error.
  std::size_t accesses_without_barrier = std::size_t{1} << 24;
};

}  // namespace mmm::gpu
