// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/algorithm/sort/merge_received_runs.hpp>
#include <mmm/execution/estimate/estimate.hpp>
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/execution/simulate/simulate.hpp>
#include <mmm/machine/machine.hpp>

#include "catch.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <type_traits>
#include <vector>

namespace {

using mmm::index;
using mmm::detail::scatter_of_data;

template <class M, class Scatter>
using level = mmm::detail::run_merge_level<mmm::detail::keys_of_merge<M>, mmm::ascending, Scatter>;
template <class M, class Scatter>
using tiles = mmm::detail::run_merge_tiles<8, mmm::ascending, Scatter>;

//! Merges the runs, with the places of their words as values, and compares the result with a stable
//! sort. The cost of any data is between the least and the greatest, in as many rounds.
template <template <class, class> class Level, class M>
bool merges(M const& m, index p, std::vector<std::vector<int>> const& runs) {
  std::vector<int> given;
  std::vector<index> ends;
  for (auto const& run : runs) {
    given.insert(given.end(), run.begin(), run.end());
    ends.push_back(static_cast<index>(given.size()));
  }
  auto const n = static_cast<index>(given.size()), k = static_cast<index>(runs.size());
  std::vector<int> places(given.size());
  std::iota(places.begin(), places.end(), 0);
  auto expected = places;
  std::sort(expected.begin(), expected.end(), [&](int x, int y) {
    int const of_x = given[static_cast<std::size_t>(x)], of_y = given[static_cast<std::size_t>(y)];
    return of_x < of_y || (of_x == of_y && x < y);
  });
  auto const merged = [&](auto const& on) {
    std::vector<int> keys(given.size()), values(given.size());
    mmm::detail::merge_runs_program<Level<M, scatter_of_data>, scatter_of_data> const program{{}};
    mmm::run(on, program, n, k, mmm::reads(ends.begin(), k), mmm::reads(given.begin(), n),
             mmm::writes(keys.begin(), n), mmm::reads(places.begin(), n),
             mmm::writes(values.begin(), n));
    bool right = values == expected;
    for (std::size_t i = 0; i < keys.size(); ++i)
      right = right && keys[i] == given[static_cast<std::size_t>(expected[i])];
    return right;
  };
  auto const cost_by = [&]<class Scatter>(Scatter) {
    return mmm::estimate(m, mmm::threads(p), [&](auto& on) {
      mmm::no_data const none;
      mmm::detail::merge_runs_program<Level<M, Scatter>, Scatter> const program{{}};
      mmm::run(on, program, n, k, mmm::reads<index>(none, k), mmm::reads<int>(none, n),
               mmm::writes<int>(none, n), mmm::reads<int>(none, n), mmm::writes<int>(none, n));
    });
  };
  auto const run = mmm::simulate(m, mmm::threads(p), merged);
  auto const least = cost_by(mmm::detail::scatter_contiguous{});
  auto const greatest = cost_by(mmm::detail::scatter_conflicting{});
  return run.result && run.race_count == 0 && least.closed_form && greatest.closed_form &&
         least.rounds == run.cost.rounds && greatest.rounds == run.cost.rounds &&
         least.time <= run.cost.time && run.cost.time <= greatest.time &&
         (!std::is_same_v<M, mmm::pram> || least.time == greatest.time) &&
         merged(mmm::host_threads<M>(m, mmm::threads(p)));
}

//! Runs of these lengths, whose words have few different values, or many.
[[nodiscard]] std::vector<std::vector<int>> runs_of(std::vector<int> const& lengths, int values) {
  std::vector<std::vector<int>> runs;
  unsigned state = 1;
  for (int const length : lengths) {
    auto& run = runs.emplace_back();
    for (int i = 0; i < length; ++i) {
      state = state * 1103515245U + 12345U;
      run.push_back(static_cast<int>(state >> 16) % values);
    }
    std::sort(run.begin(), run.end());
  }
  return runs;
}

//! Merges runs of all lengths up to 3, up to four of them, and longer ones.
template <template <class, class> class Level, class M>
bool merges_all(M const& m, index p) {
  bool right = true;
  for (int k = 2; k <= 4; ++k)
    for (int number = 0; number < 1 << (2 * k); ++number) {
      std::vector<int> lengths;
      for (int r = 0; r < k; ++r) lengths.push_back(number >> (2 * r) & 3);
      right = right && merges<Level>(m, p, runs_of(lengths, 3));
    }
  for (auto const& lengths : {std::vector<int>{0, 40, 0, 0, 31, 7, 1},
                              {150, 1},
                              {1, 150},
                              {64, 64, 64, 64, 64},
                              {5, 0, 90, 0, 0, 0, 61, 8, 0},
                              {0, 0, 130}})
    for (int const values : {2, 1000})
      right = right && merges<Level>(m, p, runs_of(lengths, values));
  return right;
}

TEST_CASE("runs of any lengths are merged in one memory, within the costs for all data") {
  CHECK(merges_all<level>(mmm::pram{}, 5));
  CHECK(merges_all<level>(mmm::dmm<4, 3>{}, 8));
  CHECK(merges_all<level>(mmm::umm<4, 3>{}, 6));
}

TEST_CASE("runs of any lengths are merged in tiles, within the costs for all data") {
  CHECK(merges_all<tiles>(mmm::hmm<2, 4, 2, 10>{}, 8));
}

}  // namespace
