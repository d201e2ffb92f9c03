// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "catch.hpp"

#include <common/processor.hpp>

//! Skips a test case for processors from `first` on, if this one comes before it or is to be used
//! as one that does (MMM_PROCESSOR).
#define SKIP_BEFORE(first) \
  if (tool::processor_in_use() < (first)) SKIP_HERE("it is for a later processor than this one")

namespace processors {

//! Processors as types, for TEMPLATE_TEST_CASE.
struct baseline {
  static constexpr tool::processor value = tool::processor::baseline;
};
struct avx512 {
  static constexpr tool::processor value = tool::processor::avx512;
};

}  // namespace processors
