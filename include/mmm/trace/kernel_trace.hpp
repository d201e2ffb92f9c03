// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/gpu/atomic.hpp>
#include <mmm/trace/region.hpp>
#include <mmm/trace/shadow.hpp>
#include <mmm/trace/source_place.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

//! The results of a traced kernel: figures for each source line, and errors.
namespace mmm::gpu {

//! The sizes of a grid or a block, or an index in one, as CUDA's dim3.
struct dim {
  index x = 1;
  index y = 1;
  index z = 1;

  constexpr dim() = default;
  constexpr dim(index x_, index y_ = 1, index z_ = 1) : x(x_), y(y_), z(z_) {}  // NOLINT: as dim3
  //! Converts CUDA's dim3.
  template <class Dim3>
  requires requires(Dim3 const& d) { index{d.x + d.y + d.z}; }
  constexpr dim(Dim3 const& d) : x(d.x), y(d.y), z(d.z) {}  // NOLINT: as dim3
  [[nodiscard]] constexpr index count() const { return x * y * z; }
  friend constexpr bool operator==(dim const&, dim const&) = default;
};

//! A place in the source as text: "kernel.cpp:17".
[[nodiscard]] inline std::string text(source_place const& place) {
  std::string_view const file = place.file;
  return std::string(file.substr(file.find_last_of('/') + 1)) + ":" + std::to_string(place.line);
}

//! The figures of one kind of access at one place in the source, as a profiler counts them.
struct traced_line : request_figures {
  source_place place;
  memory_space space = memory_space::global;
  access_kind use = access_kind::read;
  int bytes = 4;    //!< bytes that a lane accesses
  index lanes = 0;  //!< active lanes of all requests: 32 times the requests, if none is idle

  //! The number of lanes that were not active.
  [[nodiscard]] index idle_lanes() const { return 32 * requests - lanes; }
};

//! The kinds of errors that a trace detects.
enum class finding_kind : std::uint8_t {
  race,           //!< two threads access the same bytes without an order, at least one by a write
  uninitialized,  //!< a read of shared memory that no thread has written
  barrier,        //!< threads that wait for each other at barriers of different lines
  shuffle         //!< a lane reads the value of a lane that does not take part
};
//! The name of a kind: "race", "uninitialized", …
[[nodiscard]] constexpr char const* name_of(finding_kind kind) {
  constexpr char const* names[] = {"race", "uninitialized", "barrier", "shuffle"};
  return names[static_cast<int>(kind)];
}

//! An error in the kernel.
struct trace_finding {
  finding_kind kind = finding_kind::race;
  source_place place;
  source_place other;   //!< place of the earlier access of a race
  std::string message;  //!< the error in words, for its first occurrence
  index count = 1;      //!< number of occurrences
  std::uint32_t place_number = 0;
  std::uint32_t other_number = 0;
};

//! The results of a traced kernel, for all blocks together.
struct kernel_trace {
  dim grid;
  dim block;
  std::vector<traced_line> lines;  //!< ordered by file, line and column
  std::vector<trace_finding> findings;
  index barriers = 0;      //!< barriers of all blocks
  index exchanges = 0;     //!< shuffles and votes of warps
  index shared_bytes = 0;  //!< shared memory of a block

  //! The sum of a figure over all accesses to a memory:
  //! `sum(memory_space::shared, &traced_line::transfers)`.
  [[nodiscard]] index sum(memory_space space, index traced_line::* figure) const {
    index total = 0;
    for (traced_line const& l : lines)
      if (l.space == space) total += l.*figure;
    return total;
  }
  //! Wavefronts of shared memory, and the minimum for the same requests.
  [[nodiscard]] index wavefronts() const {
    return sum(memory_space::shared, &traced_line::transfers);
  }
  [[nodiscard]] index ideal_wavefronts() const {
    return sum(memory_space::shared, &traced_line::ideal);
  }
  //! Bank conflicts: wavefronts beyond the ideal.
  [[nodiscard]] index excessive_wavefronts() const { return wavefronts() - ideal_wavefronts(); }
  //! Sectors of global memory, and the minimum that holds the requested bytes.
  [[nodiscard]] index sectors() const { return sum(memory_space::global, &traced_line::transfers); }
  [[nodiscard]] index ideal_sectors() const {
    return sum(memory_space::global, &traced_line::ideal);
  }
  //! The number of errors of a kind: of places in the source, or pairs of places.
  [[nodiscard]] index count(finding_kind kind) const {
    index total = 0;
    for (trace_finding const& f : findings) total += f.kind == kind;
    return total;
  }
};

//! The settings of a trace.
struct trace_settings {
  bool checks = true;              //!< detects races and uninitialized reads
  bool merges_pairs = false;       //!< merges wide loads of shared memory; see nvidia_merging
  index shared_bytes = 48 * 1024;  //!< maximum shared memory of a block
  index dynamic_shared_bytes = 0;  //!< dynamic shared memory of the launch, for MMM_DYNAMIC_SHARED
  index threads = 1024;            //!< maximum threads of a block
  std::size_t stack_bytes = 64 * 1024;  //!< stack of each thread
  //! The maximum number of accesses that a thread makes without a barrier. A thread with more is
  //! waiting in a loop for another thread's write, which cannot happen before a barrier: the launch
  //! ends with an error.
  std::size_t accesses_without_barrier = std::size_t{1} << 24;
};

}  // namespace mmm::gpu
