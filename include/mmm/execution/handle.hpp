// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/source_line.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/cluster.hpp>
#include <mmm/execution/copies.hpp>
#include <mmm/execution/dmm_range.hpp>
#include <mmm/execution/fragments.hpp>
#include <mmm/execution/items.hpp>
#include <mmm/execution/look_back.hpp>
#include <mmm/execution/phase.hpp>
#include <mmm/execution/thread_items.hpp>
#include <mmm/index/trapezoid.hpp>
#include <mmm/machine/machine.hpp>

//! Handles, which stand for the threads of an algorithm in every back end: their concepts, and the
//! vocabulary that the handles of all back ends share.
//!
//! A **thread handle** stands for the p threads of one memory: of a PRAM, BPRAM, DMM or UMM, or of
//! one DMM of a hierarchical machine. A **machine handle** stands for the threads of all d DMMs of
//! a hierarchical machine and their global memory. A handle names threads and does not own them:
//! its members are const. A program gets it by reference.
//!
//! Laws, the same in every back end (test/execution/handle.cpp):
//!   1. `each(n, body)` calls `body(i)` once for each item i = 0 … n - 1. Thread t handles items
//!      t, t + p, …. A barrier of the handle's threads follows, or none with mmm::no_barrier.
//!      `each_thread(body)` is `each(threads(), body)`. `barrier()` is `each(0, body)`, for example
//!      after a loop of steps without barriers.
//!   2. `each(rows, columns, body)` is `each(rows * columns, …)` with `body(i / columns, i %
//!      columns)`; `each(trapezoid, body)` numbers the pairs of the trapezoid in the same way, and
//!      `each(thread_items, body)` is `body(row, column, own)`.
//!   3. `repeat(count, body)` is `body(0)`, …, `body(count - 1)`, one after the other. So is
//!      `repeat<Max>(count, body)`, for `count <= Max`. `diagonals(first, last, body)` is
//!      `body(first)`, …, `body(last - 1)`.
//!   4. `each_dmm(count, body)` calls `body(block, k)` for DMMs k < count at the same time, where
//!      `block` is a thread handle. `each_tile(first, count, body)` calls `body(block, k)` for
//!      tiles k = first … first + count - 1, of which DMM m handles those with k % d = m, in this
//!      order; `each_tile_on({f, c}, first, count, body)` the same on the DMMs f … f + c - 1 alone,
//!      of which DMM f + m handles those with k % c = m. A machine-wide barrier follows each of
//!      them; none follows tiles with mmm::no_barrier.
//!   5. Register `r[i]` belongs to the thread of item i, and only that thread names it.
//!   6. Words that copy_async or copy_bulk copy are there after they are awaited: see
//!      execution/copies.hpp.
//!   7. After `first_alone()` only the first DMM works, to the program's end: parallel-fors of all
//!      threads have no more items than one DMM has threads, and one DMM or tile is used at a time.
//!      All earlier work of all DMMs is complete by then. A program that does more is
//!      std::logic_error in a simulation and in a kernel's plan.
//!   8. `each_phase<First>(count, bodies …)` calls body number `k % N` of N as `body(k)`, for
//!      k = 0 … count - 1, one after the other.
//!   9. A negative number of items, rows, columns, trips, words or tiles is std::invalid_argument,
//!      and so is a number of DMMs that the machine does not have; more than `Max` trips are
//!      std::length_error.
//! Laws of matrices in registers: execution/fragments.hpp; of clusters: execution/cluster.hpp.
MMM_BODIES_BEGIN
namespace mmm {

namespace detail {

//! The number of lanes in a group (scan_lanes) on a machine of this width.
[[nodiscard]] MMM_HOST_DEVICE constexpr index lanes_of(index width) {
  index lanes = 1;
  while (lanes < 32 && width % (2 * lanes) == 0) lanes *= 2;
  return lanes;
}

[[noreturn]] inline void reject_others_than_first() {
  throw_logic_error(failure_text("mmm: only the first DMM works after first_alone"));
}

//! A body that takes any number of arguments, for the concepts below.
struct any_body {
  template <class... Arguments>
  MMM_HOST_DEVICE constexpr void operator()(Arguments&&...) const {}
};

//! The vocabulary of the handles of machine `M` over a back end's primitives; of machine handles if
//! `Whole`. `Derived`, a handle of a back end, has
//!
//!     static constexpr bool refuses;          whether it can throw; a CUDA kernel cannot, and its
//!                                             plan has checked its arguments
//!     machine(), threads(); dmms(), threads_per_dmm() of a machine handle
//!     run_items(items, body, barrier)         a parallel-for over a range, a grid, kept items or
//!                                             a trapezoid; call_body helps
//!     make_array<T>(n), make_registers<T, N>(), make_registers<T>(thread_items)
//!     run_dmms(count, body), run_tiles(dmms, first, count, body, barrier),
//!     make_look_back_state<T>(n), make_tile_sums(n)     of a machine handle
//!
//! and, in place of the defaults below if it has better ones, `run_loop(count, body)`,
//! `run_diagonals(first, last, body)`,
//! `run_unrolled<Max>(count, body)`, `run_look_back(state, tile, word, op)`,
//! `run_scan_lanes<N>(upto, before, op)` and `run_fold_lanes(r, n, op)`, which do nothing where
//! registers hold nothing, `run_count_in_order<Bits, N>(digit, counters, use)`, which is for
//! data alone, `run_publish_sums(sums, tile, own, n)` and `run_sums_before(sums, tile, own, before,
//! n, tiles)`, `at_line(source_line)` before run_items, of the parallel-for's call,
//! `run_barrier()`, `run_first_alone()`, which does nothing where each_dmm and each_tile end in
//! barriers, and those of execution/copies.hpp. To run programs on a caller's data
//! (execution/arguments.hpp), it has `bring(argument)`, `deliver(argument, array)` and
//! `run_keep(from, results, n)`, too.
template <class Derived, machine M, bool Whole>
class vocabulary : public fragment_vocabulary<Derived, M, Whole>,
                   public machine_with_clusters<Derived, M, Whole>,
                   public copy_vocabulary<Derived, M, Whole> {
 public:
  using machine_type = M;
  //! An upper limit of the number of threads, whatever the launch.
  static constexpr index max_threads = INT64_MAX;

  //! Parallel-for over items 0 … n - 1: thread t handles t, t + p, …; a barrier follows, or none
  //! with mmm::no_barrier as the last argument. Time: that of the body's accesses. Errors:
  //! std::invalid_argument if n is negative; in a simulation std::logic_error inside the body of
  //! another parallel-for.
  template <class Body, barrier_choice End = barrier_follows>
  MMM_HOST_DEVICE constexpr void each(index n, Body const& body, End = {},
                                      source_line line = source_line::here()) const {
    run(item_range{n}, body, same_as<End, barrier_follows>, line);
  }
  //! Parallel-for over one item for each thread, as `each(threads(), body)`; a kernel has no loop
  //! for it.
  template <class Body, barrier_choice End = barrier_follows>
  MMM_HOST_DEVICE constexpr void each_thread(Body const& body, End = {},
                                             source_line line = source_line::here()) const {
    run(item_of_each_thread{{self().threads()}}, body, same_as<End, barrier_follows>, line);
  }
  //! Parallel-for over the pairs of a row and a column, row by row.
  template <class Body, barrier_choice End = barrier_follows>
  MMM_HOST_DEVICE constexpr void each(index rows, index columns, Body const& body, End = {},
                                      source_line line = source_line::here()) const {
    run(item_grid{rows, columns}, body, same_as<End, barrier_follows>, line);
  }
  //! Parallel-for over the pairs of a row and a column of a trapezoid, row by row.
  template <class Body, barrier_choice End = barrier_follows>
  MMM_HOST_DEVICE constexpr void each(trapezoid const& shape, Body const& body, End = {},
                                      source_line line = source_line::here()) const {
    run(shape, body, same_as<End, barrier_follows>, line);
  }
  //! Parallel-for over items with registers: `body(row, column, own)`, where `own` names the item's
  //! registers.
  template <index Max, class Body, barrier_choice End = barrier_follows>
  MMM_HOST_DEVICE constexpr void each(thread_items<Max> const& items, Body const& body, End = {},
                                      source_line line = source_line::here()) const {
    run(items, body, same_as<End, barrier_follows>, line);
  }

  //! A barrier of the handle's threads without a step, after steps with mmm::no_barrier. Free of
  //! cost; a step of no items in a profile.
  MMM_HOST_DEVICE constexpr void barrier() const { self().run_barrier(); }

  //! `body(0)`, `body(1)`, …, `body(count - 1)`, one after the other. Errors: std::invalid_argument
  //! if the count is negative.
  template <class Body>
  MMM_HOST_DEVICE constexpr void repeat(index count, Body&& body) const {
    demand_trips(count);
    self().run_loop(count, body);
  }
  //! A loop of up to `Most` trips, which a kernel unrolls; otherwise as repeat. Errors:
  //! std::length_error for more trips.
  template <index Max, class Body>
  MMM_HOST_DEVICE constexpr void repeat(index count, Body&& body) const {
    demand_trips(count);
    if constexpr (Derived::refuses)
      if (count > Max) reject_length("trips of an unrolled loop", count, Max);
    self().template run_unrolled<Max>(count, body);
  }

  //! `body(r)` for r = first, …, last - 1, one after the other, each a plain number: the diagonals
  //! of a table. A parallel-for around it has all its items in every trip; one in it has `last - r`
  //! items, or the same number for all r, or those of a trapezoid whose three numbers are affine in
  //! r; and trips of loops and addresses are affine in r. On all DMMs, a body that only assigns
  //! tiles to them has `last - r` tiles, DMM by DMM; only the last one may differ from the others.
  //! An estimate computes the sum from a few diagonals then (execution/estimate/diagonals.hpp).
  template <class Body>
  MMM_HOST_DEVICE constexpr void diagonals(index first, index last, Body&& body) const {
    self().run_diagonals(first, last, body);
  }

  //! An array of n words of type T, from a multiple of the width on, uninitialized: in the shared
  //! memory of a DMM, otherwise in the global memory. Errors: std::invalid_argument if n is
  //! negative, std::length_error if a shared memory has no room.
  template <class T>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto allocate(index n) const {
    if constexpr (Derived::refuses)
      if (n < 0) reject("the size of an array", n, "0 or more");
    return self().template make_array<T>(n);
  }
  //! N registers of every thread, zero at first, free of cost. `r[i]` is the first one of the
  //! thread that handles item i, `r(i, k)` its k-th, and `r.chosen(i, k)` its k-th for a k that is
  //! known only when the program runs. Errors: std::invalid_argument if a thread names another
  //! thread's register.
  template <class T, index N = 1>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto registers() const {
    return self().template make_registers<T, N>();
  }
  //! One register for each of these items, zero at first, free of cost.
  template <class T, index Max>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto registers(thread_items<Max> const& items) const {
    if constexpr (Derived::refuses) static_cast<void>(checked_count(items));
    return self().template make_registers<T>(items);
  }

  //! Copies the first n words of an array, or the first registers of the first n threads, to a
  //! program's `results` (mmm::results), free of cost.
  template <class From, class Results>
  MMM_HOST_DEVICE constexpr void keep(From const& source, Results const& results, index n) const {
    self().run_keep(source, results, n);
  }
  //! Copies the first register of every thread to `results`.
  template <class Registers, class Results>
  MMM_HOST_DEVICE constexpr void keep(Registers const& r, Results const& results) const {
    self().run_keep(r, results, self().threads());
  }

  //! Inside each_tile: publishes the tile's total and inspects the totals of the tiles before it.
  //! `word[0]`, in the shared memory, holds the total; afterwards it holds `op` over the totals of
  //! all earlier tiles, in their order. The first tile has no predecessor and its word stays. A
  //! barrier follows. Time: docs/model.md. Errors: in a simulation std::logic_error outside
  //! each_tile.
  template <class State, class Tile, class Word, class Operator>
  requires(!Whole && hierarchical_machine<M>)
  MMM_HOST_DEVICE constexpr void look_back(State state, Tile tile, Word word, Operator op) const {
    self().run_look_back(state, tile, word, op);
  }

  //! Inside each_tile: publishes the numbers `own[0 … n - 1]` of a tile to the tiles after it,
  //! through the `sums` that all tiles share: tile_sums, or n states of look_back_state for each
  //! tile. `tile` is the tile's number, or its number in a sequence of tiles with `sums` of their
  //! own, such as a row of tiles, in which no tile is assigned before its predecessors. The thread
  //! of item j publishes number j; no barrier. Time: docs/model.md.
  template <class Sums, class Tile, class Numbers>
  requires(!Whole && hierarchical_machine<M>)
  MMM_HOST_DEVICE constexpr void publish_sums(Sums sums, Tile tile, Numbers own, index n) const {
    self().run_publish_sums(sums, tile, own, n);
  }
  //! Inside each_tile, after publish_sums: stores the sum of the numbers `own[j]` of all earlier
  //! tiles in `before[j]`, 0 for the first tile. The thread of item j does so; no barrier. `tiles`
  //! is the number of tiles in the sequence, from which predictions take how long a tile waits.
  //! Time: docs/model.md.
  template <class Sums, class Tile, class Numbers, class Results>
  requires(!Whole && hierarchical_machine<M>)
  MMM_HOST_DEVICE constexpr void sums_before(Sums sums, Tile tile, Numbers own, Results before,
                                             index n, index tiles = every_tile) const {
    self().run_sums_before(sums, tile, own, before, n, tiles);
  }

  //! The number of lanes in a group, whose registers scan_lanes and fold_lanes combine: the largest
  //! power of two that divides the width, 32 at most. Threads `lanes() k … lanes() (k + 1) - 1` are
  //! a group.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index lanes() const {
    return lanes_of(self().machine().width());
  }
  //! A scan over each group's lanes: a thread's `upto[i]` becomes `op` over the values of its
  //! group's lanes up to its own, in their order, and `before[i]` the same over the lanes before
  //! it. A group's first lane keeps its `before[i]`. With N > 1 the `upto(i, 0)` of all lanes
  //! precede their `upto(i, 1)`, and so on. A kernel uses shuffles; free of cost, as registers are.
  template <index N = 1, class Registers, class Operator>
  requires(!Whole && hierarchical_machine<M>)
  MMM_HOST_DEVICE constexpr void scan_lanes(Registers const& upto, Registers const& before,
                                            Operator const& op) const {
    self().template run_scan_lanes<N>(upto, before, op);
  }
  //! A reduction over each group's lanes, among the first n threads: `r[i]` of the group's first
  //! thread becomes `op` over those of the group's threads, in their order. The other registers
  //! keep their values. A kernel uses shuffles; free of cost.
  template <class Registers, class Operator>
  requires(!Whole && hierarchical_machine<M>)
  MMM_HOST_DEVICE constexpr void fold_lanes(Registers const& r, index n, Operator const& op) const {
    self().run_fold_lanes(r, n, op);
  }

