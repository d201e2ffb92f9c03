// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Permutations by a schedule and by a scatter: a run, costs, and a schedule that the compiler
// computes. Shown in docs/algorithms.md.
#include <mmm/fast.hpp>
#include <mmm/mmm.hpp>
#include <mmm/predict.hpp>

#include <iostream>
#include <vector>

// [static]
// Bit reversal of 256 words; neighbours go to places 128 words apart, in one bank.
constexpr auto reversed = [](mmm::index i) {
  mmm::index place = 0;
  for (int bit = 0; bit < 8; ++bit) place = 2 * place + (i >> bit) % 2;
  return place;
};
constexpr auto table = mmm::permutation_table<mmm::dmm<32, 1>, 256>(reversed);
static_assert(table.max_stages() == 1);  // in each round, all banks are different
// mmm::permutation(on, first, last, table.indices(), out) permutes by it
// [/static]

// [costs]
using gpu = mmm::hmm<16, 32, 1, 400>;
constexpr auto of_all = mmm::threads(16 * 1024);
constexpr auto scheduled = mmm::cost_of<gpu>(mmm::permutation, mmm::size(1 << 22), of_all);
constexpr auto scattered = [](mmm::scatter places) {
  return mmm::cost_of<gpu>(mmm::permutation_direct, mmm::size(1 << 22), of_all, places).time;
};
static_assert(scheduled.time == 3862528);                        // any permutation
static_assert(scattered(mmm::scatter::contiguous) == 699648);    // the identity
static_assert(scattered(mmm::scatter::conflicting) == 4762880);  // a bit reversal
// [/costs]

// [tiles]
// Predicted for 2^24 random words of 4 bytes: two passes take less than a scatter, which writes a
// sector of 32 bytes for each word. Reading the schedule is included.
using mmm::gpu::h200;
constexpr auto blocks = mmm::threads(132 * 1024);
constexpr auto in_tiles = mmm::predict<h200>(mmm::permutation_in_tiles, mmm::size(1 << 24), blocks);
constexpr auto by_scatter = mmm::predict<h200>(mmm::permutation_direct, mmm::size(1 << 24), blocks);
static_assert(in_tiles.microseconds < 120 && by_scatter.microseconds > 130);
// [/tiles]

int main() {
  // [run]
  std::vector<int> const places{2, 0, 3, 1};  // word 0 goes to place 2, word 1 to place 0, …
  std::vector<char> const a{'a', 'b', 'c', 'd'};
  std::vector<char> b(4);
  mmm::dmm<2, 5> const machine;
  mmm::permutation_schedule const schedule(machine, places.begin(), places.end());
  auto const run = mmm::simulate(machine, mmm::threads(2), [&](auto on) {
    mmm::permutation(on, a.begin(), a.end(), schedule, b.begin());
  });
  std::cout << b[0] << b[1] << b[2] << b[3] << ' ' << run.cost.time << '\n';  // bdac 40
  // [/run]
  return b == std::vector<char>{'b', 'd', 'a', 'c'} && run.cost.time == 40 ? 0 : 1;
}
