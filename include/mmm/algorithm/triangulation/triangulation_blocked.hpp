// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/tile/items_per_thread.hpp>
#include <mmm/algorithm/triangulation/polygon.hpp>
#include <mmm/algorithm/triangulation/triangulation.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/execution/access.hpp>
#include <mmm/execution/thread_items.hpp>
#include <mmm/machine/machine.hpp>

//! The optimal triangulation of a polygon on an HMM, which Nakano 2013b leaves open: by tiles in
//! the shared memories.
//!
//! The recurrence over vertices has no shift: V[a][b] = M[a + 1][b] is c[a][b] plus the least
//! V[a][k] + V[k][b] of the k between a and b, 0 for edges. A tile of w x w entries therefore
//! combines, by least sums in place of sums of products, the products of the tiles left of it with
//! those below it, and of itself with the two tiles on the main diagonal; the latter in the order
//! of b - a.
MMM_BODIES_BEGIN
namespace mmm {

namespace detail {

//! The sums that a tile's entries are the least of. Weights of chords: a sum of two values of the
//! table, and the entry's weight, which `multiply` adds once for all of its sums.
template <class Weights, class Sides>
struct tile_sums {
  template <class Sum, class Ends>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto of_product(Sum const& sum, Ends const&,
                                                          auto const&) const {
    return sum;
  }
  template <class Ends>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto finished(Ends const& least, Ends const& ends) const {
    return least + ends;
  }
  template <class Condition, class Sum, class Ends>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto of_entry(Condition const&, Sum const& sum,
                                                        Ends const& ends, auto const&) const {
    return sum + ends;
  }
  MMM_HOST_DEVICE constexpr void copy(auto const&, auto const&, auto const&) const {}
  MMM_HOST_DEVICE constexpr void copy_tiles(auto&, auto const&, auto const&, index) const {}
};

//! Weights of triangles: of the ends' part and the number between, which is in a shared memory: of
//! the tile between or of the rows first, of the columns after w words.
template <class Weights, class Sides>
requires Weights::of_triangles
struct tile_sums<Weights, Sides> {
  using value = typename Sides::value_type;
  Weights weights;
  Sides sides;
  index n;

  template <class Sum, class Ends>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto of_product(Sum const& sum, Ends const& ends,
                                                          auto const& k) const {
    return sum + ends * load(sides[k]);
  }
  template <class Ends>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto finished(Ends const& least, Ends const&) const {
    return least;
  }
  template <class Condition, class Sum, class Ends>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto of_entry(Condition const& exists, Sum const& sum,
                                                        Ends const& ends, auto const& k) const {
    return sum + ends * load_if(exists, sides[k], value{});
  }
  //! Two accesses where the condition holds.
  MMM_HOST_DEVICE constexpr void copy(auto const& condition, auto const& to,
                                      auto const& vertex) const {
    store_if(condition, sides[to],
             load_if(condition && vertex < n, weights.sides[vertex], value{}));
  }
  MMM_HOST_DEVICE constexpr void copy_tiles(auto& block, auto const& row, auto const& column,
                                            index w) const {
    tile_sums const own = *this;
    block.each(2 * w, [=](auto i) {
      own.copy(i < w, i, row + i);
      own.copy(i >= w, i, column + i - w);
    });
  }
};

}  // namespace detail

//! Solves tiles in the rows `first + pass * dmms + dmm` of tiles and `apart` columns of tiles to
//! the right, by as many DMMs. V is row-major with `pitch` words in a row, a multiple of w, and c
//! has rows of n words; entries beyond n are never used.
//! Needs 3 w^2 words of shared memory, and 2 w for weights of triangles. Errors: std::length_error
//! if there are fewer.
//! \tparam Max the number of registers for entries of a tile that a thread of a kernel has
template <index Max>
struct triangulation_tiles {
  index n;
  index pitch;
  index apart;
  index first;
  index passes;
  index dmms;

