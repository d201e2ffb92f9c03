// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/layout/row_shifts.hpp>
#include <mmm/machine/machine.hpp>

//! The expected congestion of a warp's access to a w x w matrix whose rows are shifted at random
//! (Nakano, Matsumae and Ito 2013): w banks, thread i of the warp at place i below.
namespace mmm {

// g++ 12 takes a scoped enumerator for a declaration that hides mmm::contiguous.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
//! The elements of a w x w matrix that the w threads of a warp access at once.
enum class matrix_access {
  contiguous,  //!< (c, i): a row
  stride,      //!< (i, c): a column
  diagonal,    //!< (i, (i + c) % w)
  random       //!< independent random elements, of which equal ones are accessed once
};
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

//! The expectation of a random congestion, which is the number of stages of a request.
struct expected_stages {
  double value = 0;   //!< the expectation, or the mean of the sample
  bool exact = true;  //!< apart from roundings, below 1e-10
  double low = 0;     //!< the interval's ends; both are the value if it is exact
  double high = 0;
  double confidence = 1;  //!< probability that a sample's interval contains the expectation
  index samples = 0;      //!< number of random shifts in the sample; 0 if the value is exact
  //! The probability of a congestion of k, or its share in the sample, for k = 0 … 64.
  double probability[65] = {};
};

//! A sample for expectations that are too expensive to compute: number of random shifts, and seed.
struct shift_sample {
  index count = 1 << 20;
  std::uint64_t seed = 1;
};

namespace detail {

//! A polynomial's first coefficients, of z^0 … z^n.
struct truncated_series {
  double coefficient[65] = {};
  index n = 0;       //!< the highest power that is kept
  index degree = 0;  //!< of the coefficients other than 0

  //! The coefficient of z^n in the n-th power.
  [[nodiscard]] constexpr double own_power() const {
    truncated_series power = *this;
    index top = 1;
    while (2 * top <= n) top *= 2;
    while (top > 1) {
      top /= 2;
      power = power.times(power);
      if ((n & top) != 0) power = power.times(*this);
    }
    return power.coefficient[n];
  }

 private:
  [[nodiscard]] constexpr truncated_series times(truncated_series const& other) const {
    truncated_series product;
    product.n = n;
    product.degree = degree + other.degree < n ? degree + other.degree : n;
    for (index i = 0; i <= other.degree; ++i) {
      double const x = other.coefficient[i];
      index const end = degree < n - i ? degree : n - i;
      for (index j = 0; j <= end; ++j) product.coefficient[i + j] += x * coefficient[j];
    }
    return product;
  }
};

//! Throws `w` balls into `w` bins. Distribution of the largest number of balls in a bin, or, with
//! `merged`, of different balls, each of which is one of the bin's w.
//!
//! P(max <= m) = w!/w^w [z^w] (sum over k of Q(k) z^k/k!)^w, where Q(k) is the probability that k
//! balls in a bin are at most m different ones: 1 or 0 unless they are merged. No term is negative,
//! so that the relative error is below w (w + 2) roundings. The sum over m ends where the
//! probability of more is below 1e-16.
class balls_in_bins {
 public:
  [[nodiscard]] static constexpr expected_stages distribution(index w, bool merged) {
    expected_stages found;
    double all = 1;  // w!/w^w
    for (index i = 1; i <= w; ++i) all *= static_cast<double>(i) / static_cast<double>(w);
    double below = 0;
    double tail = static_cast<double>(w);  // at least P(max >= m + 1), w C(w, m + 1)/w^(m + 1)
    for (index m = 1; m <= w; ++m) {
      tail *= static_cast<double>(w - m + 1) / static_cast<double>(m * w);
      double const further = tail * static_cast<double>(w - m) / static_cast<double>((m + 1) * w);
      bool const last = m == w || further < 1e-16;
      double const up_to = last ? 1 : all * of_bin(w, m, merged).own_power();
      found.probability[m] = up_to > below ? up_to - below : 0;
      found.value += static_cast<double>(m) * found.probability[m];
      if (last) break;
      below = up_to;
    }
    found.low = found.high = found.value;
    return found;
  }

