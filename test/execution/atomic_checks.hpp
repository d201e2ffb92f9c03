// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/execution/kernel/host_threads.hpp>
#include <mmm/mmm.hpp>

#include "catch.hpp"

#include <vector>

namespace checks {

using mmm::index;

//! Updates by one thread, of words that are 5 at first.
template <class T>
struct all_updates {
  template <class On, class Words>
  constexpr void operator()(On& on, Words a) const {
    on.each(1, [=](auto i) {
      mmm::atomic_add(a[i], T(3));
      mmm::atomic_min(a[i + 1], T(3));
      mmm::atomic_min(a[i + 2], T(7));
      mmm::atomic_max(a[i + 3], T(3));
      mmm::atomic_max(a[i + 4], T(7));
      a[i + 6] = mmm::atomic_exchange(a[i + 5], T(9));
      a[i + 8] = mmm::atomic_compare_exchange(a[i + 7], T(5), T(6));
      a[i + 10] = mmm::atomic_compare_exchange(a[i + 9], T(6), T(7));
      mmm::atomic_exchange_if(i == 0, a[i + 11], mmm::load(a[i]));
    });
  }
};

template <class T>
void updates_right() {
  std::vector<T> const expected{8, 3, 5, 5, 7, 9, 5, 6, 5, 5, 5, 8};
  std::vector<T> words(12, T(5));
  mmm::simulate<mmm::umm<4, 2>>(mmm::threads(4), [&](auto& on) {
    mmm::run(on, all_updates<T>{}, mmm::updates<T>(words.begin(), index{12}));
  });
  CHECK(words == expected);
  words.assign(12, T(5));
  mmm::host_threads<mmm::umm<4, 2>> const threads(mmm::threads(4));
  mmm::run(threads, all_updates<T>{}, mmm::updates<T>(words.data(), index{12}));
  CHECK(words == expected);
}

}  // namespace checks