  template <class Machine, class Table, class Weights, class Value>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Table v, Weights weights,
                                            Value infinity) const {
    index const w = on.machine().width();
    triangulation_tiles const my = *this;
    on.each_dmm(dmms, [=](auto& block, auto dmm) {
      auto const left = block.template allocate<Value>(w * w);
      auto const right = block.template allocate<Value>(w * w);
      auto const done = block.template allocate<Value>(w * w);
      auto const sides = block.template allocate<Value>(Weights::of_triangles ? 2 * w : 0);
      thread_items<Max> const entries{w, w};
      auto weight = block.template registers<Value>(entries);
      auto least = block.template registers<Value>(entries);
      block.repeat(my.passes, [=, &block](auto pass) MMM_INLINED {
        auto const row = (my.first + pass * my.dmms + dmm) * w;
        auto const column = row + my.apart * w;
        block.each(entries, [=](auto i, auto j, auto own) {
          auto const a = row + i;
          auto const b = column + j;
          weight[own] = weights.ends_if(a < my.n && b < my.n, a, b, Value{});
          least[own] = infinity;
          store_if(b == a + 1, least[own], Value{});
        });
        detail::tile_sums<Weights, decltype(left)> const sums = [=] {
          if constexpr (Weights::of_triangles)
            return detail::tile_sums<Weights, decltype(left)>{weights, sides, my.n};
          else
            return detail::tile_sums<Weights, decltype(left)>{};
        }();
        if (my.apart == 0)
          solve_on_diagonal(block, sums, row, done, weight, least);
        else {
          if (my.apart > 1)
            multiply(block, sums, v, my.pitch, row, column, my.apart - 1, left, right, weight,
                     least);
          solve(block, sums, v, my.pitch, row, column, left, right, done, weight, least);
        }
        block.each(entries, [=](auto i, auto j, auto own) {
          v[(row + i) * my.pitch + column + j] = load(least[own]);
        });
      });
    });
  }

 private:
  //! Takes the products of the tiles between, one after the other, in registers; then the weights.
  template <class Block, class Sums, class Table, class Row, class Column, class Shared,
            class Registers>
  MMM_HOST_DEVICE static constexpr void multiply(Block& block, Sums sums, Table v, index pitch,
                                                 Row row, Column column, index between, Shared left,
                                                 Shared right, Registers weight, Registers least) {
    index const w = block.machine().width();
    block.repeat(between, [=, &block](auto tile) {
      auto const inner = row + (tile + 1) * w;
      block.each(w * w, [=](auto i) {
        left[i] = load(v[(row + i / w) * pitch + inner + i % w]);
        right[i] = load(v[(inner + i / w) * pitch + column + i % w]);
        sums.copy(i < w, i, inner + i);
      });
      block.repeat(w, [=, &block](auto k) {
        block.each(thread_items<Max>{w, w}, [=](auto i, auto j, auto own) {
          auto const x = load(left[i * w + k]);
          auto const y = load(right[k * w + j]);
          auto registers = least;
          registers[own] = min(load(registers[own]), sums.of_product(x + y, load(weight[own]), k));
        });
      });
    });
    block.each(thread_items<Max>{w, w}, [=](auto, auto, auto own) {
      auto registers = least;
      registers[own] = sums.finished(load(registers[own]), load(weight[own]));
    });
  }

  //! Solves a tile diagonal by diagonal, from its lower left corner: `done` has the known entries,
  //! each of which makes two sums for every entry that is not known.
  template <class Block, class Sums, class Table, class Row, class Column, class Shared,
            class Registers>
  MMM_HOST_DEVICE static constexpr void solve(Block& block, Sums sums, Table v, index pitch,
                                              Row row, Column column, Shared left, Shared right,
                                              Shared done, Registers weight, Registers least) {
    using value = typename Shared::value_type;
    index const w = block.machine().width();
    block.each(thread_items<Max>{w, w}, [=](auto i, auto j, auto own) {
      left[i * w + j] = load(v[(row + i) * pitch + row + j]);
      right[i * w + j] = load(v[(column + i) * pitch + column + j]);
      store_if(j + w == i + 1, done[i * w + j], load(least[own]));
    });
    sums.copy_tiles(block, row, column, w);
    block.repeat(2 * w - 2, [=, &block](auto step) {  // the diagonal b - a = step - (w - 1)
      block.each(thread_items<Max>{w, w}, [=](auto a, auto b, auto own) {
        auto const x = b + (w - 1) - step;
        auto const y = a + step - (w - 1);
        auto const open = b + (w - 1) > a + step;
        auto const by_row = open && b <= step;
        auto const by_column = open && a + step >= w - 1;
        auto const beside = load_if(by_row, left[a * w + x], value{});
        auto const below = load_if(by_row, done[x * w + b], value{});
        auto const before = load_if(by_column, done[a * w + y], value{});
        auto const under = load_if(by_column, right[y * w + b], value{});
        auto const extra = load(weight[own]);
        auto const left_sum = sums.of_entry(by_row, beside + below, extra, x);
        auto const right_sum = sums.of_entry(by_column, before + under, extra, y + w);
        auto registers = least;
        auto const known = load(registers[own]);
        auto const better = select(by_row, min(known, left_sum), known);
        auto const best = select(by_column, min(better, right_sum), better);
        registers[own] = best;
        store_if(open, done[a * w + b], best);
      });
    });
  }

