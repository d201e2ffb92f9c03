// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/call/fold_forms.hpp>
#include <mmm/algorithm/call/forms.hpp>
#include <mmm/algorithm/scan/summed_area.hpp>
#include <mmm/algorithm/tile/whole_or_part.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/handle.hpp>
#include <mmm/execution/vec.hpp>

//! The summed area table on an HMM with one read and one write of each pixel in the global memory,
//! without a machine-wide barrier: decoupled look-back along the rows and columns of tiles.
MMM_BODIES_BEGIN
namespace mmm {

//! The summed area table in place, by tiles that are assigned to the DMMs round-robin: the first
//! column of tiles, the first row, the whole tiles row by row, and those at the other borders, so
//! that the tiles above and to the left of one are assigned before it. Threads are in g groups of L
//! lanes; a tile has `Rows` g rows of `Vecs` V L pixels, a group's rows one below the other, and a
//! thread has `Vecs` vecs of V pixels of each of its group's rows in registers. A group's lanes
//! scan its rows. The tile publishes the sum of each row and adds up those of the tiles to its
//! left; then the rows have all pixels to their left. The tile does the same with the sums of its
//! columns and the tiles above it. In `a` a pixel is read once and written once. Needs 2 Rows g +
//! (g + 2) Vecs V L words of shared memory, for as many arrays of which each begins at a multiple
//! of the width.
//! Time: docs/algorithms.md.
template <index V, index Vecs, index Rows>
struct one_pass_summed_area {
  static constexpr index words = V;  //!< words in a global access
  static constexpr index max_block_threads = 512;
  static constexpr index vecs = Rows * Vecs;  //!< vecs of a thread

  //! The program for images that do not consist of whole vecs, with half the rows, since a thread
  //! then has more sums in registers.
  [[nodiscard]] static constexpr one_pass_summed_area<1, Vecs * V, (Rows + 1) / 2> by_words()
  requires(V > 1)
  {
    return {};
  }

  //! The tiles of an image.
  struct grid {
    index lanes;    //!< lanes of a group
    index groups;   //!< whole groups; a tile's threads
    index rows;     //!< rows of pixels in a tile
    index columns;  //!< columns of pixels in a tile
    index down;     //!< tiles in a column
    index across;   //!< tiles in a row
    MMM_HOST_DEVICE constexpr grid(shape image, index t, index lanes_of_group)
        : lanes(detail::smaller(t, lanes_of_group)),
          groups(t / lanes),
          rows(groups * Rows),
          columns(lanes * Vecs * V),
          down(detail::ceil_divide(image.rows, rows)),
          across(detail::ceil_divide(image.columns, columns)) {}
  };

  template <class Machine, class Image>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Image a, shape image) const {
    using value = typename Image::value_type;
    grid const tiles(image, on.threads_per_dmm(), on.lanes());
    index const all = tiles.down * tiles.across;
    if (all == 0) return;
    auto const of_rows = on.template look_back_state<value>(all * tiles.rows);
    auto const of_columns = on.template look_back_state<value>(all * tiles.columns);
    index const whole_down = detail::larger(1, image.rows / tiles.rows);
    index const whole_across = detail::larger(1, image.columns / tiles.columns);
    index first = 0;
    // A loop, since a kernel's code has a copy of each call.
    for (int k = 0; k < 5; ++k) {
      region part{first, 1, whole_down, 1, whole_across};
      if (k == 0) part = {first, 0, tiles.down, 0, 1};
      if (k == 1) part = {first, 0, 1, 1, tiles.across};
      if (k == 3) part = {first, 1, whole_down, whole_across, tiles.across};
      if (k == 4) part = {first, whole_down, tiles.down, 1, tiles.across};
      if (k == 2)
        add_up_tiles<true>(on, a, image, tiles, part, of_rows, of_columns);
      else
        add_up_tiles<false>(on, a, image, tiles, part, of_rows, of_columns);
      first += part.count();
    }
  }

