// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/copy_async.hpp>
#include <mmm/execution/handle.hpp>
#include <mmm/execution/kernel/cluster.hpp>
#include <mmm/execution/kernel/launch_shape.hpp>
#include <mmm/execution/kernel/look_back.hpp>
#include <mmm/execution/kernel/memory.hpp>
#include <mmm/execution/kernel/places.hpp>
#include <mmm/execution/kernel/registers.hpp>
#include <mmm/execution/phase.hpp>
#include <mmm/execution/thread_items.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/index/trapezoid.hpp>
#include <mmm/machine/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

//! The back end of kernels: every thread runs the whole program, takes its own items of every
//! parallel-for, and waits at the barriers. The same code is a CUDA kernel, runs on host threads
//! and plans a kernel's memory. A `Team` knows a thread's number and the place of its memory:
//!   static constexpr bool refuses, plans   whether it can throw; whether it runs no body
//!   using memory, register_file       give out arrays and registers: take<T>(n), take<T, N>()
//!   shared(), scratch()               the begin of the block's shared memory, and of the program's
//!                                     global memory
//!   index thread(), block()           the thread's number in its block, and its block's number
//!   index thread_anew()               thread(), from which the compiler computes all values again:
//!                                     holding them may take more registers
//!   void block_barrier(), grid_barrier()
//!   index blocks_for(tiles, blocks)   the number of blocks that share so many tiles
//!   void look_back(…)                 inspects the totals of the tiles before the block's tile
//!   void publish(word, x), inspect(word)   writes and reads a word of 8 bytes for other blocks, in
//!                                     one piece; a plan has wait_for_tiles() instead
//!   void scan_lanes<Lanes, N>(upto, before, threads, op)   N registers of each
//!   void fold_lanes<Lanes>(r, n, op)  a register of each thread
//!   void count_in_order<Lanes, Bits, N>(digit, counters, threads, use)   digit(k), use(k, rank)
//!   static constexpr int kernel       the number of a phase's kernel, with index phase(); or
//!                                     every_kernel, with in_phase(kernel, phase, body)
//!   void use_clusters(size), cluster_barrier()   of the blocks of a cluster; the first waits, too
//!   peers()                           finds words of other blocks of the cluster: at(first, rank)
//!   void first_alone()                waits for all blocks as the first one, or leaves the grid;
//!                                     block() may be another one
//!   void load_fragments<Order, N>(r, rows, n, place), multiply_lanes<Shape, M, N>(c, a, b, n)
//!   void commit_copies(), await_copies<Latest>()   its own asynchronous copies (copy_async)
//!   void begin_transactions(word), await_bulk(word), bool copy_bulk(word, target, source, n)
//!   void forget(x, …)                 hides the values of numbers from the compiler
MMM_BODIES_BEGIN
namespace mmm {

namespace detail {

//! The number of a kernel that has all phases of a program.
inline constexpr int every_kernel = -1;

//! The members that all handles of a kernel's threads share. `Derived` has `threads()`; `first()`,
//! the thread's first item; and `before()` and `after()`, which run around a parallel-for.
template <class M, class Team, class Derived, bool Whole>
class kernel_threads : public vocabulary<Derived, M, Whole> {
 public:
  static constexpr bool refuses = Team::refuses;
  template <class Memory>
  MMM_HOST_DEVICE kernel_threads(M const& m, launch_shape const& shape, Team& team, Memory memory)
      : machine_(m), shape_(shape), team_(team), memory_(memory) {}