  //! Solves a tile on the main diagonal, where both values of a sum are of the tile itself, and may
  //! be on the same diagonal.
  template <class Block, class Sums, class Row, class Shared, class Registers>
  MMM_HOST_DEVICE static constexpr void solve_on_diagonal(Block& block, Sums sums, Row row,
                                                          Shared done, Registers weight,
                                                          Registers least) {
    using value = typename Shared::value_type;
    index const w = block.machine().width();
    block.each(thread_items<Max>{w, w}, [=](auto i, auto j, auto own) {
      store_if(j == i + 1, done[i * w + j], load(least[own]));
    });
    sums.copy_tiles(block, row, row, w);
    // the diagonal b - a = step + 1
    block.repeat(detail::larger(w - 2, 0), [=, &block](auto step) {
      block.each(thread_items<Max>{w, w}, [=](auto a, auto b, auto own) {
        auto const x = b - 1 - step;
        auto const y = a + 1 + step;
        auto const open = b > a + step + 1;
        auto const in_reach = open && b <= a + 2 * step + 2;
        auto const beside = load_if(in_reach, done[a * w + x], value{});
        auto const below = load_if(in_reach, done[x * w + b], value{});
        auto const before = load_if(in_reach, done[a * w + y], value{});
        auto const under = load_if(in_reach, done[y * w + b], value{});
        auto const extra = load(weight[own]);
        auto const left_sum = sums.of_entry(in_reach, beside + below, extra, x);
        auto const right_sum = sums.of_entry(in_reach, before + under, extra, y);
        auto registers = least;
        auto const known = load(registers[own]);
        auto const best = select(in_reach, min(min(known, left_sum), right_sum), known);
        registers[own] = best;
        store_if(open, done[a * w + b], best);
      });
    });
  }
};

//! The table V by tiles of w x w, one diagonal of tiles after the other; the tiles of a diagonal
//! are assigned to the DMMs.
//!
//! Time with t >= w threads per DMM, p = t d <= w^2 d in all, N = n rounded up to a multiple of w:
//! at most
//!   `12 (N^3/w^2 + N^3/(d w) + N^3 (L + w l)/(w p) + N^2 (1 + (L + w l)/t))`;
//! further threads do not help.
//! Proof: N/w tiles in a row make (N/w)^3/6 products at most, d at once except in one round of each
//! of the (N/w)^2/2 pairs of a diagonal and a tile between. A product reads 2 w^2 words of the
//! global memory, in w^2/t rounds each, writes them and reads 2 w^3 of a shared memory. Then a tile
//! is solved in 2 w - 2 steps of five accesses to w^2 words at most, without bank conflicts where w
//! divides t; the last term and the second one cover the (N/w)^2/2 tiles, d at once except in one
//! round of each of the N/w diagonals.
template <class ItemsPerThread = detail::one_item_per_thread>
struct blocked_triangulation {
  //! threads of a block in a kernel: each thread has enough registers
  static constexpr index max_block_threads = ItemsPerThread::block_threads;

  template <class Machine, class Table, class Weights, class Value>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Table v, Weights c, index n,
                                            Value infinity) const {
    solve(on, v, detail::chord_weights<Weights>{c, n}, n, infinity);
  }
  //! The table for weights of chords or of triangles.
  template <class Machine, class Table, class Weights, class Value>
  MMM_HOST_DEVICE static constexpr void solve(Machine& on, Table v, Weights weights, index n,
                                              Value infinity) {
    index const w = on.machine().width();
    index const tiles = detail::ceil_divide(n, w);
    index const dmms = on.dmms();
    auto const diagonal = [=, &on](index apart) {
      // Whole passes, then the remaining tiles. (A loop makes a kernel half as long.)
      index const count = tiles - apart;
      for (index done = 0; done < count;) {
        index const passes = detail::larger((count - done) / dmms, 1);
        index const taking = detail::smaller(count - done, dmms);
        triangulation_tiles<ItemsPerThread::count>{n, tiles * w, apart, done, passes, taking}(
            on, v, weights, infinity);
        done += passes * taking;
      }
    };
    // Tiles on the main diagonal and beside it are solved otherwise than all others.
    for (index first = 0; first < tiles;) {
      index const last = first < 2 ? first + 1 : tiles;
      on.diagonals(first, last, diagonal);
      first = last;
    }
  }
};

