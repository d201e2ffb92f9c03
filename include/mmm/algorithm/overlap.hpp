// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>

#include <functional>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>

namespace mmm::detail {

//! Throws std::invalid_argument if n values from `first` on and m values from `out` on share
//! memory, as far as the iterators' types tell. `what` names the output.
template <class Iterator, class Output>
void reject_overlap(char const* what, Iterator first, index n, Output out, index m) {
  if constexpr (std::contiguous_iterator<Iterator> && std::contiguous_iterator<Output>) {
    void const* const a = std::to_address(first);
    void const* const a_end = std::to_address(first) + n;
    void const* const b = std::to_address(out);
    void const* const b_end = std::to_address(out) + m;
    std::less<void const*> const before{};
    if (n > 0 && m > 0 && before(a, b_end) && before(b, a_end))
      throw std::invalid_argument(std::string("mmm: ") + what +
                                  " overlaps the input; accepted: memory of its own");
  }
}

}  // namespace mmm::detail
