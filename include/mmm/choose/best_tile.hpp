// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/shapes.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/algorithm/product/matrix_multiply.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/machine/machine.hpp>

#include <initializer_list>

//! The side of the submatrices of a matrix product, chosen by cost.
namespace mmm {

//! Names in the compile error of best_tile, which shows the numbers in them.
template <index Words>
struct needed_words {};
template <index Words>
struct available_words {};

namespace detail {

template <class Needed, class Available>
struct fits_shared_memory;
template <index Needed, index Available>
struct fits_shared_memory<needed_words<Needed>, available_words<Available>> {
  static_assert(Needed <= Available,
                "mmm: no tile of the list fits: more words of shared memory needed than available");
  static constexpr bool value = true;
};

}  // namespace detail

//! The best tile of a list, `best_tile<M, 8, 16, 32>(size(n), p)`, for a product on machine `M`:
//! the one with the least exact cost, among tiles whose words fit the shared memory and that are
//! not larger than the matrices; the first one of equal tiles. `M` has a capacity that its type
//! contains. A product_shape may take the place of the size. Errors: if no tile fits, a compile
//! error with the words that the smallest one needs; std::invalid_argument (a compile error in a
//! constant expression) if the tiles that fit are larger than the matrices.
template <hierarchical_machine M, index... Tiles, class Algorithm = decltype(matrix_multiply)>
requires(sizeof...(Tiles) > 0)
[[nodiscard]] constexpr tile best_tile(detail::product_sizes const& sizes, threads p,
                                       Algorithm const& algorithm = {}) {
  constexpr index capacity = M{}.capacity();
  constexpr index least = [] {
    index words = INT64_MAX;
    ((words = detail::smaller(words, Algorithm::shared_words(tile(Tiles), M::width()))), ...);
    return words;
  }();
  static_assert(detail::fits_shared_memory<needed_words<least>, available_words<capacity>>::value);
  index best = 0;
  index least_time = INT64_MAX;
  for (index const side : {Tiles...}) {
    if (Algorithm::shared_words(tile(side), M::width()) > capacity || side > sizes.longest())
      continue;
    index const time = cost_of<M>(algorithm, sizes.shape, p, tile(side)).time;
    if (time >= least_time) continue;
    least_time = time;
    best = side;
  }
  if (best == 0)
    detail::reject("the longest side of the matrices", sizes.longest(),
                   "that of the smallest tile, or more");
  return tile(best);
}
//! The best tile of a list of integral constants given as a value, of any library:
//! `hana::tuple_c<mmm::index, 8, 16, 32>`.
template <hierarchical_machine M, template <class...> class List, class... Tile,
          class Algorithm = decltype(matrix_multiply)>
requires(detail::convertible_to<decltype(Tile::value), index> && ...)
[[nodiscard]] constexpr tile best_tile(List<Tile...> const&, detail::product_sizes const& sizes,
                                       threads p, Algorithm const& algorithm = {}) {
  static_assert(sizeof...(Tile) > 0, "mmm: the list of tiles is empty");
  return best_tile<M, index{Tile::value}...>(sizes, p, algorithm);
}

}  // namespace mmm
