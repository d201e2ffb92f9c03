// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's shared-memory layout, checked for bank conflicts at compile time. With a folder as
// argument, the program draws docs/bank_conflicts.svg there.
// [all]
#include <mmm/mmm.hpp>

using shared = mmm::dmm<32, 1>;                  // 32 banks, latency 1: a GPU's shared memory
constexpr auto lane = mmm::item;                 // the symbolic index: the lane of a warp
constexpr auto tile = mmm::row_major(32, 32);    // (row, column) -> word
constexpr auto padded = mmm::padded(32, 32, 1);  // one unused word after each row

static_assert(mmm::stages<shared>(tile(0, lane)) == 1);  // a warp writes a row: one stage
// a warp reads a column: a 32-way bank conflict
static_assert(mmm::stages<shared>(tile(lane, 0)) == 32);
// padding by one word removes it; a conflict, or a column that the tile lacks, does not compile
static_assert(mmm::assert_conflict_free<shared, padded(lane, 0)>);
// [/all]

#include <mmm/report.hpp>

#include <fstream>
#include <string>

int main(int count, char** values) {
  std::string const picture =
      // [picture]
      mmm::report::svg({mmm::report::request_of<shared>(
                            tile(lane, 0), "32 words per row: lane t reads row t, column 0", 1024),
                        mmm::report::request_of<shared>(padded(lane, 0),
                                                        "33 words per row: the same column", 1024)},
                       "A warp of 32 threads reads a column of a 32 × 32 tile in shared memory");
  // [/picture]
  if (count == 2) std::ofstream(std::string(values[1]) + "/bank_conflicts.svg") << picture;
  return picture.find("32 stages") == std::string::npos;
}
