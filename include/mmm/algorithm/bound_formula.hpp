// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/algorithm/machine_terms.hpp>
#include <mmm/core/config.hpp>
#include <mmm/core/failure.hpp>
#include <mmm/machine/machine.hpp>

//! Lower bounds in the papers' letters.
namespace mmm {

//! A formula in the papers' letters as a text of at most 79 characters, "nl/p + l". Factors stand
//! beside each other; a quotient is rounded up; log is that to base 2, rounded up, and log n! the
//! sum of the logarithms of 1 … n, each rounded down. n is the size, m taps, bins, inputs or the
//! side of a tile, v a radius, T the memory steps of a program in bulk execution; w, l, L, g, d, p
//! and t are a machine's (mmm::machine_terms); the latency of a BPRAM, which is 1, has no letter.
//! Errors: std::invalid_argument for a longer text.
struct formula {
  char letters[80] = {};

  constexpr formula() = default;
  constexpr formula(char const* text) { append(text); }  // NOLINT: a text is a formula

  [[nodiscard]] friend constexpr formula operator+(formula a, formula const& b) {
    a.append(b.letters);
    return a;
  }

 private:
  constexpr void append(char const* text) {
    index end = 0;
    while (letters[end] != '\0') ++end;
    for (; *text != '\0'; ++text) {
      if (end == 79) detail::reject("the number of characters of a formula", 80, "0 to 79");
      letters[end++] = *text;
    }
  }
};

//! The limitations of a mmm::bound, each as a formula; empty where it does not apply.
struct bound_formula {
  formula bandwidth{};
  formula latency{};
  formula reduction{};
  formula speed_up{};
  formula dependency{};
  formula shared_bandwidth{};
  formula shared_latency{};
  formula network_bandwidth{};
  formula network_latency{};
};

namespace detail {

//! The latency of the memory where the input lies, as a factor and as a term; the ports, if there
//! are several; the words that all memories serve at once.
[[nodiscard]] constexpr formula latency_letter(machine_terms const& m) {
  return m.hmm ? "L" : m.conflicts == conflict::amount ? "" : "l";
}
[[nodiscard]] constexpr formula latency_term(machine_terms const& m) {
  return m.conflicts == conflict::amount ? "1" : latency_letter(m);
}
[[nodiscard]] constexpr formula ports_letter(machine_terms const& m) { return m.g > 1 ? "g" : ""; }
[[nodiscard]] constexpr formula memories_letters(machine_terms const& m) {
  return m.g > 1 ? "(d + g)w" : "(d + 1)w";
}

//! A latency for each of so many accesses, one after the other; 1 for each on a PRAM, a BPRAM, and
//! on an HMM, whose shared latency may be 1.
[[nodiscard]] constexpr formula reduction_formula(machine_terms const& m, formula const& accesses) {
  bool const one = m.hmm || m.pram() || m.conflicts == conflict::amount;
  return one ? accesses : formula("l ") + accesses;
}

//! `a/b`, with b in parentheses if it is more than a letter or a number.
[[nodiscard]] constexpr formula quotient(formula const& a, formula const& b) {
  return b.letters[1] == '\0' ? a + "/" + b : a + "/(" + b + ")";
}

}  // namespace detail

//! mmm::access_bound of `words`/`divisor` words by `p` threads.
[[nodiscard]] constexpr bound_formula access_formula(machine_terms const& m, formula const& words,
                                                     formula const& divisor = {},
                                                     formula const& p = "p") {
  using detail::quotient;
  if (m.conflicts == conflict::none) return {.speed_up = quotient(words, divisor + p)};
  return {.bandwidth = quotient(words, divisor + "w" + detail::ports_letter(m)),
          .latency = quotient(words + detail::latency_letter(m), divisor + p)};
}

//! mmm::fold_bound of n words by `p` threads.
[[nodiscard]] constexpr bound_formula fold_formula(machine_terms const& m, formula const& p = "p") {
  bound_formula f = access_formula(m, "n", {}, p);
  if (m.conflicts != conflict::none) f.latency = f.latency + " + " + detail::latency_term(m);
  f.reduction = detail::reduction_formula(m, "log n");
  return f;
}

}  // namespace mmm
