// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An unsigned number that no mmm::index holds is a compile error in an expression, not a negative
// number.
// expect: reject_unsigned
#include <mmm/index/expression.hpp>

#ifdef MMM_REJECT_CONTROL
constexpr auto address = mmm::item * ((std::uint64_t{1} << 63) - 1);
#else
constexpr auto address = mmm::item * (std::uint64_t{1} << 63);
#endif
static_assert(address(1) > 0);
