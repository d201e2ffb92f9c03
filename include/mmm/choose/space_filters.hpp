// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/choose/best.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/gpu/devices.hpp>
#include <mmm/gpu/timing.hpp>

//! Filters of a tuning space. A filter is a class with a `name` and one of
//! - `unmet<Point>()`: the condition that the point does not meet on any GPU, or none. The kernel
//!   of a point that it removes is not even compiled;
//! - `unmet<Point>(facts, size, more...)`, before a point's time is predicted: the condition that
//!   the point does not meet on a GPU with these facts, or none;
//! - `unmet(found)`, for the prediction of a point.
//! A point that lacks the property which a filter reads passes it.
namespace mmm {

//! The launch has no more threads per block than the GPU allows.
struct thread_limit {
  static constexpr char const* name = "thread limit";
  template <class Point>
  [[nodiscard]] static constexpr unmet_condition unmet(gpu::device_facts const& facts,
                                                       auto const&...) {
    if (Point::plan.threads <= facts.max_threads_per_block) return {};
    return {"threads of a block", Point::plan.threads, facts.max_threads_per_block};
  }
};

//! The launch has as many threads per block as the tile: the property `tile_threads<Point>`.
struct threads_of_tile {
  static constexpr char const* name = "threads of the tile";
  template <class Point>
  [[nodiscard]] static constexpr unmet_condition unmet() {
    if constexpr (requires { Point::variant::template tile_threads<Point>; }) {
      constexpr index threads = Point::variant::template tile_threads<Point>;
      if (threads > Point::plan.threads) return {"threads of a tile", threads, Point::plan.threads};
      if (threads < Point::plan.threads)
        return {"idle threads of a block", Point::plan.threads - threads, 0};
    }
    return {};
  }
};

//! All blocks of the launch on a multiprocessor fit its shared memory: the property
//! `shared_words<Point>` of a block.
struct fits_shared_memory {
  static constexpr char const* name = "fits the shared memory";
  template <class Point>
  [[nodiscard]] static constexpr unmet_condition unmet(gpu::device_facts const& facts,
                                                       auto const&...) {
    if constexpr (requires { Point::variant::template shared_words<Point>; }) {
      constexpr index bytes =
          Point::variant::template shared_words<Point> * Point::plan.conditions.value_bytes;
      if (bytes > facts.shared_bytes_per_block)
        return {"bytes of shared memory of a block", bytes, facts.shared_bytes_per_block};
      index const reserved = facts.compute_capability >= 80 ? 1024 : 0;
      index const all = Point::plan.blocks_per_sm * (bytes + reserved);
      if (index const available = gpu::timing_of(facts).shared_bytes_per_sm; all > available)
        return {"bytes of shared memory of all blocks", all, available};
    }
    return {};
  }
};

//! All blocks of the launch on a multiprocessor have registers: the property `registers<Point>` of
//! a thread, which is the compiler's number for a counted kernel and an estimate for others.
struct fits_registers {
  static constexpr char const* name = "fits the registers";
  static constexpr index max_per_thread = 255;
  template <class Point>
  [[nodiscard]] static constexpr unmet_condition unmet(gpu::device_facts const& facts,
                                                       auto const&...) {
    if constexpr (requires { Point::variant::template registers<Point>; }) {
      constexpr index registers = Point::variant::template registers<Point>;
      if (registers > max_per_thread) return {"registers of a thread", registers, max_per_thread};
      index const warps = detail::ceil_divide(Point::plan.threads, 32) * Point::plan.blocks_per_sm;
      index const all = detail::ceil_divide(registers, 8) * 8 * 32 * warps;
      if (index const available = gpu::timing_of(facts).registers_per_sm; all > available)
        return {"registers of all blocks", all, available};
    }
    return {};
  }
};

//! Tiles cover the problem without a border: the property `remainder<Point>(size, more...)`.
struct divides_problem {
  static constexpr char const* name = "divides the problem";
  template <class Point>
  [[nodiscard]] static constexpr unmet_condition unmet(gpu::device_facts const&,
                                                       auto const&... problem) {
    if constexpr (requires { Point::variant::template remainder<Point>(problem...); })
      if (index const rest = Point::variant::template remainder<Point>(problem...); rest != 0)
        return {"words beyond whole tiles", rest, 0};
    return {};
  }
};

//! The instructions of the kernel, or of one with the same body, are counted
//! (docs/prediction.md): the property `counted<Point>`.
struct instructions_counted {
  static constexpr char const* name = "instructions counted";
  template <class Point>
  [[nodiscard]] static constexpr unmet_condition unmet() {
    if constexpr (requires { Point::variant::template counted<Point>; })
      if (!Point::variant::template counted<Point>) return {"counted kernels", 1, 0};
    return {};
  }
};

//! The requests of the shared memories take one stage for each word of a thread.
struct without_conflicts {
  static constexpr char const* name = "conflict free";
  [[nodiscard]] static constexpr unmet_condition unmet(candidate_prediction const& found) {
    if (found.conflicts < 1) return {};
    return {"stages by bank conflicts", static_cast<index>(found.conflicts), 0};
  }
};

}  // namespace mmm
