// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/copy_async.hpp>
#include <mmm/execution/vec.hpp>

//! Tiles: the threads that they need, and accesses that may cross a border.
MMM_BODIES_BEGIN
namespace mmm::detail {

//! Throws std::invalid_argument unless every DMM of `on` has `least` threads.
template <class On>
constexpr void demand_threads_per_dmm(On const& on, index least) {
  if (on.threads_per_dmm() < least)
    reject("the number of threads per DMM", on.threads_per_dmm(),
           "as many as the tiles need, or more");
}

//! An access of all items of a whole tile, or, in a partial tile, of the items that satisfy a
//! condition.
template <bool Whole, class Condition, class Reference>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto load_within(Condition const& inside,
                                                         Reference&& word) {
  if constexpr (Whole)
    return load(static_cast<Reference&&>(word));
  else
    return load_if(inside, static_cast<Reference&&>(word), 0);
}
template <bool Whole, class Condition, class Target, class Source>
MMM_HOST_DEVICE constexpr void copy_within(Condition const& inside, Target&& target,
                                           Source&& source) {
  if constexpr (Whole)
    copy_async(static_cast<Target&&>(target), static_cast<Source&&>(source));
  else
    copy_async_if(inside, static_cast<Target&&>(target), static_cast<Source&&>(source));
}
template <bool Whole, class Condition, class Reference, class Value>
MMM_HOST_DEVICE constexpr void store_within(Condition const& inside, Reference&& word,
                                            Value const& value) {
  if constexpr (Whole)
    static_cast<Reference&&>(word) = value;
  else
    store_if(inside, static_cast<Reference&&>(word), value);
}

//! Starts a program that accesses several words of the global memory at once, or, if its sequences
//! do not consist of whole vecs, the program that accesses word by word.
template <class Program, class Start>
constexpr void start_by_words(Program const& program, bool whole, Start const& start) {
  if constexpr (requires { program.by_words(); })
    if (!whole) return start(program.by_words());
  start(program);
}

}  // namespace mmm::detail
MMM_BODIES_END
