// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/tile/whole_or_part.hpp>
#include <mmm/algorithm/triangulation/polygon.hpp>
#include <mmm/algorithm/triangulation/polygon_squares.hpp>
#include <mmm/algorithm/triangulation/polygon_tiles.hpp>
#include <mmm/algorithm/triangulation/weight_limits.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/vec.hpp>
#include <mmm/machine/machine.hpp>

#include <type_traits>

//! The optimal triangulation of a polygon on an HMM, with tiles of the table in registers.
//!
//! As in triangulation_blocked.hpp, V[a][b] is c[a][b] plus the least V[a][k] + V[k][b] of the k
//! between a and b, 0 for edges. A product of tiles has least sums in place of sums of products.
MMM_BODIES_BEGIN
namespace mmm {

//! The table V, row-major, whose tiles are solved in the order of their distance from the main
//! diagonal. As soon as the tiles at a distance `step` are known, all tiles further away take their
//! products with them: a tile in row r and column s takes two, (r, r + step) (r + step, s) and (r,
//! s - step) (s - step, s), where the other factor is no further away. There are thus enough
//! products for all DMMs at almost any time, and no sums for a tile are made in two places. The
//! tiles at the distance `step + 1` are solved meanwhile.
//! Rows and columns of vertices beyond n, up to whole tiles, are those of a polygon whose other
//! chords weigh nothing.
//! Needs `Tiles::threads` threads per DMM, others are idle, and `Tiles::shared_words` words of
//! shared memory. `Words` words of the table are accessed at once. Exact time: docs/algorithms.md.
template <class Tiles, index Words = Tiles::words>
struct register_triangulation {
  static_assert(Words == 1 || Words == Tiles::words);
  static constexpr index words = Words;  //!< words in an access of the table
  //! threads of a block in a kernel: each thread has enough registers
  static constexpr index max_block_threads = Tiles::threads;
  template <class Word>
  [[nodiscard]] static constexpr index blocks_side_by_side() {
    return Words > 1 && sizeof(Word) <= 4 ? detail::larger(1, 512 / Tiles::threads) : 1;
  }

  template <class Machine, class Table, class Weights, class Value>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Table v, Weights c, index n,
                                            Value infinity) const {
    constexpr index w = Machine::machine_type::width();
    static_assert(side % w == 0, "mmm: tiles of whole rows of w words");
    index const tiles = detail::ceil_divide(n, side);
    polygon<Table, Weights, Value> const all{v, c, n, tiles * side, infinity};
    on.each_tile(0, tiles,
                 [=](auto& block, auto tile) MMM_INLINED { solve_on_diagonal(block, all, tile); });
    for (index apart = 1; apart < tiles; ++apart) {
      index const step = apart - 1;
      // The tiles at the distances first … last, in rows of equal distances, whose lengths differ
      // by one: the k-th row and the k-th from the end together are as long as any other such pair.
      index const first = apart + 1;
      index const last = detail::smaller(2 * step, tiles - 1);
      index const rows = detail::larger(last - first + 1, 0);
      index const two_rows = 2 * tiles - first - last;
      index const taking = rows * two_rows / 2;
      index const solving = dmms_that_solve(tiles - apart, taking, on.dmms());
      dmm_range const others{solving % on.dmms(), on.dmms() - solving % on.dmms()};
      on.each_tile_on(
          dmm_range{0, solving}, 0, tiles - apart,
          [=](auto& block, auto tile) MMM_INLINED {
            auto const s = block.template allocate<Value>(Tiles::shared_words);
            auto const least = block.template registers<Value, entries>();
            start(block, all, tile, tile + apart, in_others(tile, tile + apart, step), least);
            if (step > 0) multiply(block, all, tile, tile + apart, step, s, least);
            solve(block, all, tile, tile + apart, s, least);
          },
          no_barrier);
      on.each_tile_on(others, 0, taking, [=](auto& block, auto number) MMM_INLINED {
        auto const row = number / two_rows;
        auto const place = number % two_rows;
        auto const length = tiles - first - row;
        auto const from_end = place >= length;
        auto const down = place - select(from_end, length, index{0});
        auto const across = down + select(from_end, last - row, first + row);
        auto const s = block.template allocate<Value>(Tiles::product_words);
        auto const least = block.template registers<Value, entries>();
        // An estimate is quicker if the tile's number decides; the accesses are the same.
        if constexpr (!std::is_same_v<decltype(number), index>)
          if (step > 4) {
            index const fresh = detail::larger(last - 2 * step + 2, 0);  // rows in no product
            auto const ends = [=](index k) { return detail::smaller(k, fresh) * two_rows; };
            auto const known =
                number >= ends(2) || number < ends(1) - (fresh > 0) * (tiles - last) ||
                (number >= ends(1) && number < ends(2) - (fresh > 1) * (tiles - last + 1));
            start(block, all, down, across, known, least);
          }
        if (std::is_same_v<decltype(number), index> || step <= 4)
          start(block, all, down, across, in_others(down, across, step), least);
        multiply(block, all, down, across, step, s, least);
        write(block, all, down, across, least);
      });
    }
  }
  //! The program for tables that do not begin at multiples of V words.
  [[nodiscard]] static constexpr register_triangulation<Tiles, 1> by_words()
  requires(Words > 1)
  {
    return {};
  }

