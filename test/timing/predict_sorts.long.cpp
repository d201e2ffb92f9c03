// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "predict_sorts_checks.hpp"

TEST_CASE("predicted times of sorts of pairs are near those measured on an H100") {
  using checks::near;
  using checks::predicted;
  mmm::gpu::device_facts const h100 = mmm::gpu::h100::facts;
  CHECK(near(predicted(h100, mmm::radix_sort_pairs, 1 << 14, 384), 50.0, 0.15));
  CHECK(near(predicted(h100, mmm::radix_sort_pairs, 1 << 24, 384), 895.0, 0.25));
}
