// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tutorial's first program (docs/tutorial-bitonic-sort.md).
// [all]
#include <mmm/mmm.hpp>
#include <mmm/profile.hpp>
#include <mmm/report.hpp>

#include <iostream>

//! Pairs of words j apart: ascending in a block of k words, descending in the next, and so on.
template <class Threads, class Words>
constexpr void exchange(Threads& threads, Words a, mmm::index n, mmm::index j, mmm::index k) {
  threads.each(n / 2, [=](auto i) {
    auto const low = 2 * i - i % j;  // pair i: the words low and low + j
    auto const up = low / k % 2 == 0;
    auto const x = mmm::load(a[low]);
    auto const y = mmm::load(a[low + j]);
    a[low] = mmm::select(up, mmm::min(x, y), mmm::max(x, y));
    a[low + j] = mmm::select(up, mmm::max(x, y), mmm::min(x, y));
  });
}

constexpr auto program = [](auto on) {
  constexpr mmm::index n = 1024;
  auto const a = on.template allocate<float>(n);
  for (mmm::index k = 2; k <= n; k *= 2)
    for (mmm::index j = k / 2; j > 0; j /= 2) exchange(on, a, n, j, k);
};

using shared = mmm::dmm<32, 7>;  // 32 banks, latency 7
constexpr auto profile = mmm::profile_program(shared{}, mmm::threads(512), program);
static_assert(profile.cost.closed_form);

int main() {
  std::cout << mmm::report::text(profile.cost) << '\n'
            << profile.worst().address << ": " << profile.worst().stages << " stages, "
            << profile.worst().ideal << " would do\n";
}
// [/all]
