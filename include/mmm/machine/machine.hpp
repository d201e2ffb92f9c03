// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/machine/parameter.hpp>

//! Machines as types. A machine knows its width, latencies, ports and kind of conflict; it knows no
//! index expression (layer `cost` brings the two together).
namespace mmm {

//! The property of a request's addresses that decides how long it takes.
enum class conflict {
  none,    //!< nothing: a round takes one time unit (PRAM)
  amount,  //!< the number of accesses in a round: ceil(k / w) (BPRAM)
  banks,   //!< distinct addresses in one bank (DMM, shared memory)
  groups,  //!< distinct address groups (UMM, global memory)
  updates  //!< accesses to one bank, equal addresses or not (atomic updates on a DMM)
};

namespace detail {

//! True if both are the same. Compilers search for an overloaded operator wherever `==` compares
//! enumerations, which costs clang more than the function around it.
[[nodiscard]] constexpr bool is(conflict a, conflict b) {
  return static_cast<int>(a) == static_cast<int>(b);
}

//! True where the stages of warps' requests add up to those of a round.
[[nodiscard]] constexpr bool has_stages(conflict conflicts) {
  return !is(conflicts, conflict::none) && !is(conflicts, conflict::amount);
}

//! The conflicts of atomic updates on a memory with these conflicts of reads and writes.
[[nodiscard]] constexpr conflict of_updates(conflict conflicts) {
  return is(conflicts, conflict::banks) ? conflict::updates : conflicts;
}

}  // namespace detail

//! **Concept: machine of a fixed width.** The machine's type knows its width, the constant
//! `M::width()`.
template <class M>
concept fixed_width = requires {
  { M::width() } -> detail::convertible_to<index>;
};

//! **Concept: memory.** One memory behind one port, used by threads in warps. Costs and bounds are
//! in synchronous time, that of the machine as Nakano 2012 defines it, in rounds of all threads.
//! Pipelined time (mmm::simulation) is that of its asynchronous variant with barrier
//! synchronization (Nakano 2012b), whose warps wait for each other at barriers only.
//!
//! Minimal definition: `conflicts`, `width()` (banks; lanes of a warp), `latency()`, `ports()`.
//! Laws: `width() >= 1`, `latency() >= 1`, `ports() >= 1`; a round of `s > 0` stages takes
//! `ceil(s / ports()) + latency() - 1` time units and a round of none takes 0 (docs/model.md,
//! "Synchronous time"). Models: pram, bpram, dmm, umm.
template <class M>
concept memory = requires(M const& m) {
  { M::conflicts } -> detail::convertible_to<conflict>;
  { m.width() } -> detail::same_as<index>;
  { m.latency() } -> detail::same_as<index>;
  { m.ports() } -> detail::same_as<index>;
};

//! **Concept: hierarchical machine.** `dmms()` memories of type `shared()` under one memory
//! `global()`.
//!
//! Laws: both memories have the width `width()`; `capacity() >= 1` words per shared memory. Models:
//! hmm.
template <class M>
concept hierarchical_machine = requires(M const& m) {
  { m.width() } -> detail::same_as<index>;
  { m.dmms() } -> detail::same_as<index>;
  { m.capacity() } -> detail::same_as<index>;
  { m.shared() } -> memory;
  { m.global() } -> memory;
};

//! **Concept: machine.** What algorithms are costed, simulated and launched on.
template <class M>
concept machine = memory<M> || hierarchical_machine<M>;

//! Time of one synchronous round of `stages` pipeline stages on memory `m`, in time units; 0
//! without an access.
template <memory M>
[[nodiscard]] constexpr index round_time(M const& m, index stages) {
  if (stages == 0) return 0;
  return detail::checked_add(detail::ceil_divide(stages, m.ports()), m.latency() - 1);
}

//! The Parallel Random Access Machine: a round of at most `p` accesses takes one time unit,
//! whatever the addresses. `width()` is only the number of threads that a simulation handles at
//! once.
struct pram {
  static constexpr conflict conflicts = conflict::none;
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index width() { return 32; }
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index latency() { return 1; }
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index ports() { return 1; }
  friend constexpr bool operator==(pram, pram) = default;
};

//! The bandwidth-limited PRAM (Nakano 2012): a round of `k` accesses takes `ceil(k / w)` time
//! units.
//! \tparam W width: accesses per time unit, 1 or more, or mmm::dynamic.
//! Construct from the width when it is dynamic; std::invalid_argument unless it is 1 to 64.
template <index W>
struct bpram : detail::width_parameter<W> {
  static constexpr conflict conflicts = conflict::amount;

