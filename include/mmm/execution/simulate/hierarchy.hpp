// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/simulate/accounting.hpp>
#include <mmm/execution/simulate/arrays.hpp>
#include <mmm/execution/simulate/cluster.hpp>
#include <mmm/execution/simulate/executor.hpp>
#include <mmm/execution/simulate/memory.hpp>
#include <mmm/execution/simulate/warp_recorder.hpp>
#include <mmm/machine/clustered.hpp>
#include <mmm/machine/machine.hpp>

#include <cstddef>
#include <vector>

//! The simulation of a hierarchical machine, whose DMMs run independently between machine-wide
//! barriers.
namespace mmm::detail {

//! One DMM of a hierarchical machine inside each_dmm or each_tile.
template <class Machine>
class simulated_dmm {
 public:
  using machine_type = typename Machine::machine_type;
  using recorder_type = typename Machine::recorder_type;
  static constexpr bool whole = false;

  //! \param in_turn the DMM runs as part of each_tile. \param first_step the number of its first
  //! parallel-for. \param used words of its memory that its cluster's arrays take.
  simulated_dmm(Machine& machine, index number, bool in_turn, index first_step, index used = 0)
      : whole_(machine),
        number_(number),
        in_turn_(in_turn),
        next_step_{first_step, {}},
        arrays_(memory_space::shared, machine.machine().width(), machine.machine().capacity(),
                used) {}
  [[nodiscard]] simulated_handle<simulated_dmm> handle() {
    return simulated_handle<simulated_dmm>(this);
  }
  [[nodiscard]] machine_type const& machine() const { return whole_.machine(); }
  [[nodiscard]] index threads() const { return whole_.threads_per_dmm(); }
  [[nodiscard]] bool in_turn() const { return in_turn_; }
  [[nodiscard]] simulated_arrays<recorder_type>& arrays() { return arrays_; }
  [[nodiscard]] async_copies<>& copies() { return whole_.copies_of(number_); }
  //! The copies under each transaction barrier.
  [[nodiscard]] std::vector<async_copies<>>& bulk_copies() { return bulk_copies_; }
  [[nodiscard]] bool awaits_all() {
    bool all = copies().empty();
    for (async_copies<> const& bulk : bulk_copies_) all = all && bulk.empty();
    return all;
  }
  [[nodiscard]] program_step& next_step() { return next_step_; }
  template <class Body>
  void each(index n, Body const& body, bool barrier) {
    whole_.run_on(number_, n, 0, threads(), body, barrier, next_step_);
    ++next_step_.number;
  }

 private:
  Machine& whole_;
  index number_;
  bool in_turn_;
  program_step next_step_;
  simulated_arrays<recorder_type> arrays_;
  std::vector<async_copies<>> bulk_copies_{};
};

//! A simulated hierarchical machine.
template <hierarchical_machine M, class Observe>
class simulated_machine<M, Observe> {
  static constexpr int max_lanes = detail::max_lanes<M>;

 public:
  using machine_type = M;
  using recorder_type = warp_recorder<width_type<M>, conflict::banks, conflict::groups, Observe>;
  static constexpr bool whole = true;

  simulated_machine(M const& m, index p, executor_function executor)
      : machine_(m),
        threads_(p),
        executor_(Observe::races || Observe::traced ? sequential_t() : executor),
        races_(width_in(m)),
        recorders_(checked(m, p), recorder_type(width_in(m))),
        steps_(recorders_.size()),
        arrays_(memory_space::global, m.width(), unlimited),
        accounts_(m, p / m.dmms()) {
    for (std::size_t d = 0; d < recorders_.size(); ++d) {
      recorders_[d].dmm = static_cast<index>(d);
      recorders_[d].races = &races_;
      if constexpr (clustered_machine<M>) {
        auto const size = static_cast<std::size_t>(m.cluster_size());
        recorders_[d].step.cluster = m.cluster_size();
        recorders_[d].first_in_cluster =
            static_cast<index>(d % size) *
            checked_multiply(ceil_divide(threads_per_dmm(), m.width()), m.width());
      }
    }
  }

