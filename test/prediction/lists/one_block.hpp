// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../cases.hpp"

//! Sums and prefix-sums of few words in one block of 256 threads.
namespace prediction::one_block {

template <class T, class Runs>
void sequences(Runs& runs) {
  for (index const n : {2, 100, 257, 2048, 2051, 5000, 20000}) {
    hierarchy const m(3);
    auto const with = text("n", n);
    runs.template run<T>("sum_in_one_block", with, m, 768, [n](auto on, T* a, T*, T*) {
      static_cast<void>(mmm::sum_in_one_block(on, a, a + n));
    });
    runs.template run<T>("prefix_sums_in_one_block", with, m, 768, [n](auto on, T* a, T*, T* c) {
      mmm::prefix_sums_in_one_block(on, a, a + n, c);
    });
  }
}

template <class Runs>
void run_list(Runs& runs) {
  sequences<float>(runs);
  if constexpr (!few) sequences<double>(runs);
  hierarchy const m(3);
  runs.template run<float>("prefix_sums_in_one_block", text("n", 4999) + ", first word = 1", m, 768,
                           [](auto on, float* a, float*, float* c) {
                             mmm::prefix_sums_in_one_block(on, a + 1, a + 5000, c + 1);
                           });
}

}  // namespace prediction::one_block