  [[nodiscard]] MMM_HOST_DEVICE M const& machine() const { return machine_; }
  template <class Items, class Body>
  MMM_HOST_DEVICE void run_items(Items const& items, Body const& body, bool barrier) const {
    demand_thread_items(items);
    this->self().before();
    if constexpr (!Team::plans) walk(items, body);
    this->self().after(barrier);
  }
  //! A loop; a plan runs two trips of it: the second one finds out whether trips wait for each
  //! other, and stands for all after it.
  template <class Body>
  MMM_HOST_DEVICE void run_loop(index count, Body& body) const {
    if constexpr (Team::plans) {
      if (count > 0) body(index{0});
      if (count <= 1) return;
      if (count > 2) this->self().any_blocks();
      auto const memory = memory_;
      auto const file = registers_;
      body(index{1});
      memory_.repeat_since(memory, count - 1);
      registers_.repeat_since(file, count - 1);
    } else {
      for (index k = 0; k < count; ++k) body(k);
    }
  }
  template <index Max, class Body>
  MMM_HOST_DEVICE void run_unrolled(index count, Body& body) const {
    if constexpr (Team::plans)
      run_loop(count, body);
    else
      unroll<Max>([&](index k) {
        if (k < count) body(k);
      });
  }
  template <class T>
  [[nodiscard]] MMM_HOST_DEVICE kernel_array<T, true> make_array(index n) const {
    demand_copyable<T>();
    return kernel_array<T, true>(memory_.template take<T>(n));
  }
  template <class T, index N>
  [[nodiscard]] MMM_HOST_DEVICE kernel_registers<T, N> make_registers() const {
    demand_copyable<T>();
    return kernel_registers<T, N>(registers_.template take<T, N>());
  }
  template <class T, index Max>
  [[nodiscard]] MMM_HOST_DEVICE kernel_item_registers<T, Max> make_registers(
      thread_items<Max> const& items) const {
    demand_copyable<T>();
    demand_thread_items(items);
    return kernel_item_registers<T, Max>(registers_.template take<T, Max>());
  }
  //! Copies the first n words of an array, or the first registers of the first n threads, to
  //! `results`.
  template <class From, class Results>
  MMM_HOST_DEVICE void run_keep(From const& source, Results results, index n) const {
    this->each(n, [=](auto i) { results[i] = source[i]; }, no_barrier);
  }

 protected:
  template <class T>
  MMM_HOST_DEVICE static constexpr void demand_copyable() {
    static_assert(std::is_trivially_copyable_v<T>, "mmm: a kernel's values are trivially copyable");
  }
  M machine_;
  launch_shape shape_;
  Team& team_;
  mutable typename Team::memory memory_;
  mutable typename Team::register_file registers_{};

 private:
  template <class Items>
  MMM_HOST_DEVICE void demand_thread_items(Items const&) const {}
  //! Checks the items with registers: a thread has a register for each of its items, and their
  //! numbers have 32 bits.
  template <index Max>
  MMM_HOST_DEVICE void demand_thread_items([[maybe_unused]] thread_items<Max> const& items) const {
    if constexpr (Team::refuses) {
      index const n = items.count();
      if (n > INT32_MAX) reject_length("items of which threads keep something", n, INT32_MAX);
      index const own = ceil_divide(n, this->self().threads());
      if (own > Max)
        reject_length("items of a thread that keeps something of them in registers", own, Max);
    }
  }

  //! Runs the body for the thread's items. The loop is not unrolled: lanes with one item fewer than
  //! others would leave the warp's common path and make requests of their own. A body chooses
  //! itself which loads are in flight at once (make_vec).
  template <class Body>
  MMM_HOST_DEVICE void walk(item_range const& items, Body const& body) const {
#ifdef __CUDACC__
#pragma unroll 1
#endif
    for (index i = this->self().first(), step = this->self().threads(); i < items.n; i += step)
      body(i);
  }
  //! Runs the body for the thread's only item. Without a loop the compiler does not merge the
  //! body's assignments with earlier values.
  template <class Body>
  MMM_HOST_DEVICE void walk(item_of_each_thread const&, Body const& body) const {
    this->self().at_own_item(body);
  }
  template <class Body>
  MMM_HOST_DEVICE void walk(item_grid const& items, Body const& body) const {
    each_place(this->self().first(), this->self().threads(), items.rows, items.columns, body);
  }
  template <class Body>
  MMM_HOST_DEVICE void walk(trapezoid const& shape, Body const& body) const {
    walk(item_range{shape.items_before(shape.rows_in_use())}, [&](index i) MMM_INLINED {
      trapezoid::place const place = shape.at(i);
      body(place.row, place.column);
    });
  }
  //! Runs the body for the thread's items with registers. The loop is unrolled, as a register's
  //! number must be known when the kernel is compiled. Each parallel-for computes an item's row and
  //! column again: holding them would take more registers than the values do.
  template <index Max, class Body>
  MMM_HOST_DEVICE void walk(thread_items<Max> const& items, Body const& body) const {
    if (this->self().first() >= items.count()) return;
    auto const first = static_cast<std::uint32_t>(this->self().first());
    auto const step = static_cast<std::uint32_t>(this->self().threads());
    auto const columns = static_cast<std::uint32_t>(items.columns);
    std::uint32_t const down = step / columns;
    std::uint32_t const right = step % columns;
    std::uint32_t row = first / columns;
    std::uint32_t column = first % columns;
    std::uint32_t count = (static_cast<std::uint32_t>(items.count()) - 1 - first) / step + 1;
    team_.forget(row, column, count);
    unroll<Max>([&](index own) {
      if (static_cast<std::uint32_t>(own) >= count) return;
      body(index{row}, index{column}, own);
      row += down;
      column += right;
      if (column >= columns) {
        column -= columns;
        ++row;
      }
    });
  }
};

//! The handle of one DMM's threads inside each_dmm, and of a DMM that is the whole machine.
template <class M, class Team>
class kernel_block : public kernel_threads<M, Team, kernel_block<M, Team>, false> {
 public:
  MMM_HOST_DEVICE kernel_block(M const& m, launch_shape const& shape, Team& team)
      : kernel_block::kernel_threads(m, shape, team, team.shared()) {}
  //! \param memory the part of the shared memory that the block's cluster has not taken.
  MMM_HOST_DEVICE kernel_block(M const& m, launch_shape const& shape, Team& team,
                               typename Team::memory const& memory)
      : kernel_block::kernel_threads(m, shape, team, memory) {}

