// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/kept_items.hpp>
#include <mmm/execution/kernel/look_back.hpp>
#include <mmm/execution/kernel/memory.hpp>
#include <mmm/execution/kernel/registers.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/index/trapezoid.hpp>
#include <mmm/machine/machine.hpp>

#include <cstddef>
#include <cstdint>

//! The interpretation of a program by the threads of a kernel: every thread runs the whole program,
//! takes its own items of every parallel-for, and waits at the barriers. The same code is a CUDA
//! kernel and runs on host threads; a `Team` tells a thread who it is and where its memory is:
//!   index thread(), block()         its number in its block, its block's number
//!   void block_barrier(), grid_barrier()
//!   void look_back(…)               lets a block's threads know the totals of the tiles before
//!   void forget(x, …)               keeps the compiler from knowing what numbers are
//!   std::byte* shared(), scratch()  the block's shared memory; the program's global memory
MMM_BODIES_BEGIN
namespace mmm {

//! The threads of a kernel: `blocks` of `block_threads` each, of which the first `threads` take
//! part.
struct launch_shape {
  index blocks;
  index block_threads;
  index threads;
  friend constexpr bool operator==(launch_shape const&, launch_shape const&) = default;
};

namespace detail {

//! Items `first, first + step, …` below `items` of rows of `columns` items: no division but the
//! first ones.
template <class Body>
MMM_HOST_DEVICE constexpr void each_place(index first, index step, index rows, index columns,
                                          Body const& body) {
  if (columns == 0) return;
  index const down = step / columns;
  index const right = step % columns;
  index column = first % columns;
  for (index row = first / columns; row < rows; row += down) {
    body(row, column);
    column += right;
    if (column >= columns) {
      column -= columns;
      ++row;
    }
  }
}

//! What the handles of a kernel's threads have in common. `Derived` has `threads()`; `first()`, its
//! first item; `before()` and `after()` a parallel-for.
template <class M, class Team, class Derived>
class kernel_threads {
 public:
  using machine_type = M;
  MMM_HOST_DEVICE kernel_threads(M const& m, launch_shape const& shape, Team& team)
      : machine_(m), shape_(shape), team_(team) {}

