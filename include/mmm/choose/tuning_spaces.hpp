// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/convolution/convolution_in_registers.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/algorithm/product/matrix_multiply_in_registers.hpp>
#include <mmm/algorithm/product/product_tiles.hpp>
#include <mmm/algorithm/transpose/transpose_swizzled.hpp>
#include <mmm/choose/kernel_point.hpp>
#include <mmm/choose/rank.hpp>
#include <mmm/choose/space.hpp>
#include <mmm/choose/space_filters.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/timing/kernel_codes.hpp>

//! Tuning spaces of products, transposes and convolutions: every tile with every launch, layout
//! and number of stages, not only those that the library has a name for. Not part of
//! <mmm/space.hpp>.
namespace mmm {

//! Tiles, elements of a space's first list: rows x columns of the result, `Depth` of the inner
//! side.
template <index Rows, index Columns = Rows, index Depth = 0>
struct tile_shape {
  static constexpr index rows = Rows;
  static constexpr index columns = Columns;
  static constexpr index depth = Depth;
};

//! The layout of a tile in registers: each thread has `Rows x Columns` elements.
template <index Rows, index Columns>
struct elements_of_thread {
  static constexpr index rows = Rows;
  static constexpr index columns = Columns;
};

//! The layouts of a transpose's tile in the shared memory.
struct swizzled_vecs {
  static constexpr char const* name = "swizzled";
  template <index V, index Width>
  using places = vec_swizzle<V, Width>;
};
struct vecs_in_order {
  static constexpr char const* name = "in order";
  template <index V, index Width>
  using places = vec_in_order<V, Width>;
};

//! The variant of products with tiles in registers, in parts of the inner side if `InParts`.
template <bool InParts>
struct register_products {
  template <class Point>
  using tiles = product_tiles<Point::tile::rows, Point::tile::columns, Point::tile::depth,
                              Point::layout::rows, Point::layout::columns, 4, Point::stages::value>;
  template <class Point>
  using algorithm = detail::register_product_algorithm<tiles<Point>, InParts>;
  template <class Algorithm, auto... Known>
  static constexpr bool is_algorithm =
      (detail::is_same_v<Algorithm, detail::remove_cvref_t<decltype(Known)>> || ...);

  template <class Point>
  static constexpr index tile_threads =
      Point::tile::rows / Point::layout::rows * (Point::tile::columns / Point::layout::columns);
  template <class Point>
  static constexpr index shared_words = Point::stages::value * Point::tile::depth *
                                        (Point::tile::rows + Point::tile::columns + 2 * 4);
  //! True for the tiles of the library's own kernels, whose instructions are counted.
  template <class Point>
  static constexpr bool counted =
      is_algorithm<algorithm<Point>, matrix_multiply_in_registers,
                   matrix_multiply_in_more_registers, matrix_multiply_in_smaller_tiles,
                   matrix_multiply_in_larger_tiles, matrix_multiply_in_parts,
                   matrix_multiply_in_larger_parts>;
  //! Registers of a thread: the counted kernel's; else for the sums, two sets of factors, and about
  //! as many more as counted kernels have.
  template <class Point>
  static constexpr index registers = [] {
    if constexpr (counted<Point>)
      return detail::code_of(algorithm<Point>{}, "hmm", tile_threads<Point>, 4).registers;
    else
      return Point::layout::rows * Point::layout::columns +
             2 * (Point::layout::rows + Point::layout::columns) + 56;
  }();
  template <class Point>
  [[nodiscard]] static constexpr index remainder(detail::product_sizes const& sizes) {
    return sizes.shape.rows % Point::tile::rows + sizes.shape.columns % Point::tile::columns +
           sizes.shape.inner % Point::tile::depth;
  }
  template <class Point, class Use>
  [[nodiscard]] static constexpr auto with(Use const& use) {
    return use(algorithm<Point>{});
  }
  template <class Point>
  static constexpr void add_name(point_name& name) {
    name.add(Point::tile::rows).add(" x ").add(Point::tile::columns).add(" x ");
    name.add(Point::tile::depth).add(", ").add(Point::layout::rows).add(" x ");
    name.add(Point::layout::columns).add(" per thread, ").add(Point::stages::value);
    name.add(InParts ? " stages, in parts" : " stages");
  }
};

//! The variant of transposes through tiles in the shared memory, four words in an access.
struct tiled_transposes {
  template <class Point>
  static constexpr index shared_words = Point::tile::rows * Point::tile::rows;
  template <class Point>
  [[nodiscard]] static constexpr index remainder(detail::sides const& size) {
    return size.extents.rows % Point::tile::rows + size.extents.columns % Point::tile::rows;
  }
  template <class Point, class Use>
  [[nodiscard]] static constexpr auto with(Use const& use) {
    return use(detail::swizzled_transpose_algorithm<Point::tile::rows, 4, true,
                                                    Point::layout::template places>{});
  }
  template <class Point>
  static constexpr void add_name(point_name& name) {
    name.add(Point::tile::rows).add(" x ").add(Point::tile::rows).add(", ");
    name.add(Point::layout::name);
  }
};

//! The variant of convolutions with several outputs in a thread's registers: the tile's columns.
struct register_convolutions {
  //! Only kernels with 16 outputs per thread are counted.
  template <class Point>
  static constexpr bool counted = Point::tile::columns == 16;
  template <class Point, class Use>
  [[nodiscard]] static constexpr auto with(Use const& use) {
    return use(detail::register_convolution_algorithm<Point::tile::columns, 4>{});
  }
  template <class Point>
  static constexpr void add_name(point_name& name) {
    name.add(Point::tile::columns).add(" outputs per thread");
  }
};

//! Spaces of tiles, launches, layouts, stages and variants.
namespace spaces {

//! Products of n x n matrices: 162 points.
inline constexpr auto products =
    space(types<tile_shape<64, 64, 16>, tile_shape<128, 128, 16>, tile_shape<256, 128, 8>>,
          types<blocks<2, 128>, blocks<1, 256>, blocks<2, 256>>,
          types<elements_of_thread<8, 4>, elements_of_thread<8, 8>, elements_of_thread<16, 8>>,
          numbers<2, 3, 4>, types<register_products<false>, register_products<true>>)
        .where(thread_limit{}, threads_of_tile{}, fits_shared_memory{}, instructions_counted{},
               fits_registers{});

//! Transposes of n x n words: 24 points.
inline constexpr auto transposes =
    space(types<tile_shape<32>, tile_shape<64>, tile_shape<128>>,
          types<blocks<4, 256>, blocks<2, 256>, blocks<2, 512>, blocks<1, 1024>>,
          types<swizzled_vecs, vecs_in_order>, numbers<1>, types<tiled_transposes>)
        .where(thread_limit{}, fits_shared_memory{}, divides_problem{}, without_conflicts{});

//! Convolutions of n outputs; mmm::taps follow the size: 12 points.
inline constexpr auto convolutions =
    space(types<tile_shape<1, 8>, tile_shape<1, 16>, tile_shape<1, 32>>,
          types<blocks<3, 256>, blocks<2, 256>, blocks<1, 256>, blocks<4, 128>>, types<unused>,
          numbers<1>, types<register_convolutions>)
        .where(thread_limit{}, instructions_counted{});

}  // namespace spaces
}  // namespace mmm
