// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/product/staged_steps.hpp>
#include <mmm/algorithm/tile/whole_or_part.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/type_traits.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/fragments.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/gpu/assert.hpp>
#include <mmm/gpu/data_type.hpp>
#include <mmm/gpu/fragment.hpp>
#include <mmm/gpu/fragment_load.hpp>
#include <mmm/index/element.hpp>
#include <mmm/index/expression.hpp>
#include <mmm/layout/row_major.hpp>
#include <mmm/layout/swizzle.hpp>

#include <cstdint>

//! One tile of a matrix product by the tensor cores: warps multiply fragments from swizzled tiles
//! of the shared memory.
MMM_BODIES_BEGIN
namespace mmm {

//! The tiles of a product by tensor cores: a DMM computes tiles of c of `rows x columns`, each warp
//! `warp_rows x warp_columns` of them. The shared memory has room for `Stages` steps of the inner
//! side, of `StepVecs` times 16 bytes of each row of a and each column of b.
template <index Rows, index Columns, index WarpRows, index WarpColumns, index Stages,
          index StepVecs = 4>
struct tensor_core_tiles {
  static_assert(Rows % WarpRows == 0 && Columns % WarpColumns == 0);
  static_assert(Rows % 64 == 0 && Columns % 64 == 0, "mmm: rows of 128 bytes of a transposed tile");
  static_assert(WarpRows % 16 == 0 && WarpColumns % 16 == 0, "mmm: a warp has whole fragments");
  static_assert(StepVecs == 4 || StepVecs == 8, "mmm: a step has 64 or 128 bytes");
  static_assert(Stages >= 2, "mmm: a step is multiplied while another one is copied");
  static constexpr index rows = Rows;
  static constexpr index columns = Columns;
  static constexpr index warp_rows = WarpRows;
  static constexpr index warp_columns = WarpColumns;
  static constexpr index stages = Stages;
  //! threads of a DMM that take part
  static constexpr index threads = 32 * (Rows / WarpRows) * (Columns / WarpColumns);
  static constexpr index launched_threads = threads;  //!< that a DMM has
  static constexpr index step_vecs = StepVecs;
  static constexpr index shared_words = Stages * 4 * StepVecs * (Rows + Columns);
  static_assert(Rows * StepVecs % threads == 0 && Columns * StepVecs % threads == 0,
                "mmm: every thread copies as many vecs as the others");
};

namespace detail {

//! The mma of factors of these types: 32 bytes of the inner side, with 16 rows and 8 columns.
template <gpu::data_type A, gpu::data_type B>
using product_mma = gpu::mma<16, 8, 256 / gpu::bits_of(A), A, B>;

//! One of two values of different types.
template <bool First, class X, class Y>
[[nodiscard]] MMM_HOST_DEVICE constexpr auto one_of(X const& x, Y const& y) {
  if constexpr (First)
    return x;
  else
    return y;
}

//! A layout whose rows are the columns of another.
template <class Base>
struct transposed_layout {
  Base base;
  [[nodiscard]] constexpr index rows() const { return base.columns(); }
  [[nodiscard]] constexpr index columns() const { return base.rows(); }
  [[nodiscard]] constexpr index words() const { return base.words(); }
  template <class Row, class Column>
  [[nodiscard]] constexpr auto operator()(Row const& row, Column const& column) const {
    return place_of(base(column, row));
  }
};

//! One factor's tile in the shared memory, for fragments of A or B. `Side` is the tile's number of
//! rows of a or columns of b. `Along` states that the elements of the inner side are neighbours:
//! then the tile has a row for each of `Side`, otherwise one for each step of the inner side.
//! Chunks of 16 bytes are exchanged so that neither copies nor loads of fragments meet conflicts.
template <class Fragment, index Side, index StepVecs, bool Along>
struct factor_tile {
  static constexpr bool is_left = Fragment::rows == 16;
  static constexpr index vec_elements = 128 / Fragment::bits;
  static constexpr index depth = StepVecs * vec_elements;  //!< elements of the inner side in a step
  static constexpr index rows = Along ? Side : depth;
  static constexpr index row_vecs = (Along ? depth : Side) / vec_elements;
  static constexpr index vecs = rows * row_vecs;
  static constexpr fragment_order order =
      Along ? fragment_order::as_stored : fragment_order::transposed;