  static constexpr index max_threads = 1024;
  [[nodiscard]] MMM_HOST_DEVICE index threads() const { return this->shape_.block_threads; }
  [[nodiscard]] MMM_HOST_DEVICE Team& team() const { return this->team_; }
  template <class State, class Word, class Operator>
  MMM_HOST_DEVICE void run_look_back(State state, index tile, Word word, Operator op) const {
    this->team_.look_back(state, tile, word, op);
    this->team_.block_barrier();
  }

  template <class Sums, class Numbers>
  MMM_HOST_DEVICE void run_publish_sums(Sums sums, index tile, Numbers own, index n) const {
    if constexpr (!Team::plans)
      publish_numbers(this->team_, sums, tile, own, n, first(), threads());
  }
  template <class Sums, class Numbers, class Results>
  MMM_HOST_DEVICE void run_sums_before(Sums sums, index tile, Numbers own, Results before, index n,
                                       index) const {
    if constexpr (Team::plans)
      this->team_.wait_for_tiles();
    else
      sum_numbers_before(this->team_, sums, tile, own, before, n, first(), threads());
  }
  template <int Bits, index N, class Digit, class Counters, class Use>
  MMM_HOST_DEVICE void run_count_in_order(Digit const& digit, Counters counters,
                                          Use const& use) const {
    if constexpr (!Team::plans) {
      index const i = first();
      this->team_.template count_in_order<lanes_of(M::width()), Bits, N>(
          [&](auto k) MMM_INLINED { return digit(i, k); }, counters.data(), threads(),
          [&](auto k, auto rank) MMM_INLINED { use(i, k, rank); });
    }
  }

  template <index N, class Registers, class Operator>
  MMM_HOST_DEVICE void run_scan_lanes(Registers const& upto, Registers const& before,
                                      Operator const& op) const {
    if constexpr (!Team::plans)
      this->team_.template scan_lanes<lanes_of(M::width()), N>(&upto(0, 0), &before(0, 0),
                                                               threads(), op);
  }
  template <class Registers, class Operator>
  MMM_HOST_DEVICE void run_fold_lanes(Registers const& r, index n, Operator const& op) const {
    this->team_.template fold_lanes<lanes_of(M::width())>(r[0], n, op);
  }
  MMM_HOST_DEVICE void run_commit_copies() const { this->team_.commit_copies(); }
  template <index Latest>
  MMM_HOST_DEVICE void run_await_copies() const {
    this->team_.template await_copies<Latest>();
  }

  template <class Word>
  [[nodiscard]] MMM_HOST_DEVICE Word make_transaction_barrier(Word word) const {
    this->team_.begin_transactions(word.data());
    this->team_.block_barrier();
    return word;
  }
  template <class Word, class To, class From>
  MMM_HOST_DEVICE void run_copy_bulk(Word barrier, To target, From source, index n) const {
    if constexpr (requires { source.data() == target.data(); })
      if (this->team_.copy_bulk(barrier.data(), target.data(), source.data(), n)) return;
    this->each(n, [=](auto i) { copy_async(target[i], source[i]); }, no_barrier);
  }
  template <class Word>
  MMM_HOST_DEVICE void run_await_bulk(Word barrier) const {
    this->team_.await_bulk(barrier.data());
  }