  //! Ranks of equal digits, in order: the lanes of every group, in their order, for k = 0 … N - 1
  //! one after the other, do `use(i, k, c[digit(i, k)]++)`. Here c are 2^Bits counters of the
  //! group's own in the shared memory: `counters[2^Bits g …]` for group g. No barrier. A kernel's
  //! lanes with the same digit find each other by votes. Cost: for each k an atomic update of the
  //! counters, by one of the lanes with the same digit, and what `use` accesses.
  template <int Bits, index N, class Digit, class Counters, class Use>
  requires(!Whole && hierarchical_machine<M>)
  MMM_HOST_DEVICE constexpr void count_in_order(Digit const& digit, Counters counters,
                                                Use const& use) const {
    self().template run_count_in_order<Bits, N>(digit, counters, use);
  }

  //! Calls `body(block, k)` on DMMs k = 0 … count - 1 at the same time. `block` is the handle of a
  //! DMM's threads and its shared memory, which is released at the end. A machine-wide barrier
  //! follows. Errors: std::invalid_argument if the machine has fewer DMMs.
  template <class Body>
  requires Whole
  MMM_HOST_DEVICE constexpr void each_dmm(index count, Body&& body) const {
    if constexpr (Derived::refuses)
      if (count < 0 || count > self().dmms())
        reject("the number of DMMs to use", count, "0 to the machine's DMMs");
    self().run_dmms(count, body);
  }
  //! Calls `body(block, k)` on all DMMs of the machine, as each_dmm(dmms(), body).
  template <class Body>
  requires Whole
  MMM_HOST_DEVICE constexpr void each_dmm(Body&& body) const {
    self().run_dmms(self().dmms(), body);
  }
  //! Calls `body(block, tile)` for tiles first … first + count - 1, assigned to the DMMs
  //! round-robin: DMM k % d handles tile k, and all DMMs work at the same time. Several calls with
  //! consecutive numbers thus assign their tiles as one call would. A tile's shared memory is
  //! released at its end, without a barrier: a body has to end in a barrier if other threads' late
  //! use of shared memory would do harm. A machine-wide barrier follows the last tile, or none with
  //! mmm::no_barrier. Errors: std::invalid_argument if a number is negative.
  template <class Body, barrier_choice End = barrier_follows>
  requires Whole
  MMM_HOST_DEVICE constexpr void each_tile(index first, index count, Body&& body, End = {}) const {
    demand_tiles(first, count);
    self().run_tiles(every_dmm{{0, self().dmms()}}, first, count, body,
                     same_as<End, barrier_follows>);
  }
  //! Calls `body(block, tile)` for tiles as each_tile, on some of the DMMs only, so that the others
  //! are free for other work. Errors: std::invalid_argument if the range is empty, or if the
  //! machine does not have all its DMMs.
  template <class Body, barrier_choice End = barrier_follows>
  requires Whole
  MMM_HOST_DEVICE constexpr void each_tile_on(dmm_range const& dmms, index first, index count,
                                              Body&& body, End = {}) const {
    demand_tiles(first, count);
    if constexpr (Derived::refuses) {
      if (dmms.first < 0) reject("the first DMM to use", dmms.first, "0 or more");
      if (dmms.count < 1 || dmms.count > self().dmms() - dmms.first)
        reject("the number of DMMs to use", dmms.count,
               "1 to the machine's DMMs from the first on");
    }
    self().run_tiles(dmms, first, count, body, same_as<End, barrier_follows>);
  }
  //! Phases 0 … count - 1, one after the other: phase k calls the body with number `k % N` of N
  //! bodies, as `body(k)`, which ends in a machine-wide barrier. A CUDA launch makes each phase a
  //! kernel, with the code, registers and blocks of its body alone: body j is number `First + j` of
  //! the program's `phase_kernels`. Such a program accesses memory in its phases only, and changes
  //! its arguments in their place. Errors: std::invalid_argument if the count is negative.
  template <int First, class... Bodies>
  requires Whole
  MMM_HOST_DEVICE constexpr void each_phase(index count, Bodies const&... bodies) const {
    demand_trips(count);
    self().template run_phases<First>(count, bodies...);
  }
  //! Only the first DMM works from here to the end of the program; it sees the results of all DMMs.
  //! Free of cost, as a machine-wide barrier is. A kernel has no grid barrier for it: each
  //! block adds one to a counter in the global memory; the last block to do so becomes the first
  //! DMM, and the others end.
  MMM_HOST_DEVICE constexpr void first_alone() const
  requires Whole
  {
    self().run_first_alone();
  }
  //! The state of a look-back over tiles 0 … tiles - 1, or of a publish_sums of so many numbers of
  //! type T in all: one word for each in the global memory.
  template <class T>
  requires Whole
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto look_back_state(index tiles) const {
    demand_tiles(0, tiles);
    return self().template make_look_back_state<T>(tiles);
  }

