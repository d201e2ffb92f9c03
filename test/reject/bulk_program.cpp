// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program for bulk execution with a member.
// expect: mmm: a program for bulk execution is an empty class
#include <mmm/algorithm/bulk/bulk.hpp>

struct shifted {
#ifndef MMM_REJECT_CONTROL
  mmm::index offset = 1;
#endif
  template <class Thread, class Words>
  constexpr void operator()(Thread const& thread, Words a, mmm::index n) const {
    thread.repeat(n, [=](auto j) { a[j] = mmm::load(a[j]) + 1; });
  }
};

static_assert(mmm::memory_steps(shifted{}, mmm::size(5)) == 10);
