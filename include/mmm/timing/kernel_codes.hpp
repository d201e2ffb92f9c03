// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/parameters.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/gpu/data_type.hpp>
#include <mmm/timing/data/kernel_table.hpp>
#include <mmm/timing/kernel_code.hpp>

//! The choice of the counted kernel that a call launches.
namespace mmm::detail {

//! True if `text` is `name`, a slash and `kind`, followed by "/halves" if `halves`.
[[nodiscard]] constexpr bool is_kernel(char const* text, char const* name, char const* kind,
                                       bool halves) {
  auto const has = [&text](char const* part) {
    for (; *part != 0; ++text, ++part)
      if (*text != *part) return false;
    return true;
  };
  return has(name) && has("/") && has(kind) && has(halves ? "/halves" : "") && *text == 0;
}

template <index Radius, class Tiles>
struct register_image_algorithm;
template <index Radius, class Tiles>
struct separable_image_algorithm;
template <class Tiles, bool InParts>
struct register_product_algorithm;
template <class Fft>
struct fft_convolution_algorithm;
template <class Tiles, gpu::data_type Estimated>
struct tensor_core_algorithm;
template <index V, index Vecs>
struct wide_sum_algorithm;
template <class Fold, class Less>
struct located_algorithm;

//! The number by which the table distinguishes kernels of one algorithm. For products it is the
//! elements per thread, by submatrices as mmm::detail::run_with_items_per_thread chooses, and one
//! more for each stage beyond two; by tensor cores, the columns of a tile; for convolutions of
//! images in registers or with separable kernels, the radius; for transforms, the points; 1 for
//! places of values by wide accesses; for others 0.
template <index Radius, class Tiles>
[[nodiscard]] constexpr index variant_of(register_image_algorithm<Radius, Tiles> const&, index) {
  return Radius;
}
template <index Radius, class Tiles>
[[nodiscard]] constexpr index variant_of(separable_image_algorithm<Radius, Tiles> const&, index) {
  return Radius;
}
template <class Tiles, bool InParts>
[[nodiscard]] constexpr index variant_of(register_product_algorithm<Tiles, InParts> const&, index) {
  return Tiles::thread_rows * Tiles::thread_columns + (Tiles::stages - 2);
}
template <class Fft, class... Parameters>
[[nodiscard]] constexpr index variant_of(fft_convolution_algorithm<Fft> const&, index,
                                         Parameters const&...) {
  return Fft::points;
}
template <class Tiles, gpu::data_type Estimated>
[[nodiscard]] constexpr index variant_of(tensor_core_algorithm<Tiles, Estimated> const&, index) {
  return Tiles::columns;
}
template <index V, index Vecs, class Less>
[[nodiscard]] constexpr index variant_of(
    located_algorithm<wide_sum_algorithm<V, Vecs>, Less> const&, index) {
  return 1;
}
template <class A, class... Parameters>
[[nodiscard]] constexpr index variant_of(A const&, index, Parameters const&...) {
  return 0;
}
template <class A>
[[nodiscard]] constexpr index variant_of(A const&, index block_threads, tile submatrix) {
  index const elements = ceil_divide(submatrix.side * submatrix.side, block_threads);
  constexpr index compiled[] = {2, 4, 16};
  for (index const count : compiled)
    if (elements <= count) return count;
  return 32;
}

//! The name that the table has for an algorithm's kernels: the search for the largest value has the
//! code of that for the smallest.
template <class A>
inline constexpr char const* counted_name = A::name;
template <class Fold, class Less>
inline constexpr char const* counted_name<located_algorithm<Fold, Less>> = "argmin";

//! The code of an algorithm's kernel for a kind of machine and values of so many bytes; values of 2
//! bytes are halves. If the table has no such kernel: the code for words of 4 bytes, of another
//! variant, or else the default.
template <class A, class... More>
[[nodiscard]] constexpr kernel_code code_of(A const& a, char const* kind, index block_threads,
                                            index value_bytes, More const&... more) {
  constexpr char const* name = counted_name<A>;
  index const variant = variant_of(a, block_threads, more...);
  kernel_code found{};
  bool any = false;
  for (kernel_code const& code : kernel_table) {
    if (value_bytes == 2 && code.variant == variant && is_kernel(code.kernel, name, kind, true))
      return code;
    if (!is_kernel(code.kernel, name, kind, false)) continue;
    if (!any || code.variant <= variant) found = code;
    any = true;
  }
  return found;
}

}  // namespace mmm::detail
