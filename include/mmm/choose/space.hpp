// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/choose/best.hpp>
#include <mmm/choose/kernel_point.hpp>
#include <mmm/core/config.hpp>

#if !__has_include(<boost/hana/cartesian_product.hpp>)
#error "mmm: <mmm/space.hpp> needs the headers of Boost.Hana, Boost 1.81 or newer"
#endif
#include <boost/hana/cartesian_product.hpp>
#include <boost/hana/integral_constant.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>

//! Tuning spaces: products of lists of compile-time values and types (tuples of Boost.Hana). Each
//! point is a type, a configuration of a kernel.
namespace mmm {

namespace detail {

//! The type that an element of a list stands for: that of a hana::type, or the constant itself.
template <class Element>
struct element_type {
  using type = Element;
};
template <class T>
requires requires { typename T::type; } && (!requires { T::value; })
struct element_type<T> {
  using type = typename T::type;
};

//! The points of a product of lists, a tuple of tuples of five elements, or of a launch and a
//! variant.
template <class Elements>
struct point_of;
template <class... Element>
struct point_of<boost::hana::tuple<Element...>> {
  using type = kernel_point<typename element_type<Element>::type...>;
};
template <class Threads, class Variant>
struct point_of<boost::hana::tuple<Threads, Variant>> {
  using type = kernel_point<unused, typename element_type<Threads>::type, unused, unused,
                            typename element_type<Variant>::type>;
};
template <class Product>
struct points_of;
template <class... Elements>
struct points_of<boost::hana::tuple<Elements...>> {
  using type = point_list<typename point_of<Elements>::type...>;
};

}  // namespace detail

//! A space: its points, and the filters that they have to pass, in this order.
template <class Points, class... Filters>
struct tuning_space;
template <class... Points, class... Filters>
struct tuning_space<point_list<Points...>, Filters...> {
  using points = point_list<Points...>;
  static constexpr index count = points::count;

  //! The space with further filters: `space.where(fits_registers{}, without_conflicts{})`.
  template <class... More>
  [[nodiscard]] constexpr tuning_space<points, Filters..., More...> where(More const&...) const {
    return {};
  }
  //! The points of two spaces with the same filters, those of `*this` first.
  template <class... More>
  [[nodiscard]] constexpr tuning_space<point_list<Points..., More...>, Filters...> operator+(
      tuning_space<point_list<More...>, Filters...> const&) const {
    return {};
  }
  //! The points as candidates for mmm::best and mmm::report::why, without the filters; `more` are
  //! the problem's parameters besides its size.
  template <class... More>
  [[nodiscard]] constexpr auto all(More const&... more) const {
    return candidates{candidate{Points::name(), Points::plan, Points::predictor(more...)}...};
  }
};

namespace detail {

template <class... Lists>
using space_of = tuning_space<typename points_of<decltype(boost::hana::cartesian_product(
    boost::hana::tuple<Lists...>{}))>::type>;

}  // namespace detail

//! The product of five lists: `space(tiles, threads, layouts, stages, variants)`. Elements are
//! types, as those of hana::tuple_t, or constants, as those of hana::tuple_c. Threads are launches:
//! mmm::blocks and its like; variants are those of mmm::kernel_point. The last list varies
//! quickest.
//! Compile time: docs/machine-to-kernel.md. Errors: mmm::best says that a space is empty.
template <class Tiles, class Threads, class Layouts, class Stages, class Variants>
[[nodiscard]] constexpr auto space(Tiles const&, Threads const&, Layouts const&, Stages const&,
                                   Variants const&) {
  return detail::space_of<Tiles, Threads, Layouts, Stages, Variants>{};
}
//! The product of launches and variants, whose tiles and layouts are fixed.
template <class Threads, class Variants>
[[nodiscard]] constexpr auto space(Threads const&, Variants const&) {
  return detail::space_of<Threads, Variants>{};
}

//! Lists of types and of numbers, for spaces.
template <class... T>
inline constexpr boost::hana::tuple<boost::hana::type<T>...> types{};
template <index... N>
inline constexpr boost::hana::tuple<boost::hana::integral_constant<index, N>...> numbers{};

}  // namespace mmm
