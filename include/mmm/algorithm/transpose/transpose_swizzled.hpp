// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/check.hpp>
#include <mmm/algorithm/call/cluster_program.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/algorithm/tile/tile_grid.hpp>
#include <mmm/algorithm/tile/whole_or_part.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/machine/machine.hpp>

#include <iterator>

//! The transpose of a rectangular matrix on an HMM, out of place, through tiles in the shared
//! memories.
MMM_BODIES_BEGIN
namespace mmm {

//! The place of vec `column` in its row, in vecs. V x V blocks can be written down a column and
//! read along a row without bank conflicts on `Width` banks: the place is the exclusive or of the
//! column with the number of the V rows that the row belongs to.
template <index V, index Width>
struct vec_swizzle {
  static_assert(Width % V == 0, "mmm: the width is a multiple of the words of an access");
  static constexpr bool conflict_free = true;
  static constexpr index slots = Width / V;  //!< vecs side by side in all banks
  static_assert((slots & (slots - 1)) == 0,
                "mmm: a power of two of accesses side by side in all banks");

  template <class Rows, class Column>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(Rows const& rows,
                                                          Column const& column) const {
    return column ^ (rows % slots);
  }
};

//! The same interface for vecs that are in order: threads that write down a column meet in the same
//! banks.
template <index V, index Width>
struct vec_in_order {
  static constexpr bool conflict_free = false;
  template <class Rows, class Column>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(Rows const&, Column const& column) const {
    return column;
  }
};

//! Transposes the row-major matrix `a` of the given shape to `b`. The DMMs take tiles of `Side x
//! Side` words in turn: a thread reads V words of each of V rows at once, transposes the block in
//! registers and writes it to the shared memory; after a barrier, rows of the transposed tile are
//! written to `b`, V words at once. All accesses of the shared memory are free of conflicts, those
//! of the global memory are coalesced. V has to divide rows and columns; by_words() serves other
//! matrices: a thread reads a word of each of V rows, and writes a word of each of V rows.
//! Needs `Side^2` words of shared memory; Side is a multiple of w.
//! Time for t threads per DMM, w | t, Side | rows, Side | columns, t | (Side/V)^2, d | tiles = rows
//! columns/Side^2: exactly `2 rows columns/(V t d) (ceil(V t d/(w g)) + L - 1 + V t/w + l - 1)`, by
//! words, t | Side^2/V, `rows columns/(V t d) (2 V (ceil(t d/(w g)) + L - 1) + V t/w + l - 1 + V
//! (t/w + l - 1))`.
//! \tparam Places the places of vecs in the tile: without conflicts by mmm::vec_swizzle only
template <index Side = 64, index V = 4, bool Wide = true,
          template <index, index> class Places = vec_swizzle>
struct swizzled_transpose {
  static constexpr index words = Wide ? V : 1;  //!< words in an access of the global memory

  //! The program for matrices that do not begin at multiples of V words, or whose rows do not.
  [[nodiscard]] static constexpr swizzled_transpose<Side, V, false, Places> by_words()
  requires(Wide)
  {
    return {};
  }

  template <class Machine, class Iterator, class Output>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Iterator a, shape matrix, Output b) const {
    static_assert(Side % Machine::machine_type::width() == 0,
                  "mmm: the side of a tile is a multiple of the width");
    detail::tile_grid<> const grid = grid_of(matrix);
    index const first = grid.unguarded(on.dmms());
    on.each_tile(
        0, first,
        [=](auto& block, auto tile) {
          one_tile<true>(block, a, matrix, b, grid_of(matrix).whole_place(tile));
        },
        no_barrier);
    on.each_tile(
        first, grid.count - first,
        [=](auto& block, auto tile) {
          one_tile<false>(block, a, matrix, b, grid_of(matrix).any_place(tile));
        },
        no_barrier);
  }

 private:
  static constexpr index vecs = Side / V;  //!< in a row of a tile

  [[nodiscard]] MMM_HOST_DEVICE static constexpr detail::tile_grid<> grid_of(shape matrix) {
    return {matrix.rows, matrix.columns, Side, Side};
  }

  //! Transposes one tile by the threads of a DMM. \tparam Whole true if the tile crosses no border
  template <bool Whole, class Block, class Iterator, class Output, class Place>
  MMM_HOST_DEVICE static constexpr void one_tile(Block& block, Iterator a, shape matrix, Output b,
                                                 Place const& place) {
    using value = typename Iterator::value_type;
    auto s = block.template allocate<value>(Side * Side);
    if constexpr (Wide) {
      by_vecs<Whole>(block, wide<V>(a), matrix, wide<V>(b), wide<V>(s), place);
    } else {
      one_by_one<Whole>(block, a, matrix, b, s, place);
    }
  }

