// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/arithmetic.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/cost/cost.hpp>

//! Sums of costs that are a polynomial for every residue of their number.
//!
//! A step of e items on p threads, each of whose accesses is at an affine address, costs a
//! polynomial in the quotient and the remainder of e by p, for equal residues of e modulo the
//! width: whole chunks cost the same, and a partial one adds the same for w items more. So does a
//! loop whose number of trips is affine in e. The product of both has degree 2, and with another
//! loop around it degree 3. docs/how-it-works.md has the proof.
namespace mmm::detail {

//! The largest figure that is interpolated; differences of such figures fit into 64 bits.
inline constexpr index max_interpolated = index{1} << 60;

//! A polynomial of degree 3 at most, by its differences at 0.
class interpolation {
 public:
  //! \param value the polynomial at 0, 1, 2 and 3, 0 to max_interpolated.
  constexpr explicit interpolation(index const (&value)[4]) {
    for (int k = 0; k < 4; ++k) difference_[k] = value[k];
    for (int order = 1; order < 4; ++order)
      for (int k = 3; k >= order; --k) difference_[k] -= difference_[k - 1];
  }
  //! True if the polynomial at u is this number.
  [[nodiscard]] constexpr bool has_value(index u, index expected) const {
    return combination(u, 0).exact == static_cast<std::uint64_t>(expected);
  }
  //! The sum over 0 … count - 1, whose terms are not negative. Overflow: see checked_add.
  [[nodiscard]] constexpr index sum(index count) const {
    number const found = combination(count, 1);
    if (found.about > 1.5e19 || found.exact > static_cast<std::uint64_t>(INT64_MAX))
      reject_overflow("a sum");
    return static_cast<index>(found.exact);
  }

 private:
  //! A number modulo 2^64, and about.
  struct number {
    std::uint64_t exact;
    double about;
  };
  //! The sum of the differences of order j times `n` over `j + more`.
  [[nodiscard]] constexpr number combination(index n, int more) const {
    number sum{0, 0};
    for (int j = 0; j < 4; ++j) {
      number const chosen = choose(n, j + more);
      sum.exact += chosen.exact * static_cast<std::uint64_t>(difference_[j]);
      sum.about += chosen.about * static_cast<double>(difference_[j]);
    }
    return sum;
  }
  //! n over k, k <= 4.
  [[nodiscard]] static constexpr number choose(index n, int k) {
    number product{1, 1};
    index divisor = 1;
    for (int j = 2; j <= k; ++j) divisor *= j;
    for (int j = 0; j < k; ++j) {
      index const common = gcd(n - j, divisor);
      if (n - j == 0) return {0, 0};
      divisor /= common;
      product.exact *= static_cast<std::uint64_t>((n - j) / common);
      product.about *= static_cast<double>((n - j) / common);
    }
    return product;
  }
  index difference_[4] = {};
};

//! Adds `f(0) + … + f(count - 1)` to `total`, where f is a polynomial of degree 3 at most for each
//! residue modulo `period`, and `f(k, sum)` adds f(k) to `sum`. False if f is found to be none: the
//! fifth and the last value of each residue are compared. Calls: 6 for each residue at most.
template <class F>
[[nodiscard]] constexpr bool add_periodic_sum(index count, index period, F const& f, cost& total) {
  if (count <= 6 * period) {
    for (index k = 0; k < count; ++k)
      if (!f(k, total)) return false;
    return true;
  }
  for (index residue = 0; residue < period; ++residue) {
    index const terms = (count - residue - 1) / period + 1;  // 6 or more
    index const chosen[6] = {0, 1, 2, 3, 4, terms - 1};
    cost value[6];
    for (int k = 0; k < 6; ++k) {
      if (!f(residue + chosen[k] * period, value[k])) return false;
      total.closed_form &= value[k].closed_form;
    }
    for (index cost::* figure : {&cost::rounds, &cost::stages, &cost::time}) {
      index first[4] = {};
      for (int k = 0; k < 6; ++k) {
        if (value[k].*figure > max_interpolated) return false;
        if (k < 4) first[k] = value[k].*figure;
      }
      interpolation const polynomial(first);
      for (int k = 4; k < 6; ++k)
        if (!polynomial.has_value(chosen[k], value[k].*figure)) return false;
      total.*figure = checked_add(total.*figure, polynomial.sum(terms));
    }
  }
  return true;
}

//! Adds `f(1) + … + f(count)` to `total`, where f(q p + s), 2 <= s <= p, is a polynomial in s for
//! each residue of s modulo `period`, and for the same s >= 1 one in q for each residue of q p
//! modulo `width`; otherwise as add_periodic_sum. Calls: for each residue of q p 6 p at most, and
//! 36 times the period.
template <class F>
[[nodiscard]] constexpr bool add_diagonal_sum(index count, index p, index width, index period,
                                              F const& f, cost& total) {
  auto const add_block = [&](index block, index length, cost& sum) {
    if (length == 0) return true;
    return f(block * p + 1, sum) &&
           add_periodic_sum(
               length - 1, period, [&](index s, cost& one) { return f(block * p + 2 + s, one); },
               sum);
  };
  index const blocks = count / p;
  return add_periodic_sum(
             blocks, width / gcd(width, p),
             [&](index block, cost& sum) { return add_block(block, p, sum); }, total) &&
         add_block(blocks, count % p, total);
}

}  // namespace mmm::detail
