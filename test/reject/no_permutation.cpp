// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words 1 and 3 go to one place.
// expect: mmm: no permutation
// expect: both words go to this place
// expect(gcc, clang): place_of_word<3, 1, 2, 4>
// expect(nvcc): Word=3L, Other=1L, Place=2L
#include <mmm/algorithm/permutation/permutation.hpp>

using shared = mmm::dmm<4, 1>;
#ifdef MMM_REJECT_CONTROL
constexpr auto table = mmm::permutation_table<shared, 4>([](mmm::index i) { return 3 - i; });
#else
constexpr auto table =
    mmm::permutation_table<shared, 4>([](mmm::index i) { return i % 2 == 1 ? 2 : i / 2; });
#endif
static_assert(table.max_stages() == 1);
