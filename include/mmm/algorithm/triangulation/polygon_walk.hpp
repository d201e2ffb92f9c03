// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/reduce/sum.hpp>
#include <mmm/core/config.hpp>
#include <mmm/execution/access.hpp>

//! The chords of a triangulation, found in the memory of its finished table: for kernels, whose
//! tables the host does not read.
MMM_BODIES_BEGIN
namespace mmm::detail {

//! A part of a polygon, from vertex `first` - 1 to vertex `last`, whose weight the table has as
//! M[first][last].
struct polygon_part {
  index first;
  index last;
};

//! The table of a triangulation: M[i][j] is word `(i - first_row) * pitch + j`.
struct polygon_table {
  index pitch;
  index first_row;
  [[nodiscard]] MMM_HOST_DEVICE constexpr index entry(index i, index j) const {
    return (i - first_row) * pitch + j;
  }
};

//! A place where a part may be cut in two, and the weight of both; no place if k is negative.
template <class Value>
struct polygon_cut {
  Value weight;
  index k;
};

//! The better of two cuts; the first one if they are equal.
struct better_cut {
  template <class Value>
  [[nodiscard]] MMM_HOST_DEVICE constexpr polygon_cut<Value> operator()(
      polygon_cut<Value> const& x, polygon_cut<Value> const& y) const {
    bool const second =
        x.k < 0 || (y.k >= 0 && (y.weight < x.weight || (!(x.weight < y.weight) && y.k < x.k)));
    return second ? y : x;
  }
};

//! Finds the least weight, and the n - 2 parts that make up the triangulation of n >= 3 vertices:
//! each part but the first is cut off by a chord. One DMM finds them one after the other, its
//! threads together the best cut of each. It runs in kernels only, since its accesses depend on the
//! words that it reads.
struct find_parts {
  polygon_table table;

  template <class Machine, class Table, class Weight, class Parts>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Table m, Weight weight, Parts parts,
                                            index n) const {
    using value = typename Table::value_type;
    find(on, m, weight, parts, n, [](index, index, index) { return value{}; });
  }
  //! For triangles that weigh the product of the numbers of their vertices.
  template <class Machine, class Table, class Weight, class Parts, class Numbers>
  MMM_HOST_DEVICE constexpr void operator()(Machine& on, Table m, Weight weight, Parts parts,
                                            index n, Numbers numbers) const {
    using value = typename Table::value_type;
    find(on, m, weight, parts, n, [=](index i, index k, index j) {
      value const x = numbers[i], y = numbers[k], z = numbers[j];
      return static_cast<value>(x * y * z);
    });
  }

 private:
  template <class Machine, class Table, class Weight, class Parts, class Triangle>
  MMM_HOST_DEVICE constexpr void find(Machine& on, Table m, Weight weight, Parts parts, index n,
                                      Triangle const& triangle) const {
    using value = typename Table::value_type;
    using cut = polygon_cut<value>;
    polygon_table const place = table;
    on.each_dmm(1, [=](auto& block, auto) {
      index const t = block.threads();
      auto cuts = block.template allocate<cut>(t);
      auto found = block.template allocate<index>(1);
      block.each(1, [=](index i) {
        parts[i] = polygon_part{1, n - 1};
        weight[i] = load(m[place.entry(1, n - 1)]);
        found[i] = 1;
      });
      block.repeat(n - 2, [=, &block](index step) {
        block.each(t, [=](index i) {
          polygon_part const part = parts[step];
          cut best{value{}, -1};
          for (index k = part.first + i; k < part.last; k += t) {
            value const left = m[place.entry(part.first, k)];
            value const right = m[place.entry(k + 1, part.last)];
            value const between = triangle(part.first - 1, k, part.last);
            best = better_cut{}(best, cut{static_cast<value>(left + right + between), k});
          }
          cuts[i] = best;
        });
        tree_sum<better_cut>{}(block, cuts, t);
        block.each(1, [=](index i) {
          polygon_part const part = parts[step];
          index const k = load(cuts[i]).k;
          index next = found[i];
          if (part.first < k) parts[next++] = polygon_part{part.first, k};
          if (k + 1 < part.last) parts[next++] = polygon_part{k + 1, part.last};
          found[i] = next;
        });
      });
    });
  }
};

//! Writes the least weight alone.
struct least_weight_of_table {
  polygon_table table;

  template <class On, class Table, class Weight>
  MMM_HOST_DEVICE constexpr void operator()(On& on, Table m, Weight weight, index n) const {
    index const root = table.entry(1, n - 1);
    on.each(1, [=](auto i) { weight[i] = load(m[root + i]); });
  }
};

}  // namespace mmm::detail
MMM_BODIES_END