  //! The words of publish_sums for integers of up to 62 bits: one for each tile and number in the
  //! global memory; n words in all. They must be 0 before the first tile publishes its numbers: the
  //! caller writes `sums[j] = 0`, and a machine-wide barrier follows.
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto tile_sums(index n) const
  requires Whole
  {
    demand_tiles(0, n);
    return self().make_tile_sums(n);
  }

  // Default primitives, for a back end without its own.
  template <class Body>
  MMM_HOST_DEVICE constexpr void run_loop(index count, Body& body) const {
    for (index k = 0; k < count; ++k) body(k);
  }
  template <index Max, class Body>
  MMM_HOST_DEVICE constexpr void run_unrolled(index count, Body& body) const {
    self().run_loop(count, body);
  }
  template <class Body>
  MMM_HOST_DEVICE constexpr void run_diagonals(index first, index last, Body& body) const {
    for (index r = first; r < last; ++r) body(r);
  }
  template <index, class Registers, class Operator>
  MMM_HOST_DEVICE constexpr void run_scan_lanes(Registers const&, Registers const&,
                                                Operator const&) const {}
  template <class Registers, class Operator>
  MMM_HOST_DEVICE constexpr void run_fold_lanes(Registers const&, index, Operator const&) const {}
  MMM_HOST_DEVICE constexpr void at_line(source_line const&) const {}
  MMM_HOST_DEVICE constexpr void run_barrier() const {
    self().run_items(item_range{0}, any_body{}, true);
  }
  MMM_HOST_DEVICE constexpr void run_first_alone() const {}
  template <int First, class... Bodies>
  MMM_HOST_DEVICE constexpr void run_phases(index count, Bodies const&... bodies) const {
    for (index k = 0; k < count; ++k) call_in_turn(k, bodies...);
  }
  template <class State, class Tile, class Word, class Operator>
  constexpr void run_look_back(State state, Tile tile, Word word, Operator op) const {
    look_back_step{}(self(), state, tile, word, op);
  }
  template <class Sums, class Tile, class Numbers>
  constexpr void run_publish_sums(Sums sums, Tile tile, Numbers own, index n) const {
    publish_sums_step{}(self(), sums, tile, own, n);
  }
  template <class Sums, class Tile, class Numbers, class Results>
  constexpr void run_sums_before(Sums sums, Tile tile, Numbers own, Results before, index n,
                                 index) const {
    sums_before_step{}(self(), sums, tile, own, before, n);
  }

