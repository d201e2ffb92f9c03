// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/simulate/iterator.hpp>

#include <any>
#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

//! The caller's memory as arrays of a simulated one.
namespace mmm::detail {

//! The words of the host that a call uses. Ranges of one type that overlap or touch are one array,
//! so that words keep their distances; every other range is an array of its own, from an address
//! group's first word on.
//! First all ranges are noted, then pointers are looked up. Time: O(number of ranges) each.
template <class Recorder>
class host_words {
 public:
  //! `a[low … high)` belongs to an array; so does whatever lies between it and `a`, which is where
  //! the array begins.
  template <class T>
  void note(T* a, index low, index high) {
    using word = std::remove_const_t<T>;
    auto* const origin = const_cast<word*>(a);  // only outputs are written
    range added{&type_mark<word>, origin + smaller(low, 0), origin + larger(high, 0), {}};
    std::less_equal<void const*> const reaches{};
    for (std::size_t k = ranges_.size(); k-- > 0;) {
      range& other = ranges_[k];
      if (other.type != added.type || !reaches(added.first, other.last) ||
          !reaches(other.first, added.last))
        continue;
      if (reaches(other.first, added.first)) added.first = other.first;
      if (reaches(added.last, other.last)) added.last = other.last;
      ranges_.erase(ranges_.begin() + static_cast<std::ptrdiff_t>(k));
    }
    ranges_.push_back(added);
  }

  //! The address of `a` in the simulated memory of `on`. Precondition: it has been noted.
  template <class T, class On>
  [[nodiscard]] auto array(On& on, T* a) {
    using word = std::remove_const_t<T>;
    auto* const origin = const_cast<word*>(a);
    std::less_equal<void const*> const reaches{};
    std::size_t k = 0;
    while (ranges_[k].type != &type_mark<word> || !reaches(ranges_[k].first, origin) ||
           !reaches(origin, ranges_[k].last))
      ++k;
    range& found = ranges_[k];
    auto* const first = static_cast<word*>(found.first);
    if (!found.array.has_value()) found.array = on.array(first, static_cast<word*>(found.last));
    return std::any_cast<simulated_iterator<word, Recorder>>(found.array) + (origin - first);
  }

 private:
  template <class T>
  static constexpr char type_mark{};
  struct range {
    char const* type;
    void* first;
    void* last;
    std::any array;
  };
  std::vector<range> ranges_{};
};

}  // namespace mmm::detail
