// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filters of tuning spaces at the edges of what they pass.
#include <mmm/choose/kernel_point.hpp>
#include <mmm/choose/space_filters.hpp>

#include "catch.hpp"

#include <string>

namespace {

using mmm::index;
namespace gpu = mmm::gpu;

//! A variant with properties.
template <index Words, index Registers = 32, index Threads = 128, bool Counted = true>
struct variant {
  template <class Point>
  static constexpr index shared_words = Words;
  template <class Point>
  static constexpr index registers = Registers;
  template <class Point>
  static constexpr index tile_threads = Threads;
  template <class Point>
  static constexpr bool counted = Counted;
  template <class Point>
  [[nodiscard]] static constexpr index remainder(index n) {
    return n % 64;
  }
};
struct without_properties {};

template <class Launch, class Variant>
using point = mmm::kernel_point<mmm::unused, Launch, mmm::unused, mmm::unused, Variant>;
using mmm::blocks;

std::string text(mmm::unmet_condition const& unmet) {
  if (!unmet) return "";
  return std::string(unmet.quantity) + " " + std::to_string(unmet.needed) + " " +
         std::to_string(unmet.available);
}
template <class Filter, class Point>
std::string unmet(gpu::device_facts const& facts, index n = 64) {
  if constexpr (requires { Filter::template unmet<Point>(); })
    return text(Filter::template unmet<Point>());
  else
    return text(Filter::template unmet<Point>(facts, n));
}

}  // namespace

TEST_CASE("a launch may have as many threads per block as the GPU allows") {
  auto const& facts = gpu::h200::facts;
  CHECK(unmet<mmm::thread_limit, point<blocks<1, 1024>, without_properties>>(facts).empty());
  CHECK(unmet<mmm::thread_limit, point<blocks<1, 1025>, without_properties>>(facts) ==
        "threads of a block 1025 1024");
}

TEST_CASE("a launch has as many threads as the tile, no more and no fewer") {
  using filter = mmm::threads_of_tile;
  auto const& facts = gpu::h200::facts;
  CHECK(unmet<filter, point<blocks<1, 128>, variant<0>>>(facts).empty());
  CHECK(unmet<filter, point<blocks<1, 127>, variant<0>>>(facts) == "threads of a tile 128 127");
  CHECK(unmet<filter, point<blocks<1, 129>, variant<0>>>(facts) == "idle threads of a block 1 0");
}

TEST_CASE("the blocks of a multiprocessor share its memory, and 1 KiB each from 8.0 on") {
  using filter = mmm::fits_shared_memory;
  auto const& h200 = gpu::h200::facts;  // 227 KiB a block, 228 KiB a multiprocessor
  CHECK(unmet<filter, point<blocks<1, 128>, variant<232448 / 4>>>(h200).empty());
  CHECK(unmet<filter, point<blocks<1, 128>, variant<232448 / 4 + 1>>>(h200) ==
        "bytes of shared memory of a block 232452 232448");
  CHECK(unmet<filter, point<blocks<2, 128>, variant<113 * 256>>>(h200).empty());
  CHECK(unmet<filter, point<blocks<2, 128>, variant<113 * 256 + 1>>>(h200) ==
        "bytes of shared memory of all blocks 233480 233472");
  CHECK(unmet<filter, point<blocks<2, 128, 8>, variant<113 * 128 + 1>>>(h200) ==
        "bytes of shared memory of all blocks 233488 233472");
  auto const& v100 = gpu::v100::facts;  // 96 KiB, nothing reserved
  CHECK(unmet<filter, point<blocks<3, 128>, variant<32 * 256>>>(v100).empty());
  CHECK(unmet<filter, point<blocks<3, 128>, variant<32 * 256 + 1>>>(v100) ==
        "bytes of shared memory of all blocks 98316 98304");
}

TEST_CASE("a thread has up to 255 registers, allocated by eights, and all blocks 65536") {
  using filter = mmm::fits_registers;
  auto const& h200 = gpu::h200::facts;
  CHECK(unmet<filter, point<blocks<1, 256>, variant<0, 255>>>(h200).empty());
  CHECK(unmet<filter, point<blocks<1, 256>, variant<0, 256>>>(h200) ==
        "registers of a thread 256 255");
  CHECK(unmet<filter, point<blocks<2, 256>, variant<0, 128>>>(h200).empty());
  CHECK(unmet<filter, point<blocks<2, 256>, variant<0, 129>>>(h200) ==
        "registers of all blocks 69632 65536");
  CHECK(unmet<filter, point<blocks<2, 225>, variant<0, 129>>>(h200) ==
        "registers of all blocks 69632 65536");  // eight warps, the last one of one thread
  CHECK(unmet<filter, point<blocks<2, 224>, variant<0, 129>>>(h200).empty());
}

TEST_CASE("tiles divide the problem, and kernels are counted") {
  auto const& facts = gpu::h200::facts;
  using some = point<blocks<1, 128>, variant<0>>;
  CHECK(unmet<mmm::divides_problem, some>(facts, 0).empty());
  CHECK(unmet<mmm::divides_problem, some>(facts, 128).empty());
  CHECK(unmet<mmm::divides_problem, some>(facts, 129) == "words beyond whole tiles 1 0");
  CHECK(unmet<mmm::instructions_counted, some>(facts).empty());
  CHECK(unmet<mmm::instructions_counted, point<blocks<1, 128>, variant<0, 32, 128, false>>>(
            facts) == "counted kernels 1 0");
}

TEST_CASE("one stage by bank conflicts is one too many") {
  mmm::candidate_prediction found;
  CHECK(text(mmm::without_conflicts::unmet(found)).empty());
  found.conflicts = 1;
  CHECK(text(mmm::without_conflicts::unmet(found)) == "stages by bank conflicts 1 0");
}

TEST_CASE("points without a property pass its filter") {
  auto const& facts = gpu::h200::facts;
  using plain = point<blocks<9, 1024>, without_properties>;
  CHECK(unmet<mmm::threads_of_tile, plain>(facts).empty());
  CHECK(unmet<mmm::fits_shared_memory, plain>(facts).empty());
  CHECK(unmet<mmm::fits_registers, plain>(facts).empty());
  CHECK(unmet<mmm::divides_problem, plain>(facts).empty());
  CHECK(unmet<mmm::instructions_counted, plain>(facts).empty());
}
