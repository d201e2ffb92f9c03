// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/vec.hpp>

//! A tile of a triangulation's table, solved by squares of V x V entries.
MMM_BODIES_BEGIN
namespace mmm::detail {

//! The squares of tiles in a shared memory, row-major, and the registers of a thread for its own
//! squares: the least sums so far, row by row.
template <class Tiles>
struct polygon_squares {
  //! Calls `body(row, column, first)` for each square of thread i: its place among the squares of
  //! the tile, and the number of its first register; its rows are `Tiles::thread_columns` apart.
  template <class Item, class Body>
  MMM_HOST_DEVICE static constexpr void each_square(Item const& i, Body const& body) {
    unroll<Tiles::thread_rows / V>([&](index q) MMM_INLINED {
      unroll<Tiles::thread_columns / V>([&](index g) MMM_INLINED {
        body(i / Tiles::threads_across + q * Tiles::threads_down,
             i % Tiles::threads_across + g * Tiles::threads_across,
             q * V * Tiles::thread_columns + g * V);
      });
    });
  }
  //! Calls `body(e, f)` for row e and column f of a square.
  template <class Body>
  MMM_HOST_DEVICE static constexpr void each_entry(Body const& body) {
    unroll<V>([&](index e) MMM_INLINED { unroll<V>([&](index f) MMM_INLINED { body(e, f); }); });
  }
  //! The register of an entry of the square whose first one is `first`.
  [[nodiscard]] MMM_HOST_DEVICE static constexpr index entry(index first, index e, index f) {
    return first + e * Tiles::thread_columns + f;
  }

  //! Takes the sums of a square with the values of the squares that step `step - 1` has solved, in
  //! its column and in its row. On the main diagonal, the other values are not all known.
  template <bool OnDiagonal, class Shared, class Item, class Row, class Column, class Step,
            class Value, class Least>
  MMM_HOST_DEVICE static constexpr void add_squares(Shared left, Shared right, Shared done,
                                                    Item const& i, Row const& row,
                                                    Column const& column, index first,
                                                    Step const& step, Value infinity, Least least) {
    auto const below = column + squares - step;
    auto const before = row + step - squares;
    auto const open = [&]() MMM_INLINED {
      if constexpr (OnDiagonal)
        return column + squares > row + step && column + 2 * squares <= row + 2 * step;
      else
        return column + squares > row + step;
    }();
    add_square(open && column < step, left, done, row, below, column, i, first, infinity, least);
    add_square(open && row + step >= squares, done, right, row, before, column, i, first, infinity,
               least);
  }
  //! Solves a square whose sums with values of other squares are in `least`, if it lies on the
  //! anti-diagonal of this step. Its weights are in the places of its values.
  template <class Shared, class Item, class Row, class Column, class Step, class Least>
  MMM_HOST_DEVICE static constexpr void solve_square(Shared left, Shared right, Shared done,
                                                     Item const& i, Row const& row,
                                                     Column const& column, index first,
                                                     Step const& step, Least least) {
    using value = typename Shared::value_type;
    constexpr index last = V - 1;
    auto const turn = column + (squares - 1) == row + step;
    auto const x = make_vec<last>(
        [&](index e) MMM_INLINED { return load_if(turn, row_of(left, row, e, row), value{}); });
    auto const y = make_vec<last>([&](index g) MMM_INLINED {
      return load_if(turn, row_of(right, column, g, column), value{});
    });
    auto known = make_vec<V>(
        [&](index e) MMM_INLINED { return load_if(turn, row_of(done, row, e, column), value{}); });
    unroll<V>([&](index up) MMM_INLINED {
      index const e = last - up;
      unroll<V>([&](index f) MMM_INLINED {
        auto best = select(turn, load(least(i, entry(first, e, f))), value{});
        unroll<V>([&](index g) MMM_INLINED {
          if (g > e) best = min(best, x[e < last ? e : 0][g] + known[g][f]);
        });
        unroll<V>([&](index g) MMM_INLINED {
          if (g < f) best = min(best, known[e][g] + y[g < last ? g : 0][f]);
        });
        known[e][f] = best + known[e][f];
      });
      store_if(turn, row_of(done, row, e, column), known[e]);
    });
  }
  //! Solves a square on the main diagonal; entries that are not above the diagonal become 0.
  template <class Shared, class Row, class Column>
  MMM_HOST_DEVICE static constexpr void solve_triangle(Shared done, Row const& row,
                                                       Column const& column) {
    using value = typename Shared::value_type;
    auto const turn = row == column;
    auto known = make_vec<V>(
        [&](index e) MMM_INLINED { return load_if(turn, row_of(done, row, e, column), value{}); });
    unroll<V>([&](index apart) MMM_INLINED {
      unroll<V>([&](index e) MMM_INLINED {
        if (apart > 1 && e + apart < V) {
          index const f = e + apart;
          auto best = known[e][e + 1] + known[e + 1][f];
          unroll<V>([&](index g) MMM_INLINED {
            if (g > e + 1 && g < f) best = min(best, known[e][g] + known[g][f]);
          });
          known[e][f] = best + known[e][f];
        }
      });
    });
    unroll<V>([&](index e) MMM_INLINED { store_if(turn, row_of(done, row, e, column), known[e]); });
  }

 private:
  static constexpr index V = Tiles::words;
  static constexpr index squares = Tiles::squares;

  //! Row e of square (row, column) of a tile in the shared memory.
  template <class Shared, class Row, class Column>
  [[nodiscard]] MMM_HOST_DEVICE static constexpr decltype(auto) row_of(Shared s, Row const& row,
                                                                       index e,
                                                                       Column const& column) {
    return wide<V>(s)[(row * V + e) * squares + column];
  }
  //! Takes the sums with the values of one square of either factor, if the condition holds.
  template <class Condition, class Shared, class Row, class Between, class Column, class Item,
            class Value, class Least>
  MMM_HOST_DEVICE static constexpr void add_square(Condition const& condition, Shared left,
                                                   Shared right, Row const& row,
                                                   Between const& between, Column const& column,
                                                   Item const& i, index first, Value infinity,
                                                   Least least) {
    auto const x = make_vec<V>([&](index e) MMM_INLINED {
      return load_if(condition, row_of(left, row, e, between), infinity);
    });
    auto const y = make_vec<V>([&](index g) MMM_INLINED {
      return load_if(condition, row_of(right, between, g, column), Value{});
    });
    unroll<V>([&](index g) MMM_INLINED {
      each_entry([&](index e, index f) MMM_INLINED {
        index const own = entry(first, e, f);
        least(i, own) = min(load(least(i, own)), x[e][g] + y[g][f]);
      });
    });
  }
};

}  // namespace mmm::detail
MMM_BODIES_END
