// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/machine/machine.hpp>
#include <mmm/machine/parameter.hpp>

//! Hierarchical machines whose DMMs form clusters: a level between the DMM and the UMM.
namespace mmm {

//! The largest number of DMMs in a cluster: that of blocks in a cluster of an H100, whose kernels
//! have to ask for more than 8.
inline constexpr index max_cluster_size = 16;

namespace detail {

struct cluster_size_name {
  static constexpr char const* text = "the number of DMMs in a cluster";
};
struct peer_latency_name {
  static constexpr char const* text = "the latency of a peer's memory";
};

//! The width of a machine that its type knows, or mmm::dynamic.
template <class M>
inline constexpr index static_width = dynamic;
template <fixed_width M>
inline constexpr index static_width<M> = M::width();

//! The compile error of a static number of DMMs in a cluster that is out of range.
template <index Got, index Least, index Max>
struct cluster_size {
  static_assert(Got >= Least && Got <= Max,
                "mmm: the number of DMMs in a cluster is out of range: <Got, Least, Max>; "
                "mmm::dynamic is for run time");
  static constexpr bool accepted = true;
};
//! The compile error of clusters that do not divide the DMMs of a machine.
template <index Dmms, index ClusterSize>
struct clusters_of_dmms {
  static_assert(Dmms % ClusterSize == 0,
                "mmm: the number of DMMs is a multiple of that in a cluster: <Dmms, ClusterSize>");
  static constexpr bool accepted = true;
};

}  // namespace detail

//! **Concept: machine with clusters.** A hierarchical machine whose DMMs `C k … C k + C - 1` are
//! cluster k, where C is `cluster_size()`. A DMM is known in its cluster by its rank, 0 … C - 1.
//! The memory `peer()` is a DMM's shared memory as all DMMs of its cluster access it, through a
//! port of its own.
//!
//! Laws: `dmms() == clusters() * cluster_size()`, `1 <= cluster_size() <= 16`; `peer()` has the
//! width and the banks of `shared()`. Models: clustered.
template <class M>
concept clustered_machine = hierarchical_machine<M> && requires(M const& m) {
  { m.cluster_size() } -> detail::same_as<index>;
  { m.clusters() } -> detail::same_as<index>;
  { m.peer() } -> memory;
};

//! A hierarchical machine with clusters of DMMs that access each other's shared memories; a GPU
//! with thread block clusters and distributed shared memory (sm_90 and later).
//! \tparam Hmm the machine without clusters.
//! \tparam C DMMs in a cluster, 1 to 16; GPUs run clusters of up to 8 blocks everywhere.
//! \tparam PeerLatency latency of an access to the memory of a DMM of the same cluster, in time
//! units.
//! C and PeerLatency may be mmm::dynamic. Construct from the machine and the dynamic ones of the
//! two, in this order; std::invalid_argument if C is not 1 to 16 or does not divide the number of
//! DMMs, or if the latency is below 1.
template <hierarchical_machine Hmm, index C, index PeerLatency>
struct clustered : Hmm,
                   private detail::parameter<detail::cluster_size_name, C>,
                   private detail::parameter<detail::peer_latency_name, PeerLatency> {
 private:
  using size_parameter = detail::parameter<detail::cluster_size_name, C>;
  using latency_parameter = detail::parameter<detail::peer_latency_name, PeerLatency>;
  static constexpr int dynamic_parameters = (C == dynamic) + (PeerLatency == dynamic);
  static constexpr bool size_accepted = C == dynamic || detail::cluster_size < C == dynamic ? 1 : C,
                        1, max_cluster_size > ::accepted;

  constexpr clustered(Hmm const& m, detail::parameter_source source)
      : Hmm(m), size_parameter(source), latency_parameter(source) {
    if (cluster_size() > max_cluster_size)
      detail::reject(detail::cluster_size_name::text, cluster_size(), "1 to 16");
    if (m.dmms() % cluster_size() != 0)
      detail::reject(detail::cluster_size_name::text, cluster_size(),
                     "a divisor of the machine's number of DMMs");
  }
  [[nodiscard]] static constexpr bool divides_dmms() {
    if constexpr (C != dynamic && detail::default_constructible<Hmm>)
      return detail::clusters_of_dmms<Hmm{}.dmms(), C>::accepted;
    return true;
  }

 public:
  constexpr clustered()
  requires(dynamic_parameters == 0 && detail::default_constructible<Hmm>)
  {
    static_assert(size_accepted && divides_dmms());
  }
  template <detail::convertible_to<index>... Values>
  requires(sizeof...(Values) == dynamic_parameters)
  constexpr explicit clustered(Hmm const& m, Values... given)
      : clustered(m, detail::given_parameters<sizeof...(Values) + 1>{{static_cast<index>(given)...,
                                                                      index{0}}}
                         .source()) {
    static_assert(size_accepted);
  }

  [[nodiscard]] MMM_HOST_DEVICE constexpr index cluster_size() const {
    return size_parameter::get();
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index clusters() const {
    return this->dmms() / cluster_size();
  }
  [[nodiscard]] constexpr auto peer() const {
    constexpr index w = detail::static_width<Hmm>;
    detail::parameter_list list;
    list.add<w>(this->width());
    list.add<PeerLatency>(latency_parameter::get());
    return dmm<w, PeerLatency>(list.source());
  }
  friend constexpr bool operator==(clustered const&, clustered const&) = default;
};

}  // namespace mmm
