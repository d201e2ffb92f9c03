// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>

//! Accesses whose addresses depend on the data: what their cost is at least and at most.
MMM_BODIES_BEGIN
namespace mmm {

// g++ 12 takes a scoped enumerator for one that hides mmm::contiguous.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
//! Where the cost of a sort takes the accesses to go whose addresses depend on the keys: an
//! argument of mmm::cost_of after the threads.
enum class scatter {
  unknown,
  contiguous,  //!< a warp's accesses to w successive words each time: no keys take less
  conflicting  //!< a warp's accesses to one bank each time, and to as many address groups as
               //!< accesses: no keys take more
};
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

namespace detail {

//! Where the access of item i goes without data, among p threads in a memory of width w.
struct scatter_contiguous {
  template <class Item>
  [[nodiscard]] constexpr auto operator()(Item const& i, index p, index w) const {
    return i % p % w;
  }
};
struct scatter_conflicting {
  template <class Item>
  [[nodiscard]] constexpr auto operator()(Item const& i, index, index w) const {
    return w * i;
  }
};
//! Keys at random, in predictions of time: of 32 words at random 3.5 are in one bank on average;
//! here 4 are, in as many address groups.
struct scatter_random {
  template <class Item>
  [[nodiscard]] constexpr auto operator()(Item const& i, index, index w) const {
    return i % w * 4;
  }
};
//! It depends on the data.
struct scatter_of_data {};
//! Of keys at random: where lanes go that are far apart, each to an address group of its own, and
//! neighbouring lanes that mostly have the same word or the next one.
template <class Scatter>
struct scatter_of_lanes {
  using far_apart = Scatter;
  using alike = Scatter;
};
template <>
struct scatter_of_lanes<scatter_random> {
  using far_apart = scatter_conflicting;
  using alike = scatter_contiguous;
};

//! An address that depends on data, or that of item i where there is none: see mmm::scatter.
template <class Scatter, class Item, class Value>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto address_by([[maybe_unused]] Item const& i,
                                                        [[maybe_unused]] index p,
                                                        [[maybe_unused]] index w,
                                                        [[maybe_unused]] Value const& x) {
  if constexpr (is_same_v<Scatter, scatter_of_data>)
    return as_index(x);
  else
    return Scatter{}(i, p, w);
}

}  // namespace detail
}  // namespace mmm
MMM_BODIES_END
