// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/count/figures.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace device::report {

using mmm::index;

//! Requests of one kind to one memory, with the worst of them.
struct memory_sum {
  space where = space::global;
  access_kind kind = access_kind::read;
  count::request_figures figures{};
  count::costed_request worst{};
  //! 1 + index of the kernel's parameter that points there, of global memory; 0: not known
  std::uint32_t argument = 0;
};

//! The figures of a source line, a launch or a kernel.
struct sum {
  std::vector<memory_sum> memory{};                             //!< those that occurred
  std::array<std::uint64_t, instruction_kinds> instructions{};  //!< executed by warps, by kind
  //! instructions executed by threads
  std::uint64_t lanes = 0;
  //! times that a warp arrived at a barrier of its block
  std::uint64_t barriers = 0;

  sum& operator+=(sum const&);
  void add(memory_sum const&);

  [[nodiscard]] count::request_figures figures(space, access_kind) const;
  [[nodiscard]] count::request_figures figures(space) const;  //!< all kinds together
  //! The worst request to that memory; its cost has no requests if there was none.
  [[nodiscard]] memory_sum worst(space) const;
  [[nodiscard]] std::uint64_t executed() const;
  [[nodiscard]] double average_lanes() const;  //!< 0 if nothing was executed
  //! The transfers that could be saved, in units of 32 bytes: an excessive wavefront counts
  //! as four, the units that it moves.
  [[nodiscard]] index waste() const;
};

}  // namespace device::report
