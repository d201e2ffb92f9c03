// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/contiguous_iterator.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/execution/arguments.hpp>

#include <cstdint>

//! The check that input and output do not overlap, for back ends that run programs on a caller's
//! data.
namespace mmm::detail {

//! The overlap check for contiguous iterators; others are not checked.
template <class In, class Out>
struct overlap_check {
  static void reject(In first, index n, Out out, index m) {
    if constexpr (std::contiguous_iterator<In> && std::contiguous_iterator<Out>) {
      if (n == 0 || m == 0) return;
      auto const place = [](auto const& word) { return reinterpret_cast<std::uintptr_t>(&word); };
      if (place(*first) <= place(out[m - 1]) && place(*out) <= place(first[n - 1]))
        throw_invalid_argument(
            failure_text("mmm: the result overlaps the input; accepted: memory of its own"));
    }
  }
};

}  // namespace mmm::detail
