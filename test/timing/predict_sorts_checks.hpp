// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/fast.hpp>
#include <mmm/mmm.hpp>
#include <mmm/predict.hpp>

#include "catch.hpp"

namespace checks {

using mmm::index;

//! The predicted time of a sort on one block of t threads for each multiprocessor.
template <class A, class... More>
double predicted(mmm::gpu::device_facts const& facts, A const& sort, index n, index t,
                 More const&... more) {
  auto const m = mmm::detail::machine_of(facts, {1, t});
  mmm::prediction_conditions of_benchmark;
  of_benchmark.written_cache = true;
  return mmm::detail::predict_facts(facts, of_benchmark, m, sort, facts.sms * t, mmm::size(n),
                                    more...)
      .microseconds;
}

inline bool near(double a, double b, double share) {
  return a <= b * (1 + share) && b <= a * (1 + share);
}

}  // namespace checks