 protected:
  [[nodiscard]] MMM_HOST_DEVICE constexpr Derived const& self() const {
    return static_cast<Derived const&>(*this);
  }

 private:
  template <class Items, class Body>
  MMM_HOST_DEVICE constexpr void run(Items const& items, Body const& body, bool barrier,
                                     source_line const& line) const {
    if constexpr (Derived::refuses) static_cast<void>(checked_count(items));
    self().at_line(line);
    self().run_items(items, body, barrier);
  }
  MMM_HOST_DEVICE static constexpr void demand_trips([[maybe_unused]] index count) {
    if constexpr (Derived::refuses)
      if (count < 0) reject("the number of trips of a loop", count, "0 or more");
  }
  MMM_HOST_DEVICE static constexpr void demand_tiles([[maybe_unused]] index first,
                                                     [[maybe_unused]] index count) {
    if constexpr (Derived::refuses) {
      if (first < 0) reject("the number of the first tile", first, "0 or more");
      if (count < 0) reject("the number of tiles", count, "0 or more");
    }
  }
};

}  // namespace detail

//! A handle for the threads of one memory; see the laws above.
template <class H>
concept thread_handle =
    machine<typename H::machine_type> && requires(H const& on, index n, detail::any_body body) {
      { on.machine() } -> detail::convertible_to<typename H::machine_type>;
      { on.threads() } -> detail::same_as<index>;
      on.each(n, body);
      on.each(n, body, no_barrier);
      on.each_thread(body);
      on.each_thread(body, no_barrier);
      on.barrier();
      on.each(n, n, body);
      on.each(trapezoid{n, n, n}, body);
      on.each(thread_items<1>{n, n}, body);
      on.repeat(n, body);
      on.diagonals(n, n, body);
      on.template repeat<4>(n, body);
      on.template allocate<float>(n);
      on.template registers<float>();
      on.template registers<float, 4>();
      on.template registers<float>(thread_items<1>{n, n});
    };

//! A handle for the threads of all DMMs of a hierarchical machine, and their global memory.
template <class H>
concept machine_handle = thread_handle<H> && hierarchical_machine<typename H::machine_type> &&
                         requires(H const& on, index n, detail::any_body body) {
                           { on.dmms() } -> detail::same_as<index>;
                           { on.threads_per_dmm() } -> detail::same_as<index>;
                           on.each_dmm(body);
                           on.each_dmm(n, body);
                           on.each_tile(n, n, body);
                           on.each_tile(n, n, body, no_barrier);
                           on.each_tile_on(dmm_range{n, n}, n, n, body);
                           on.each_tile_on(dmm_range{n, n}, n, n, body, no_barrier);
                           on.template look_back_state<float>(n);
                           on.template each_phase<0>(n, body);
                           on.first_alone();
                         };

}  // namespace mmm
MMM_BODIES_END
