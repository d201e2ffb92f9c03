// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A condition on an item is no bool: the message says what to write instead.
// expect: a condition on an item is no bool
// expect: write mmm::store_if\(c, a\[i\], x\) instead of if \(c\) a\[i\] = x
#include <mmm/execution/estimate/estimate.hpp>

struct first_three {
  template <class On>
  constexpr void operator()(On on) const {
    auto a = on.template allocate<int>(64);
    on.each(64, [=](auto i) {
#ifdef MMM_REJECT_CONTROL
      mmm::store_if(i < 3, a[i], 1);
#else
      if (i < 3) a[i] = 1;
#endif
    });
  }
};
static_assert(mmm::estimate<mmm::dmm<32, 1>>(mmm::threads(32), first_three{}).stages == 1);