 private:
  //! The tiles in the rows of tiles [top, bottom) and the columns of tiles [left, right), row by
  //! row; `first` is the number of the first one.
  struct region {
    index first;
    index top;
    index bottom;
    index left;
    index right;
    [[nodiscard]] MMM_HOST_DEVICE constexpr index count() const {
      return (bottom - top) * (right - left);
    }
  };

  //! \tparam Whole true if no tile of the region crosses a border of the image
  template <bool Whole, class Machine, class Image, class States>
  MMM_HOST_DEVICE static constexpr void add_up_tiles(Machine& on, Image a, shape image, grid tiles,
                                                     region part, States of_rows,
                                                     States of_columns) {
    index const across = part.right - part.left;
    on.each_tile(
        part.first, part.count(),
        [=](auto& block, auto number) MMM_INLINED {
          auto const k = number - part.first;
          add_up_tile<Whole>(block, a, image, tiles, part.top + k / across, part.left + k % across,
                             of_rows, of_columns);
        },
        no_barrier);
  }

  template <bool Whole, class Block, class Image, class Row, class Column, class States>
  MMM_HOST_DEVICE static constexpr void add_up_tile(Block& block, Image a, shape image, grid tiles,
                                                    Row row, Column column, States of_rows,
                                                    States of_columns) {
    using value = typename Image::value_type;
    index const lanes = tiles.lanes;
    index const rows = tiles.rows;
    index const columns = tiles.columns;
    index const taking_part = tiles.groups * lanes;
    index const pitch = image.columns / V;
    auto const x = block.template registers<value, vecs * V>();
    auto const upto = block.template registers<value, Vecs>();
    auto const before = block.template registers<value, Vecs>();
    auto const left = block.template registers<value, vecs>();
    auto const row_sums = block.template allocate<value>(rows);
    auto const rows_before = block.template allocate<value>(rows);
    auto const group_sums = block.template allocate<value>(tiles.groups * columns);
    auto const column_sums = block.template allocate<value>(columns);
    auto const columns_before = block.template allocate<value>(columns);
    auto const top = row * rows;
    auto const first = column * (columns / V);
    auto const inside = [=](auto const& i, auto const& y, auto const& z) MMM_INLINED {
      if constexpr (Whole)
        return i < taking_part;
      else
        return i < taking_part && y < image.rows && z < pitch;
    };
    block.each_thread(
        [=](auto i) MMM_INLINED {
          auto const pixels = make_vec<vecs>([&](index k) MMM_INLINED {
            auto const y = top + i / lanes * Rows + k / Vecs;
            auto const z = first + i % lanes + k % Vecs * lanes;
            return load_if(inside(i, y, z), wide<V>(a)[y * pitch + z], value{});
          });
          unroll<vecs>([&](index k) MMM_INLINED {
            x(i, k * V) = pixels[k][0];
            unroll<V - 1>([&](index j) MMM_INLINED {
              x(i, k * V + j + 1) = load(x(i, k * V + j)) + pixels[k][j + 1];
            });
          });
        },
        no_barrier);
    unroll<Rows>([&](index r) MMM_INLINED {
      block.each_thread(
          [=](auto i) MMM_INLINED {
            unroll<Vecs>([&](index q)
                             MMM_INLINED { upto(i, q) = load(x(i, (r * Vecs + q) * V + V - 1)); });
          },
          no_barrier);
      block.template scan_lanes<Vecs>(upto, before, plus{});
      block.each_thread(
          [=](auto i) MMM_INLINED {
            unroll<Vecs>([&](index q) MMM_INLINED { left(i, r * Vecs + q) = load(before(i, q)); });
            store_if(i < taking_part && i % lanes == lanes - 1, row_sums[i / lanes * Rows + r],
                     load(upto(i, Vecs - 1)));
          },
          no_barrier);
    });
    block.barrier();
    add_up_before(block, of_rows + row * (tiles.across * rows), column, row_sums, rows_before, rows,
                  tiles.across);
    block.each_thread([=](auto i) MMM_INLINED {
      auto const takes_part = i < taking_part;
      unroll<Rows>([&](index r) MMM_INLINED {
        auto const tiles_left = load_if(takes_part, rows_before[i / lanes * Rows + r], value{});
        unroll<Vecs>([&](index q) MMM_INLINED {
          index const k = r * Vecs + q;
          auto const all_left = load(left(i, k)) + tiles_left;
          unroll<V>([&](index j) MMM_INLINED {
            x(i, k * V + j) = load(x(i, k * V + j)) + all_left;
            if (r > 0) x(i, k * V + j) = load(x(i, k * V + j)) + load(x(i, (k - Vecs) * V + j));
          });
        });
      });
      unroll<Vecs>([&](index q) MMM_INLINED {
        store_if(takes_part, wide<V>(group_sums)[(i / lanes * Vecs + q) * lanes + i % lanes],
                 make_vec<V>([&](index j)
                                 MMM_INLINED { return load(x(i, (vecs - Vecs + q) * V + j)); }));
      });
    });
    add_up_groups(block, tiles.groups, columns, group_sums, column_sums);
    add_up_before(block, of_columns + column * (tiles.down * columns), row, column_sums,
                  columns_before, columns, tiles.down);
    block.each_thread(
        [=](auto i) MMM_INLINED {
          auto const takes_part = i < taking_part;
          unroll<Vecs>([&](index q) MMM_INLINED {
            auto const tiles_above =
                load_if(takes_part, wide<V>(columns_before)[q * lanes + i % lanes], value{});
            auto const groups_above =
                load_if(takes_part, wide<V>(group_sums)[(i / lanes * Vecs + q) * lanes + i % lanes],
                        value{});
            auto const above =
                make_vec<V>([&](index j) MMM_INLINED { return tiles_above[j] + groups_above[j]; });
            unroll<Rows>([&](index r) MMM_INLINED {
              auto const y = top + i / lanes * Rows + r;
              auto const z = first + i % lanes + q * lanes;
              store_if(inside(i, y, z), wide<V>(a)[y * pitch + z],
                       make_vec<V>([&](index j) MMM_INLINED {
                         return load(x(i, (r * Vecs + q) * V + j)) + above[j];
                       }));
            });
          });
        },
        no_barrier);  // the words that are read here are written again only after a barrier
  }