  [[nodiscard]] simulated_handle<simulated_machine> handle() {
    return simulated_handle<simulated_machine>(this);
  }
  [[nodiscard]] M const& machine() const { return machine_; }
  [[nodiscard]] index threads() const { return threads_; }
  [[nodiscard]] index threads_per_dmm() const { return threads_ / machine_.dmms(); }
  [[nodiscard]] simulated_arrays<recorder_type>& arrays() { return arrays_; }
  [[nodiscard]] program_step& next_step() { return next_step_; }

  //! Runs a parallel-for on the threads of all DMMs.
  template <class Body>
  void each(index n, Body const& body, bool barrier) {
    begin_phase(n > threads_per_dmm());
    auto task = [&](index d) {
      run_on(d, n, d * threads_per_dmm(), threads_, body, barrier, next_step_);
    };
    run(machine_.dmms(), task);
    ++next_step_.number;
    end_phase(barrier);
  }

  template <class F>
  void each_dmm(index count, F&& f) {
    begin_phase(count > 1);
    index const first_step = next_step_.number;
    auto task = [&](index d) {
      simulated_dmm<simulated_machine> dmm(*this, d, false, first_step);
      run_body(dmm, f, d);
    };
    run(count, task);
    end_phase(true);
  }

  //! Runs tiles in their order, as each may need results of earlier ones. If not all DMMs have a
  //! tile in the last pass, its steps get numbers of their own, as in an estimate.
  template <class F>
  void each_tile(dmm_range const& dmms, index first, index count, F&& f, bool barrier) {
    begin_phase(count > 1 || (count > 0 && dmms.first + first % dmms.count > 0));
    index first_step = next_step_.number;
    for (index k = 0; k < count; ++k) {
      if (k == count / dmms.count * dmms.count) first_step = next_step_.number;
      simulated_dmm<simulated_machine> dmm(*this, dmms.first + (first + k) % dmms.count, true,
                                           first_step);
      run_body(dmm, f, first + k);
    }
    end_phase(barrier);
  }

  template <class F>
  void each_cluster(index count, F&& f) {
    begin_phase(count * machine_.cluster_size() > 1);
    index const first_step = next_step_.number;
    auto task = [&](index k) {
      simulated_cluster<simulated_machine> const cluster(*this, k, first_step);
      f(cluster, k);
      if constexpr (Observe::races)
        next_step_.number = larger(next_step_.number, cluster.next_step());
    };
    run(count, task);
    end_phase(true);
  }
  //! A cluster begins a step (each_dmm) on the DMMs from `first_dmm` on, after a barrier.
  void begin_cluster_step(index first_dmm) {
    if constexpr (Observe::races) races_.begin_cluster_step(first_dmm, machine_.cluster_size());
  }
  //! Ends the step for all DMMs of the cluster: those that had fewer parallel-fors idle meanwhile.
  void end_cluster_step(index first_dmm) {
    std::size_t count = 0;
    for (index r = 0; r < machine_.cluster_size(); ++r) {
      std::size_t const own = steps_[static_cast<std::size_t>(first_dmm + r)].size();
      if (count < own) count = own;
    }
    for (index r = 0; r < machine_.cluster_size(); ++r) {
      auto& steps = steps_[static_cast<std::size_t>(first_dmm + r)];
      steps.resize(count);
      if (count != 0) steps.back().cluster_waits = true;
    }
  }
  //! Runs the body on a DMM of a cluster; returns the number of the parallel-for after its last.
  template <class F>
  [[nodiscard]] index run_in_cluster(index first_dmm, index rank, index first_step, index used,
                                     F& f) {
    simulated_dmm<simulated_machine> dmm(*this, first_dmm + rank, false, first_step, used);
    run_body(dmm, f, rank);
    return dmm.next_step().number;
  }

