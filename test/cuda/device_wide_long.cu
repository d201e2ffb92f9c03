// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More values than 2^32, counted by an iterator: numbers of words, items and places have 64 bits.
#include "call_forms.cuh"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace device_wide_long_tests {

using mmm::index;

constexpr index n = (index{1} << 32) + 5;

struct lower_before_the_end {
  MMM_HOST_DEVICE int operator()(index i) const { return i == n - 2 ? -1 : 1; }
};
auto const first =
    thrust::make_transform_iterator(thrust::counting_iterator<index>(0), lower_before_the_end());

TEST_CASE("a sum of more than 2^32 values") {
  auto const on = mmm::cuda::on<call_forms::machine>(mmm::threads(4 * 256));
  CHECK(mmm::fastest::sum(on, first, first + n, mmm::init(index{0})) == n - 2);
}

TEST_CASE("a place beyond 2^32") {
  auto const on = mmm::cuda::on<call_forms::machine>(mmm::threads(4 * 256));
  auto const found = mmm::fastest::argmin(on, first, first + n);
  CHECK(found.value == -1);
  CHECK(found.place == n - 2);
}

//! Writes the places of the last two items.
struct last_places {
  template <class On, class Out>
  MMM_HOST_DEVICE constexpr void operator()(On& on, index items, Out out) const {
    on.each(items, [=](auto i) {
      if (i >= items - 2) out[i - (items - 2)] = i;
    });
  }
};

TEST_CASE("items beyond 2^32") {
  checks::device_words<index> out(2);
  auto const on = mmm::cuda::on<call_forms::one_memory>(mmm::threads(1024));
  mmm::run(on, last_places{}, n, mmm::writes<index>(out.begin(), index{2}));
  CHECK(out.on_host() == std::vector<index>{n - 2, n - 1});
}

}  // namespace device_wide_long_tests
