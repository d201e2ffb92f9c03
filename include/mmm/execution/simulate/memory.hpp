// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/kept_items.hpp>
#include <mmm/execution/simulate/accounting.hpp>
#include <mmm/execution/simulate/arrays.hpp>
#include <mmm/execution/simulate/executor.hpp>
#include <mmm/execution/simulate/warp_recorder.hpp>
#include <mmm/index/trapezoid.hpp>
#include <mmm/index/warp_index.hpp>
#include <mmm/machine/machine.hpp>

#include <iterator>
#include <type_traits>

//! The simulation of a machine with one memory: PRAM, BPRAM, DMM, UMM.
namespace mmm {
namespace detail {

//! Rows and columns of a warp's items in a trapezoid: affine where the warp is within one row or
//! rows have one item.
template <int W, class Body>
void at_rows_and_columns(trapezoid const& shape, index items, warp_index<W> const& item,
                         Body const& body) {
  trapezoid::place place = shape.at(item.base());
  index const lanes = smaller(W, items - item.base());
  if (shape.length(0) == 1) return body(item, warp_index<W>(0, 0));
  if (place.column + lanes <= shape.length(place.row))
    return body(warp_index<W>(place.row, 0), warp_index<W>(place.column, 1));
  index row[W];
  index column[W];
  for (index t = 0; t < W; ++t) {
    row[t] = place.row;
    column[t] = place.column;
    if (t + 1 >= lanes) continue;  // lanes without an item stand at the last one
    place = place.column + 1 < shape.length(place.row)
                ? trapezoid::place{place.row, place.column + 1}
                : trapezoid::place{place.row + 1, 0};
  }
  body(warp_index<W>::by_lane([&](int t) { return row[t]; }),
       warp_index<W>::by_lane([&](int t) { return column[t]; }));
}

//! The part of a handle that all simulated threads have: parallel-fors, loops, memory, registers.
//! `Owner` runs parallel-fors, counts threads and holds arrays.
template <class Owner>
class simulated_threads {
 public:
  using machine_type = typename Owner::machine_type;
  using recorder_type = typename Owner::recorder_type;
  //! An iterator over simulated words of type T.
  template <class T>
  using iterator = traced_iterator<T, recorder_type>;

  explicit simulated_threads(Owner* owner) : owner_(owner) {}

  [[nodiscard]] machine_type const& machine() const { return owner_->machine(); }
  //! Threads that this handle's parallel-fors use.
  [[nodiscard]] index threads() const { return owner_->threads(); }

  //! Parallel-for over items 0 … n - 1: thread t handles t, t + p, …; a barrier follows.
  //! With mmm::no_barrier as the last argument, none does.
  //! std::invalid_argument if n is negative; std::logic_error inside another parallel-for's body.
  template <class Body, barrier_choice... End>
  void each(index n, Body&& body, End...) const {
    if (n < 0) reject("the number of items", n, "0 or more");
    owner_->each(n, body, sizeof...(End) == 0);
  }
  //! Parallel-for over the pairs (j, k) of rows and columns, row by row.
  template <class Body, barrier_choice... End>
  void each(index rows, index columns, Body&& body, End... end) const {
    if (rows < 0) reject("the number of rows", rows, "0 or more");
    if (columns < 0) reject("the number of columns", columns, "0 or more");
    each(
        checked_multiply(rows, columns), [&](auto const& i) { body(i / columns, i % columns); },
        end...);
  }
  //! Parallel-for over the pairs (row, column) of a trapezoid, row by row. Errors as above.
  template <class Body, barrier_choice... End>
  void each(trapezoid const& shape, Body&& body, End... end) const {
    if (shape.rows < 0) reject("the number of rows", shape.rows, "0 or more");
    if (shape.columns < 0) reject("the number of columns", shape.columns, "0 or more");
    index const items = shape.items();
    each(items, [&](auto const& i) { at_rows_and_columns(shape, items, i, body); }, end...);
  }
  //! Parallel-for over items with registers: `body(row, column, own)`, where `own` is what to ask
  //! the registers for.
  template <index Most, class Body, barrier_choice... End>
  void each(kept_items<Most> const& items, Body&& body, End... end) const {
    index const columns = items.columns;
    each(checked_count(items), [&](auto const& i) { body(i / columns, i % columns, i); }, end...);
  }
  //! `f(0), f(1), …, f(count - 1)`, one after the other. None for a count of 0 or less.
  template <class F>
  void repeat(index count, F&& f) const {
    for (index k = 0; k < count; ++k) f(k);
  }
  //! The same for up to `Most` trips, which a kernel unrolls. std::length_error for more.
  template <index Most, class F>
  void repeat(index count, F&& f) const {
    if (count > Most) reject_length("trips of an unrolled loop", count, Most);
    repeat(count, f);
  }
  //! An array of n words, uninitialized, from a multiple of the width on. std::length_error if they
  //! do not fit.
  template <class T>
  [[nodiscard]] iterator<T> allocate(index n) const {
    return owner_->arrays().template allocate<T>(n);
  }
  //! The caller's words [first, last) as an array of the memory, from a multiple of the width on.
  template <std::contiguous_iterator Iterator>
  [[nodiscard]] auto array(Iterator first, Iterator last) const {
    using word = std::remove_reference_t<decltype(*first)>;
    auto const n = static_cast<index>(last - first);
    return owner_->arrays().template attach<word>(n == 0 ? nullptr : __builtin_addressof(*first),
                                                  n);
  }
  //! What is an array of a simulated memory already.
  template <class T>
  [[nodiscard]] iterator<T> array(iterator<T> first, iterator<T>) const {
    return first;
  }
  //! N registers of every thread, which in a kernel are registers, too: hence a number that the
  //! type knows.
  template <class T, index N = 1>
  [[nodiscard]] simulated_registers<T, recorder_type> registers() const {
    return {owner_->arrays().template registers<T>(threads(), N), threads(), N};
  }
  //! A register for each of these items.
  template <class T, index Most>
  [[nodiscard]] simulated_registers<T, recorder_type> registers(
      kept_items<Most> const& items) const {
    index const n = checked_count(items);
    return {owner_->arrays().template registers<T>(n, 1), n, 1};
  }

