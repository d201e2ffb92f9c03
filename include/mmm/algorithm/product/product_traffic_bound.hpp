// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/natural.hpp>
#include <mmm/algorithm/parameters.hpp>
#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>

//! Lower bounds of the words that the nodes of a cluster exchange for a matrix product by
//! straightforward multiplications.
namespace mmm {
namespace detail {

//! The traffic of the node that does `work` of a product's multiplications or more. The node
//! accesses a elements of the left factor, b of the right one, and adds to c of the result; then
//! `a b c >= work^2` (Loomis and Whitney 1949, as in Irony, Toledo and Tiskin 2004). An element of
//! a factor is in `columns` or `rows` multiplications, one of the result in `inner`, so that
//! `a columns`, `b rows` and `c inner` are `work` or more (Al Daas, Ballard, Grigori, Kumar and
//! Rouse 2022).
struct product_traffic {
  product_shape shape;
  index work;     //!< multiplications of the node
  index inputs;   //!< elements of the factors on the node at the beginning
  index results;  //!< elements of the result on the node in the end

  //! The least number h such that the node can do its work when it receives h words of the factors,
  //! and sends h sums.
  [[nodiscard]] constexpr index least() const {
    if (work == 0) return 0;
    index none = -1;  // is not enough
    index enough = checked_add(checked_add(left(), right()), of_result());
    while (enough - none > 1) {
      index const middle = none + (enough - none) / 2;
      (is_enough(middle) ? enough : none) = middle;
    }
    return enough;
  }

 private:
  [[nodiscard]] constexpr index left() const { return checked_multiply(shape.rows, shape.inner); }
  [[nodiscard]] constexpr index right() const {
    return checked_multiply(shape.inner, shape.columns);
  }
  [[nodiscard]] constexpr index of_result() const {
    return checked_multiply(shape.rows, shape.columns);
  }
  [[nodiscard]] constexpr bool is_enough(index words) const {
    index const c = smaller(of_result(), checked_add(words, results));
    if (c < ceil_divide(work, shape.inner)) return false;
    index const both = smaller(checked_add(words, inputs), checked_add(left(), right()));
    index const least_a = ceil_divide(work, shape.columns);
    index const least_b = ceil_divide(work, shape.rows);
    if (both < checked_add(least_a, least_b)) return false;
    // a and b with the largest product: as equal as the limits allow
    index const a =
        smaller(larger(both / 2, larger(least_a, both - right())), smaller(left(), both - least_b));
    return covers(a, both - a, c);
  }
  //! `a b c >= work^2`; for numbers of multiplications whose square has more than 63 bits, what
  //! follows from it with quotients rounded down.
  [[nodiscard]] constexpr bool covers(index a, index b, index c) const {
    constexpr index root = 3037000499;  // of 2^63 - 1
    if (work > root) return bounded_product(work / a, work / b) <= c;
    return bounded_product(bounded_product(a, b), c) >= work * work;
  }
  [[nodiscard]] static constexpr index bounded_product(index a, index b) {
    return b != 0 && a > INT64_MAX / b ? INT64_MAX : a * b;
  }
};

//! The least r with r^2 >= n, for n >= 0.
[[nodiscard]] constexpr index ceil_square_root(index n) {
  index below = -1;
  index root = 3037000500;
  while (root - below > 1) {
    index const middle = below + (root - below) / 2;
    bool const reaches = middle > 3037000499 || middle * middle >= n;
    (reaches ? root : below) = middle;
  }
  return root;
}

}  // namespace detail

//! Lower bound of the words that some node receives, or sends, whichever are more, in a matrix
//! product on `nodes` nodes. No node has more than `inputs` words of the factors in the beginning
//! and `results` words of the result in the end. The bound holds for every program that does the
//! `rows inner columns` multiplications and adds up their products, and for any size of the nodes'
//! memories. Twice the bound is at least the published one for the words sent and received
//! together: `3 (rows inner columns/nodes)^(2/3)`, or what takes its place on few nodes, less the
//! words on a node. Sources: Irony, Toledo, Tiskin, Communication Lower Bounds for
//! Distributed-Memory Matrix Multiplication, JPDC 64(9), 2004; Al Daas, Ballard, Grigori, Kumar,
//! Rouse, Tight Memory-Independent Parallel Matrix Multiplication Communication Lower Bounds, SPAA
//! 2022.
//! Time: O(log) of the sizes. Errors: std::overflow_error for 2^63 multiplications and more.
[[nodiscard]] constexpr index product_words_bound(product_shape const& shape, index nodes,
                                                  index inputs, index results) {
  natural const work = natural(shape.rows) * shape.inner * shape.columns;
  return detail::product_traffic{shape, work / nodes, inputs, results}.least();
}

//! Lower bound of the words that some node sends and receives, together, in a matrix product on
//! `nodes` nodes with memories of `memory` words each: `rows inner columns/(2 sqrt(2) nodes
//! sqrt(memory)) - memory`, rounded down, or 0. Source: Irony, Toledo and Tiskin 2004, theorem 3.1.
//! Errors: std::invalid_argument for a memory without words.
[[nodiscard]] constexpr index product_words_bound_in_memory(product_shape const& shape, index nodes,
                                                            index memory) {
  if (memory < 1) detail::reject("the words of a node's memory", memory, "1 or more");
  natural const work = natural(shape.rows) * shape.inner * shape.columns;
  index const root = detail::ceil_square_root(detail::checked_multiply(8, memory));
  index const words = work.count / detail::checked_multiply(nodes, root);
  return words > memory ? words - memory : 0;
}

}  // namespace mmm
