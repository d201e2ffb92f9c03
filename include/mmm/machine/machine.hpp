// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/machine/parameter.hpp>

#include <concepts>

//! Machines as types. A machine knows its width, latencies and ports, and what makes a request
//! long; it knows no index expression (layer `cost` brings the two together).
namespace mmm {

//! The property of a request's addresses that decides how long it takes.
enum class conflict {
  none,    //!< nothing: a round takes one time unit (PRAM)
  amount,  //!< the number of accesses in a round: ceil(k / w) (BPRAM)
  banks,   //!< distinct addresses in one bank (DMM, shared memory)
  groups   //!< distinct address groups (UMM, global memory)
};

//! **Concept: memory.** One memory behind one port, used by threads in warps.
//!
//! Minimal definition: `conflicts`, `width` (banks; lanes of a warp), `latency()`, `ports()`.
//! Laws: `width >= 1`, `latency() >= 1`, `ports() >= 1`; a round of `s > 0` stages takes
//! `ceil(s / ports()) + latency() - 1` time units and a round of none takes 0 (docs/model.md,
//! "Time, synchronous"). Models: pram, bpram, dmm, umm.
template <class M>
concept memory = requires(M const& m) {
  { M::conflicts } -> std::convertible_to<conflict>;
  { M::width } -> std::convertible_to<index>;
  { m.latency() } -> std::same_as<index>;
  { m.ports() } -> std::same_as<index>;
};

//! **Concept: hierarchical machine.** `dmms()` memories of type `shared()` under one memory
//! `global()`.
//!
//! Laws: both memories have width `width`; `capacity() >= 1` words per shared memory. Models: hmm.
template <class M>
concept hierarchical_machine = requires(M const& m) {
  { m.dmms() } -> std::same_as<index>;
  { m.capacity() } -> std::same_as<index>;
  { m.shared() } -> memory;
  { m.global() } -> memory;
};

//! **Concept: machine.** What algorithms are costed, simulated and launched on.
template <class M>
concept machine = memory<M> || hierarchical_machine<M>;

//! Time of one synchronous round of `stages` pipeline stages on memory `m`, in time units; 0 if
//! nobody accesses.
template <memory M>
[[nodiscard]] constexpr index round_time(M const& m, index stages) {
  if (stages == 0) return 0;
  return detail::checked_add(detail::ceil_divide(stages, m.ports()), m.latency() - 1);
}

//! The Parallel Random Access Machine: a round of at most `p` accesses takes one time unit,
//! whatever the addresses. `width` is only the number of threads that a simulation handles at once.
struct pram {
  static constexpr conflict conflicts = conflict::none;
  static constexpr index width = 32;
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index latency() { return 1; }
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index ports() { return 1; }
  friend constexpr bool operator==(pram, pram) = default;
};

//! The bandwidth-limited PRAM (Nakano 2012): a round of `k` accesses takes `ceil(k / w)` time
//! units.
//! \tparam W width: accesses per time unit, 1 or more.
template <index W>
struct bpram {
  static_assert(detail::machine_parameter<W, 1>::accepted);
  static constexpr conflict conflicts = conflict::amount;
  static constexpr index width = W;
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index latency() { return 1; }
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index ports() { return 1; }
  friend constexpr bool operator==(bpram, bpram) = default;
};

//! The Discrete Memory Machine (Nakano 2012): `W` banks that serve one address each per time unit;
//! a GPU's shared memory.
//! \tparam W width: banks, and threads in a warp.
//! \tparam L latency in time units, or mmm::dynamic.
//! Construct from the latency when it is dynamic; std::invalid_argument if that is below 1.
template <index W, index L>
struct dmm : private detail::parameter<detail::latency_name, L> {
  static_assert(detail::machine_parameter<W, 1>::accepted);
  static constexpr conflict conflicts = conflict::banks;
  static constexpr index width = W;

  constexpr dmm()
  requires(L != dynamic)
  = default;
  constexpr explicit dmm(index given)
  requires(L == dynamic)
      : dmm(detail::parameter_source{&given}) {}

  [[nodiscard]] MMM_HOST_DEVICE constexpr index latency() const {
    return detail::parameter<detail::latency_name, L>::get();
  }
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index ports() { return 1; }
  friend constexpr bool operator==(dmm const&, dmm const&) = default;

