// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/bound.hpp>
#include <mmm/algorithm/overlap.hpp>
#include <mmm/algorithm/problem.hpp>
#include <mmm/algorithm/whole_or_part.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/arguments.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/machine/machine.hpp>

#include <iterator>

//! The transpose of a rectangular matrix on an HMM, out of place, through tiles in the shared
//! memories.
MMM_BODIES_BEGIN
namespace mmm {

//! Where vec `column` of a row lies in it, in vecs, so that V x V blocks can be written down a
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
//! the global one coalesced. Where V does not divide rows and columns, words take the place of
//! vecs. Needs `Side^2` words of shared memory; Side a multiple of w.
//! Time for t threads per DMM, w | t, Side | rows, Side | columns, t | (Side/V)^2, d | tiles = rows
//! columns/Side^2: exactly `2 rows columns/(V t d) (ceil(V t d/(w g)) + L - 1 + V t/w + l - 1)`.
template <index Side = 64, index V = 4>
struct swizzled_transpose {
  template <class Machine, class Iterator, class Output>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Iterator a, shape matrix, Output b) const {
    if (matrix.rows % V == 0 && matrix.columns % V == 0)
      by_tiles<V>(on, a, matrix, b);
    else
      by_tiles<1>(on, a, matrix, b);
  }

 private:
  //! Some of a tile's rows and columns.
  struct part {
    index rows;
    index columns;
  };

  template <index Words, class Machine, class Iterator, class Output>
  MMM_HOST_DEVICE static constexpr void by_tiles(Machine& on, Iterator a, shape matrix, Output b) {
    static_assert(Side % Machine::machine_type::width == 0,
                  "mmm: the side of a tile is a multiple of the width");
    index const down = matrix.rows / Side;
    index const across = matrix.columns / Side;
    part const corner{matrix.rows % Side, matrix.columns % Side};
    tiles<Words, true>(on, a, matrix, b, {0, 0}, down, across, {Side, Side});
    tiles<Words, false>(on, a, matrix, b, {0, across * Side}, down, 1, {Side, corner.columns});
    tiles<Words, false>(on, a, matrix, b, {down * Side, 0}, 1, across, {corner.rows, Side});
    tiles<Words, false>(on, a, matrix, b, {down * Side, across * Side}, 1, 1, corner);
  }

  //! `down x across` tiles from `origin` on, of which only a part is within the matrix, the same of
  //! all.
  template <index Words, bool Whole, class Machine, class Iterator, class Output>
  MMM_HOST_DEVICE static constexpr void tiles(Machine& on, Iterator a, shape matrix, Output b,
                                              part origin, index down, index across, part inside) {
    using value = typename Iterator::value_type;
    constexpr index vecs = Side / Words;  // in a row of a tile
    constexpr vec_swizzle<Words, Machine::machine_type::width> swizzle{};
    if (inside.rows == 0 || inside.columns == 0) return;
    index const a_pitch = matrix.columns / Words;  // in vecs
    index const b_pitch = matrix.rows / Words;
    index const used_down = inside.rows / Words;
    index const used_across = inside.columns / Words;
    auto const body = [=](auto& block, auto tile) {
      auto s = block.template allocate<value>(Side * Side);
      auto first_row = origin.rows / Words + tile / across * vecs;  // in blocks of Words rows
      auto first_column = origin.columns / Words + tile % across * vecs;
      block.each(vecs, vecs, [=](auto row, auto column) {
        auto used = row < used_down && column < used_across;
        auto x = make_vec<Words>([&](index k) {
          return detail::load_within<Whole>(
              used,
              wide<Words>(a)[((first_row + row) * Words + k) * a_pitch + first_column + column]);
        });
        unroll<Words>([&](index k) {
          detail::store_within<Whole>(
              used, wide<Words>(s)[(column * Words + k) * vecs + swizzle(column, row)],
              make_vec<Words>([&](index j) { return x[j][k]; }));
        });
      });
      block.each(Side, vecs, [=](auto row, auto column) {
        auto used = row < used_across * Words && column < used_down;
        auto x = detail::load_within<Whole>(
            used, wide<Words>(s)[row * vecs + swizzle(row / Words, column)]);
        detail::store_within<Whole>(
            used, wide<Words>(b)[(first_column * Words + row) * b_pitch + first_row + column], x);
      });
    };
    on.each_tile(0, down * across, body, no_barrier);
  }
};

namespace detail {

//! A square matrix by its side, any other by its shape.
struct matrix_size {
  shape of;
  constexpr matrix_size(index n) : of(n, n) {}                          // NOLINT: a size is a shape
  constexpr matrix_size(shape const& given_shape) : of(given_shape) {}  // NOLINT
};

//! The algorithm object behind mmm::transpose_swizzled.
template <index Side, index V>
struct swizzled_transpose_algorithm {
  char const* name = "transpose-swizzled";
  char const* paper = "002 section V, out of place through shared memories, with wide accesses";
  machine_kinds kinds{.hmm = true};

  //! Writes the transpose of the row-major matrix from `a` on to `b`, which must not overlap it:
  //! else std::invalid_argument. std::length_error if the shared memories are too small for a tile.
  template <class On, class Iterator, class Output>
  void operator()(On on, Iterator a, shape matrix, Output b) const {
    using value = std::iter_value_t<Iterator>;
    index const n = matrix.area();
    reject_overlap("the transpose", a, n, b, n);
    mmm::run(on, swizzled_transpose<Side, V>{}, reads<value>(a, n), matrix, writes<value>(b, n));
  }

  //! The same without data.
  template <class On>
  constexpr void model(On& on, matrix_size size) const {
    auto const a = on.template allocate<float>(size.of.area());
    swizzled_transpose<Side, V>{}(on, a, size.of, on.template allocate<float>(size.of.area()));
  }

  //! Words of shared memory that a DMM needs.
  [[nodiscard]] static constexpr index shared_words() { return Side * Side; }

  template <hierarchical_machine M>
  [[nodiscard]] constexpr bound limitations(M const& m, matrix_size size, index p) const {
    return access_limitations(m, checked_multiply(2, size.of.area()), checked_multiply(V, p));
  }

  //! Of a matrix filled up to whole tiles, and those to whole passes of the DMMs, by words where V
  //! does not divide the sides.
  template <hierarchical_machine M>
  [[nodiscard]] constexpr index expression(M const& m, matrix_size size, index p) const {
    index const words = size.of.rows % V == 0 && size.of.columns % V == 0 ? V : 1;
    index const down = ceil_divide(size.of.rows, Side);
    index const across = ceil_divide(size.of.columns, Side);
    index const passes =
        ceil_divide(checked_multiply(down, across), m.dmms()) + (down > 0 && across > 0 ? 3 : 0);
    index const area = checked_multiply(passes, shared_words());  // of one DMM
    index const each = smaller(shared_words(), checked_multiply(words, p / m.dmms()));
    return checked_multiply(
        2, checked_add(ceil_divide(checked_multiply(area, m.dmms()), M::width) +
                           share(area, m.global().latency(), each),
                       ceil_divide(area, M::width) + share(area, m.shared().latency(), each)));
  }

  template <machine M>
  [[nodiscard]] constexpr index constant(M const&) const {
    return 2;
  }
};

}  // namespace detail

//! The transpose of any matrix through tiles of 64 x 64 words, four words in an access.
inline constexpr detail::swizzled_transpose_algorithm<64, 4> transpose_swizzled{};

}  // namespace mmm
MMM_BODIES_END