  //! An argument of a program: the caller's words come and go free of cost.
  template <class Argument>
  [[nodiscard]] auto bring(Argument const& x) const {
    auto const a = allocate<typename Argument::value_type>(x.words);
    if constexpr (!std::is_same_v<decltype(Argument::in), no_sequence>) {
      auto in = x.in;
      for (index i = 0; i < x.given; ++i, ++in) a[i] = *in;
    }
    return a;
  }
  template <class Argument, class Array>
  void deliver(Argument const& x, Array const& a) const {
    auto out = x.out;
    for (index i = 0; i < x.words; ++i, ++out)
      *out = static_cast<typename Argument::value_type>(a[i]);
  }
  //! The threads' first registers to `sums`, free of cost.
  template <class Registers, class Array>
  void keep(Registers const& r, Array const& sums) const {
    for (index t = 0; t < threads(); ++t) sums[t] = r(t, 0);
  }

 protected:
  [[nodiscard]] Owner* owner() const { return owner_; }

 private:
  Owner* owner_;
};

template <class M, class Observe>
class simulated_machine;

//! A machine with one memory.
template <memory M, class Observe>
class simulated_machine<M, Observe> {
 public:
  using machine_type = M;
  using recorder_type =
      warp_recorder<static_cast<int>(M::width), M::conflicts, M::conflicts, Observe>;

  simulated_machine(M const& m, index p, executor_function)
      : machine_(m),
        threads_(p),
        arrays_(M::conflicts == conflict::banks ? memory_space::shared : memory_space::global,
                unlimited),
        accounts_(m, p) {
    recorder_.races = &races_;
  }

  [[nodiscard]] simulated_threads<simulated_machine> handle() {
    return simulated_threads<simulated_machine>(this);
  }
  [[nodiscard]] M const& machine() const { return machine_; }
  [[nodiscard]] index threads() const { return threads_; }
  [[nodiscard]] simulated_arrays<recorder_type>& arrays() { return arrays_; }

  template <class Body>
  void each(index n, Body const& body, bool barrier) {
    if constexpr (Observe::races) races_.begin_step(parallel_fors_, 0);
    ++parallel_fors_;
    accounts_.begin_step();
    recorder_.run(n, 0, threads_, threads_, 0, body,
                  [this](index warps) { accounts_.add_chunk(recorder_, warps, trace_); });
    accounts_.end_step(recorder_);
    if constexpr (Observe::races)
      if (barrier) races_.end_step(0);
  }

  [[nodiscard]] cost cost_so_far() const { return accounts_.sum; }
  [[nodiscard]] index pipelined_time() const { return accounts_.pipelined_time(); }
  [[nodiscard]] race_detector& races() { return races_; }
  [[nodiscard]] trace& traced() { return trace_; }

 private:
  M machine_;
  index threads_;
  index parallel_fors_ = 0;
  race_detector races_{};
  trace trace_{};
  recorder_type recorder_{};
  simulated_arrays<recorder_type> arrays_;
  memory_accounts<M> accounts_;
};

}  // namespace detail
}  // namespace mmm
