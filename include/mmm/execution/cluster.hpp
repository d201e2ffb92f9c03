// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/machine/clustered.hpp>

//! Clusters of DMMs: the part of the vocabulary of handles between a machine and its DMMs.
//!
//! Laws, the same in every back end (test/execution/cluster.cpp):
//!   1. `on.each_cluster(count, body)` calls `body(cluster, k)` for clusters k < count at the same
//!      time, where `cluster` is the handle of the DMMs `C k … C k + C - 1`. A machine-wide barrier
//!      follows.
//!   2. `cluster.allocate<T>(n)` is a distributed array: n words in the shared memory of each DMM
//!      of the cluster, uninitialized, which live as long as the cluster's body.
//!   3. `cluster.each_dmm(body)` calls `body(block, r)` on the DMMs of ranks r = 0 … C - 1 at the
//!      same time, where `block` is a thread handle. A barrier of the cluster follows, after which
//!      all DMMs of the cluster see what was written to distributed arrays.
//!   4. In such a body `a[i]` is word i of the DMM's own part of a distributed array, an access to
//!      the shared memory; `a(r, i)` is word i of the part of the DMM of rank r, an access to a
//!      peer's memory, also for the own rank. `a.own()` is the own part as an array.
//!   5. `cluster.repeat(count, body)` is as that of other handles.
//!   6. A number of clusters that the machine does not have is std::invalid_argument. A rank or a
//!      word that there is not is std::out_of_range in a simulation.
//! Words of the global memory that one DMM writes and another one of its cluster uses are ordered
//! by a machine-wide barrier only.
//!
//! Time of an access to peers (docs/model.md, "Clusters"): at each DMM, a round takes the stages of
//! all requests of its cluster's warps for its words, plus the peer latency, minus 1.
MMM_BODIES_BEGIN
namespace mmm::detail {

//! The members of machine handles for clusters. `Derived` has `run_clusters(count, body)`.
template <class Derived, class M, bool Whole>
class machine_with_clusters {
 public:
  //! Calls `body(cluster, k)` on clusters k = 0 … count - 1 at the same time. A machine-wide
  //! barrier follows. Errors: std::invalid_argument if the machine has fewer clusters.
  template <class Body>
  requires(Whole && clustered_machine<M>)
  MMM_HOST_DEVICE constexpr void each_cluster(index count, Body&& body) const {
    auto const& on = static_cast<Derived const&>(*this);
    if constexpr (Derived::refuses)
      if (count < 0 || count > on.machine().clusters())
        reject("the number of clusters to use", count, "0 to the machine's clusters");
    on.run_clusters(count, body);
  }
  //! Calls `body(cluster, k)` on all clusters of the machine.
  template <class Body>
  requires(Whole && clustered_machine<M>)
  MMM_HOST_DEVICE constexpr void each_cluster(Body&& body) const {
    auto const& on = static_cast<Derived const&>(*this);
    on.run_clusters(on.machine().clusters(), body);
  }
};

//! The handle of a cluster's DMMs. `Derived` has `refuses`, `machine()`, `threads_per_dmm()`,
//! `make_distributed<T>(n)`, `run_dmms(body)` and `run_loop(count, body)`.
template <class Derived, class M>
class cluster_vocabulary {
 public:
  using machine_type = M;
  //! The number of DMMs in the cluster.
  [[nodiscard]] MMM_HOST_DEVICE constexpr index dmms() const {
    return self().machine().cluster_size();
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index threads() const {
    return dmms() * self().threads_per_dmm();
  }
  //! A distributed array: n words of type T in each DMM's shared memory, from a multiple of the
  //! width on, uninitialized. Errors: std::invalid_argument if n is negative, std::length_error if
  //! a shared memory has no room.
  template <class T>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto allocate(index n) const {
    if constexpr (Derived::refuses)
      if (n < 0) reject("the size of an array", n, "0 or more");
    return self().template make_distributed<T>(n);
  }
  //! Calls `body(block, r)` on the cluster's DMMs of ranks r = 0 … dmms() - 1 at the same time; a
  //! barrier of the cluster follows. The block's own arrays are released at the end.
  template <class Body>
  MMM_HOST_DEVICE constexpr void each_dmm(Body&& body) const {
    self().run_dmms(body);
  }
  //! `body(0)`, `body(1)`, …, `body(count - 1)`, one after the other.
  template <class Body>
  MMM_HOST_DEVICE constexpr void repeat(index count, Body&& body) const {
    if constexpr (Derived::refuses)
      if (count < 0) reject("the number of trips of a loop", count, "0 or more");
    self().run_loop(count, body);
  }

 private:
  [[nodiscard]] MMM_HOST_DEVICE constexpr Derived const& self() const {
    return static_cast<Derived const&>(*this);
  }
};

}  // namespace mmm::detail
MMM_BODIES_END

namespace mmm {

//! A handle for the threads of the DMMs of one cluster; see the laws above.
template <class H>
concept cluster_handle =
    clustered_machine<typename H::machine_type> && requires(H const& on, index n) {
      { on.machine() } -> detail::convertible_to<typename H::machine_type>;
      { on.dmms() } -> detail::same_as<index>;
      { on.threads() } -> detail::same_as<index>;
      { on.threads_per_dmm() } -> detail::same_as<index>;
      on.template allocate<float>(n);
      on.each_dmm([](auto const&, auto const&) {});
      on.repeat(n, [](auto const&) {});
    };

}  // namespace mmm
