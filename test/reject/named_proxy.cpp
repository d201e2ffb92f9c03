// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A named reference to a word cannot be used as a value, so that one name cannot hide two accesses.
// expect: names a reference, which would be read at each use: write auto x = mmm::load\(a\[i\]\)
#include <mmm/execution/estimate/estimate.hpp>

struct twice {
  template <class On>
  constexpr void operator()(On on) const {
    auto a = on.template allocate<int>(64);
    on.each(64, [=](auto i) {
#ifdef MMM_REJECT_CONTROL
      auto const x = mmm::load(a[i]);
#else
      auto x = a[i];
#endif
      a[i] = x + x;
    });
  }
};
static_assert(mmm::estimate<mmm::dmm<32, 1>>(mmm::threads(32), twice{}).stages == 4);