 private:
  //! Number of DMMs for `solved` tiles to solve while the others take products, chosen so that
  //! neither wait for the others: a DMM takes about as long to solve a tile as to take the products
  //! of five.
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index dmms_that_solve(index solved, index others,
                                                                       index dmms) {
    index const work = 5 * solved;
    index const share = dmms * work / (work + others);
    return others == 0 || dmms == 1 ? dmms : detail::smaller(dmms - 1, detail::larger(1, share));
  }
  static constexpr index V = Tiles::words;
  static constexpr index side = Tiles::side;
  static constexpr index squares = Tiles::squares;
  static constexpr index entries = Tiles::thread_rows * Tiles::thread_columns;
  using parts = detail::polygon_squares<Tiles>;
  static constexpr index row_accesses = side / Words;  //!< accesses for a row of a tile

  template <class Table, class Weights, class Value>
  struct polygon {
    using value_type = Value;
    Table v;
    Weights c;
    index n;
    index pitch;
    Value infinity;

    //! The address, in accesses, of access x of row y of the tile in row `down` and column
    //! `across`.
    template <class Down, class Across, class Y, class X>
    [[nodiscard]] MMM_HOST_DEVICE constexpr auto access(Down const& down, Across const& across,
                                                        Y const& y, X const& x) const {
      return (down * side + y) * (pitch / Words) + across * row_accesses + x;
    }
  };

  //! True if a tile is in products of the steps before this one.
  template <class Down, class Across>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr auto in_others(Down const& down,
                                                                Across const& across, index step) {
    return across - down < 2 * step - 1;
  }
  //! Loads the least sums that a tile has before the products of this step; none if it is in no
  //! product before.
  template <class Block, class All, class Down, class Across, class Known, class Least>
  MMM_HOST_DEVICE static constexpr void start(Block& block, All const& all, Down const& down,
                                              Across const& across, Known const& in_some,
                                              Least least) {
    using value = typename All::value_type;
    block.each(
        Tiles::threads,
        [=](auto i) MMM_INLINED {
          auto registers = least;
          parts::each_square(i, [&](auto row, auto column, index first) MMM_INLINED {
            unroll<V>([&](index e) MMM_INLINED {
              unroll<V / Words>([&](index part) MMM_INLINED {
                auto const known = load_if(
                    in_some,
                    wide<Words>(
                        all.v)[all.access(down, across, row * V + e, column * (V / Words) + part)],
                    all.infinity);
                unroll<Words>([&](index f) MMM_INLINED {
                  registers(i, parts::entry(first, e, part * Words + f)) = known[f];
                });
              });
            });
            parts::each_entry([&](index e, index f) MMM_INLINED {
              store_if(across * side + column * V + f == down * side + row * V + e + 1,
                       registers(i, parts::entry(first, e, f)), value{});
            });
          });
        },
        no_barrier);
  }

