// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: this array is read only
// An array from mmm::reads is const: what a program writes to it would be lost in a simulation.
#include <mmm/execution/simulate/simulate.hpp>

struct program {
  template <class On, class Array>
  void operator()(On& on, Array a, mmm::index n) const {
    on.each(n, [=](auto i) { a[i] = 0; });
  }
};

void write(float const* words) {
  mmm::simulate<mmm::dmm<4, 2>>(mmm::threads(4), [&](auto& on) {
#ifdef MMM_REJECT_CONTROL
    mmm::run(on, program{}, mmm::works_on<float>(words, 8), mmm::index{8});
#else
    mmm::run(on, program{}, mmm::reads<float>(words, 8), mmm::index{8});
#endif
  });
}
