// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/gpu.hpp>
#include <mmm/machine/memory_space.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace replay {

using mmm::index;
using mmm::memory_space;

//! One warp's recorded request.
struct request {
  std::size_t line = 0;  //!< where it stands, from 1
  memory_space space = memory_space::shared;
  mmm::gpu::warp_access access;
  mmm::gpu::lane_mask active = 0;
  std::array<index, 32> address{};       //!< bytes; of lanes that are not active, anything
  std::optional<std::uint64_t> counter;  //!< of the program
  std::size_t block = 0;                 //!< of threads, numbered from 0
};

}  // namespace replay
