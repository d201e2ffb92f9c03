// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The requests of docs/model.md. With a folder as argument, the program draws docs/request.svg
// there.
#include <mmm/mmm.hpp>
#include <mmm/report.hpp>

#include <fstream>
#include <iostream>
#include <string>

// [stages]
using shared_memory = mmm::dmm<4, 5>;
using global_memory = mmm::umm<4, 5>;
static_assert(mmm::stages<shared_memory>({7, 5, 15, 0}) == 2);  // 7 and 15 are words of bank 3
static_assert(mmm::stages<global_memory>({7, 5, 15, 0}) == 3);  // groups 1, 3 and 0
// [/stages]

// [expressions]
constexpr auto i = mmm::item;
// item i of a 32 x 32 tile by columns, where rows begin 33 words apart
constexpr auto transposed = (i % 32) * 33 + i / 32;

static_assert(transposed(7) == 7 * 33);  // an expression can be called with a number
constexpr auto cost =
    mmm::cost_of<mmm::dmm<32, 1>>(transposed, mmm::size(1 << 30), mmm::threads(1 << 20));
// one stage for each of 33554432 warps
static_assert(cost.closed_form && cost.stages == (1 << 30) / 32);
// [/expressions]

int main(int count, char** values) {
  auto const on_banks =
      mmm::report::request_of(shared_memory{}, {7, 5, 15, 0}, "DMM: a word per bank and time unit");
  auto const on_groups =
      mmm::report::request_of(global_memory{}, {7, 5, 15, 0}, "UMM: a group per time unit");
  std::string const picture =
      mmm::report::svg({on_banks, on_groups}, "Four lanes ask for the words 7, 5, 15 and 0");
  if (count == 2) std::ofstream(std::string(values[1]) + "/request.svg") << picture;
  std::cout << mmm::report::text(on_banks) << mmm::report::text(on_groups)
            << mmm::report::text(transposed) << '\n';
  return mmm::report::stages(on_banks) != 2 || mmm::report::stages(on_groups) != 3 ||
         mmm::report::text(transposed) != "(item % 32) * 33 + item / 32";
}
