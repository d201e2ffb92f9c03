// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: wide accesses needs a machine whose type knows its width
// Whether a warp's wide access is one of vecs depends on the width.
#include <mmm/execution/estimate/estimate.hpp>
#include <mmm/execution/vec.hpp>

#ifdef MMM_REJECT_CONTROL
mmm::dmm<32, 2> const machine;
#else
mmm::dmm<mmm::dynamic, 2> const machine(32);
#endif

mmm::cost cost() {
  return mmm::estimate(machine, mmm::threads(32), [](auto& on) {
    auto const a = on.template allocate<float>(128);
    on.each(32, [=](auto i) { static_cast<void>(mmm::load(mmm::wide<4>(a)[i])); });
  });
}
