// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/cost/cost.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/estimate/estimate.hpp>
#include <mmm/execution/estimate/watched.hpp>
#include <mmm/machine/machine.hpp>

//! The sectors of the global memory that a GPU moves for a program's requests.
namespace mmm {

//! Sectors of 32 bytes of a program's requests to the global memory, as a profiler counts them: a
//! request of a warp takes one for each sector that its lanes access.
struct global_sectors {
  index loaded = 0;
  index stored = 0;
  index updated = 0;  //!< by atomic updates
  mmm::cost cost;     //!< of the whole program, from the same estimate

  [[nodiscard]] constexpr index total() const {
    return detail::checked_add(detail::checked_add(loaded, stored), updated);
  }
};

namespace detail {

//! Adds up the sectors of a program while it is estimated.
class sector_counter {
 public:
  constexpr sector_counter(global_sectors& to, index value_bytes) : to_(&to), bytes_(value_bytes) {}

  //! Asks the estimate for the sectors of accesses (estimate/watched.hpp).
  [[nodiscard]] constexpr index value_bytes() const { return bytes_; }
  constexpr void access(watched_access const& a) const {
    if (look_back_) return;
    index& sectors = a.kind == access_kind::read    ? to_->loaded
                     : a.kind == access_kind::write ? to_->stored
                                                    : to_->updated;
    sectors = checked_add(sectors, a.sectors);
  }
  constexpr void begin_step(watched_step const&) const {}
  constexpr void end_step() { look_back_ = false; }
  constexpr void look_back(index, index) { look_back_ = true; }
  constexpr void publish_sums() { look_back_ = true; }
  constexpr void machine_wide_barrier(index) const {}
  constexpr void first_alone() const {}
  constexpr void allocated(bool, index) const {}
  template <class... Any>
  constexpr void argument(Any const&...) const {}

 private:
  global_sectors* to_;
  index bytes_;
  bool look_back_ = false;  //!< the next step's accesses are to the states of tiles
};

}  // namespace detail

//! The sectors of the requests of a user's program on machine `m` to the global memory, and its
//! cost: for warps of 32 threads, values of `value_bytes` bytes (a power of two up to 32) in place
//! of `float`, and arrays that begin at multiples of 128 bytes. Values of more than 16 bytes at
//! once are several requests. Left out is what blocks write and read to wait for each other: the
//! words of barriers, and the states and sums of tiles (look-back), which a waiting tile reads any
//! number of times. Parameters otherwise, errors and time as for mmm::estimate.
template <machine M, class Program>
requires fixed_width<M>
[[nodiscard]] constexpr global_sectors global_sectors_of_program(M const& m, index value_bytes,
                                                                 threads p,
                                                                 Program const& program) {
  static_assert(M::width() == 32, "mmm: sectors are counted for warps of 32 threads");
  if (value_bytes < 1 || value_bytes > 32 || (value_bytes & (value_bytes - 1)) != 0)
    detail::reject("the bytes of a value", value_bytes, "a power of two up to 32");
  global_sectors found;
  detail::sector_counter counter(found, value_bytes);
  found.cost = estimate(detail::watched<M, detail::sector_counter>(m, counter), p, program);
  return found;
}

//! The same for an algorithm; parameters otherwise, and errors, as for mmm::cost_of.
template <machine M, algorithm A, class Size, class... More>
[[nodiscard]] constexpr global_sectors global_sectors_of(M const& m, A const&, index value_bytes,
                                                         Size const& n, threads p,
                                                         More const&... more) {
  auto const problem = detail::problem_of<A>(n, more...);
  return global_sectors_of_program(m, value_bytes, p,
                                   [&](auto& on) { static_cast<void>(problem.run(on)); });
}

}  // namespace mmm
