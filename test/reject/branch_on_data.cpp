// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An estimate has no data for a condition on them.
// expect: a condition on data has no value in an estimate
#include <mmm/execution/estimate/estimate.hpp>

struct positive {
  template <class On>
  constexpr void operator()(On on) const {
    auto a = on.template allocate<int>(64);
    on.each(64, [=](auto i) {
      auto const x = mmm::load(a[i]);
#ifdef MMM_REJECT_CONTROL
      a[i] = mmm::select(x > 0, x, 0);
#else
      a[i] = x > 0 ? x : 0;
#endif
    });
  }
};
static_assert(mmm::estimate<mmm::dmm<32, 1>>(mmm::threads(32), positive{}).stages == 4);
