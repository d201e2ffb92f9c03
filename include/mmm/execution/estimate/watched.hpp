// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/machine/machine.hpp>

//! Machines whose estimates notify an observer of each step of a program.
namespace mmm::detail {

//! A parallel-for of an estimated program.
struct watched_step {
  index items;
  index threads;      //!< threads of one DMM
  index dmms;         //!< DMMs that run it at the same time
  bool machine_wide;  //!< the items are assigned to the threads of all DMMs together
  index times;        //!< product of the trip counts of the loops around it
  bool barrier;       //!< a barrier follows
};

//! An access in the body of a parallel-for.
struct watched_access {
  bool shared;
  access_kind kind;
  index words;        //!< words of one thread's access
  index stages;       //!< stages of all warps, in all trips
  index rounds = 0;   //!< rounds in all trips
  bool peer = false;  //!< the shared memory is that of a DMM of the cluster that the address names
  index partial_sectors = 0;  //!< of the global memory, stored to; as the observer counts them
  index sectors = 0;          //!< of 32 bytes of the global memory, of all requests in all trips
};

//! Machine `M` with an observer, which its estimates notify by calling these members:
//! - `begin_step(watched_step)`, then `access(watched_access)` for each access of the step's body,
//!   then `end_step()`;
//! - `machine_wide_barrier(times)`; `first_alone()`;
//! - `allocated(shared, words)`: the number of words allocated in that memory so far;
//! - `argument(use, given, words, in_place)` for each array that is an argument of the program.
//!
//! An observer may have these members, too:
//! - `assign_tiles(dmms, first, tiles, times)`, before an each_tile that assigns `tiles` tiles,
//!   from number `first` on, to `dmms` DMMs in each of `times` trips;
//! - `look_back_states(tiles)`, where a kernel clears the states of `tiles` tiles;
//! - `look_back(at_once, tiles)`, before the step in which a tile inspects `at_once` predecessors
//!   at once, in a sequence of `tiles` tiles, or of all (every_tile);
//! - `publish_sums()`, before the step in which a tile publishes its sums for the tiles after it;
//! - `await_copies(latest)`, where a DMM waits for its asynchronous copies, but for those of the
//!   `latest` latest groups, before the barrier that follows;
//! - `multiply(bits, products, dmms, times)`, where the lanes of `dmms` DMMs multiply matrices of
//!   numbers of so many bits in their registers, with `products` products on each DMM in each trip;
//! - `served(a, address)`, which returns the stages of an access in place of `a.stages`;
//! - `partial_sectors(a, address)`, which returns the access's `a.partial_sectors`;
//! - `value_bytes()`, the bytes of the problem's values, for which `float` stands in an estimate:
//!   accesses have their `sectors` then;
//! - `pattern(watched_access, address, predicate, ideal)`, called in place of access(): the
//!   expression of the address (a peer_address in a peer's memory), the condition, and the stages
//!   of a pattern without conflicts. Only observers that have it take accesses to peers.
//!
//! If an observer has `addresses(watched_access, address, words_of_unit, predicate)`, this is
//! called in place of access() and pattern(), and nothing is counted: the figures of the
//! watched_access are 0. The address is in units of so many words. Loops are executed trip by trip,
//! so that each trip has steps of its own, and expressions have no counters of loops.
template <machine M, class Watch>
struct watched : M {
  constexpr watched(M const& m, Watch& w) : M(m), watch(&w) {}
  Watch* watch;
};

template <class M>
concept watched_machine = requires(M const& m) { m.watch->machine_wide_barrier(1); };

//! A watched machine whose observer enumerates addresses.
template <class M>
concept enumerating_machine = watched_machine<M> && requires(M const& m, watched_access const& a) {
  m.watch->addresses(a, constant(0), index{1}, always{});
};

}  // namespace mmm::detail