  //! Publishes a tile's n sums and adds up those of the tiles before it in a row or column of
  //! `tiles` tiles. A barrier follows.
  template <class Block, class States, class Tile, class Sums>
  MMM_HOST_DEVICE static constexpr void add_up_before(Block& block, States states, Tile tile,
                                                      Sums sums, Sums before, index n,
                                                      index tiles) {
    block.publish_sums(states, tile, sums, n);
    block.sums_before(states, tile, sums, before, n, tiles);
    block.barrier();
  }

  //! Replaces each group's sum of a column by the sum of the groups above it, and writes the sum of
  //! all groups. The thread of a column does so; no barrier.
  template <class Block, class Sums>
  MMM_HOST_DEVICE static constexpr void add_up_groups(Block& block, index groups, index columns,
                                                      Sums group_sums, Sums column_sums) {
    using value = typename Sums::value_type;
    index const t = block.threads();
    auto const above = block.template registers<value>();
    block.repeat(detail::ceil_divide(columns, t), [=, &block](auto part) MMM_INLINED {
      block.each_thread([=](auto i) MMM_INLINED { above[i] = value{}; }, no_barrier);
      block.repeat(groups, [=, &block](auto g) MMM_INLINED {
        block.each_thread(
            [=](auto i) MMM_INLINED {
              auto const j = part * t + i;
              auto const own = load_if(j < columns, group_sums[g * columns + j], value{});
              store_if(j < columns, group_sums[g * columns + j], load(above[i]));
              above[i] = load(above[i]) + own;
            },
            no_barrier);
      });
      block.each_thread(
          [=](auto i) MMM_INLINED {
            store_if(part * t + i < columns, column_sums[part * t + i], load(above[i]));
          },
          no_barrier);
    });
  }
};

