// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>

//! Accesses whose addresses depend on the data: the least and the greatest cost that they can have.
MMM_BODIES_BEGIN
namespace mmm {

// g++ 12 takes a scoped enumerator for a declaration that hides mmm::contiguous.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
//! The assumption about accesses whose addresses depend on data, in sorts and in
//! mmm::permutation_direct: an argument of mmm::cost_of after the threads.
enum class scatter {
  unknown,
  contiguous,  //!< a warp's accesses go to w successive words each time: no data take less
  conflicting  //!< a warp's accesses go to one bank each time, and to as many address groups as
               //!< accesses: no data take more
};
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

namespace detail {

//! The address of item i's access where there are no data, among p threads in a memory of width w.
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
//! Random keys, for predictions of time: 32 random words have 3.5 in one bank on average; here 4
//! are in one bank, in as many address groups.
struct scatter_random {
  template <class Item>
  [[nodiscard]] constexpr auto operator()(Item const& i, index, index w) const {
    return i % w * 4;
  }
};
//! Addresses that depend on the data.
struct scatter_of_data {};
//! Random keys of neighbouring lanes: lanes that are far apart access an address group each, and
//! neighbouring lanes mostly have the same word or the next one.
template <class Scatter>
struct scatter_of_lanes {
  using far_apart = Scatter;
  using neighbouring = Scatter;
};
template <>
struct scatter_of_lanes<scatter_random> {
  using far_apart = scatter_conflicting;
  using neighbouring = scatter_contiguous;
};

//! The address that depends on data, or the assumed address of item i where there are no data: see
//! mmm::scatter.
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
