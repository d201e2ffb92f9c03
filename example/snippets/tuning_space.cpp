// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tuning space: its best point as a type, and its ranking.
#include <mmm/choose/tuning_spaces.hpp>
#include <mmm/space.hpp>

#include <iostream>

// [space]
constexpr auto space =
    mmm::space(mmm::types<mmm::tile_shape<64>, mmm::tile_shape<128>>,
               mmm::types<mmm::blocks<4, 256>>, mmm::types<mmm::swizzled_vecs, mmm::vecs_in_order>,
               mmm::numbers<1>, mmm::types<mmm::tiled_transposes>)
        .where(mmm::fits_shared_memory{}, mmm::divides_problem{}, mmm::without_conflicts{});
constexpr auto best = mmm::best<mmm::gpu::h200>(space, mmm::problem_c<mmm::size(4096)>);
using point = decltype(best)::point;
static_assert(point::tile::rows == 64 && point::plan.blocks_per_sm == 4);
static_assert(best.time.limit == mmm::time_limit::global_bandwidth);
// [/space]

int main() {
  // [table]
  std::cout << mmm::report::text(
      mmm::report::space_table<mmm::gpu::h200>(space, mmm::problem_c<mmm::size(4096)>));
  // [/table]
  return 0;
}