 private:
  [[nodiscard]] static constexpr truncated_series of_bin(index w, index m, bool merged) {
    truncated_series f;
    f.n = w;
    f.degree = merged ? w : m;
    double different[66] = {1};  // the probability of d different ones among k balls
    double factorial = 1;
    for (index k = 0; k <= f.degree; ++k) {
      if (k > 0) factorial *= static_cast<double>(k);
      double share = 0;
      for (index d = 0; d <= m && d <= k && merged; ++d) share += different[d];
      f.coefficient[k] = (merged ? share : 1) / factorial;
      for (index d = k + 1; d > 0 && merged; --d)
        different[d] = (different[d] * static_cast<double>(d) +
                        different[d - 1] * static_cast<double>(w - d + 1)) /
                       static_cast<double>(w);
      different[0] = 0;
    }
    return f;
  }
};

//! The congestion of a diagonal under a permutation s: of the numbers (i + s(i)) % w.
class permuted_diagonal {
 public:
  //! The largest width whose permutations are enumerated: 10! of them, since all that differ by a
  //! rotation are equivalent.
  static constexpr index max_enumerated = 11;

  [[nodiscard]] static constexpr expected_stages enumerated(index w) {
    permuted_diagonal all{w};
    all.load[0] = 1;
    all.used[0] = true;
    all.extend(1, 1);
    expected_stages found;
    double permutations = 1;
    for (index i = 2; i < w; ++i) permutations *= static_cast<double>(i);
    for (index k = 1; k <= w; ++k) {
      found.probability[k] = static_cast<double>(all.count[k]) / permutations;
      found.value += static_cast<double>(k * all.count[k]);
    }
    found.value /= permutations;
    found.low = found.high = found.value;
    return found;
  }

  //! The mean of a sample, in the interval of Maurer and Pontil 2009, theorem 4, on both sides: for
  //! N values with a range of w - 1 and the variance V, `sqrt(2 V x/N) + 7 (w - 1) x/(3 (N - 1))`,
  //! x = ln(4/(1 - confidence)).
  [[nodiscard]] static constexpr expected_stages sampled(index w, shift_sample const& sample) {
    if (sample.count < 2)
      reject("the number of random shifts of a sample", sample.count, "2 or more");
    split_mix numbers(sample.seed);
    index count[65] = {};
    for (index k = 0; k < sample.count; ++k) {
      index s[64] = {};
      shuffle(numbers, s, w);
      permuted_diagonal one{w};
      index largest = 0;
      for (index i = 0; i < w; ++i) {
        index const now = ++one.load[(i + s[i]) % w];
        largest = now > largest ? now : largest;
      }
      ++count[largest];
    }
    expected_stages found{.exact = false, .confidence = 0.999, .samples = sample.count};
    auto const n = static_cast<double>(sample.count);
    double squares = 0;
    for (index k = 1; k <= w; ++k) {
      found.probability[k] = static_cast<double>(count[k]) / n;
      found.value += static_cast<double>(k) * found.probability[k];
      squares += static_cast<double>(k * k) * found.probability[k];
    }
    constexpr double x = 8.2940496401020276;  // ln 4000
    double const variance = (squares - found.value * found.value) * n / (n - 1);
    double const off = root(2 * (variance > 0 ? variance : 0) * x / n) +
                       7 * static_cast<double>(w - 1) * x / (3 * (n - 1));
    found.low = found.value - off > 1 ? found.value - off : 1;
    found.high = found.value + off;
    return found;
  }

 private:
  constexpr explicit permuted_diagonal(index width) : w(width) {}

  constexpr void extend(index i, index largest) {
    if (i == w) {
      ++count[largest];
      return;
    }
    for (index s = 0; s < w; ++s) {
      if (used[s]) continue;
      used[s] = true;
      index const bank = i + s < w ? i + s : i + s - w;
      index const now = ++load[bank];
      extend(i + 1, now > largest ? now : largest);
      --load[bank];
      used[s] = false;
    }
  }
  [[nodiscard]] static constexpr double root(double x) {
    double y = x > 1 ? x : 1;
    for (int k = 0; k < 100; ++k) y = (y + x / y) / 2;
    return y;
  }