  [[nodiscard]] static constexpr int log2(index n) { return n <= 1 ? 0 : 1 + log2(n / 2); }
  //! The layout of the tile in units of which a vec of 16 bytes has so many.
  template <index OfVec>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto layout() {
    return swizzled(row_major(rows, row_vecs * OfVec),
                    swizzle<Along ? log2(StepVecs) : 3, log2(OfVec), Along ? 3 : log2(row_vecs)>{});
  }
  //! The vec of a row's chunk.
  template <class Row, class Chunk>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto place(Row const& row, Chunk const& chunk) {
    return place_of(layout<1>()(row, chunk));
  }
  //! The vec that lane i gives to load the four matrices of 16 of the side, from `first + 16 turn`
  //! on, and of the `part` of a step that an mma takes. `first` is a multiple of 16. Lanes 8 to 15
  //! give the lower rows of A's fragment; of two fragments of B, the other half of the inner side.
  template <class First, class Item>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto given_by(First const& first, index turn,
                                                               index part, Item const& i) {
    auto const number = one_of < Along == is_left > (i % 16, i % 8 + i % 32 / 16 * 8);
    auto const chunk = one_of < Along == is_left > (i % 32 / 16, i % 16 / 8);
    if constexpr (Along)
      return place(first + number, 2 * part + chunk) + turn * (16 * row_vecs);
    else
      return place(2 * vec_elements * part + number,
                   first / vec_elements + (turn * (16 / vec_elements) + chunk));
  }

  //! True if fragments of a step arrive in the registers that a multiplication reads:
  //! tensor_core_tile.static.cpp asserts it, as compilers take long.
  [[nodiscard]] static constexpr bool is_loaded_right() {
    return !is_loaded || gpu::loads<Fragment, load>(tile, 16, 2 * vec_elements);
  }

 private:
  using load = conditional_t<Along, gpu::ldmatrix<4>, gpu::ldmatrix_trans<4>>;
  using stored = decltype(layout<vec_elements>());
  static constexpr conditional_t<Along, stored, transposed_layout<stored>> tile{
      layout<vec_elements>()};
  static constexpr bool is_loaded = Along || Fragment::bits == 16;  //!< by ldmatrix

  //! True if the lanes' addresses are those of the fragment's elements.
  [[nodiscard]] static constexpr bool is_in_place() {
    constexpr auto element = gpu::fragment_element<Fragment, load>(16, 2 * vec_elements);
    for (int lane = 0; lane < 32; ++lane)
      if (given_by(index{0}, 1, 1, index{lane}) * vec_elements !=
          tile(element.row(lane), element.column(lane)))
        return false;
    return true;
  }
  [[nodiscard]] static constexpr bool is_free_of_conflicts() {
    constexpr auto copied = place(item / row_vecs, item % row_vecs) * 16;
    constexpr auto loaded = gpu::fragment_addresses<Fragment, load>(tile, 16, 2 * vec_elements);
    return gpu::assert_conflict_free<load, loaded> &&
           gpu::assert_conflict_free<gpu::store<16>, copied>;
  }
  static_assert(!is_loaded || is_in_place());
  static_assert(!is_loaded || is_free_of_conflicts());
};

//! The numbers that 4 bytes hold: two of 2 bytes or of two bytes each, the first one lower.
template <int Bits>
struct join_numbers {
  template <class T>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr std::uint32_t bits_of(T const& x) {
    if constexpr (sizeof(T) == 1)
      return __builtin_bit_cast(std::uint8_t, x);
    else if constexpr (sizeof(T) == 2)
      return __builtin_bit_cast(std::uint16_t, x);
    else
      return __builtin_bit_cast(std::uint32_t, x);
  }
  template <class T>
  [[nodiscard]] MMM_HOST_DEVICE constexpr std::uint32_t operator()(T const& x, T const& y) const {
    return bits_of(x) | bits_of(y) << Bits;
  }
};

//! A tile of c by tensor cores. If `Wide`, factors are arrays of words of 4 bytes, copied 16 bytes
//! at a time; otherwise they are arrays of elements in any place, copied one by one.
template <class Tiles, gpu::data_type A, gpu::data_type B, bool Wide, class Layout>
struct tensor_core_tile {
  static constexpr index depth = 128 * Tiles::step_vecs / gpu::bits_of(A);  //!< elements of a step
  static constexpr index in_word = 32 / gpu::bits_of(A);                    //!< elements of a word
  static constexpr index in_vec = 4 * in_word;
  struct tiles : Tiles {
    static constexpr index depth = tensor_core_tile::depth;
  };
  using shape = product_mma<A, B>;
  static constexpr index across = Tiles::columns / Tiles::warp_columns;  //!< warps
  static constexpr index down_fragments = Tiles::warp_rows / 16;
  static constexpr index across_fragments = Tiles::warp_columns / 8;
  using left = factor_tile<typename shape::a, Tiles::rows, Tiles::step_vecs,
                           !Wide || !Layout::left_transposed>;
  using right = factor_tile<typename shape::b, Tiles::columns, Tiles::step_vecs,
                            !Wide || Layout::right_transposed>;
  using reach = product_reach;
  template <class Factor>
  using word_of = conditional_t<Wide || in_word == 1, remove_const_t<typename Factor::value_type>,
                                std::uint32_t>;

