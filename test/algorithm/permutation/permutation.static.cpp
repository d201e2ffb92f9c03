// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules of permutations in constant expressions: every round is free of bank conflicts, and
// moves each word to its place.
#include <mmm/algorithm/permutation/permutation.hpp>
#include <mmm/algorithm/permutation/permutation_direct.hpp>
#include <mmm/machine/machine.hpp>

namespace {

using mmm::index;

constexpr index reversed_bits(index i, index bits) {
  index reversed = 0;
  for (index k = 0; k < bits; ++k) reversed = 2 * reversed + (i >> k) % 2;
  return reversed;
}
constexpr auto bit_reversal = [](index i) { return reversed_bits(i, 8); };
constexpr auto transpose = [](index i) { return i % 16 * 16 + i / 16; };
constexpr auto reversal = [](index i) { return 89 - i; };

//! The moves of a schedule in one memory are those of `place`, each once.
template <index N, class Table, class Place>
constexpr bool moves_to(Table const& table, Place const& place) {
  index const w = table.shape.width, rounds = table.shape.rounds(), all = rounds * w;
  bool moved[N] = {};
  for (index r = 0; r < rounds; ++r)
    for (index k = 0; k < N / rounds + (r < N % rounds); ++k) {
      index const from = table.words[r * w + k];
      if (moved[from] || table.words[all + r * w + k] != place(from)) return false;
      moved[from] = true;
    }
  for (bool const x : moved)
    if (!x) return false;
  return true;
}

constexpr auto of_bits = mmm::permutation_table<mmm::dmm<32, 1>, 256>(bit_reversal);
static_assert(of_bits.max_stages() == 1);
static_assert(moves_to<256>(of_bits, bit_reversal));

constexpr auto of_transpose = mmm::permutation_table<mmm::dmm<16, 1>, 256>(transpose);
static_assert(of_transpose.max_stages() == 1);
static_assert(moves_to<256>(of_transpose, transpose));

// Three rounds of 30 moves each: 32 does not divide 90.
constexpr auto of_reversal = mmm::permutation_table<mmm::dmm<32, 1>, 90>(reversal);
static_assert(of_reversal.max_stages() == 1);
static_assert(of_reversal.shape.rounds() == 3);
static_assert(moves_to<90>(of_reversal, reversal));

// A matrix of 8 x 8 words, in three phases.
constexpr auto on_matrix =
    mmm::permutation_table<mmm::hmm<2, 4, 1, 9>, 50>([](index i) { return 49 - i; });
static_assert(on_matrix.max_stages() == 1);
static_assert(on_matrix.shape == mmm::permutation_shape{50, 4, 8, 8});

constexpr auto of_none = mmm::permutation_table<mmm::dmm<4, 1>, 0>(reversal);
static_assert(of_none.max_stages() == 0);

// The shapes of matrices on an HMM.
using gpu = mmm::hmm<132, 32, 29, 479>;
static_assert(mmm::permutation_shape::on_machine(gpu{}, 1024) ==
              mmm::permutation_shape{1024, 32, 1, 1024});
static_assert(mmm::permutation_shape::on_machine(gpu{}, 1025) ==
              mmm::permutation_shape{1025, 32, 32, 64});
static_assert(mmm::permutation_shape::on_machine(gpu{}, 1 << 20) ==
              mmm::permutation_shape{1 << 20, 32, 1024, 1024});

// The times of any permutation.
constexpr index w = 32, l = 7, L = 100, d = 4;
constexpr index time_on_dmm(index n, index p) {
  return mmm::cost_of<mmm::dmm<w, l>>(mmm::permutation, mmm::size(n), mmm::threads(p)).time;
}
static_assert(time_on_dmm(1 << 20, 1 << 10) == 4 * ((1 << 20) / w + (1 << 10) * (l - 1)));
constexpr auto on_hmm =
    mmm::cost_of<mmm::hmm<d, w, l, L>>(mmm::permutation, mmm::size(1 << 20), mmm::threads(d * 256));
static_assert(on_hmm.closed_form);
static_assert(on_hmm.time == 16 * ((1 << 20) / w + (1 << 10) * (L - 1)) +
                                 16 * ((1 << 20) / (d * w) + (1 << 10) * (l - 1)));
static_assert(on_hmm.rounds == 32 * (1 << 10));

// A scatter: the best and the worst permutation.
constexpr auto scattered(mmm::scatter places) {
  return mmm::cost_of<mmm::dmm<w, l>>(mmm::permutation_direct, mmm::size(1 << 20),
                                      mmm::threads(1 << 10), places)
      .time;
}
static_assert(scattered(mmm::scatter::contiguous) == 3 * ((1 << 20) / w + (1 << 10) * (l - 1)));
static_assert(scattered(mmm::scatter::conflicting) ==
              2 * (1 << 20) / w + (1 << 20) + 3 * (1 << 10) * (l - 1));

}  // namespace
