// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/prediction/predict.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/machine/gpu.hpp>

#include <exception>

//! Which of two algorithms mmm::fastest takes on a GPU.
namespace mmm::detail {

template <class M>
inline constexpr bool is_gpu = requires { M::facts; };

//! The numbers that a problem's sizes are.
struct problem_key {
  index first = -1;
  index second = 0;
  friend constexpr bool operator==(problem_key const&, problem_key const&) = default;
};

//! True unless `literal` is predicted to take less time than `fast` on the GPU whose machine `m`
//! is, with p threads and these sizes. A machine that is no GPU has no times: true. Time: four
//! estimates; O(1) for the sizes that a host thread asked for last.
template <class M, class Fast, class Literal, class... Sizes>
[[nodiscard]] bool prefers_fast(M const& m, index p, Fast const& fast, Literal const& literal,
                                problem_key const& key, Sizes const&... sizes) {
  if constexpr (is_gpu<M>) {
    constexpr gpu::device_facts facts = gpu::detail::whole(M::facts);
    static thread_local struct {
      problem_key key{};
      index p = 0;
      bool fast = true;
    } last;
    if (last.p == p && last.key == key) return last.fast;
    auto const time = [&](auto const& algorithm) {
      try {
        return predict_facts(facts, m, algorithm, p, sizes...).microseconds;
      } catch (std::exception const&) {  // it does not fit
        return 1e300;
      }
    };
    last = {key, p, time(fast) <= time(literal)};
    return last.fast;
  } else {
    return true;
  }
}

}  // namespace mmm::detail
