// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A quotient that does not fit into 64 bits is a compile error in a constant expression.
// expect: reject_overflow
#include <mmm/index/expression.hpp>

#ifdef MMM_REJECT_CONTROL
static_assert((mmm::item / -1)(INT64_MIN + 1) == INT64_MAX);
#else
static_assert((mmm::item % -1)(INT64_MIN) == 0);
#endif