  constexpr bpram()
  requires(W != dynamic)
  = default;
  constexpr explicit bpram(index given)
  requires(W == dynamic)
      : bpram(detail::parameter_source{&given}) {}
  constexpr explicit bpram(detail::parameter_source source) : detail::width_parameter<W>(source) {}

  [[nodiscard]] MMM_HOST_DEVICE static constexpr index latency() { return 1; }
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index ports() { return 1; }
  friend constexpr bool operator==(bpram const&, bpram const&) = default;
};

//! The Discrete Memory Machine (Nakano 2012): `W` banks that serve one address each per time unit;
//! a GPU's shared memory.
//! \tparam W width: banks, and threads in a warp; or mmm::dynamic.
//! \tparam L latency in time units, or mmm::dynamic.
//! Construct from the dynamic parameters in this order; std::invalid_argument if one is below 1, or
//! the width above 64.
template <index W, index L>
struct dmm : detail::width_parameter<W>, private detail::parameter<detail::latency_name, L> {
 private:
  static constexpr int dynamic_parameters = (W == dynamic) + (L == dynamic);

 public:
  static constexpr conflict conflicts = conflict::banks;

  constexpr dmm()
  requires(dynamic_parameters == 0)
  = default;
  template <detail::convertible_to<index>... Values>
  requires(sizeof...(Values) == dynamic_parameters && dynamic_parameters > 0)
  constexpr explicit dmm(Values... given)
      : dmm(detail::given_parameters<sizeof...(Values)>{{static_cast<index>(given)...}}.source()) {}
  constexpr explicit dmm(detail::parameter_source source)
      : detail::width_parameter<W>(source), detail::parameter<detail::latency_name, L>(source) {}

  [[nodiscard]] MMM_HOST_DEVICE constexpr index latency() const {
    return detail::parameter<detail::latency_name, L>::get();
  }
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index ports() { return 1; }
  friend constexpr bool operator==(dmm const&, dmm const&) = default;
};

//! The Unified Memory Machine (Nakano 2012): one address group of `W` words per time unit and port;
//! a GPU's global memory.
//! \tparam W width: words of an address group, and threads in a warp; or mmm::dynamic.
//! \tparam L latency in time units, or mmm::dynamic.
//! \tparam Ports stages accepted per time unit (1 in the papers), or mmm::dynamic.
//! Construct from the dynamic parameters in this order; std::invalid_argument if one is below 1, or
//! the width above 64.
template <index W, index L, index Ports = 1>
struct umm : detail::width_parameter<W>,
             private detail::parameter<detail::latency_name, L>,
             private detail::parameter<detail::ports_name, Ports> {
 private:
  static constexpr int dynamic_parameters = (W == dynamic) + (L == dynamic) + (Ports == dynamic);

 public:
  static constexpr conflict conflicts = conflict::groups;

  constexpr umm()
  requires(dynamic_parameters == 0)
  = default;
  template <detail::convertible_to<index>... Values>
  requires(sizeof...(Values) == dynamic_parameters && dynamic_parameters > 0)
  constexpr explicit umm(Values... given)
      : umm(detail::given_parameters<sizeof...(Values)>{{static_cast<index>(given)...}}.source()) {}
  constexpr explicit umm(detail::parameter_source source)
      : detail::width_parameter<W>(source),
        detail::parameter<detail::latency_name, L>(source),
        detail::parameter<detail::ports_name, Ports>(source) {}

  [[nodiscard]] MMM_HOST_DEVICE constexpr index latency() const {
    return detail::parameter<detail::latency_name, L>::get();
  }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index ports() const {
    return detail::parameter<detail::ports_name, Ports>::get();
  }
  friend constexpr bool operator==(umm const&, umm const&) = default;
};

//! The Hierarchical Memory Machine (Nakano 2013a; Nakano and Ito 2014): `D` DMMs under one UMM that
//! all their threads use; a GPU.
//! \tparam D number of DMMs.
//! \tparam W width of every memory.
//! \tparam SharedLatency latency `l` of the shared memories.
//! \tparam GlobalLatency latency `L` of the global memory.
//! \tparam Capacity words of one shared memory.
//! \tparam Ports stages that the global memory accepts per time unit.
//! All may be mmm::dynamic. Construct from the dynamic parameters in this order;
//! std::invalid_argument if one is below 1, or the width above 64.
template <index D, index W, index SharedLatency, index GlobalLatency, index Capacity = unlimited,
          index Ports = 1>
struct hmm : private detail::parameter<detail::dmms_name, D>,
             detail::width_parameter<W>,
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
      (D == dynamic) + (W == dynamic) + (SharedLatency == dynamic) + (GlobalLatency == dynamic) +
      (Capacity == dynamic) + (Ports == dynamic);
  constexpr explicit hmm(detail::parameter_source source)
      : dmms_parameter(source),
        detail::width_parameter<W>(source),
        shared_latency_parameter(source),
        global_latency_parameter(source),
        capacity_parameter(source),
        ports_parameter(source) {}

