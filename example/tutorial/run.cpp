// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tutorial's runs: data, races, a picture, host threads (docs/tutorial-bitonic-sort.md).
// [data]
#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/report.hpp>

#include "bitonic_sort.hpp"

#include <fstream>
#include <iostream>
#include <vector>

void print(std::vector<int> const& words) {
  for (int const word : words) std::cout << word << ' ';
  std::cout << '\n';
}

int main() {
  using small = mmm::hmm<2, 4, 1, 5>;  // 2 DMMs with 4 banks each
  std::vector<int> words{9, 12, 3, 15, 7, 0, 11, 4, 14, 2, 8, 6, 13, 1, 10, 5};
  std::vector<int> same = words;
  auto const run = mmm::simulate<small>(
      mmm::threads(8), [&](auto on) { sorting{}(on, words.begin(), words.end()); });
  print(words);
  std::cout << mmm::report::text(run.cost) << ", " << run.race_count << " races\n";
  // [/data]

  // [picture]
  std::vector<int> eight{5, 2, 7, 1, 6, 0, 4, 3};
  auto const shown = mmm::simulate<mmm::dmm<4, 2>>(mmm::threads(4), [&](auto on) {
    bitonic_sort{}(on, 8, on.array(eight.begin(), eight.end()));
  });
  std::ofstream("bitonic_sort.svg")
      << mmm::report::svg(shown.trace, "Sorting 8 numbers by 4 threads");
  // [/picture]

  // [races]
  std::vector<int> raced = same;
  auto const wrong = mmm::simulate<mmm::dmm<4, 2>>(mmm::threads(4), [&](auto on) {
    auto const a = on.array(raced.begin(), raced.end());
    on.each(16, [=](auto i) {
      a[i] = mmm::select(i % 2 == 0, mmm::min(a[i], a[i ^ 1]), mmm::max(a[i], a[i ^ 1]));
    });
  });
  std::cout << wrong.race_count << " races, the first in " << mmm::report::text(wrong.races.front())
            << '\n';
  // [/races]

  // [host]
  sorting{}(mmm::host_threads<small>(mmm::threads(8)), same.begin(), same.end());
  print(same);
}
// [/host]
