// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With `using namespace mmm`, unqualified calls of functions called `text`, such as those of
// mmm::report and of users, are not ambiguous.
#include <mmm/cost/assert.hpp>
#include <mmm/mmm.hpp>

namespace user {
constexpr int text(int n) { return n; }
}  // namespace user

using namespace mmm;   // NOLINT: what is tested
using namespace user;  // NOLINT
static_assert(text(7) == 7);