namespace detail {

//! A thread has 8 vecs of V words of 4 bytes or less, half as many of 8 bytes, and a quarter of 16.
template <index V>
struct summed_area_one_pass_algorithm {
  static constexpr char const* name = "summed-area-one-pass";
  static constexpr char const* paper =
      "Kasagi, Nakano and Ito 2014b, 1R1W, by decoupled look-back (Merrill and Garland 2016)";
  static constexpr machine_kinds kinds{.hmm = 2};

  struct problem : summed_area_problem {
    using summed_area_problem::summed_area_problem;
    template <class Value>
    using program_for =
        one_pass_summed_area<V, 1, larger(1, 8 / larger(1, index{sizeof(Value)} / 4))>;

    template <class On, class Image = no_data>
    constexpr void run(On& on, Image first = {}) const {
      auto const start = [&](auto program) { perform(on, program, updates(first, n), image); };
      start_by_words(program_for<iterator_value_t<Image>>{}, image.columns % V == 0, start);
    }
    //! The bound for the access of V words by each thread.
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      bound b = n <= 1 ? bound{} : access_bound(m, 2 * n - 1, V * m.p);
      b.reduction = fold_bound(m, n, m.p).reduction;
      return b;
    }
    //! The bound for an image padded to whole tiles, and for passes of the DMMs that are padded in
    //! each of the five parts of the image: the stages and latencies of all accesses of a tile. A
    //! group of w threads has up to w/L rows of lanes.
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      using program = program_for<float>;
      if (n == 0) return 0;
      index const lanes = smaller(m.t.count, lanes_of(m.w.count));
      bool const whole = image.columns % V == 0;
      natural const parts = whole ? 1 : V;  // accesses for a vec
      natural const rows_of_thread = whole ? program::vecs : (program::vecs + 1) / 2;
      natural const groups = m.t.count / lanes;
      natural const rows = groups * rows_of_thread, columns = lanes * V;
      natural const tiles = natural(image.rows) / rows * (natural(image.columns) / columns);
      natural const passes = tiles / m.d + smaller(tiles, 4);
      natural const sums = rows / m.w + columns / m.w + 2;
      natural const rounds_of_sums = rows / m.t + columns / m.t;
      natural const by_all = m.t / m.w * (V + parts * (m.w / natural(lanes)));
      natural const by_groups = 2 * groups + 1;
      natural const global = m.d * (2 * rows_of_thread * by_all + 3 * sums) +
                             (2 * rows_of_thread * parts + 3 * rounds_of_sums) * m.L;
      natural const shared =
          (2 * rows_of_thread + 3) * by_all + 3 * sums +
          by_groups * (columns / m.w + columns / m.t) +
          (2 * rows_of_thread + 3 * parts + 3 * rounds_of_sums + by_groups * (columns / m.t)) * m.l;
      return passes * (global + shared);
    }
  };

  template <class On, class Iterator>
  void operator()(On on, Iterator first, sides image) const {
    static_assert(call_of<On, Iterator>::accepted);
    problem(image).run(on, first);
  }
};

}  // namespace detail

//! The summed area table of a row-major image in place as mmm::summed_area writes it, on an HMM in
//! one pass over the global memory: `mmm::summed_area_one_pass(on, first, shape)`. A tile of t
//! threads has 8 t/32 x 128 pixels of 4 bytes if w = 32, and fewer rows of larger ones. It waits
//! for no barrier of the machine: tiles publish the sums of their rows and columns.
//! Errors: std::length_error if the shared memories are too small.
//! Source: Merrill and Garland 2016 for the look-back, Kasagi, Nakano and Ito 2014b for the tiles.
inline constexpr detail::summed_area_one_pass_algorithm<4> summed_area_one_pass{};

}  // namespace mmm
MMM_BODIES_END
