// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The processor that the programs use, by MMM_PROCESSOR.
#include "catch.hpp"

#include <common/failure.hpp>
#include <common/processor.hpp>

TEST_CASE("the processor to use is the one named, or the last one there is") {
  using enum tool::processor;
  for (auto const last : {baseline, avx2, avx512}) {
    CHECK(tool::processor_named("", last) == last);
    CHECK(tool::processor_named("baseline", last) == baseline);
  }
  CHECK(tool::processor_named("avx2", avx2) == avx2);
  CHECK(tool::processor_named("avx2", avx512) == avx2);
  CHECK(tool::processor_named("avx512", avx512) == avx512);
  CHECK_THROWS_WITH(tool::processor_named("avx512", avx2),
                    "MMM_PROCESSOR is \"avx512\"; accepted on this processor: baseline, avx2");
  CHECK_THROWS_WITH(tool::processor_named("avx2", baseline),
                    "MMM_PROCESSOR is \"avx2\"; accepted on this processor: baseline");
  CHECK_THROWS_AS(tool::processor_named("AVX2", avx512), tool::failure);
  CHECK(tool::processor_in_use() <= tool::processor_of_this_machine());
}