  [[nodiscard]] MMM_HOST_DEVICE M const& machine() const { return machine_; }
  template <class Body, barrier_choice... End>
  MMM_HOST_DEVICE void each(index n, Body const& body, End...) {
    self().before();
    each_item(n, body);
    self().after(sizeof...(End) == 0);
  }
  template <class Body, barrier_choice... End>
  MMM_HOST_DEVICE void each(index rows, index columns, Body const& body, End...) {
    self().before();
    each_place(self().first(), self().threads(), rows, columns, body);
    self().after(sizeof...(End) == 0);
  }
  template <class Body, barrier_choice... End>
  MMM_HOST_DEVICE void each(trapezoid const& shape, Body const& body, End...) {
    self().before();
    each_item(shape.items_before(shape.rows_in_use()), [&](index i) MMM_INLINED {
      trapezoid::place const place = shape.at(i);
      body(place.row, place.column);
    });
    self().after(sizeof...(End) == 0);
  }
  //! Unrolled, as a register's number must be known when the kernel is compiled. Where an item is,
  //! is found anew in each parallel-for: to remember it would take more registers than what is
  //! kept.
  template <index Most, class Body, barrier_choice... End>
  MMM_HOST_DEVICE void each(kept_items<Most> const& items, Body const& body, End...) {
    self().before();
    if (self().first() < items.count()) {
      auto const first = static_cast<std::uint32_t>(self().first());
      auto const step = static_cast<std::uint32_t>(self().threads());
      auto const columns = static_cast<std::uint32_t>(items.columns);
      std::uint32_t const down = step / columns;
      std::uint32_t const right = step % columns;
      std::uint32_t row = first / columns;
      std::uint32_t column = first % columns;
      std::uint32_t count = (static_cast<std::uint32_t>(items.count()) - 1 - first) / step + 1;
      team_.forget(row, column, count);
      unroll<Most>([&](index own) {
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
    self().after(sizeof...(End) == 0);
  }
  template <class Body>
  MMM_HOST_DEVICE void repeat(index count, Body const& body) const {
    for (index k = 0; k < count; ++k) body(k);
  }
  //! The same, unrolled.
  template <index Most, class Body>
  MMM_HOST_DEVICE void repeat(index count, Body const& body) const {
    unroll<Most>([&](index k) {
      if (k < count) body(k);
    });
  }
  template <class T, index N = 1>
  [[nodiscard]] MMM_HOST_DEVICE kernel_registers<T, N> registers() {
    return kernel_registers<T, N>(registers_);
  }
  template <class T, index Most>
  [[nodiscard]] MMM_HOST_DEVICE kernel_item_registers<T, Most> registers(kept_items<Most> const&) {
    return kernel_item_registers<T, Most>(registers_);
  }
  //! Every thread's register to `sums`.
  template <class Registers, class Array>
  MMM_HOST_DEVICE void keep(Registers const& r, Array sums) {
    each(self().threads(), [=](auto i) { sums[i] = r[i]; });
  }

 protected:
  M machine_;
  launch_shape shape_;
  Team& team_;
  register_file registers_;

 private:
  MMM_HOST_DEVICE Derived& self() { return static_cast<Derived&>(*this); }

  //! The thread's items below n. Not unrolled: lanes of a warp that have an item fewer than others
  //! would come apart from them, and make requests of their own. What is to be under way at once, a
  //! body says itself (make_vec).
  template <class Body>
  MMM_HOST_DEVICE void each_item(index n, Body const& body) {
#ifdef __CUDACC__
#pragma unroll 1
#endif
    for (index i = self().first(), step = self().threads(); i < n; i += step) body(i);
  }
};

//! The handle of one DMM's threads inside each_dmm, and of a DMM that is the whole machine.
template <class M, class Team>
class kernel_block : public kernel_threads<M, Team, kernel_block<M, Team>> {
 public:
  MMM_HOST_DEVICE kernel_block(M const& m, launch_shape const& shape, Team& team)
      : kernel_block::kernel_threads(m, shape, team), shared_{team.shared()} {}

  [[nodiscard]] MMM_HOST_DEVICE index threads() const { return this->shape_.block_threads; }
  template <class T>
  [[nodiscard]] MMM_HOST_DEVICE kernel_array<T, true> allocate(index n) {
    return kernel_array<T, true>(shared_.template take<T>(n));
  }

  template <class State, class Word, class Operator>
  MMM_HOST_DEVICE void look_back(State state, index tile, Word word, Operator op) {
    this->team_.look_back(state, tile, word, op);
    this->team_.block_barrier();
  }

  // A DMM alone: arguments come to the shared memory and go back from there.
  template <class Argument>
  [[nodiscard]] MMM_HOST_DEVICE auto bring(Argument const& x) {
    auto a = allocate<typename Argument::value_type>(x.words);
    copy_in(*this, x, a);
    return a;
  }
  template <class Argument, class Array>
  MMM_HOST_DEVICE void deliver(Argument const& x, Array a) {
    copy_out(*this, x, a);
  }

  MMM_HOST_DEVICE index first() const { return this->team_.thread(); }
  MMM_HOST_DEVICE void before() const {}
  MMM_HOST_DEVICE void after(bool barrier) {
    if (barrier) this->team_.block_barrier();
  }

 private:
  bump_allocator shared_;
};

//! The handle of all threads of a grid, between barriers of the whole grid. The last phase ends
//! with the kernel: a barrier waits for another phase to begin.
template <class M, class Team>
class kernel_grid : public kernel_threads<M, Team, kernel_grid<M, Team>> {
 public:
  MMM_HOST_DEVICE kernel_grid(M const& m, launch_shape const& shape, Team& team)
      : kernel_grid::kernel_threads(m, shape, team), scratch_{team.scratch()} {}

  [[nodiscard]] MMM_HOST_DEVICE index threads() const { return this->shape_.threads; }
  [[nodiscard]] MMM_HOST_DEVICE index dmms() const { return this->shape_.blocks; }
  [[nodiscard]] MMM_HOST_DEVICE index threads_per_dmm() const { return this->shape_.block_threads; }
  template <class T>
  [[nodiscard]] MMM_HOST_DEVICE kernel_array<T, true> allocate(index n) {
    return kernel_array<T, true>(scratch_.template take<T>(n));
  }

  template <class F>
  MMM_HOST_DEVICE void each_dmm(index count, F const& f) {
    before();
    if (this->team_.block() < count) {
      kernel_block<M, Team> block(this->machine_, this->shape_, this->team_);
      f(block, this->team_.block());
    }
    after(true);
  }
  template <class F>
  MMM_HOST_DEVICE void each_dmm(F const& f) {
    each_dmm(dmms(), f);
  }
  //! Each block does its tiles in their order; where they look back all blocks run at once, so that
  //! the tiles before one are done or being done.
  template <class F, barrier_choice... End>
  MMM_HOST_DEVICE void each_tile(index first, index count, F const& f, End...) {
    before();
    for (index tile = this->team_.block(); tile < count; tile += this->shape_.blocks) {
      kernel_block<M, Team> block(this->machine_, this->shape_, this->team_);
      f(block, first + tile);
    }
    after(sizeof...(End) == 0);
  }
  template <class T>
  [[nodiscard]] MMM_HOST_DEVICE look_back_states<T> look_back_state(index tiles) {
    look_back_states<T> states(scratch_, tiles);
    this->each(tiles, [=](auto i) { states.clear(i); });
    return states;
  }

  template <class Argument>
  [[nodiscard]] MMM_HOST_DEVICE auto bring(Argument const& x) {
    using value = typename Argument::value_type;
    if constexpr (Argument::use == argument_use::read) {
      return kernel_source<value>(x.in);
    } else if constexpr (Argument::use == argument_use::write) {
      return kernel_target<value>(x.out);
    } else if constexpr (changed_where_it_is<Argument>) {
      auto a = kernel_target<value>(x.out);
      if (!x.in_place) copy_in(*this, x, a);
      return a;
    } else {
      auto a = allocate<value>(x.words);
      copy_in(*this, x, a);
      return a;
    }
  }
  template <class Argument, class Array>
  MMM_HOST_DEVICE void deliver(Argument const& x, Array const& a) {
    if constexpr (Argument::use == argument_use::update && !changed_where_it_is<Argument>)
      copy_out(*this, x, a);
  }

  MMM_HOST_DEVICE index first() const {
    index const thread = this->team_.block() * this->shape_.block_threads + this->team_.thread();
    return thread < this->shape_.threads ? thread : INT64_MAX;
  }
  MMM_HOST_DEVICE void before() {
    if (barrier_due_) this->team_.grid_barrier();
    barrier_due_ = false;
  }
  MMM_HOST_DEVICE void after(bool barrier) { barrier_due_ = barrier; }

 private:
  bump_allocator scratch_;
  bool barrier_due_ = false;
};

//! `f(on)` with the handle of one thread of a kernel, each of which does so.
template <class M, class Team, class F>
MMM_HOST_DEVICE inline void with_handle(M const& m, launch_shape const& shape, Team& team,
                                        F const& f) {
  if constexpr (is_one_dmm<M>) {
    kernel_block<M, Team> on(m, shape, team);
    f(on);
  } else {
    kernel_grid<M, Team> on(m, shape, team);
    f(on);
  }
}

//! A program run by one thread of a kernel, of which every thread runs it.
template <class M, class Team, class Program, class... Arguments>
MMM_HOST_DEVICE inline void run_thread(M const& m, launch_shape const& shape, Team& team,
                                       Program const& program, Arguments const&... arguments) {
  with_handle(m, shape, team, [&](auto& on) { run_here(on, program, arguments...); });
}

//! The same for a program that returns an array: its first word goes to `*result`.
template <class Value, class M, class Team, class Program, class... Arguments>
MMM_HOST_DEVICE inline void run_thread_for_value(M const& m, launch_shape const& shape, Team& team,
                                                 Value* result, Program const& program,
                                                 Arguments const&... arguments) {
  with_handle(m, shape, team, [&](auto& on) {
    auto const keep = [&](auto array) {
      on.before();
      if (team.block() == 0 && team.thread() == 0) *result = static_cast<Value>(array[0]);
    };
    use_here(on, keep, program, arguments...);
  });
}

}  // namespace detail
}  // namespace mmm
MMM_BODIES_END
