// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stages of an algorithm, access by access.
#include <mmm/model.hpp>
#include <mmm/profile.hpp>

#include <iostream>

// [profile]
using shared = mmm::dmm<32, 1>;
constexpr auto accesses =
    mmm::profile_of<shared>(mmm::transpose_straightforward, mmm::size(64), mmm::threads(64));
static_assert(accesses.worst().stages == 2016 && accesses.worst().ideal == 94);  // bank conflicts
// [/profile]

int main() {
  std::cout << mmm::report::text(accesses);
  return accesses.count == 4 ? 0 : 1;
}
