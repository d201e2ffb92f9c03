// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/interop/thrust_policy.hpp>
#include <mmm/mmm.hpp>

#include "catch.hpp"
#include "support/affine_map.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

//! Checks a Thrust call on simulated machines: it must have the results of thrust::host, the cost
//! that a model gives, and no races.
namespace checks {

using mmm::index;

//! An associative and commutative operator.
struct add_both {
  affine_map operator()(affine_map const& x, affine_map const& y) const {
    return {x.scale + y.scale, x.shift + y.shift};
  }
};

template <class T>
[[nodiscard]] T value(index k) {
  return static_cast<T>((k * 7919 + 13) % 101 - 50);  // sums of these are exact in any order
}
template <>
[[nodiscard]] inline affine_map value<affine_map>(index k) {
  return {static_cast<unsigned>(k * 7919 + 13), static_cast<unsigned>(k * 104729 + 5)};
}

template <class T>
[[nodiscard]] std::vector<T> values(index n) {
  std::vector<T> result(static_cast<std::size_t>(n));
  for (index k = 0; k < n; ++k) result[static_cast<std::size_t>(k)] = value<T>(k);
  return result;
}

//! A map that is a permutation of 0 … n - 1, far from the identity.
[[nodiscard]] inline std::vector<int> shuffled(index n) {
  index step = 617;
  while (mmm::detail::gcd(step, n) != 1) ++step;
  std::vector<int> map(static_cast<std::size_t>(n));
  for (index k = 0; k < n; ++k)
    map[static_cast<std::size_t>(k)] = static_cast<int>((k * step + 5) % n);
  return map;
}

//! Calls `check(m, p, n)` for machines, numbers of threads and sizes, some of which do not divide.
template <class Check>
void sweep(Check check) {
  for (index const n : {0, 1, 2, 31, 32, 33, 1000}) {
    for (index const p : {12, 64}) {
      check(mmm::pram(), p, n);
      check(mmm::umm<32, 100>(), p, n);
      check(mmm::dmm<4, mmm::dynamic>(5), p, n);
      check(mmm::hmm<2, 4, 2, 10>(), p, n);
    }
  }
}

//! Runs `call(policy)` once and checks what holds for every call; returns its cost and its trace.
template <class M, class Call>
struct logged_call {
  mmm::call_cost logged{};
  mmm::machine_trace<M> trace;

  logged_call(M const& m, index p, index n, char const* name, Call const& call) : trace{{}, m} {
    mmm::cost_log log;
    std::vector<mmm::machine_trace<M>> traces;
    call(mmm::simulated_policy(m, mmm::threads(p), log, traces));
    CAPTURE(name, n, p, M::width());
    REQUIRE(log.calls.size() == 1);
    REQUIRE(traces.size() == 1);
    logged = log.calls.front();
    trace = traces.front();
    CHECK(logged.call == std::string(name));
    CHECK(logged.items == n);
    CHECK(logged.pipelined_time <= logged.cost.time);
    CHECK(logged.race_count == 0);
    if (n <= 40) CHECK(mmm::recomputed_time(m, trace) == logged.cost.time);
  }
};

//! Runs `call(policy)` once and checks that the log has this cost under this name.
template <class M, class Call>
void run_call(M const& m, index p, index n, char const* name, mmm::cost const& model,
              Call const& call) {
  mmm::cost const found = logged_call<M, Call>(m, p, n, name, call).logged.cost;
  CAPTURE(name, n, p, M::width());
  CHECK(found.rounds == model.rounds);
  CHECK(found.stages == model.stages);
  CHECK(found.time == model.time);
}

//! Checks a call that returns a value: `call(policy)`.
template <class M, class Call>
void same_value(M const& m, index p, index n, char const* name, mmm::cost const& model,
                Call const& call) {
  auto const expected = call(thrust::host);
  run_call(m, p, n, name, model, [&](auto const& on) { CHECK(call(on) == expected); });
}

//! Checks a call that fills an array of n values of type T: `call(policy, output)` returns how many
//! it wrote.
template <class T, class M, class Call>
void same_output(M const& m, index p, index n, char const* name, mmm::cost const& model,
                 Call const& call) {
  auto expected = values<T>(n);
  index const passed = call(thrust::host, expected.begin());
  auto found = values<T>(n);
  run_call(m, p, n, name, model, [&](auto const& on) { CHECK(call(on, found.begin()) == passed); });
  CHECK(found == expected);
}

//! The kinds of keys that calls are tested with.
enum class keys { few, equal, different, descending, random };
inline constexpr keys all_kinds[] = {keys::few, keys::equal, keys::different, keys::descending,
                                     keys::random};

//! n keys of a kind; few ones come in segments of several lengths.
[[nodiscard]] inline std::vector<int> keys_of(keys kind, index n) {
  std::vector<int> result;
  std::uint64_t state = 88172645463325252U + static_cast<std::uint64_t>(n);
  for (index k = 0; k < n; ++k) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    auto const drawn = static_cast<int>(state >> 40);
    bool const again = kind == keys::few && k > 0 && drawn % 3 != 0;
    result.push_back(again                     ? result.back()
                     : kind == keys::few       ? drawn % 5
                     : kind == keys::equal     ? 7
                     : kind == keys::different ? static_cast<int>(k)
                     : kind == keys::random    ? drawn
                                               : static_cast<int>(n - k));
  }
  return result;
}

//! The model of a parallel-for over n items: `body(i, arrays...)`, with as many arrays of n words
//! as the body takes.
template <class M, class Body>
[[nodiscard]] mmm::cost each(M const& m, index p, index n, Body const& body) {
  return mmm::estimate(m, mmm::threads(p), [&](auto& on) {
    auto const a = on.template allocate<float>(n);
    on.each(n, [&](auto i) { body(i, a); });
  });
}

}  // namespace checks