  //! Takes the two products of a step. Ends in a barrier.
  template <class Block, class All, class Down, class Across, class Shared, class Least>
  MMM_HOST_DEVICE static constexpr void multiply(Block& block, All const& all, Down const& down,
                                                 Across const& across, index step, Shared s,
                                                 Least least) {
    constexpr index parts = side / Tiles::depth;
    constexpr index part_words = Tiles::copied_words;
    auto const right = s + 2 * part_words;
    auto const inner = [=](auto const& part)
                           MMM_INLINED { return select(part < parts, down + step, across - step); };
    block.each(Tiles::threads, [=](auto i) MMM_INLINED {
      auto const x = left_words(all, down, down + step, index{0}, i);
      auto const y = right_words(all, down + step, across, index{0}, i);
      store_copies(s, i, x);
      store_copies(right, i, y);
    });
    block.repeat(2 * parts - 1, [=, &block](auto part) MMM_INLINED {
      block.each(Tiles::threads, [=](auto i) MMM_INLINED {
        auto const next = inner(part + 1);
        auto const x = left_words(all, down, next, (part + 1) % parts, i);
        auto const y = right_words(all, next, across, (part + 1) % parts, i);
        add_products(s + part % 2 * part_words, right + part % 2 * part_words, i, least);
        store_copies(s + (part + 1) % 2 * part_words, i, x);
        store_copies(right + (part + 1) % 2 * part_words, i, y);
      });
    });
    block.each(Tiles::threads, [=](auto i) MMM_INLINED {
      add_products(s + part_words, right + part_words, i, least);
    });
  }
  //! The words that thread i copies of part `part` of a left factor, `depth` columns.
  template <class All, class Down, class Across, class Part, class Item>
  MMM_HOST_DEVICE static constexpr auto left_words(All const& all, Down const& down,
                                                   Across const& across, Part const& part,
                                                   Item const& i) {
    constexpr index width = Tiles::depth / Words;
    return make_vec<Tiles::copied_words / Words / Tiles::threads>([&](index k) MMM_INLINED {
      auto const number = i + k * Tiles::threads;
      return load(wide<Words>(
          all.v)[all.access(down, across, number / width, part * width + number % width)]);
    });
  }
  //! The words that thread i copies from part `part` of a right factor; a part has `depth` rows.
  template <class All, class Down, class Across, class Part, class Item>
  MMM_HOST_DEVICE static constexpr auto right_words(All const& all, Down const& down,
                                                    Across const& across, Part const& part,
                                                    Item const& i) {
    return make_vec<Tiles::copied_words / Words / Tiles::threads>([&](index k) MMM_INLINED {
      auto const number = i + k * Tiles::threads;
      return load(wide<Words>(all.v)[all.access(
          down, across, part * Tiles::depth + number / row_accesses, number % row_accesses)]);
    });
  }
  template <class Shared, class Item, class Copies>
  MMM_HOST_DEVICE static constexpr void store_copies(Shared to, Item const& i, Copies const& x) {
    unroll<Copies::words>([&](index k)
                              MMM_INLINED { wide<Words>(to)[i + k * Tiles::threads] = x[k]; });
  }
  //! Takes the least sums of the factors in the shared memory, for a thread's part of the tile.
  template <class Left, class Right, class Item, class Least>
  MMM_HOST_DEVICE static constexpr void add_products(Left left, Right right, Item const& i,
                                                     Least least) {
    constexpr index across = Tiles::thread_columns / V;
    auto const row = i / Tiles::threads_across;
    auto const column = i % Tiles::threads_across;
    unroll<Tiles::depth / V>([&](index vec) MMM_INLINED {
      auto const x = make_vec<Tiles::thread_rows>([&](index r) MMM_INLINED {
        auto const y = (row + r / V * Tiles::threads_down) * V + r % V;
        return load(wide<V>(left)[y * (Tiles::depth / V) + vec]);
      });
      unroll<V>([&](index k) MMM_INLINED {
        auto const y = make_vec<across>([&](index g) MMM_INLINED {
          return load(wide<V>(right)[(vec * V + k) * squares + column + g * Tiles::threads_across]);
        });
        unroll<Tiles::thread_rows>([&](index r) MMM_INLINED {
          unroll<Tiles::thread_columns>([&](index s) MMM_INLINED {
            index const entry = r * Tiles::thread_columns + s;
            least(i, entry) = min(load(least(i, entry)), x[r][k] + y[s / V][s % V]);
          });
        });
      });
    });
  }
  template <class Block, class All, class Down, class Across, class Least>
  MMM_HOST_DEVICE static constexpr void write(Block& block, All const& all, Down const& down,
                                              Across const& across, Least least) {
    block.each(
        Tiles::threads,
        [=](auto i) MMM_INLINED {
          parts::each_square(i, [&](auto row, auto column, index first) MMM_INLINED {
            unroll<V>([&](index e) MMM_INLINED {
              unroll<V / Words>([&](index part) MMM_INLINED {
                wide<Words>(
                    all.v)[all.access(down, across, row * V + e, column * (V / Words) + part)] =
                    make_vec<Words>([&](index f) MMM_INLINED {
                      return load(least(i, parts::entry(first, e, part * Words + f)));
                    });
              });
            });
          });
        },
        no_barrier);
  }

