// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/algorithm.hpp>
#include <mmm/algorithm/triangulation/polygon.hpp>
#include <mmm/algorithm/triangulation/triangulation.hpp>
#include <mmm/algorithm/triangulation/triangulation_blocked.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/core/iterator_types.hpp>
#include <mmm/execution/access.hpp>

//! The optimal order of a chain of matrix products: the triangulation of a polygon whose vertices
//! are the matrices' sides, and whose triangles weigh the product of their vertices' numbers. The
//! call on data is in algorithm/triangulation/matrix_chain_order.hpp.
MMM_BODIES_BEGIN
namespace mmm {
namespace detail {

//! The weights of triangles: matrix i has sides[i] rows and sides[i + 1] columns.
template <class Sides>
struct products_of_sides {
  static constexpr bool of_triangles = true;
  Sides sides;

  //! The part of the weight of all triangles with these two vertices. Two accesses.
  template <class First, class Last>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto ends(First const& first, Last const& last) const {
    auto const x = load(sides[first]);
    return x * load(sides[last]);
  }
  //! The same where the condition holds; otherwise `zero`, without an access.
  template <class Condition, class First, class Last, class Value>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto ends_if(Condition const& condition,
                                                       First const& first, Last const& last,
                                                       Value const& zero) const {
    auto const x = load_if(condition, sides[first], zero);
    return x * load_if(condition, sides[last], zero);
  }
  //! The weight of a triangle whose other vertices have `ends`. One access.
  template <class Ends, class Between>
  [[nodiscard]] MMM_HOST_DEVICE constexpr auto triangle(Ends const& ends,
                                                        Between const& between) const {
    return ends * load(sides[between]);
  }
};

struct matrix_chain_program {
  template <class On, class Table, class Sides, class Value>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Table m, index pitch, Sides sides, index n,
                                            Value infinity) const {
    dp_by_diagonals{}(on, m, pitch, products_of_sides<Sides>{sides}, n, infinity);
  }
};

//! On an HMM, by tiles in the shared memories: triangulation_tiles.
template <class ItemsPerThread>
struct matrix_chain_by_tiles {
  static constexpr index max_block_threads = ItemsPerThread::block_threads;

  template <class On, class Table, class Sides, class Value>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Table m, Sides sides, index n,
                                            Value infinity) const {
    blocked_triangulation<ItemsPerThread>::solve(on, m, products_of_sides<Sides>{sides}, n,
                                                 infinity);
  }
};

//! The algorithm object behind mmm::matrix_chain.
struct matrix_chain_algorithm {
  static constexpr char const* name = "matrix-chain";
  static constexpr char const* paper = "Nishida, Ito and Nakano 2011, by Nakano 2013b, section III";
  static constexpr machine_kinds kinds{.pram = 2, .dmm = 2, .umm = 2, .hmm = 12};

  struct problem {
    natural n;  //!< matrices
    constexpr explicit problem(size matrices) : n(matrices.count) {
      if (n < 1) reject("the number of matrices of a chain", n, "1 or more");
    }
    //! Words of a row of the table: one row further and one word further is another bank each time;
    //! on an HMM n + 1, rounded up to whole tiles.
    template <machine M>
    [[nodiscard]] constexpr natural pitch(M const& on) const {
      if constexpr (hierarchical_machine<M>) return (n + 1) / on.width() * on.width();
      index words = n + 1;
      while (gcd(words + 1, on.width()) > 1) ++words;
      return words;
    }
    template <machine M>
    [[nodiscard]] static constexpr index first_row(M const&) {
      return hierarchical_machine<M> ? 1 : 0;
    }

    template <class On, class Table = no_data, class Sides = no_data>
    constexpr void run(On& on, Table table = {}, Sides sides = {}) const {
      using value = iterator_value_t<Table>;
      natural const words = pitch(on.machine());
      if constexpr (hierarchical_machine<typename On::machine_type>) {
        index const w = on.machine().width();
        run_with_items_per_thread<2 * sizeof(value), items_per_thread_choices::all>(
            on, w * w, [&](auto per_thread) {
              perform(on, matrix_chain_by_tiles<decltype(per_thread)>{},
                      writes(table, words * words), reads<value>(sides, n + 1), (n + 1).count,
                      infinity_of<value>());
            });
      } else {
        perform(on, matrix_chain_program{}, writes(table, words * words), words.count,
                reads<value>(sides, n + 1), (n + 1).count, infinity_of<value>());
      }
    }
    //! Each of the (n + 1) n (n - 1)/6 sums reads at least one of its two values from memory; a
    //! diagonal needs the one before. Source: Nakano 2013b, theorem 3.
    //! On an HMM the memory may be a shared one; the sides between the ends are read.
    [[nodiscard]] constexpr bound lower_bound(auto const& m) const {
      natural const sums = (n + 1) * n / 2 * (n - 1) / 3;
      if (m.hmm) return bound_of_tiles(m, n - 1, sums, n - 1);
      bound b = access_bound(m, sums, m.p);
      b.dependency = (n - 1) * smaller(m.l, m.L);
      return b;
    }
    //! lower_bound in letters.
    [[nodiscard]] static constexpr bound_formula lower_bound_formula(machine_terms const& m) {
      if (m.hmm)
        return formula_of_tiles(access_formula(m, "(n - 1)"), m, "(n + 1)n(n - 1)", "(n - 1)");
      bound_formula f = access_formula(m, "(n + 1)n(n - 1)", "6");
      f.dependency = m.pram() ? "n - 1" : "(n - 1)l";
      return f;
    }
    [[nodiscard]] constexpr natural upper_bound(auto const& m) const {
      natural const cube = n * n * n;
      if (m.pram()) return cube / m.p + n * n;
      if (m.hmm) return time_of_tiles(m, n + 1);
      bool const banks = m.conflicts == conflict::banks;
      return (banks ? cube / m.w : cube) + cube * m.L / m.p + n * n * m.L;
    }
  };

  template <class On, class Iterator>
  auto operator()(On on, Iterator first, Iterator last) const;
};

}  // namespace detail

//! The optimal order of the product of n matrices, `mmm::matrix_chain(on, first, last)`, where the
//! n + 1 numbers are their sides: matrix i has first[i] rows and first[i + 1] columns. The result
//! is a mmm::polygon_triangulation: `weight`, the least number of multiplications, and `chords`, of
//! which (i, j) stands for the product of the matrices i … j - 1.
//! Precondition: the numbers of multiplications are values of the sides' type. Errors:
//! std::invalid_argument for no matrix; on an HMM std::length_error for less than 3 w^2 + 2 w words
//! of a shared memory.
//! Time: at most 2 (n^3/w + n^3 l/p + n^2 l) on a DMM, where the table's rows are padded, and 2
//! (n^3 + n^3 l/p + n^2 l) on a UMM; 2 (n^3/p + n^2) on a PRAM; on an HMM, by the tiles of
//! triangulation_blocked, 12 times the time of blocked_triangulation for n + 1 vertices. Source:
//! Nishida, Ito and Nakano 2011; the loops of Nakano 2013b, section III; tiles: this library.
//! Constant expressions, by default limits, w = 32: the cost of 256 matrices on a DMM or UMM of 256
//! threads fits those of g++ 12, and of 128 on the DMM and 64 on the UMM those of clang 19; that of
//! 512 fits neither's on a UMM, nor that of 31 on 4 DMMs of 64 threads each.
inline constexpr detail::matrix_chain_algorithm matrix_chain{};

}  // namespace mmm
MMM_BODIES_END
