// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/cost/cost.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/cluster.hpp>
#include <mmm/execution/estimate/cluster.hpp>
#include <mmm/execution/estimate/estimator.hpp>
#include <mmm/execution/estimate/symbolic.hpp>
#include <mmm/execution/handle.hpp>
#include <mmm/execution/look_back.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/index/trapezoid.hpp>
#include <mmm/machine/machine.hpp>

//! The symbolic interpretation: the cost of an algorithm without its data.
namespace mmm {

namespace detail {

template <clustered_machine M>
class symbolic_cluster;

//! A handle of an estimate. It stands for the threads of one memory, for those of each DMM that
//! takes part in an each_dmm, or, if `Whole`, for those of all DMMs of a hierarchical machine.
template <machine M, bool Whole>
class symbolic_handle : public vocabulary<symbolic_handle<M, Whole>, M, Whole> {
 public:
  static constexpr bool refuses = true;

  //! A handle for `dmms` DMMs that do the same at the same time, with `threads` threads each.
  constexpr symbolic_handle(estimator<M>& engine, index threads, index dmms)
      : engine_(&engine), threads_(threads), dmms_(dmms) {}

  [[nodiscard]] constexpr M const& machine() const { return engine_->machine(); }
  [[nodiscard]] constexpr index threads() const { return Whole ? threads_ * dmms_ : threads_; }
  [[nodiscard]] constexpr index dmms() const
  requires Whole
  {
    return dmms_;
  }
  [[nodiscard]] constexpr index threads_per_dmm() const
  requires Whole
  {
    return threads_;
  }

  //! Calls the body once with the symbolic item, or with the symbolic row and column.
  template <class Items, class Body>
  constexpr void run_items(Items const& items, Body const& body, bool barrier) const {
    if constexpr (is_same_v<Items, trapezoid>)
      engine_->each(items, items.items(), threads_, dmms_, Whole, barrier, [&] {
        body(trapezoid_variable<row_slot>(), trapezoid_variable<column_slot>());
      });
    else
      engine_->each(one_row, items.count(), threads_, dmms_, Whole, barrier,
                    [&] { call_body(items, item, body); });
  }
  template <class Body>
  constexpr void run_loop(index count, Body& body) const {
    engine_->repeat(count, body);
  }
  template <class Body>
  constexpr void run_diagonals(index first, index last, Body& body) const {
    engine_->diagonals(first, last, Whole, body);
  }
  template <class T>
  [[nodiscard]] constexpr auto make_array(index n) const {
    constexpr bool shared = hierarchical_machine<M> && !Whole;
    index const start = engine_->allocate(shared, n);
    return symbolic_iterator<T, M, shared, plain_word, constant>(*engine_, constant(start), start);
  }
  template <class T, index N>
  [[nodiscard]] constexpr auto make_registers() const {
    return symbolic_registers<T, M>(*engine_);
  }
  template <class T, index Max>
  [[nodiscard]] constexpr auto make_registers(thread_items<Max> const&) const {
    return symbolic_registers<T, M>(*engine_);
  }

  template <class Body>
  constexpr void run_dmms(index count, Body& body) const {
    run_some(count, body);
    engine_->machine_wide_barrier();
  }
  template <index Latest>
  constexpr void run_await_copies() const {
    engine_->await_copies(Latest);
  }
  template <class Barrier>
  constexpr void run_await_bulk(Barrier const&) const {
    engine_->await_copies(0);
  }
  template <class State, class Tile, class Word, class Operator>
  constexpr void run_look_back(State state, Tile tile, Word word, Operator op) const {
    engine_->look_back(look_back_step::at_once, every_tile);
    look_back_step{}(*this, state, tile, word, op);
  }
  template <class Sums, class Tile, class Numbers>
  constexpr void run_publish_sums(Sums sums, Tile tile, Numbers own, index n) const {
    engine_->publish_sums();
    publish_sums_step{}(*this, sums, tile, own, n);
  }
  template <class Sums, class Tile, class Numbers, class Results>
  constexpr void run_sums_before(Sums sums, Tile tile, Numbers own, Results before, index n,
                                 index tiles) const {
    engine_->look_back(sums_before_step::at_once, tiles);
    sums_before_step{}(*this, sums, tile, own, before, n);
  }
  template <class Shape, index Down, index Across, class Sums, class Left, class Right>
  constexpr void run_multiply_lanes(Sums const&, Left const&, Right const&, index n) const {
    constexpr index products = Down * Across * Shape::m * Shape::n * Shape::k;
    engine_->multiply(256 / Shape::k, n / 32 * products, dmms_);
  }
  //! Costs apart the DMMs that handle one tile more than the others.
  template <class Body>
  constexpr void run_tiles(dmm_range const& dmms, index first, index count, Body& body,
                           bool barrier) const {
    index const passes = count / dmms.count;
    engine_->assign_tiles(dmms, first, count);
    for (bool const last : {false, true}) {
      auto const tiles_of_dmm = [&](auto& block, auto dmm) {
        block.repeat(last ? 1 : passes, [&](auto pass) {
          body(block, (pass + (last ? passes : 0)) * dmms.count + dmm + first);
        });
      };
      run_some(last ? count % dmms.count : dmms.count, tiles_of_dmm);
    }
    if (barrier) engine_->machine_wide_barrier();
  }
  //! One body stands for all clusters: each DMM of the first `count` clusters does the same.
  template <class Body>
  constexpr void run_clusters(index count, Body& body) const {
    if (count == 0) return;
    index const size = engine_->machine().cluster_size();
    symbolic_cluster<M> const cluster(*engine_, threads_, count * size);
    body(cluster, variable(dmm_slot) / constant(size));
    engine_->release_cluster();
    engine_->machine_wide_barrier();
  }
  constexpr void run_first_alone() const { engine_->first_alone(); }
  template <class T>
  [[nodiscard]] constexpr auto make_look_back_state(index tiles) const {
    engine_->look_back_states(tiles);
    return make_array<T>(tiles);
  }
  [[nodiscard]] constexpr auto make_tile_sums(index n) const { return make_array<index>(n); }