  //! Solves a tile whose sums with values of tiles between are in `least`. Squares are solved
  //! anti-diagonal by anti-diagonal, from the lower left corner on: then all others to the right of
  //! one and above it take the sums with its values.
  template <class Block, class All, class Down, class Across, class Shared, class Least>
  MMM_HOST_DEVICE static constexpr void solve(Block& block, All const& all, Down const& down,
                                              Across const& across, Shared s, Least least) {
    auto const right = s + Tiles::area;
    auto const done = s + 2 * Tiles::area;
    copy_tile_on_diagonal(block, all, down, s);
    copy_tile_on_diagonal(block, all, across, right);
    block.each(Tiles::threads, [=](auto i) MMM_INLINED {
      store_weights(done, i, weights_of(all, down, across, i));
    });
    block.repeat(2 * squares - 1, [=, &block](auto step) MMM_INLINED {
      block.each(Tiles::threads, [=](auto i) MMM_INLINED {
        parts::each_square(i, [&](auto row, auto column, index first) MMM_INLINED {
          parts::template add_squares<false>(s, right, done, i, row, column, first, step,
                                             all.infinity, least);
          parts::solve_square(s, right, done, i, row, column, first, step, least);
        });
      });
    });
    write_whole_tile(block, all, down, across, done);
  }
  //! Solves a tile on the main diagonal: all values of its sums are its own.
  template <class Block, class All, class Tile>
  MMM_HOST_DEVICE static constexpr void solve_on_diagonal(Block& block, All const& all,
                                                          Tile const& tile) {
    using value = typename All::value_type;
    auto const s = block.template allocate<value>(Tiles::shared_words);
    auto const least = block.template registers<value, entries>();
    start(block, all, tile, tile, in_others(tile, tile, 0), least);
    block.each(Tiles::threads,
               [=](auto i) MMM_INLINED { store_weights(s, i, weights_of(all, tile, tile, i)); });
    block.each(Tiles::threads, [=](auto i) MMM_INLINED {
      parts::each_square(i, [&](auto row, auto column, index)
                                MMM_INLINED { parts::solve_triangle(s, row, column); });
    });
    block.repeat(squares - 1, [=, &block](auto step) MMM_INLINED {
      block.each(Tiles::threads, [=](auto i) MMM_INLINED {
        parts::each_square(i, [&](auto row, auto column, index first) MMM_INLINED {
          parts::template add_squares<true>(s, s, s, i, row, column, first, step + squares,
                                            all.infinity, least);
          parts::solve_square(s, s, s, i, row, column, first, step + squares, least);
        });
      });
    });
    write_whole_tile(block, all, tile, tile, s);
  }

  //! The weights of a tile, word by word: 0 where there is no chord.
  template <class All, class Down, class Across, class Item>
  MMM_HOST_DEVICE static constexpr auto weights_of(All const& all, Down const& down,
                                                   Across const& across, Item const& i) {
    using value = typename All::value_type;
    return make_vec<Tiles::area / Tiles::threads>([&](index k) MMM_INLINED {
      auto const a = down * side + (i + k * Tiles::threads) / side;
      auto const b = across * side + (i + k * Tiles::threads) % side;
      return load_if(a + 1 < b && b < all.n, all.c[a * all.n + b], value{});
    });
  }
  template <class Shared, class Item, class Weights>
  MMM_HOST_DEVICE static constexpr void store_weights(Shared to, Item const& i,
                                                      Weights const& weights) {
    unroll<Weights::words>([&](index k) MMM_INLINED { to[i + k * Tiles::threads] = weights[k]; });
  }
  template <class Block, class All, class Tile, class Shared>
  MMM_HOST_DEVICE static constexpr void copy_tile_on_diagonal(Block& block, All const& all,
                                                              Tile const& tile, Shared to) {
    block.each(
        Tiles::threads,
        [=](auto i) MMM_INLINED {
          store_copies(
              to, i, make_vec<Tiles::area / Words / Tiles::threads>([&](index k) MMM_INLINED {
                auto const number = i + k * Tiles::threads;
                return load(wide<Words>(
                    all.v)[all.access(tile, tile, number / row_accesses, number % row_accesses)]);
              }));
        },
        no_barrier);
  }
  template <class Block, class All, class Down, class Across, class Shared>
  MMM_HOST_DEVICE static constexpr void write_whole_tile(Block& block, All const& all,
                                                         Down const& down, Across const& across,
                                                         Shared s) {
    block.each(Tiles::threads, [=](auto i) MMM_INLINED {
      unroll<Tiles::area / Words / Tiles::threads>([&](index k) MMM_INLINED {
        auto const number = i + k * Tiles::threads;
        wide<Words>(all.v)[all.access(down, across, number / row_accesses, number % row_accesses)] =
            load(wide<Words>(s)[number]);
      });
    });
  }
};

