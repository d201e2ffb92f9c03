// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call_check.hpp>
#include <mmm/algorithm/call_forms.hpp>
#include <mmm/algorithm/whole_or_part.hpp>
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

//! The place of vec `column` in its row, in vecs, so that V x V blocks can be written down a
//! column as well as read along a row without bank conflicts on `Width` banks: moved by an
//! exclusive or with the number of the V rows that it is one of.
template <index V, index Width>
struct vec_swizzle {
  static_assert(Width % V == 0, "mmm: the width is a multiple of the words of an access");
  static constexpr index slots = Width / V;  //!< vecs side by side in all banks
  static_assert((slots & (slots - 1)) == 0,
                "mmm: a power of two of accesses side by side in all banks");

  template <class Rows, class Column>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto operator()(Rows const& rows,
                                                          Column const& column) const {
    return column ^ (rows % slots);
  }
};

//! Transposes the row-major matrix `a` of the shape given to `b`. The DMMs deal with tiles of
//! `Side x Side` words in turn: a thread reads V words of each of V rows at once, turns the block
//! round in registers and writes it to the shared memory; after a barrier, rows of the turned tile
//! go to `b`, V words at once. All accesses of the shared memory are free of conflicts, those of
//! the global one coalesced. V divides rows and columns; by_words() is for others.
//! Needs `Side^2` words of shared memory; Side a multiple of w.
//! Time for t threads per DMM, w | t, Side | rows, Side | columns, t | (Side/V)^2, d | tiles = rows
//! columns/Side^2: exactly `2 rows columns/(V t d) (ceil(V t d/(w g)) + L - 1 + V t/w + l - 1)`.
template <index Side = 64, index V = 4>
struct swizzled_transpose {
  static constexpr index words = V;

  //! The program for matrices that do not begin at multiples of V words, or whose rows do not.
  [[nodiscard]] static constexpr swizzled_transpose<Side, 1> by_words()
  requires(V > 1)
  {
    return {};
  }

  template <class Machine, class Iterator, class Output>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Iterator a, shape matrix, Output b) const {
    static_assert(Side % Machine::machine_type::width == 0,
                  "mmm: the side of a tile is a multiple of the width");
    index const down = matrix.rows / Side;
    index const across = matrix.columns / Side;
    part const corner{matrix.rows % Side, matrix.columns % Side};
    tiles<true>(on, a, matrix, b, {0, 0}, down, across, {Side, Side});
    tiles<false>(on, a, matrix, b, {0, across * Side}, down, 1, {Side, corner.columns});
    tiles<false>(on, a, matrix, b, {down * Side, 0}, 1, across, {corner.rows, Side});
    tiles<false>(on, a, matrix, b, {down * Side, across * Side}, 1, 1, corner);
  }

 private:
  //! Some of a tile's rows and columns.
  struct part {
    index rows;
    index columns;
  };

  //! `down x across` tiles from `origin` on, of which only a part is within the matrix, the same of
  //! all.
  template <bool Whole, class Machine, class Iterator, class Output>
  MMM_HOST_DEVICE static constexpr void tiles(Machine& on, Iterator a, shape matrix, Output b,
                                              part origin, index down, index across, part inside) {
    using value = typename Iterator::value_type;
    constexpr index vecs = Side / V;  // in a row of a tile
    constexpr vec_swizzle<V, Machine::machine_type::width> swizzle{};
    if (inside.rows == 0 || inside.columns == 0) return;
    index const a_pitch = matrix.columns / V;  // in vecs
    index const b_pitch = matrix.rows / V;
    index const used_down = inside.rows / V;
    index const used_across = inside.columns / V;
    auto const body = [=](auto& block, auto tile) {
      auto s = block.template allocate<value>(Side * Side);
      auto first_row = origin.rows / V + tile / across * vecs;  // in blocks of V rows
      auto first_column = origin.columns / V + tile % across * vecs;
      block.each(vecs, vecs, [=](auto row, auto column) {
        auto used = row < used_down && column < used_across;
        auto x = make_vec<V>([&](index k) {
          return detail::load_within<Whole>(
              used, wide<V>(a)[((first_row + row) * V + k) * a_pitch + first_column + column]);
        });
        unroll<V>([&](index k) {
          detail::store_within<Whole>(used,
                                      wide<V>(s)[(column * V + k) * vecs + swizzle(column, row)],
                                      make_vec<V>([&](index j) { return x[j][k]; }));
        });
      });
      block.each(Side, vecs, [=](auto row, auto column) {
        auto used = row < used_across * V && column < used_down;
        auto x =
            detail::load_within<Whole>(used, wide<V>(s)[row * vecs + swizzle(row / V, column)]);
        detail::store_within<Whole>(
            used, wide<V>(b)[(first_column * V + row) * b_pitch + first_row + column], x);
      });
    };
    on.each_tile(0, down * across, body, no_barrier);
  }
};

namespace detail {

//! The algorithm object behind mmm::transpose_swizzled.
template <index Side, index V>
struct swizzled_transpose_algorithm {
  static constexpr char const* name = "transpose-swizzled";
  static constexpr char const* paper =
      "Nakano 2013b, section V, out of place through shared memories, with wide accesses";
  static constexpr machine_kinds kinds{.hmm = 2};

  struct problem {
    shape matrix;
    constexpr explicit problem(sides const& size) : matrix(size.of) {}

    template <class On, class In = no_data, class Out = no_data>
    constexpr void run(On& on, In a = {}, Out b = {}) const {
      auto const start = [&](auto by) {
        perform(on, by, reads(a, matrix.area()), matrix,
                writes<std::iter_value_t<In>>(b, matrix.area()));
      };
      start_by_words(swizzled_transpose<Side, V>{}, matrix.rows % V == 0 && matrix.columns % V == 0,
                     start);
    }
    [[nodiscard]] constexpr bound lower_bound(machine_terms const& m) const {
      return access_bound(m, natural(2) * matrix.area(), V * m.p);
    }
    //! Of a matrix filled up to whole tiles, and those to whole passes of the DMMs, by words where
    //! V does not divide the sides.
    [[nodiscard]] constexpr natural upper_bound(machine_terms const& m) const {
      natural const words = matrix.rows % V == 0 && matrix.columns % V == 0 ? V : 1;
      natural const tiles = matrix.rows / natural(Side) * (matrix.columns / natural(Side));
      natural const passes = tiles / m.d + (tiles > 0 ? 3 : 0);
      natural const area = passes * shared_words();  // of one DMM
      natural const each = smaller(shared_words(), words * m.t);
      return 2 * (area * m.d / m.w + area * m.L / each + area / m.w + area * m.l / each);
    }
  };

  //! Writes the transpose of the row-major matrix from `a` on to `b`. Errors: std::invalid_argument
  //! if they overlap; std::length_error if the shared memories are too small for a tile.
  template <class On, class Iterator, class Output>
  void operator()(On on, Iterator a, shape matrix, Output b) const {
    static_assert(call_of<On, Iterator, Output>::accepted);
    problem(matrix).run(on, a, b);
  }

  //! Words of shared memory that a DMM needs.
  [[nodiscard]] static constexpr index shared_words() { return Side * Side; }
};

}  // namespace detail

//! The transpose of a row-major matrix on an HMM, out of place, through tiles of 64 x 64 words,
//! four words in an access: `mmm::transpose_swizzled(on, a, shape, b)`.
inline constexpr detail::swizzled_transpose_algorithm<64, 4> transpose_swizzled{};

}  // namespace mmm
MMM_BODIES_END
