// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/fast.hpp>
#include <mmm/mmm.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

//! The interface of the lists of kernels. A list is a function `run_list(runs)` of a namespace that
//! is called as its file; it calls `runs.template run<T>(algorithm, sizes, machine, threads, call)`
//! for each case; `call(on, a, b, c)` runs the algorithm on three arrays of `max_words` words, all
//! 1, those of c of type `result_of<T>`; `run<T, bytes>` if the words that the algorithm allocates
//! have so many bytes, not those of T. `runs.keep(numbers)` copies integers to where the program
//! reads them. The lists are compiled into two programs: the kernels, and the model that predicts
//! their counts.
namespace prediction {

using mmm::index;

inline constexpr index max_words = 1 << 15;

//! True leaves out kernels that differ from others by the machine or the type of values only.
#ifdef PREDICTION_FEW
inline constexpr bool few = true;
#else
inline constexpr bool few = false;
#endif

//! The type in which sums of numbers are kept.
template <class T>
using result_of =
    std::conditional_t<sizeof(T) >= 4, T,
                       std::conditional_t<std::is_integral_v<T>, std::int32_t, float>>;

inline constexpr mmm::dmm<32, 1> dmm{};
inline constexpr mmm::umm<32, 1> umm{};
inline constexpr mmm::pram pram{};
using hierarchy = mmm::hmm<mmm::dynamic, 32, 1, 1>;

[[nodiscard]] inline std::string text(char const* name, index value) {
  return std::string(name) + " = " + std::to_string(value);
}
[[nodiscard]] inline std::string text(char const* name, index value, char const* other,
                                      index other_value) {
  return text(name, value) + ", " + text(other, other_value);
}

}  // namespace prediction