  template <bool Whole, class Block, class Vecs, class Output, class Shared, class Place>
  MMM_HOST_DEVICE static constexpr void by_vecs(Block& block, Vecs const& a, shape matrix,
                                                Output const& b, Shared const& s,
                                                Place const& place) {
    constexpr Places<V, Block::machine_type::width()> swizzle{};
    index const a_pitch = matrix.columns / V;  // in vecs
    index const b_pitch = matrix.rows / V;
    auto first_row = place.row * vecs;  // in blocks of V rows
    auto first_column = place.column * vecs;
    block.each(vecs, vecs, [=](auto row, auto column) {
      auto used = first_row + row < b_pitch && first_column + column < a_pitch;
      auto x = make_vec<V>([&](index k) {
        return detail::load_within<Whole>(
            used, a[((first_row + row) * V + k) * a_pitch + first_column + column]);
      });
      unroll<V>([&](index k) {
        detail::store_within<Whole>(used, s[(column * V + k) * vecs + swizzle(column, row)],
                                    make_vec<V>([&](index j) { return x[j][k]; }));
      });
    });
    block.each(Side, vecs, [=](auto row, auto column) {
      auto used = first_column * V + row < matrix.columns && first_row + column < b_pitch;
      auto x = detail::load_within<Whole>(used, s[row * vecs + swizzle(row / V, column)]);
      detail::store_within<Whole>(used, b[(first_column * V + row) * b_pitch + first_row + column],
                                  x);
    });
  }

  template <bool Whole, class Block, class Iterator, class Output, class Shared, class Place>
  MMM_HOST_DEVICE static constexpr void one_by_one(Block& block, Iterator const& a, shape matrix,
                                                   Output const& b, Shared const& s,
                                                   Place const& place) {
    constexpr Places<V, Block::machine_type::width()> swizzle{};
    auto first_row = place.row * Side;
    auto first_column = place.column * Side;
    block.each(vecs, Side, [=](auto rows, auto column) {
      auto x = make_vec<V>([&](index k) {
        auto row = first_row + rows * V + k;
        return detail::load_within<Whole>(
            row < matrix.rows && first_column + column < matrix.columns,
            a[row * matrix.columns + first_column + column]);
      });
      wide<V>(s)[column * vecs + swizzle(column, rows)] = x;
    });
    block.each(vecs, Side, [=](auto rows, auto column) {
      unroll<V>([&](index k) {
        auto row = rows * V + k;
        auto used = first_column + row < matrix.columns && first_row + column < matrix.rows;
        auto x = detail::load_within<Whole>(
            used, s[row * Side + swizzle(row, column / V) * V + column % V]);
        detail::store_within<Whole>(used,
                                    b[(first_column + row) * matrix.rows + first_row + column], x);
      });
    });
  }
};

namespace detail {

//! The algorithm object behind mmm::transpose_swizzled.
template <index Side, index V, bool Wide = true, template <index, index> class Places = vec_swizzle>
struct swizzled_transpose_algorithm {
  static constexpr char const* name = "transpose-swizzled";
  static constexpr char const* paper =
      "Nakano 2013b, section V, out of place through shared memories, with wide accesses";
  static constexpr machine_kinds kinds{.hmm = 2};

  struct problem {
    shape matrix;
    constexpr explicit problem(sides const& size) : matrix(size.extents) {}

    template <class On, class In = no_data, class Out = no_data>
    constexpr void run(On& on, In a = {}, Out b = {}) const {
      auto const start = [&](auto by) {
        perform(on, by, reads(a, matrix.area()), matrix,
                writes<std::iter_value_t<In>>(b, matrix.area()));
      };
      start_by_words(swizzled_transpose<Side, V, Wide, Places>{},
                     matrix.rows % V == 0 && matrix.columns % V == 0, start);
    }
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      return access_bound(m, natural(2) * matrix.area(), V * m.p);
    }
    //! The bound for a matrix padded to whole tiles, and tiles padded to whole passes of the DMMs;
    //! word by word where V does not divide the sides; a stage for each shared word if the places
    //! are not free of conflicts.
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      natural const words = Wide && matrix.rows % V == 0 && matrix.columns % V == 0 ? V : 1;
      natural const tiles = matrix.rows / natural(Side) * (matrix.columns / natural(Side));
      natural const passes = tiles / m.d + (tiles > 0 ? 3 : 0);
      natural const area = passes * shared_words();  // words of one DMM
      natural const each = smaller(shared_words(), words * m.t);
      natural const in_stage = Places<V, V>::conflict_free ? m.w : natural(1);
      return 2 * (area * m.d / m.w + area * m.L / each + area / in_stage + area * m.l / each);
    }
  };

  //! Writes the transpose of the row-major matrix from `a` on to `b`. Errors: std::invalid_argument
  //! if they overlap; std::length_error if the shared memories are too small for a tile.
  template <class On, class Iterator, class Output>
  void operator()(On on, Iterator a, shape matrix, Output b) const {
    static_assert(call_of<On, Iterator, Output>::accepted);
    call_parameters const sizes{call_parameter{"rows", matrix.rows},
                                call_parameter{"columns", matrix.columns}};
    called<swizzled_transpose_algorithm>(
        on, sizes, [&] { problem_on_t<On, swizzled_transpose_algorithm>(matrix).run(on, a, b); });
  }

  //! Number of words of shared memory that a DMM needs.
  [[nodiscard]] static constexpr index shared_words() { return Side * Side; }
};

}  // namespace detail

//! The transpose of a row-major matrix on an HMM, out of place, through tiles of 64 x 64 words,
//! four words in an access: `mmm::transpose_swizzled(on, a, shape, b)`.
inline constexpr detail::swizzled_transpose_algorithm<64, 4> transpose_swizzled{};
//! The same through tiles of Side x Side words, a multiple of 32: `transpose_in_tiles<32>`.
template <index Side>
inline constexpr detail::swizzled_transpose_algorithm<Side, 4> transpose_in_tiles{};

}  // namespace mmm
MMM_BODIES_END
