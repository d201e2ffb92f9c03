// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/mmm.hpp>

using shared = mmm::dmm<32, 1>;
constexpr auto lane = mmm::item;

static_assert(mmm::stages<shared>(mmm::row_major(32, 32)(lane, 0)) == 32);
static_assert(mmm::conflict_free<shared>(mmm::row_major(32, 33)(lane, 0)));

int main() {}