namespace detail {

//! The lower bound where `words` words are read from the global memory, each of `sums` sums reads
//! at least one of its values from some memory, and each of `diagonals` diagonals needs the one
//! before.
[[nodiscard]] constexpr bound bound_of_tiles(machine_terms const& m, natural words, natural sums,
                                             natural diagonals) {
  natural const latency = smaller(m.l, m.L);
  bound b = access_bound(m, words, m.p);
  b.shared_bandwidth = sums / m.w / (m.d + m.g);
  b.shared_latency = sums * latency / m.p;
  b.dependency = diagonals * latency;
  return b;
}
//! bound_of_tiles in letters, with those of six times the sums.
[[nodiscard]] constexpr bound_formula formula_of_tiles(bound_formula f, machine_terms const& m,
                                                       formula const& sums,
                                                       formula const& diagonals) {
  f.shared_bandwidth = sums + "/(6" + memories_letters(m) + ")";
  f.shared_latency = sums + "min(l, L)/(6p)";
  f.dependency = diagonals + "min(l, L)";
  return f;
}
//! The upper bound for n vertices: see blocked_triangulation.
[[nodiscard]] constexpr natural time_of_tiles(machine_terms const& m, natural n) {
  natural const rounded = n / m.w * m.w;
  natural const square = rounded * rounded;
  natural const cube = square * rounded;
  natural const threads = smaller(m.t, m.w * m.w);  // threads that take part
  natural const both = m.L + m.w * m.l;
  return cube / (m.w * m.w) + cube / (m.w * m.d) + cube * both / (m.w * threads * m.d) + square +
         square * both / threads;
}

//! The algorithm object behind mmm::triangulation_blocked. Errors besides those of polygon_call:
//! std::length_error if a shared memory has less than 3 w^2 words or, in a kernel, if a thread has
//! too few registers for its part of a tile.
template <items_per_thread_choices Numbers = items_per_thread_choices::all>
struct blocked_triangulation_algorithm : polygon_call<blocked_triangulation_algorithm<Numbers>> {
  static constexpr char const* name = "triangulation-blocked";
  static constexpr char const* paper = "this library";
  static constexpr machine_kinds kinds{.hmm = 12};

  struct problem : polygon_size {
    using polygon_size::polygon_size;

    //! The table has n rows, rounded up to whole tiles, and M[i][j] is entry (i - 1, j).
    template <machine M>
    [[nodiscard]] constexpr natural pitch(M const& m) const {
      return n / m.width() * m.width();
    }
    [[nodiscard]] static constexpr index first_row(auto const&) { return 1; }

    template <class On, class Table = no_data, class Weights = no_data>
    constexpr void run(On& on, Table table = {}, Weights weights = {}) const {
      using value = iterator_value_t<Weights>;
      index const w = on.machine().width();
      natural const words = pitch(on.machine()) * pitch(on.machine());
      run_with_items_per_thread<2 * sizeof(value), Numbers>(on, w * w, [&](auto per_thread) {
        perform(on, blocked_triangulation<decltype(per_thread)>{}, writes(table, words),
                reads(weights, n * n), n.count, infinity_of<value>());
      });
    }
    //! The weights of the n (n - 3)/2 chords are read from the global memory.
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      return bound_of_tiles(m, n * (n - 3) / 2, sums(), n - 2);
    }
    //! lower_bound in letters.
    [[nodiscard]] static constexpr bound_formula lower_bound_formula(machine_terms const& m) {
      return formula_of_tiles(access_formula(m, "n(n - 3)", "2"), m, "n(n - 1)(n - 2)", "(n - 2)");
    }
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const { return time_of_tiles(m, n); }
  };
};

}  // namespace detail

//! The triangulation of least weight by tiles, on an HMM: see blocked_triangulation. Open in Nakano
//! 2013b, section VI.
inline constexpr detail::blocked_triangulation_algorithm<> triangulation_blocked{};

}  // namespace mmm
MMM_BODIES_END
