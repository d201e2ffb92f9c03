// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/machine/clustered.hpp>
#include <mmm/machine/machine.hpp>

#include <boost/hana/for_each.hpp>
#include <boost/hana/tuple.hpp>

#include <type_traits>

//! Calls a function with a machine of the type that was chosen at run time. Parameters are
//! mmm::dynamic, so that a program is instantiated once for each kind of machine.
namespace explore {

namespace hana = boost::hana;
using mmm::index;

//! `clusters`: an hmm with clusters, for algorithms that use them.
enum class machine_kind { pram, bpram, dmm, umm, hmm, clusters };
[[nodiscard]] constexpr bool is_hmm(machine_kind kind) {
  return kind == machine_kind::hmm || kind == machine_kind::clusters;
}

//! The largest width of a machine whose type does not know it.
inline constexpr index max_width = mmm::detail::width_parameter<mmm::dynamic>::max_lanes;

//! A machine as numbers. Numbers that its kind does not have are not used.
struct machine_choice {
  machine_kind kind = machine_kind::dmm;
  char const* gpu = nullptr;  //!< the GPU whose figures they are, if there is one
  index width = 32;
  index latency = 1;
  index shared_latency = 1;
  index dmms = 1;
  index capacity = mmm::unlimited;
  index ports = 1;
  index cluster = 1;  //!< DMMs in a cluster
  index peer_latency = 1;
};

//! The facts about a kind: its name, which parameters it has, how a value of it is made.
struct pram_kind {
  static constexpr machine_kind key = machine_kind::pram;
  static constexpr char const* name = "pram";
  static constexpr bool has_width = false, has_latency = false, has_ports = false, has_dmms = false;
  [[nodiscard]] static mmm::pram make(machine_choice const&) { return {}; }
};
struct bpram_kind {
  static constexpr machine_kind key = machine_kind::bpram;
  static constexpr char const* name = "bpram";
  static constexpr bool has_width = true, has_latency = false, has_ports = false, has_dmms = false;
  [[nodiscard]] static auto make(machine_choice const& c) {
    return mmm::bpram<mmm::dynamic>(c.width);
  }
};
struct dmm_kind {
  static constexpr machine_kind key = machine_kind::dmm;
  static constexpr char const* name = "dmm";
  static constexpr bool has_width = true, has_latency = true, has_ports = false, has_dmms = false;
  [[nodiscard]] static auto make(machine_choice const& c) {
    return mmm::dmm<mmm::dynamic, mmm::dynamic>(c.width, c.latency);
  }
};
struct umm_kind {
  static constexpr machine_kind key = machine_kind::umm;
  static constexpr char const* name = "umm";
  static constexpr bool has_width = true, has_latency = true, has_ports = true, has_dmms = false;
  [[nodiscard]] static auto make(machine_choice const& c) {
    using mmm::dynamic;
    return mmm::umm<dynamic, dynamic, dynamic>(c.width, c.latency, c.ports);
  }
};
struct hmm_kind {
  static constexpr machine_kind key = machine_kind::hmm;
  static constexpr char const* name = "hmm";
  static constexpr bool has_width = true, has_latency = true, has_ports = true, has_dmms = true;
  [[nodiscard]] static auto make(machine_choice const& c) {
    using mmm::dynamic;
    return mmm::hmm<dynamic, dynamic, dynamic, dynamic, dynamic, dynamic>(
        c.dmms, c.width, c.shared_latency, c.latency, c.capacity, c.ports);
  }
};

struct clusters_kind : hmm_kind {
  static constexpr machine_kind key = machine_kind::clusters;
  [[nodiscard]] static auto make(machine_choice const& c) {
    auto const m = hmm_kind::make(c);
    using inner = std::remove_const_t<decltype(m)>;
    return mmm::clustered<inner, mmm::dynamic, mmm::dynamic>(m, c.cluster, c.peer_latency);
  }
};

//! All kinds.
inline constexpr auto kinds = hana::make_tuple(pram_kind{}, bpram_kind{}, dmm_kind{}, umm_kind{},
                                               hmm_kind{}, clusters_kind{});

//! Calls `f(machine)` with a value of the machine's own type, if `accepts(kind)` says at compile
//! time that its kind is wanted; nothing is instantiated for other kinds.
template <class Accepts, class F>
void with_machine(machine_choice const& c, Accepts accepts, F&& f) {
  hana::for_each(kinds, [&](auto kind) {
    if constexpr (decltype(accepts(kind))::value) {
      if (kind.key == c.kind) f(kind.make(c));
    }
  });
}

}  // namespace explore