 private:
  constexpr explicit dmm(detail::parameter_source from)
      : detail::parameter<detail::latency_name, L>(from) {}
};

//! The Unified Memory Machine (Nakano 2012): one address group of `W` words per time unit and port;
//! a GPU's global memory.
//! \tparam W width: words of an address group, and threads in a warp.
//! \tparam L latency in time units, or mmm::dynamic.
//! \tparam Ports stages accepted per time unit (1 in the papers), or mmm::dynamic.
//! Construct from the dynamic parameters in this order; std::invalid_argument if one is below 1.
template <index W, index L, index Ports = 1>
struct umm : private detail::parameter<detail::latency_name, L>,
             private detail::parameter<detail::ports_name, Ports> {
  static_assert(detail::machine_parameter<W, 1>::accepted);
  static constexpr conflict conflicts = conflict::groups;
  static constexpr index width = W;

  constexpr umm()
  requires(L != dynamic && Ports != dynamic)
  = default;
  constexpr explicit umm(index given)
  requires((L == dynamic) != (Ports == dynamic))
      : umm(detail::parameter_source{&given}) {}
  constexpr umm(index given_latency, index given_ports)
  requires(L == dynamic && Ports == dynamic)
      : umm(both{{given_latency, given_ports}}) {}

  [[nodiscard]] MMM_HOST_DEVICE constexpr index latency() const {
    return detail::parameter<detail::latency_name, L>::get();
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index ports() const {
    return detail::parameter<detail::ports_name, Ports>::get();
  }
  friend constexpr bool operator==(umm const&, umm const&) = default;

 private:
  struct both {
    index values[2];
  };
  constexpr explicit umm(both const& from) : umm(detail::parameter_source{from.values}) {}
  constexpr explicit umm(detail::parameter_source&& from)
      : detail::parameter<detail::latency_name, L>(from),
        detail::parameter<detail::ports_name, Ports>(from) {}
};

//! The Hierarchical Memory Machine (Nakano 2013a; Nakano and Ito 2014): `D` DMMs under one UMM that
//! all their threads use; a GPU.
//! \tparam D number of DMMs.
//! \tparam W width of every memory.
//! \tparam SharedLatency latency `l` of the shared memories.
//! \tparam GlobalLatency latency `L` of the global memory.
//! \tparam Capacity words of one shared memory.
//! \tparam Ports stages that the global memory accepts per time unit.
//! All but the width may be mmm::dynamic. Construct from the dynamic parameters in this order;
//! std::invalid_argument if one is below 1.
template <index D, index W, index SharedLatency, index GlobalLatency, index Capacity = unlimited,
          index Ports = 1>
struct hmm : private detail::parameter<detail::dmms_name, D>,
             private detail::parameter<detail::shared_latency_name, SharedLatency>,
             private detail::parameter<detail::latency_name, GlobalLatency>,
             private detail::parameter<detail::capacity_name, Capacity>,
             private detail::parameter<detail::ports_name, Ports> {
 private:
  using dmms_parameter = detail::parameter<detail::dmms_name, D>;
  using shared_latency_parameter = detail::parameter<detail::shared_latency_name, SharedLatency>;
  using global_latency_parameter = detail::parameter<detail::latency_name, GlobalLatency>;
  using capacity_parameter = detail::parameter<detail::capacity_name, Capacity>;
  using ports_parameter = detail::parameter<detail::ports_name, Ports>;
  static constexpr int dynamic_parameters =
      dmms_parameter::values + shared_latency_parameter::values + global_latency_parameter::values +
      capacity_parameter::values + ports_parameter::values;
  struct values {
    index list[dynamic_parameters == 0 ? 1 : dynamic_parameters];
  };
  constexpr explicit hmm(values const& from) : hmm(detail::parameter_source{from.list}) {}
  constexpr explicit hmm(detail::parameter_source&& from)
      : dmms_parameter(from),
        shared_latency_parameter(from),
        global_latency_parameter(from),
        capacity_parameter(from),
        ports_parameter(from) {}

 public:
  static_assert(detail::machine_parameter<W, 1>::accepted);
  static constexpr index width = W;

  constexpr hmm()
  requires(dynamic_parameters == 0)
  = default;
  template <std::convertible_to<index>... Values>
  requires(sizeof...(Values) == dynamic_parameters && dynamic_parameters > 0)
  constexpr explicit hmm(Values... given) : hmm(values{{static_cast<index>(given)...}}) {}

  [[nodiscard]] MMM_HOST_DEVICE constexpr index dmms() const { return dmms_parameter::get(); }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index capacity() const {
    return capacity_parameter::get();
  }
  [[nodiscard]] constexpr auto shared() const {
    if constexpr (SharedLatency == dynamic)
      return dmm<W, dynamic>(shared_latency_parameter::get());
    else
      return dmm<W, SharedLatency>();
  }
  [[nodiscard]] constexpr auto global() const {
    if constexpr (GlobalLatency == dynamic && Ports == dynamic)
      return umm<W, dynamic, dynamic>(global_latency_parameter::get(), ports_parameter::get());
    else if constexpr (GlobalLatency == dynamic)
      return umm<W, dynamic, Ports>(global_latency_parameter::get());
    else if constexpr (Ports == dynamic)
      return umm<W, GlobalLatency, dynamic>(ports_parameter::get());
    else
      return umm<W, GlobalLatency, Ports>();
  }
  friend constexpr bool operator==(hmm const&, hmm const&) = default;
};

namespace detail {

//! A memory that is accessed V words at a time, from multiples of V on, V a divisor of the width.
//! The accesses of a warp are served w/V at a time; such an access counts as one word of a memory
//! of width w/V.
template <memory M, index V>
struct vec_memory {
  static_assert(M::width % V == 0);
  static constexpr conflict conflicts = M::conflicts;
  static constexpr index width = M::width / V;
  M of;
  [[nodiscard]] MMM_HOST_DEVICE constexpr index latency() const { return of.latency(); }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index ports() const { return of.ports(); }
};

}  // namespace detail

//! The number of threads, over the whole machine. `std::invalid_argument` (a compile error in a
//! constant expression) unless 1 or more.
struct threads {
  index count;
  constexpr explicit threads(index p) : count(p) {
    if (p < 1) detail::reject("the number of threads", p, "1 or more");
  }
};

//! The size of a problem: elements of a sequence, side of a square. `std::invalid_argument` if
//! negative.
struct size {
  index count;
  constexpr explicit size(index n) : count(n) {
    if (n < 0) detail::reject("the size", n, "0 or more");
  }
};

}  // namespace mmm
