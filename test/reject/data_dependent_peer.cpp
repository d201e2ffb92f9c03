// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: a peer's rank or an address that depends on data has no cost without the data
#include <mmm/mmm.hpp>

using machine = mmm::clustered<mmm::hmm<2, 4, 1, 9>, 2, 5>;
constexpr auto cost = mmm::estimate<machine>(mmm::threads(8), [](auto& on) {
  on.each_cluster([](auto& cluster, auto) {
    auto const a = cluster.template allocate<int>(4);
    cluster.each_dmm([=](auto& block, [[maybe_unused]] auto r) {
#ifdef MMM_REJECT_CONTROL
      block.each(4, [=](auto i) { a(1 - r, i) = 1; });
#else
      block.each(4, [=](auto i) { a(mmm::load(a[i]), i) = 1; });
#endif
    });
  });
});
