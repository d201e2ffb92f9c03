// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/machine/machine.hpp>

//! Machines whose estimates tell somebody step by step what a program does.
namespace mmm::detail {

//! A parallel-for.
struct watched_step {
  index items;
  index threads;      //!< of one DMM
  index dmms;         //!< DMMs that run it at the same time
  bool machine_wide;  //!< the items are assigned to the threads of all DMMs together
  index times;        //!< trips of the loops around it, multiplied
  bool barrier;       //!< one follows
};

//! An access of the body of a parallel-for.
struct watched_access {
  bool shared;
  access_kind kind;
  index words;       //!< of a thread
  index stages;      //!< of all warps, in all trips
  index rounds = 0;  //!< in all trips
};

//! Machine `M`, for estimates that tell `Watch` what they count: `begin_step(watched_step)`, then
//! `access(watched_access)` for each access of the step's body, and `end_step()`;
//! `machine_wide_barrier()`; `first_alone()`; `allocated(shared, words)` with all words of that
//! memory so far; `argument(use, given, words, in_place)` of the arrays that are a program's
//! arguments. If it has them: `assign_tiles(dmms, first, tiles, times)` before an each_tile that
//! assigns so many tiles, from number `first` on, to these DMMs, in so many trips;
//! `look_back_states(tiles)` where a kernel clears the states of so many tiles, and
//! `look_back(at_once)` before the step in which a tile looks back at so many tiles at once;
//! `served(a, address)`, which returns the stages of an access in place of `a.stages`.
//! A watch that has `pattern(watched_access, address, predicate, ideal)` is told of accesses by it
//! instead: with the expression of the address, the condition, and the stages of a pattern without
//! conflicts.
template <machine M, class Watch>
struct watched : M {
  constexpr watched(M const& m, Watch& w) : M(m), watch(&w) {}
  Watch* watch;
};

template <class M>
concept watched_machine = requires(M const& m) { m.watch->machine_wide_barrier(); };

}  // namespace mmm::detail
