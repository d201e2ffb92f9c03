// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/handle.hpp>
#include <mmm/gpu/devices.hpp>
#include <mmm/machine/machine.hpp>
#include <mmm/timing/predict.hpp>

#include <cstdint>
#include <exception>

//! The choice of mmm::fastest among candidate algorithms on a GPU.
namespace mmm::detail {

template <class M>
inline constexpr bool is_gpu = requires { M::facts; };

//! True if candidates are compared: for a GPU, in host code. Kernels choose nothing, and nvcc
//! compiles for the device in less time without the estimates.
#ifdef __CUDA_ARCH__
template <class M>
inline constexpr bool compares_candidates = false;
#else
template <class M>
inline constexpr bool compares_candidates = is_gpu<M>;
#endif

//! The key of a choice: the numbers in a problem's sizes, and the threads of each candidate, 0 of
//! those that are not possible.
struct problem_key {
  static constexpr int max_candidates = 9;
  index first = -1;
  index second = 0;
  index third = 0;
  index threads[max_candidates]{};
  friend constexpr bool operator==(problem_key const&, problem_key const&) = default;
};

//! A cache of the choices that a host thread made: 64 slots, each of which has the latest choice
//! for the sizes that hash to it.
class recent_choices {
 public:
  struct choice {
    problem_key key{};
    int candidate = 0;
  };
  [[nodiscard]] choice& slot(problem_key const& key) {
    std::uint64_t mixed = 0;
    auto const mix = [&](index number) { mixed = mixed * 31 + static_cast<std::uint64_t>(number); };
    for (index const number : {key.first, key.second, key.third}) mix(number);
    for (index const number : key.threads) mix(number);
    return choices_[mixed * 0x9e3779b97f4a7c15U >> 58];
  }

 private:
  choice choices_[64];
};

//! A candidate for a problem: whether machine, type and handle allow it, the number of threads that
//! it would have in all, and `time(predicted)`, which returns `predicted(algorithm, sizes ...)`. A
//! candidate with blocks of its own also has the number of its DMMs and the words of their shared
//! memories.
template <class Time>
struct timed_candidate {
  bool possible;
  index threads;
  Time time;
  index dmms = 0;
  index capacity = 0;
};
template <class Time>
timed_candidate(bool, index, Time) -> timed_candidate<Time>;
template <class Time>
timed_candidate(bool, index, Time, index, index) -> timed_candidate<Time>;

//! The number of the possible candidate with the least predicted time on the GPU whose machine `m`
//! is, for values of `value_bytes` bytes; the first one of equal candidates. A candidate that does
//! not fit is not chosen. Time: an estimate or two for each candidate.
template <class M, class... Times>
[[nodiscard]] constexpr int quickest_candidate(M const& m, index value_bytes,
                                               timed_candidate<Times> const&... candidates) {
  constexpr gpu::device_facts facts = gpu::detail::whole(M::facts);
  prediction_conditions conditions;
  conditions.value_bytes = value_bytes;
  int best = -1;
  int number = 0;
  double least = 0;
  auto const compare = [&](auto const& one) {
    int const own_number = number++;
    if (!one.possible) return;
    bool const own = one.dmms > 0;
    any_blocks<M::width()> const blocks(own ? one.dmms : m.dmms(), m.shared().latency(),
                                        m.global().latency(), own ? one.capacity : m.capacity(),
                                        m.global().ports());
    auto const predicted = [&](auto const& algorithm, auto const&... sizes) {
      return predict_facts(facts, conditions, blocks, algorithm, one.threads, sizes...)
          .microseconds;
    };
    try {
      double const time = one.time(predicted);
      if (best >= 0 && least <= time) return;
      best = own_number;
      least = time;
    } catch (std::exception const&) {  // the candidate does not fit
    }
  };
  (compare(candidates), ...);
  return best;
}

//! The number of the quickest candidate, from a cache of the sizes that a host thread asked for
//! recently; `sizes` is the key. On a machine that is not a GPU and has no times, the first
//! possible candidate. -1 if no candidate is possible. Time: O(1) for sizes in the cache, and if
//! only one candidate is possible.
template <class M, class... Times>
[[nodiscard]] int chosen_candidate(M const& m, index value_bytes, problem_key sizes,
                                   timed_candidate<Times> const&... candidates) {
  static_assert(sizeof...(Times) <= problem_key::max_candidates,
                "mmm: the key of a choice has no room for so many candidates");
  int first = -1;
  int number = 0;
  int count = 0;
  auto const note = [&](auto const& one) {
    if (one.possible) {
      if (first < 0) first = number;
      sizes.threads[number] = one.threads;
      ++count;
    }
    ++number;
  };
  (note(candidates), ...);
  if constexpr (compares_candidates<M>) {
    if (count > 1) {
      static thread_local recent_choices known;
      recent_choices::choice& known_here = known.slot(sizes);
      if (known_here.key != sizes)
        known_here = {sizes, quickest_candidate(m, value_bytes, candidates...)};
      return known_here.candidate < 0 ? first : known_here.candidate;
    }
  }
  return first;
}

//! The handle for a program whose blocks have `threads_of_block(dmms, lanes, threads per DMM)`
//! threads, rounded down to whole groups of lanes: on a GPU `OfSm` blocks on each multiprocessor.
//! The handle itself where it cannot run programs on another machine.
template <index OfSm = 1, class On, class Threads>
[[nodiscard]] auto with_blocks(On const& on, Threads const& threads_of_block) {
  using machine = typename On::machine_type;
  if constexpr (requires { on.on_machine(on.machine(), mmm::threads(1)); }) {
    auto const with = [&](auto const& m) {
      index const lanes = lanes_of(machine::width());
      index const t = threads_of_block(m.dmms(), lanes, OfSm * (on.threads() / m.dmms()));
      return on.on_machine(m, mmm::threads(m.dmms() * (t > lanes ? t - t % lanes : t)));
    };
    if constexpr (is_gpu<machine>)
      return with(gpu::device<gpu::detail::split(gpu::detail::whole(machine::facts), OfSm)>{});
    else
      return with(on.machine());
  } else {
    return on;
  }
}

//! A candidate that runs on a handle of its own (with_blocks).
template <class On, class Time>
[[nodiscard]] auto candidate_on(On const& handle, bool possible, Time const& time) {
  return timed_candidate{possible, handle.threads(), time, handle.machine().dmms(),
                         handle.machine().capacity()};
}

}  // namespace mmm::detail