  //! Computes one tile by the threads of a DMM.
  template <reach Of, class Block, class Matrices, class Place>
  MMM_HOST_DEVICE static constexpr void one_tile(Block& block, Matrices const& all,
                                                 Place const& place) {
    using value = typename decltype(all.c)::value_type;
    using word = word_of<remove_cvref_t<decltype(all.a)>>;
    constexpr index stages = Tiles::stages;
    constexpr index ahead = stages - 1;
    auto const a = block.template allocate<word>(stages * 4 * left::vecs);
    auto const b = block.template allocate<word>(stages * 4 * right::vecs);
    auto const sums = block.template registers<value, down_fragments * across_fragments * 4>();
    auto const x = block.template registers<word, down_fragments * 4>();
    auto const y = block.template registers<word, across_fragments * 2>();
    index const steps = ceil_divide(all.shape.inner, depth);
    auto const copy = [=, &block](auto const& step, auto const& stage) MMM_INLINED {
      block.each(
          Tiles::threads,
          [=](auto i) MMM_INLINED {
            copy_factors<Of>(all, place, step, i, a + stage * (4 * left::vecs),
                             b + stage * (4 * right::vecs));
          },
          no_barrier);
    };
    auto const multiply = [=, &block](auto const& stage) MMM_INLINED {
      unroll<Tiles::step_vecs / 2>([&](index part) {
        block.template load_fragments<left::order, down_fragments>(
            x, wide<4>(a), Tiles::threads, [=](auto const& i, index k) {
              auto const first = i / 32 / across * Tiles::warp_rows;
              return stage * left::vecs + left::given_by(first, k, part, i);
            });
        block.template load_fragments<right::order, across_fragments / 2>(
            y, wide<4>(b), Tiles::threads, [=](auto const& i, index k) {
              auto const first = i / 32 % across * Tiles::warp_columns;
              return stage * right::vecs + right::given_by(first, k, part, i);
            });
        block.template multiply_lanes<shape, down_fragments, across_fragments>(sums, x, y,
                                                                               Tiles::threads);
      });
    };
    index const rest = staged_steps<stages>(
        block, steps, [=](index k) MMM_INLINED { copy(k, k); },
        [=](auto step) MMM_INLINED {
          copy(step + ahead, (step + ahead) % stages);
          multiply(step % stages);
        });
    for (index step = rest; step < steps; ++step) multiply(step % stages);
    block.each(Tiles::threads, [=](auto i) MMM_INLINED { write<Of>(all, place, i, sums); });
  }

  //! Stores thread i's elements of the tile, two neighbours at a time if `Wide`.
  template <reach Of, class Matrices, class Place, class Item, class Sums>
  MMM_HOST_DEVICE static constexpr void write(Matrices const& all, Place const& place,
                                              Item const& i, Sums const& sums) {
    constexpr index V = Wide ? 2 : 1;
    index const pitch = all.layout.result_pitch(all.shape) / V;
    index apart = 0;
    if constexpr (Layout::is_batched) apart = all.layout.all.result;
    auto const top = place.row * Tiles::rows + i / 32 / across * Tiles::warp_rows + i % 32 / 4;
    auto const left_end = place.column * (Tiles::columns / V) +
                          i / 32 % across * (Tiles::warp_columns / V) + i % 4 * (2 / V);
    unroll<2 * down_fragments>([&](index r) {
      auto const row = top + r * 8;
      unroll<across_fragments * 2 / V>([&](index q) {
        auto const column = left_end + (q * V / 2 * (8 / V) + q % (2 / V));
        auto const in_matrix = row < all.shape.rows && column < all.shape.columns / V;
        auto const address = in_product<Layout, V>(place.matrix, apart, row * pitch + column);
        auto const product = [&](index j) {
          index const fragment = r / 2 * across_fragments + q * V / 2;
          return all.layout.alpha * load(sums(i, fragment * 4 + r % 2 * 2 + (q * V + j) % 2));
        };
        constexpr bool whole = Of != reach::any;
        if constexpr (Layout::has_beta) {
          auto const was = load_within<whole>(in_matrix, wide<V>(all.c)[address]);
          store_within<whole>(in_matrix, wide<V>(all.c)[address], make_vec<V>([&](index j) {
                                return product(j) + all.layout.beta * was[j];
                              }));
        } else {
          store_within<whole>(in_matrix, wide<V>(all.c)[address], make_vec<V>(product));
        }
      });
    });
  }

