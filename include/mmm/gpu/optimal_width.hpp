// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/gpu/optimal_layout.hpp>
#include <mmm/index/expression.hpp>

//! The layout of a tile with the least cost over linear maps, paddings and widths of vectors.
namespace mmm::gpu {

//! Widths of a lane's vector, in bytes: `vector_widths<4, 8, 16>{}`.
template <index... Bytes>
struct vector_widths {};

//! The best layout for each of several widths, and the least of them.
template <class Certificate, index... Bytes>
struct width_certificate {
  Certificate of_width[sizeof...(Bytes)];  //!< in the order of `Bytes`
  Certificate least;                       //!< the best_of them
  index bytes = 0;                         //!< the width of `least`

  //! True if no linear map and no padding is better with any of the widths.
  [[nodiscard]] constexpr bool optimal() const { return least.optimal(); }

  //! Checks the certificates of all widths, that none is better, and that those without a proof
  //! cannot be. \param accesses_of as for optimal_width. Time: layout_certificate::verify for each
  //! width.
  template <class AccessesOf>
  [[nodiscard]] constexpr bool verify(AccessesOf const& accesses_of) const {
    bool holds = true;
    bool is_one = false;
    int k = 0;
    auto const examine = [&](auto width) {
      Certificate const& c = of_width[k++];
      holds = holds && c.wavefronts >= least.wavefronts &&
              (!optimal() || c.optimal() || c.bound >= least.wavefronts) &&
              accesses_of(width, [&](auto const&... accesses) { return c.verify(accesses...); });
      is_one = is_one || (width == bytes && c.wavefronts == least.wavefronts &&
                          c.layout == least.layout && c.bound == least.bound);
    };
    (examine(mmm::detail::static_index<Bytes>{}), ...);
    return holds && is_one;
  }
};

//! The layout and the vector width with the fewest wavefronts, among all linear maps and all
//! paddings that optimal_layout searches, for each width; then the fewest bytes of shared memory,
//! then the first width.
//! \tparam Area, Limits, Rules, Steps as for optimal_layout.
//! \param accesses_of `accesses_of(width, use)` returns `use(accesses...)` with the accesses that
//! move the same elements by vectors of `width` bytes, a type with the
//! constant `value`; as many for each width.
//! Errors and time: those of optimal_layout, for each width.
template <tile_shape Area, tile_limits Limits = tile_limits(), bank_rules Rules = nvidia,
          index Steps = max_layout_steps, index First, index... More, class AccessesOf>
[[nodiscard]] constexpr auto optimal_width(vector_widths<First, More...> const&,
                                           AccessesOf const& accesses_of) {
  auto const layout_for = [&](auto width) {
    return accesses_of(width, [](auto const&... accesses) {
      return optimal_layout<Area, Limits, Rules, Steps>(accesses...);
    });
  };
  auto const chosen = [](auto const&... of_width) {
    return width_certificate<decltype(best_of(of_width...)), First, More...>{
        {of_width...}, best_of(of_width...), 0};
  };
  auto found = chosen(layout_for(mmm::detail::static_index<First>{}),
                      layout_for(mmm::detail::static_index<More>{})...);
  constexpr index widths[] = {First, More...};
  for (int k = sizeof...(More); k >= 0; --k)
    if (auto const& c = found.of_width[k];
        c.wavefronts == found.least.wavefronts && c.bytes == found.least.bytes)
      found.bytes = widths[k];
  return found;
}

}  // namespace mmm::gpu