 public:
  constexpr hmm()
  requires(dynamic_parameters == 0)
  = default;
  template <detail::convertible_to<index>... Values>
  requires(sizeof...(Values) == dynamic_parameters && dynamic_parameters > 0)
  constexpr explicit hmm(Values... given)
      : hmm(detail::given_parameters<sizeof...(Values)>{{static_cast<index>(given)...}}.source()) {}

  [[nodiscard]] MMM_HOST_DEVICE constexpr index dmms() const { return dmms_parameter::get(); }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index capacity() const {
    return capacity_parameter::get();
  }
  [[nodiscard]] constexpr auto shared() const {
    detail::parameter_list list;
    list.add<W>(this->width());
    list.add<SharedLatency>(shared_latency_parameter::get());
    return dmm<W, SharedLatency>(list.source());
  }
  [[nodiscard]] constexpr auto global() const {
    detail::parameter_list list;
    list.add<W>(this->width());
    list.add<GlobalLatency>(global_latency_parameter::get());
    list.add<Ports>(ports_parameter::get());
    return umm<W, GlobalLatency, Ports>(list.source());
  }
  friend constexpr bool operator==(hmm const&, hmm const&) = default;
};

namespace detail {

//! A memory that is accessed V words at a time, from multiples of V on, V a divisor of the width.
//! The accesses of a warp are served w/V at a time; such an access counts as one word of a memory
//! of width w/V.
template <memory M, index V>
requires fixed_width<M>
struct vec_memory {
  static_assert(M::width() % V == 0);
  static constexpr conflict conflicts = M::conflicts;
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index width() { return M::width() / V; }
  M inner;
  [[nodiscard]] MMM_HOST_DEVICE constexpr index latency() const { return inner.latency(); }
  [[nodiscard]] MMM_HOST_DEVICE constexpr index ports() const { return inner.ports(); }
};

//! A machine whose parameters its type knows; a compile error, in words, where it does not.
template <class M>
[[nodiscard]] constexpr M machine_of() {
  static_assert(default_constructible<M>,
                "mmm: a machine with mmm::dynamic parameters is a value: pass it in place of its "
                "type, as in mmm::cost_of(mmm::dmm<32, mmm::dynamic>(5), ...)");
  if constexpr (default_constructible<M>) return {};
}

//! The width of machines of type M as a type: a number that the type knows, or a member.
template <class M>
struct width_as_type {
  using type = width_parameter<dynamic>;
};
template <fixed_width M>
struct width_as_type<M> {
  using type = width_parameter<M::width()>;
};
template <class M>
using width_type = typename width_as_type<M>::type;

//! The width of `m`, as its type.
template <class M>
[[nodiscard]] constexpr width_type<M> width_in([[maybe_unused]] M const& m) {
  if constexpr (fixed_width<M>)
    return {};
  else
    return m;
}

//! A memory with banks under atomic updates (docs/model.md): a bank makes one update at a time.
template <memory M>
requires(is(M::conflicts, conflict::banks))
struct updated_banks : width_type<M> {
  static constexpr conflict conflicts = conflict::updates;
  M inner;
  constexpr explicit updated_banks(M const& m) : width_type<M>(width_in(m)), inner(m) {}
  [[nodiscard]] constexpr index latency() const { return inner.latency(); }
  [[nodiscard]] constexpr index ports() const { return inner.ports(); }
};
//! Memory `m` under atomic updates; without banks it is the same as under writes.
template <memory M>
[[nodiscard]] constexpr auto for_updates(M const& m) {
  if constexpr (is(M::conflicts, conflict::banks))
    return updated_banks<M>(m);
  else
    return m;
}

//! A bound on the width of machines of type M, for arrays of lanes.
template <class M>
inline constexpr int max_lanes = width_type<M>::max_lanes;

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
