// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/prediction/predict.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/machine/gpu.hpp>

#include <cstdint>
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

//! The choices for sizes that a host thread asked for lately: 64, each at a place of its own by its
//! sizes, where the latest one stays.
class recent_choices {
 public:
  struct choice {
    problem_key key{};
    index threads = 0;
    bool fast = true;
  };
  [[nodiscard]] choice& of(problem_key const& key, index threads) {
    auto const mixed =
        (static_cast<std::uint64_t>(key.first) * 31 + static_cast<std::uint64_t>(key.second) * 17 +
         static_cast<std::uint64_t>(threads)) *
        0x9e3779b97f4a7c15U;
    return choices_[mixed >> 58];
  }

 private:
  choice choices_[64];
};

//! True unless `literal` is predicted to take less time than `fast` on the GPU whose machine `m`
//! is, with p threads and these sizes. A machine that is no GPU has no times: true. Time: four
//! estimates; O(1) for sizes that a host thread asked for lately.
template <class M, class Fast, class Literal, class... Sizes>
[[nodiscard]] bool prefers_fast(M const& m, index p, Fast const& fast, Literal const& literal,
                                problem_key const& key, Sizes const&... sizes) {
  if constexpr (is_gpu<M>) {
    constexpr gpu::device_facts facts = gpu::detail::whole(M::facts);
    static thread_local recent_choices known;
    recent_choices::choice& known_here = known.of(key, p);
    if (known_here.threads == p && known_here.key == key) return known_here.fast;
    auto const time = [&](auto const& algorithm) {
      try {
        return predict_facts(facts, m, algorithm, p, sizes...).microseconds;
      } catch (std::exception const&) {  // it does not fit
        return 1e300;
      }
    };
    known_here = {key, p, time(fast) <= time(literal)};
    return known_here.fast;
  } else {
    return true;
  }
}

}  // namespace mmm::detail