  index w;
  bool used[64] = {};
  index load[64] = {};   // numbers in each bank
  index count[65] = {};  // permutations with each congestion
};

//! A congestion that is always k.
[[nodiscard]] constexpr expected_stages certain_stages(index k) {
  expected_stages found;
  found.value = found.low = found.high = static_cast<double>(k);
  found.probability[k] = 1;
  return found;
}

//! log x to base 2, for x >= 1, to 40 binary places.
[[nodiscard]] constexpr double real_log2(double x) {
  double log = 0;
  for (; x >= 2; x /= 2) ++log;
  double place = 0.5;
  for (int k = 0; k < 40; ++k, place /= 2) {
    x *= x;
    if (x < 2) continue;
    x /= 2;
    log += place;
  }
  return log;
}

}  // namespace detail

//! The expected congestion of a warp's access to a w x w matrix on a DMM `m` of width w, over all
//! random shifts of its rows and all random elements; without a shift that of the access itself.
//!
//! | | none | ras | rap |
//! |---|---|---|---|
//! | contiguous | 1 | 1 | 1 |
//! | stride | w | w balls in w bins | 1 |
//! | diagonal | 1 | w balls in w bins | w <= 11: by enumeration; else an interval |
//! | random | w balls in w bins, equal elements once | the same | the same |
//!
//! Exact but for the last diagonal: its probability of 1 would count the complete mappings of
//! Z_w, for which no formula is known. There the result is the mean of a `sample` of random
//! permutations, with an interval that contains the expectation with the `confidence` given: the
//! confidence of a sample of random numbers, which pseudo-random ones stand for.
//! A constant expression at the compilers' default limits for the exact values of w <= 32, for the
//! permuted diagonal of w <= 7. Time: at most w^3 log w operations; for the permuted diagonal 10!
//! or w for each permutation of the sample.
//! Source: Nakano, Matsumae and Ito 2013.
template <memory M>
requires(detail::is(M::conflicts, conflict::banks))
[[nodiscard]] constexpr expected_stages expected_congestion(M const& m, matrix_access access,
                                                            shift_scheme scheme,
                                                            shift_sample sample = {}) {
  index const w = m.width();
  switch (access) {
    case matrix_access::contiguous:
      return detail::certain_stages(1);
    case matrix_access::random:
      return detail::balls_in_bins::distribution(w, true);
    case matrix_access::stride:
    case matrix_access::diagonal:
      break;
  }
  bool const column = access == matrix_access::stride;
  if (scheme == shift_scheme::none) return detail::certain_stages(column ? w : 1);
  if (scheme == shift_scheme::ras) return detail::balls_in_bins::distribution(w, false);
  if (column) return detail::certain_stages(1);
  if (w <= detail::permuted_diagonal::max_enumerated)
    return detail::permuted_diagonal::enumerated(w);
  return detail::permuted_diagonal::sampled(w, sample);
}
//! The same for a machine that its type knows: `mmm::expected_congestion<mmm::dmm<32, 1>>(access,
//! scheme)`.
template <memory M>
requires(detail::is(M::conflicts, conflict::banks))
[[nodiscard]] constexpr expected_stages expected_congestion(matrix_access access,
                                                            shift_scheme scheme,
                                                            shift_sample sample = {}) {
  return expected_congestion(detail::machine_of<M>(), access, scheme, sample);
}

//! An upper bound of the expected congestion of every access under mmm::shift_scheme::ras and rap
//! on a DMM of width w <= 64: `2 log w/log log w`, for w < 4 the width. Nakano, Matsumae and Ito
//! 2013 have O(log w/log log w).
[[nodiscard]] constexpr double expected_congestion_bound(index w) {
  if (w < 4) return static_cast<double>(w);
  double const log = detail::real_log2(static_cast<double>(w));
  return 2 * log / detail::real_log2(log);
}

}  // namespace mmm
