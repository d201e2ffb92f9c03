// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: read-only location|returns a const value|modifiable lvalue
// An array from mmm::reads is const: what a program writes to it would be the caller's in a kernel.
#include <mmm/execution/kernel/host_threads.hpp>

struct program {
  template <class On, class Array>
  void operator()(On& on, Array a, mmm::index n) const {
    on.each(n, [=](auto i) { a[i] = 0; });
  }
};

void write(float const* words) {
  mmm::host_threads<mmm::dmm<4, 2>> const on(mmm::threads(4));
#ifdef MMM_REJECT_CONTROL
  mmm::run(on, program{}, mmm::works_on<float>(words, 8), mmm::index{8});
#else
  mmm::run(on, program{}, mmm::reads<float>(words, 8), mmm::index{8});
#endif
}
