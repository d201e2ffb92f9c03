// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/cluster.hpp>
#include <mmm/execution/kernel/launch_shape.hpp>
#include <mmm/execution/kernel/memory.hpp>

#include <type_traits>

//! Clusters of a kernel's blocks, and their distributed shared memory.
MMM_BODIES_BEGIN
namespace mmm::detail {

template <class M, class Team>
class kernel_block;

//! A distributed array of a kernel: an array at the same place in the shared memory of each block.
//! `Peers` finds the place in another block: `at(first, rank)`.
template <class T, class Peers>
class kernel_distributed {
 public:
  using value_type = T;
  MMM_HOST_DEVICE kernel_distributed(T* first, Peers const& peers) : first_(first), peers_(peers) {}
  [[nodiscard]] MMM_HOST_DEVICE kernel_array<T, true> own() const {
    return kernel_array<T, true>(first_);
  }
  [[nodiscard]] MMM_HOST_DEVICE T& operator[](index i) const { return first_[i]; }
  [[nodiscard]] MMM_HOST_DEVICE T& operator()(index rank, index i) const {
    return peers_.at(first_, rank)[i];
  }

 private:
  T* first_;
  Peers peers_;
};

//! The handle of a cluster's blocks. Every thread runs the body of its own block.
template <class M, class Team>
class kernel_cluster : public cluster_vocabulary<kernel_cluster<M, Team>, M> {
 public:
  static constexpr bool refuses = Team::refuses;
  MMM_HOST_DEVICE kernel_cluster(M const& m, launch_shape const& shape, Team& team)
      : machine_(m), shape_(shape), team_(team), memory_(team.shared()) {}

  [[nodiscard]] MMM_HOST_DEVICE M const& machine() const { return machine_; }
  [[nodiscard]] MMM_HOST_DEVICE index threads_per_dmm() const { return shape_.block_threads; }
  template <class T>
  [[nodiscard]] MMM_HOST_DEVICE auto make_distributed(index n) const {
    static_assert(std::is_trivially_copyable_v<T>, "mmm: a kernel's values are trivially copyable");
    return kernel_distributed<T, decltype(team_.peers())>(memory_.template take<T>(n),
                                                          team_.peers());
  }
  template <class Body>
  MMM_HOST_DEVICE void run_dmms(Body& body) const {
    kernel_block<M, Team> const block(machine_, shape_, team_, memory_);
    body(block, team_.block() % machine_.cluster_size());
    team_.cluster_barrier();
  }
  //! A loop; a plan runs two trips, of which the second one stands for all after it.
  template <class Body>
  MMM_HOST_DEVICE void run_loop(index count, Body& body) const {
    for (index k = 0; k < (Team::plans && count > 2 ? 2 : count); ++k) {
      auto const memory = memory_;
      body(k);
      if constexpr (Team::plans)
        if (k == 1) memory_.repeat_since(memory, count - 1);
    }
  }

 private:
  M const& machine_;
  launch_shape const& shape_;
  Team& team_;
  mutable typename Team::memory memory_;
};

}  // namespace mmm::detail
MMM_BODIES_END