  // A DMM that is the whole machine: arguments are copied to the shared memory and back.
  template <class Argument>
  [[nodiscard]] MMM_HOST_DEVICE auto bring(Argument const& x) const {
    using value = typename Argument::value_type;
    if constexpr (Argument::use == argument_use::result) {
      return kernel_target<value>(x.out);
    } else {
      auto a = this->template allocate<value>(x.words);
      copy_in(*this, x, a);
      if constexpr (Argument::use == argument_use::read)
        return kernel_array<value const, true>(a.data());
      else
        return a;
    }
  }
  template <class Argument, class Array>
  MMM_HOST_DEVICE void deliver(Argument const& x, Array a) const {
    copy_out(*this, x, a);
  }

  MMM_HOST_DEVICE index first() const { return this->team_.thread(); }
  template <class Body>
  MMM_HOST_DEVICE void at_own_item(Body const& body) const {
    body(this->team_.thread_anew());
  }
  MMM_HOST_DEVICE void any_blocks() const {}
  MMM_HOST_DEVICE void before() const {}
  MMM_HOST_DEVICE void after(bool barrier) const {
    if (barrier) this->team_.block_barrier();
  }
};

//! The handle of all threads of a grid, between barriers of the whole grid. The kernel's end also
//! ends the last phase, so a barrier is delayed until another phase begins.
template <class M, class Team>
class kernel_grid : public kernel_threads<M, Team, kernel_grid<M, Team>, hierarchical_machine<M>> {
 public:
  MMM_HOST_DEVICE kernel_grid(M const& m, launch_shape const& shape, Team& team)
      : kernel_grid::kernel_threads(m, shape, team, team.scratch()) {}

  [[nodiscard]] MMM_HOST_DEVICE index threads() const { return this->shape_.threads; }
  [[nodiscard]] MMM_HOST_DEVICE index dmms() const
  requires hierarchical_machine<M>
  {
    return this->shape_.blocks;
  }
  [[nodiscard]] MMM_HOST_DEVICE index threads_per_dmm() const
  requires hierarchical_machine<M>
  {
    return this->shape_.block_threads;
  }

  template <class Items, class Body>
  MMM_HOST_DEVICE void run_items(Items const& items, Body const& body, bool barrier) const {
    if constexpr (Team::plans) {
      index const n = checked_count(items);
      demand_first(n > this->shape_.block_threads);
      use_blocks(ceil_divide(n, this->shape_.block_threads));
    }
    kernel_grid::kernel_threads::run_items(items, body, barrier);
  }
  MMM_HOST_DEVICE void run_first_alone() const {
    this->team_.first_alone();
    barrier_due_ = false;
    alone_ = true;
  }
  //! A kernel of one phase runs its own body; a plan notes each phase's demands.
  template <int First, class... Bodies>
  MMM_HOST_DEVICE void run_phases(index count, Bodies const&... bodies) const {
    if constexpr (Team::kernel != every_kernel) {
      call_numbered<Team::kernel - First>(this->team_.phase(), bodies...);
    } else {
      for (index k = 0; k < count; ++k) {
        if constexpr (Team::plans) barrier_due_ = false;
        this->team_.in_phase(First + static_cast<int>(k % index{sizeof...(Bodies)}), k,
                             [&] { call_in_turn(k, bodies...); });
      }
    }
  }
  template <class Body>
  MMM_HOST_DEVICE void run_dmms(index count, Body& body) const {
    demand_first(count > 1);
    use_blocks(count);
    before();
    if (this->team_.block() < count) {
      kernel_block<M, Team> const block(this->machine_, this->shape_, this->team_);
      body(block, this->team_.block());
    }
    after(true);
  }
  template <class Body>
  MMM_HOST_DEVICE void run_clusters(index count, Body& body) const {
    index const size = this->machine_.cluster_size();
    demand_first(count * size > 1);
    use_blocks(count * size);
    before();
    this->team_.use_clusters(size);
    if (this->team_.block() / size < count) {
      kernel_cluster<M, Team> const cluster(this->machine_, this->shape_, this->team_);
      body(cluster, this->team_.block() / size);
    }
    after(true);
  }
  //! Each block handles its tiles in their order. Where tiles look back, all blocks run at once, so
  //! that every earlier tile is finished or in progress. In a plan one tile stands for all.
  template <class Range, class Body>
  MMM_HOST_DEVICE void run_tiles(Range const& dmms, index first, index count, Body& body,
                                 bool barrier) const {
    demand_first(count > 1 || (count > 0 && dmms.first + first % dmms.count > 0));
    if (count > 0) use_blocks(dmms.first + smaller(first + count, dmms.count));
    before();
    constexpr bool all = Team::plans || std::is_same_v<Range, every_dmm>;
    index const step =
        all ? this->team_.blocks_for(first + count, this->shape_.blocks) : dmms.count;
    index const own = Team::plans ? 0 : this->team_.block() - (all ? 0 : dmms.first);
    bool const takes_part = all || (own >= 0 && own < step);
    index const begin = Team::plans ? 0 : own - first % step + (own < first % step ? step : 0);
    for (index tile = takes_part ? begin : count; tile < count; tile += step) {
      kernel_block<M, Team> const block(this->machine_, this->shape_, this->team_);
      body(block, first + tile);
    }
    after(barrier);
  }
  template <class T>
  [[nodiscard]] MMM_HOST_DEVICE look_back_states<T> make_look_back_state(index tiles) const {
    this->template demand_copyable<T>();
    using state = typename look_back_states<T>::state;
    look_back_states<T> const states(this->memory_.template take<state>(tiles));
    this->each(tiles, [=](auto i) { states.clear(i); });
    return states;
  }