  void first_alone() { alone_ = true; }
  [[nodiscard]] bool alone() const { return alone_; }
  void set_alone(bool alone) { alone_ = alone; }

  //! Runs a parallel-for on DMM d's threads; its chunks begin `chunk_stride` items apart.
  template <class Body>
  void run_on(index d, index n, index first, index chunk_stride, Body const& body, bool barrier,
              [[maybe_unused]] program_step const& in_text) {
    recorder_type& recorder = recorders_[static_cast<std::size_t>(d)];
    auto& steps = steps_[static_cast<std::size_t>(d)];
    auto const number = static_cast<index>(steps.size());
    if constexpr (Observe::races) races_.begin_step(accounts_.parallel_fors() + number, d, in_text);
    recorder.run(n, first, chunk_stride, threads_per_dmm(), number, body, [](index) {});
    steps.push_back(recorder.take());
    steps.back().sum_up();
    if constexpr (Observe::races)
      if (barrier) races_.end_step(d, false);
  }

  [[nodiscard]] async_copies<>& copies_of(index d) {
    return recorders_[static_cast<std::size_t>(d)].copies;
  }

  [[nodiscard]] cost cost_so_far() const { return accounts_.sum; }
  [[nodiscard]] index pipelined_time() const { return accounts_.pipelined_time(); }
  [[nodiscard]] race_detector<width_type<M>>& races() { return races_; }
  [[nodiscard]] trace& traced() { return trace_; }

 private:
  [[nodiscard]] static std::size_t checked(M const& m, index p) {
    if (p % m.dmms() != 0) reject("the number of threads", p, "a multiple of the number of DMMs");
    if (Observe::traced)
      if (m.dmms() > 65535)
        reject("the number of DMMs of a traced machine", m.dmms(), "up to 65535");
    return static_cast<std::size_t>(m.dmms());
  }
  //! Runs the body of each_dmm or each_tile on a DMM.
  template <class F>
  void run_body(simulated_dmm<simulated_machine>& dmm, F& f, index number) {
    dmm.copies().forget();
    auto const block = dmm.handle();
    f(block, number);
    if (!dmm.awaits_all())
      throw_logic_error(
          failure_text("mmm: copies that nobody waits for (await_copies, await_bulk)"));
    if constexpr (Observe::races)  // without races observed, DMMs may run in parallel
      next_step_.number = larger(next_step_.number, dmm.next_step().number);
  }
  template <class Task>
  void run(index count, Task& task) {
    executor_(count, &task, [](void* context, index k) { (*static_cast<Task*>(context))(k); });
  }
  //! A machine-wide barrier: moves everything before it into the accounts. `others_too`: other DMMs
  //! than the first work in the phase.
  void begin_phase(bool others_too) {
    if (alone_ && others_too) reject_others_than_first();
    if (recorder_type::running() != nullptr || in_phase_)
      throw_logic_error(failure_text(
          "mmm: each and each_dmm of a whole machine cannot be used inside a body or a DMM"));
    for (auto& list : steps_) list.clear();
    for (recorder_type& r : recorders_) r.pending.clear();
    in_phase_ = true;
  }
  void end_phase(bool barrier) {
    in_phase_ = false;
    std::vector<pending_entry> pending;
    for (recorder_type& r : recorders_) {
      pending.insert(pending.end(), r.pending.begin(), r.pending.end());
      r.pending.clear();
    }
    accounts_.add_phase(steps_, pending, trace_);
    for (auto& list : steps_) list.clear();
    if (barrier) races_.barrier();
  }

  M machine_;
  index threads_;
  executor_function executor_;
  bool in_phase_ = false;
  bool alone_ = false;
  program_step next_step_{};
  race_detector<width_type<M>> races_;
  trace trace_{};
  std::vector<recorder_type> recorders_;
  std::vector<std::vector<step_record<max_lanes>>> steps_;
  simulated_arrays<recorder_type> arrays_;
  hierarchical_accounts<M> accounts_;
};

}  // namespace mmm::detail