namespace detail {

//! The algorithm object behind mmm::triangulation_in_registers.
template <class Tiles>
struct register_triangulation_algorithm : polygon_call<register_triangulation_algorithm<Tiles>> {
  static constexpr char const* name = "triangulation-in-registers";
  static constexpr char const* paper = "this library, with tiles in registers";
  static constexpr machine_kinds kinds{.hmm = 2};

  struct problem : polygon_size {
    using polygon_size::polygon_size;

    //! The table has n rows, rounded up to whole tiles, and M[i][j] is entry (i - 1, j).
    template <machine M>
    [[nodiscard]] constexpr natural pitch(M const&) const {
      return n / natural(Tiles::side) * Tiles::side;
    }
    [[nodiscard]] static constexpr index first_row(auto const&) { return 1; }

    template <class On, class Table = no_data, class Weights = no_data>
    constexpr void run(On& on, Table table = {}, Weights weights = {}) const {
      demand_threads_per_dmm(on, Tiles::threads);
      natural const words = pitch(on.machine()) * pitch(on.machine());
      perform(on, of_aligned_arrays<register_triangulation<Tiles>>{}, writes(table, words),
              reads(weights, n * n), n.count, infinity_of<iterator_value_t<Weights>>());
    }
    //! The bound for algorithms whose threads have parts of this size in registers: for each of the
    //! n (n - 1) (n - 2)/6 sums a thread reads a row's and a column's share of two values from a
    //! shared memory. A square of V x V entries has 2 V - 1 diagonals, each of which needs the one
    //! before.
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      constexpr index V = Tiles::words;
      constexpr index together = Tiles::thread_rows * Tiles::thread_columns;
      natural const read = sums() * (Tiles::thread_rows + Tiles::thread_columns) / together;
      bound b = access_bound(m, n * (n - 3) / 2, m.p);
      b.shared_bandwidth = read / (m.d * m.w);
      b.shared_latency = read * m.l / (m.p * V);
      b.dependency = (n - 2) / (2 * V) * smaller(m.l, m.L);
      return b;
    }
    //! The bound for a table of whole tiles: the tiles at a distance are solved, and those that
    //! take products meanwhile, in passes of a part of the DMMs; a pass takes all words that the
    //! threads of a tile access, and a latency for each access of a thread.
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      constexpr index V = Tiles::words;
      constexpr index entries = Tiles::thread_rows * Tiles::thread_columns;
      constexpr index area = Tiles::area;
      constexpr index words = area / Tiles::threads;  // words of a tile for each thread
      natural const tiles = n / natural(Tiles::side);
      natural const solved = tiles * tiles;
      natural const passes = (tiles * tiles * tiles / 12 + 5 * solved) / m.d + 2 * tiles;
      natural const rows = area / m.w + Tiles::side;  // stages for a tile's rows
      natural const global = m.d * (8 * rows) + 9 * words * m.L;
      // factors of a thread, for two products and for the squares
      constexpr index factors = 2 * Tiles::side * (Tiles::thread_rows + Tiles::thread_columns);
      constexpr index steps = 2 * Tiles::squares * (entries / (V * V));
      natural const warps = natural(Tiles::threads) / m.w;
      natural const shared = factors * warps + factors / V * m.l + 8 * (area / m.w + words * m.l) +
                             steps * (8 * V) * (V * warps + m.l);
      return passes * (global + shared);
    }
  };
};

}  // namespace detail

//! The triangulation of least weight on an HMM by tiles of 64 x 64 and 256 threads with 4 x 4
//! entries each: see register_triangulation.
//! Errors besides those of polygon_call: std::invalid_argument for fewer than 256 threads per DMM;
//! std::length_error if the shared memories are too small.
inline constexpr detail::register_triangulation_algorithm<polygon_tiles<64, 32, 4, 4>>
    triangulation_in_registers{};

}  // namespace mmm
MMM_BODIES_END