  [[nodiscard]] MMM_HOST_DEVICE kernel_array<index, true> make_tile_sums(index n) const {
    return this->template make_array<index>(n);
  }

  template <class Argument>
  [[nodiscard]] MMM_HOST_DEVICE auto bring(Argument const& x) const {
    using value = typename Argument::value_type;
    constexpr auto use = Argument::use;
    if constexpr (use == argument_use::read) {
      return kernel_source<value>(x.in);
    } else if constexpr (use == argument_use::write || use == argument_use::result) {
      return kernel_target<value>(x.out);
    } else if constexpr (changed_where_it_is<Argument>) {
      auto a = kernel_target<value>(x.out);
      if constexpr (Team::kernel == every_kernel)
        if (!x.in_place) copy_in(*this, x, a);
      return a;
    } else {
      auto a = this->template allocate<value>(x.words);
      copy_in(*this, x, a);
      return a;
    }
  }
  template <class Argument, class Array>
  MMM_HOST_DEVICE void deliver(Argument const& x, Array const& a) const {
    if constexpr (Argument::use == argument_use::update && !changed_where_it_is<Argument>)
      copy_out(*this, x, a);
  }

  template <class Body>
  MMM_HOST_DEVICE void at_own_item(Body const& body) const {
    index const own = first();
    if (own < this->shape_.threads) body(own);
  }
  MMM_HOST_DEVICE index first() const {
    index const thread = this->team_.block() * this->shape_.block_threads + this->team_.thread();
    return thread < this->shape_.threads ? thread : INT64_MAX;
  }
  //! Notes that all blocks may work: the trips of a loop that a plan skips may have more items than
  //! those that it runs.
  MMM_HOST_DEVICE void any_blocks() const { use_blocks(this->shape_.blocks); }
  //! Barriers before a parallel-for; once the first DMM works alone, its own barrier is enough.
  MMM_HOST_DEVICE void before() const {
    if (barrier_due_ && alone_) this->team_.block_barrier();
    if (barrier_due_ && !alone_) this->team_.grid_barrier();
    barrier_due_ = false;
  }
  MMM_HOST_DEVICE void after(bool barrier) const { barrier_due_ = barrier; }

 private:
  //! Notes in a plan how many blocks work; after first_alone it is one.
  MMM_HOST_DEVICE void use_blocks([[maybe_unused]] index blocks) const {
    if constexpr (Team::plans)
      this->team_.use_blocks(alone_ ? 1 : smaller(blocks, this->shape_.blocks));
  }
  MMM_HOST_DEVICE void demand_first([[maybe_unused]] bool others_too) const {
    if constexpr (Team::plans)
      if (alone_ && others_too) reject_others_than_first();
  }
  mutable bool barrier_due_ = false;
  mutable bool alone_ = false;
};

//! Runs a program on one thread of a kernel; every thread of the kernel calls this.
template <class M, class Team, class Program, class... Arguments>
MMM_HOST_DEVICE inline void run_thread(M const& m, launch_shape const& shape, Team& team,
                                       Program const& program, Arguments const&... arguments) {
  if constexpr (is_one_dmm<M>) {
    kernel_block<M, Team> const on(m, shape, team);
    run_here(on, program, arguments...);
  } else {
    kernel_grid<M, Team> const on(m, shape, team);
    run_here(on, program, arguments...);
  }
}

}  // namespace detail
}  // namespace mmm
MMM_BODIES_END
