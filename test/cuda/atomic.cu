// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic updates of all words that have them, in shared and in global memory, and histograms.
#include "device_side.cuh"

#include <cstdint>
#include <vector>

namespace atomic_tests {

using checks::device_words;
using mmm::index;

//! Thread i updates words i % 5 of six arrays: every update's result depends on all, not on their
//! order. On a hierarchical machine each DMM does so in its shared memory, then adds up.
template <class T>
struct all_updates {
  template <class On, class Words>
  MMM_HOST_DEVICE constexpr void operator()(On& on, index n, Words out) const {
    auto const update = [=](auto& of, auto a, index items) {
      of.each(5, [=](auto i) {
        a[i] = T(0);
        a[5 + i] = T(100);
        a[10 + i] = T(0);
        a[15 + i] = T(0);
        a[20 + i] = T(0);
      });
      of.each(items, [=](auto i) {
        auto const k = i % 5;
        mmm::atomic_add(a[k], T(2));
        mmm::atomic_min(a[5 + k], static_cast<T>(i));
        mmm::atomic_max_if(i < 9, a[10 + k], static_cast<T>(i));
        mmm::atomic_exchange(a[15 + k], static_cast<T>(7));
        T const old = mmm::atomic_compare_exchange(a[20 + k], T(0), static_cast<T>(i + 1));
        if (old == T(0)) mmm::atomic_add(a[25 + k], T(1));  // one thread has won
      });
    };
    if constexpr (mmm::hierarchical_machine<typename On::machine_type>) {
      on.each_dmm(1, [=](auto& block, auto) {
        auto const s = block.template allocate<T>(30);
        block.each(5, [=](auto i) { s[25 + i] = T(0); });
        update(block, s, n);
        block.each(30, [=](auto i) { out[i] = s[i]; });
      });
    } else {
      on.each(5, [=](auto i) { out[25 + i] = T(0); });
      update(on, out, n);
    }
  }
};

template <class T, class On>
void updates_right(On const& on) {
  constexpr index n = 200;
  device_words<T> words(30);
  mmm::run(on, all_updates<T>{}, n, mmm::updates<T>(words.begin(), index{30}));
  auto const found = words.on_host();
  for (index k = 0; k < 5; ++k) {
    auto const at = [&](index array) { return found[static_cast<std::size_t>(5 * array + k)]; };
    CAPTURE(k);
    CHECK(at(0) == T(2 * n / 5));
    CHECK(at(1) == T(k));
    CHECK(at(2) == T(k < 4 ? k + 5 : k));
    CHECK(at(3) == T(7));
    CHECK((at(4) > T(0) && static_cast<index>(at(4)) % 5 == (k + 1) % 5));
    CHECK(at(5) == T(1));
  }
}

TEST_CASE("atomic updates of words of four and eight bytes") {
  auto const of_hmm = mmm::cuda::on(mmm::hmm<2, 32, 29, 700, 4096>(), mmm::threads(2 * 64));
  updates_right<int>(of_hmm);
  updates_right<std::uint64_t>(of_hmm);
  updates_right<float>(of_hmm);
  updates_right<double>(of_hmm);
  auto const of_umm = mmm::cuda::on<mmm::umm<32, 700>>(mmm::threads(128));
  updates_right<std::int64_t>(of_umm);
  updates_right<unsigned>(of_umm);
  updates_right<float>(of_umm);
  updates_right<double>(of_umm);
}

template <class On>
void counts_right(On const& on) {
  for (index const n : {0, 1, 33, 5000}) {
    CAPTURE(n, on.threads());
    std::vector<int> values;
    std::vector<int> expected(100);
    for (index i = 0; i < n; ++i) {
      values.push_back(static_cast<int>(i * i % 131) - 10);
      if (values.back() >= 0 && values.back() < 100)
        ++expected[static_cast<std::size_t>(values.back())];
    }
    device_words<int> in(values.begin(), values.end());
    device_words<int> counts(100);
    mmm::histogram(on, in.begin(), in.end(), counts.begin(), counts.end());
    CHECK(counts.on_host() == expected);
  }
}

TEST_CASE("histograms as kernels") {
  counts_right(mmm::cuda::on(mmm::hmm<4, 32, 29, 700, 4096>(), mmm::threads(4 * 128)));
  counts_right(mmm::cuda::on<mmm::dmm<32, 29>>(mmm::threads(128)));
  counts_right(mmm::cuda::on<mmm::umm<32, 700>>(mmm::threads(256)));
}

}  // namespace atomic_tests
