// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/cluster.hpp>
#include <mmm/execution/simulate/arrays.hpp>
#include <mmm/execution/simulate/iterator.hpp>
#include <mmm/execution/simulate/warp_value.hpp>
#include <mmm/index/warp_index.hpp>
#include <mmm/index/warp_mask.hpp>

#include <type_traits>

//! Clusters of a simulated machine: their distributed arrays, and the accesses to peers.
namespace mmm::detail {

//! A reference `a(r, e)` to words of DMMs of the cluster, one in each lane.
template <class T, class Recorder>
class simulated_peer_reference : public proxy_base {
  static constexpr int width = Recorder::width;

 public:
  using value_type = std::remove_cv_t<T>;
  using values = warp_value<value_type, width>;
  //! \param part the parts of the DMMs of ranks 0, 1, …
  simulated_peer_reference(array_record<T> const* part, warp_index<width> const& rank,
                           warp_index<width> const& offset)
      : part_(part), rank_(rank), offset_(offset) {}
  simulated_peer_reference(simulated_peer_reference const&) = default;

  [[nodiscard]] operator values() && {
    return static_cast<simulated_peer_reference&&>(*this).load();
  }
  [[nodiscard]] values load() && { return load_lanes(lanes_here()); }
  template <class Condition>
  [[nodiscard]] values load_if(Condition const& condition) && {
    return load_lanes(lanes_here() && condition);
  }
  template <class X>
  void store(X const& x) && {
    store_lanes(lanes_here(), x);
  }
  template <class Condition, class X>
  void store_if(Condition const& condition, X const& x) && {
    store_lanes(lanes_here() && condition, x);
  }
  template <class Update, class... X>
  values update(Update const& how, X const&... x) && {
    return update_lanes(lanes_here(), how, x...);
  }
  template <class Condition, class Update, class... X>
  void update_if(Condition const& condition, Update const& how, X const&... x) && {
    static_cast<void>(update_lanes(lanes_here() && condition, how, x...));
  }
  template <class X>
  requires(!named_proxy<X>)
  void operator=(X&& x) && {
    static_cast<simulated_peer_reference&&>(*this).store(evaluate(static_cast<X&&>(x)));
  }
  void operator=(simulated_peer_reference const&) && = delete;  // not by a named reference

 private:
  using lanes = warp_mask<width>;
  [[nodiscard]] static lanes lanes_here() { return lanes::prefix(Recorder::here().lanes); }
  [[nodiscard]] T& word(int t) const { return part_[rank_[t]].data[offset_[t]]; }
  void request(access_kind op, lanes const& active) const {
    Recorder::here().peer_request(op, part_, rank_, offset_, active);
  }
  [[nodiscard]] values load_lanes(lanes const& active) const {
    request(access_kind::read, active);
    values result{value_type()};
    for (int t = 0; t < width; ++t)
      if (active[t]) result.lane[t] = word(t);
    return result;
  }
  template <class X>
  void store_lanes(lanes const& active, X const& x) const {
    request(access_kind::write, active);
    for (int t = 0; t < width; ++t)
      if (active[t]) word(t) = static_cast<T>(lane_at<T>(x, t));
  }
  template <class Update, class... X>
  values update_lanes(lanes const& active, Update const& how, X const&... x) const {
    request(access_kind::update, active);
    values old{value_type()};
    for (int t = 0; t < width; ++t)
      if (active[t]) old.lane[t] = update_word(how, word(t), static_cast<T>(lane_at<T>(x, t))...);
    return old;
  }

  array_record<T> const* part_;
  warp_index<width> rank_;
  warp_index<width> offset_;
};

//! A distributed array of a simulation.
template <class T, class Recorder>
class simulated_distributed {
 public:
  using value_type = std::remove_cv_t<T>;
  //! \param part the parts of the DMMs of ranks 0, 1, …. \param rank that of the running DMM.
  simulated_distributed(array_record<T> const* part, index const* rank)
      : part_(part), rank_(rank) {}

  [[nodiscard]] simulated_iterator<T, Recorder> own() const {
    if (*rank_ < 0)
      throw_logic_error(failure_text(
          "mmm: a DMM's own part of a distributed array is for the bodies of each_dmm"));
    return {part_ + *rank_, 0};
  }
  template <class E>
  [[nodiscard]] auto operator[](E&& e) const {
    return own()[static_cast<E&&>(e)];
  }
  template <class Rank, class E>
  [[nodiscard]] simulated_peer_reference<T, Recorder> operator()(Rank&& rank, E&& e) const {
    return {part_, of_warp(static_cast<Rank&&>(rank)), of_warp(static_cast<E&&>(e))};
  }

 private:
  template <class E>
  [[nodiscard]] static warp_index<Recorder::width> of_warp(E&& e) {
    if constexpr (index_scalar<E>)
      return warp_index<Recorder::width>(scalar_index(e), 0);
    else if constexpr (is_warp_index<E>)
      return e;
    else
      return as_index(static_cast<E&&>(e));
  }
  array_record<T> const* part_;
  index const* rank_;
};

//! A cluster of a simulated machine, inside each_cluster. `Machine` runs the bodies of its DMMs.
template <class Machine>
class simulated_cluster
    : public cluster_vocabulary<simulated_cluster<Machine>, typename Machine::machine_type> {
 public:
  using machine_type = typename Machine::machine_type;
  using recorder_type = typename Machine::recorder_type;
  static constexpr bool refuses = true;

  simulated_cluster(Machine& machine, index number, index first_step)
      : whole_(machine),
        first_dmm_(number * machine.machine().cluster_size()),
        step_(first_step),
        arrays_(memory_space::shared, machine.machine().width(), machine.machine().capacity()) {}

  [[nodiscard]] machine_type const& machine() const { return whole_.machine(); }
  [[nodiscard]] index threads_per_dmm() const { return whole_.threads_per_dmm(); }
  //! The number of the next parallel-for of the cluster.
  [[nodiscard]] index next_step() const { return step_; }
  template <class T>
  [[nodiscard]] simulated_distributed<T, recorder_type> make_distributed(index n) const {
    return {arrays_.template distribute<T>(n, first_dmm_, this->dmms()), &rank_};
  }
  template <class Body>
  void run_dmms(Body& body) const {
    whole_.begin_cluster_step(first_dmm_);
    index last = step_;
    for (rank_ = 0; rank_ < this->dmms(); ++rank_)
      last = larger(last, whole_.run_in_cluster(first_dmm_, rank_, step_, arrays_.used(), body));
    rank_ = -1;
    step_ = last;
    whole_.end_cluster_step(first_dmm_);
  }
  template <class Body>
  void run_loop(index count, Body& body) const {
    index const first = step_;
    for (index k = 0; k < count; ++k) {
      step_ = first;
      body(k);
    }
  }

 private:
  Machine& whole_;
  index first_dmm_;
  mutable index rank_ = -1;  //!< of the running DMM
  mutable index step_;       //!< the number of the next parallel-for
  mutable simulated_arrays<recorder_type> arrays_;
};

}  // namespace mmm::detail