  //! Makes an array for an argument of a program; the caller's words are not read.
  template <class Argument>
  [[nodiscard]] constexpr auto bring(Argument const& x) const {
    using value = typename Argument::value_type;
    if constexpr (Argument::use == argument_use::result)
      return x.out;
    else if constexpr (Argument::use == argument_use::read)
      return this->template allocate<value const>(x.words);
    else
      return this->template allocate<value>(x.words);
  }
  template <class Argument, class Array>
  constexpr void deliver(Argument const&, Array const&) const {}
  template <class From, class Results>
  constexpr void run_keep(From const&, Results const&, index) const {}

 private:
  template <class Body>
  constexpr void run_some(index count, Body& body) const {
    if (count == 0) return;
    symbolic_handle<M, false> const block(*engine_, threads_, count);
    body(block, variable(dmm_slot));
    engine_->release_shared();
  }

  estimator<M>* engine_;
  index threads_;
  index dmms_;
};

//! The handle of the DMMs of every cluster that takes part in an each_cluster.
template <clustered_machine M>
class symbolic_cluster : public cluster_vocabulary<symbolic_cluster<M>, M> {
 public:
  static constexpr bool refuses = true;
  //! \param dmms those of all clusters, with `threads` threads each.
  constexpr symbolic_cluster(estimator<M>& engine, index threads, index dmms)
      : engine_(&engine), threads_(threads), dmms_(dmms) {}
  [[nodiscard]] constexpr M const& machine() const { return engine_->machine(); }
  [[nodiscard]] constexpr index threads_per_dmm() const { return threads_; }
  template <class T>
  [[nodiscard]] constexpr auto make_distributed(index n) const {
    index const start = engine_->allocate(true, n);
    engine_->hold_for_cluster();
    return symbolic_distributed<T, M>(*engine_, start);
  }
  template <class Body>
  constexpr void run_dmms(Body& body) const {
    symbolic_handle<M, false> const block(*engine_, threads_, dmms_);
    body(block, variable(dmm_slot) % constant(machine().cluster_size()));
    engine_->release_shared();
  }
  template <class Body>
  constexpr void run_loop(index count, Body& body) const {
    engine_->repeat(count, body);
  }

 private:
  estimator<M>* engine_;
  index threads_;
  index dmms_;
};

}  // namespace detail

//! The exact synchronous cost of a program on machine `m` with `p` threads, without running it.
//!
//! \param program called once with a handle; it allocates its arrays and calls function objects as
//! in architecture.md.
//! Time: a handful of steps per access in the program's text, whatever the size; see
//! cost::closed_form.
//! Errors: as cost_of; a shared memory over its capacity is std::length_error; threads that the
//! DMMs cannot share evenly are std::invalid_argument. In a constant expression each of them is a
//! compile error.
template <machine M, class Program>
[[nodiscard]] constexpr cost estimate(M const& m, threads p, Program const& program) {
  detail::estimator<M> engine(m, p.count);
  constexpr bool whole = hierarchical_machine<M>;
  index dmms = 1;
  if constexpr (whole) dmms = m.dmms();
  detail::symbolic_handle<M, whole> on(engine, p.count / dmms, dmms);
  program(on);
  return engine.total();
}
template <machine M, class Program>
[[nodiscard]] constexpr cost estimate(threads p, Program const& program) {
  return estimate(detail::machine_of<M>(), p, program);
}

}  // namespace mmm
