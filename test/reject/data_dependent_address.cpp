// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An estimate has no data, so that an address that depends on data is rejected where it is written.
// expect: an address that depends on data has no cost without the data: mmm::simulate
#include <mmm/execution/estimate/estimate.hpp>

#include <utility>

struct gather {
  template <class On>
  constexpr void operator()(On on) const {
    auto a = on.template allocate<mmm::index>(64);
    auto b = on.template allocate<mmm::index>(64);
    on.each(64, [=](auto i) {
#ifdef MMM_REJECT_CONTROL
      b[i] = a[i];
#else
      auto const where = mmm::load(a[i]);
      b[i] = a[where];
#endif
    });
  }
};
static_assert(mmm::estimate<mmm::dmm<32, 1>>(mmm::threads(32), gather{}).stages > 0);