 private:
  template <reach Of, class InSide, class InSteps>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto inside(InSide const& in_side,
                                                             InSteps const& in_steps) {
    if constexpr (Of == reach::any)
      return in_side && in_steps;
    else
      return in_steps;
  }
  //! Begins to copy thread i's part of a step of both factors.
  template <reach Of, class Matrices, class Place, class Step, class Item, class Left, class Right>
  MMM_HOST_DEVICE static constexpr void copy_factors(Matrices const& all, Place const& place,
                                                     Step const& step, Item const& i, Left const& a,
                                                     Right const& b) {
    copy_factor<Of, left, Tiles::rows, !Layout::left_transposed>(
        all.a, all.shape.rows, all.shape.inner, all.layout.left_pitch(all.shape),
        all.layout.left_apart(), place.matrix, place.row, step, i, a);
    copy_factor<Of, right, Tiles::columns, Layout::right_transposed>(
        all.b, all.shape.columns, all.shape.inner, all.layout.right_pitch(all.shape),
        all.layout.right_apart(), place.matrix, place.column, step, i, b);
  }
  //! \param sides the factor's rows of a or columns of b. \param tile the number of the tile among
  //! them. `Along` states that elements of the inner side are neighbours in the global memory.
  template <reach Of, class To, index Side, bool Along, class Factor, class Product, class Tile,
            class Step, class Item, class Shared>
  MMM_HOST_DEVICE static constexpr void copy_factor(Factor const& factor, index sides, index inner,
                                                    index pitch, index apart,
                                                    Product const& product, Tile const& tile,
                                                    Step const& step, Item const& i,
                                                    Shared const& to) {
    if constexpr (Wide) {
      constexpr index row_vecs = To::row_vecs;
      static_assert(Tiles::threads % row_vecs == 0);
      auto const row = one_of<Along>(tile * Side, step * depth) + i / row_vecs;
      auto const chunk =
          one_of<Along>(step * (depth / in_vec), tile * (Side / in_vec)) + i % row_vecs;
      unroll<To::vecs / Tiles::threads>([&](index k) {
        index const down = k * (Tiles::threads / row_vecs);
        auto const in_rows = row + down < (Along ? sides : inner);
        auto const in_chunks = chunk < (Along ? inner : sides) / in_vec;
        copy_within<Of == reach::nothing>(
            inside<Of>(one_of<Along>(in_rows, in_chunks), one_of<Along>(in_chunks, in_rows)),
            wide<4>(to)[To::place(i / row_vecs + down, i % row_vecs)],
            wide<4>(factor)[in_product<Layout, in_vec>(product, apart,
                                                       (row + down) * (pitch / in_vec) + chunk)]);
      });
    } else {
      constexpr index words = 4 * Tiles::step_vecs;
      unroll<Side * words / Tiles::threads>([&](index k) {
        auto const number = i + k * Tiles::threads;
        // Lanes write 128 bytes of rows, or 4 words of 8 rows: no two of them to the same bank.
        auto const row = one_of<Along>(number / words, number / 32 % (Side / 8) * 8 + number % 8);
        auto const word =
            one_of<Along>(number % words, number / 32 / (Side / 8) * 4 + number / 8 % 4);
        auto const side = tile * Side + row;
        auto const first = step * depth + word * in_word;
        auto const read = [&](auto const& use, index e) {
          auto const place = one_of<Along>(side * pitch + (first + e), (first + e) * pitch + side);
          return use(inside<Of>(side < sides, first + e < inner),
                     factor[in_product<Layout, 1>(product, apart, place)]);
        };
        auto const target = To::place(row, word / 4) * 4 + word % 4;
        if constexpr (in_word == 1) {
          auto const copy_word = [&](auto const& holds, auto&& element) {
            copy_within<Of == reach::nothing>(holds, to[target],
                                              static_cast<decltype(element)>(element));
          };
          read(copy_word, 0);
        } else {
          auto const loaded = [&](index e) {
            return read(
                [](auto const& holds, auto&& element) {
                  return load_within < Of ==
                         reach::nothing > (holds, static_cast<decltype(element)>(element));
                },
                e);
          };
          to[target] = joined<gpu::bits_of(A), 0>(loaded);
        }
      });
    }
  }
  //! The word of the elements `read(First)`, …, each of `Bits` bits.
  template <int Bits, index First, class Read>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto joined(Read const& read) {
    if constexpr (Bits == 16 && in_word == 2) {
      auto const lower = read(First);
      auto const upper = read(First + 1);
      return apply(join_numbers<16>{}, lower, upper);
    } else if constexpr (First == 0 && Bits == 8) {
      auto const lower = joined<16, 0>(read);
      auto const upper = joined<16, 2>(read);
      return apply(join_numbers<16>{}, lower, upper);
    } else {
      auto const lower = read(First);
      auto const upper = read(First + 1);
      return apply(join_numbers<8>{}, lower, upper);
    }
  }
};

}  // namespace detail
}  // namespace mmm
MMM_BODIES_END
