// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filters, rankings and the best points of tuning spaces, compared with enumeration.
#include <mmm/choose/tuning_spaces.hpp>
#include <mmm/fast.hpp>
#include <mmm/space.hpp>

#include "catch.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace {

using mmm::index;
using mmm::rated_point;
namespace gpu = mmm::gpu;

constexpr auto wide_sums = mmm::space(mmm::types<mmm::blocks<1, 1024>, mmm::blocks<2, 512>>,
                                      mmm::types<mmm::kernel<"sum_wide", mmm::sum_wide>>);

//! Removes launches with more blocks per multiprocessor than `Max`.
template <index Max>
struct few_blocks {
  static constexpr char const* name = "few blocks";
  template <class Point>
  [[nodiscard]] static constexpr mmm::unmet_condition unmet() {
    if (Point::plan.blocks_per_sm <= Max) return {};
    return {"blocks", Point::plan.blocks_per_sm, Max};
  }
};

//! A variant that does not compile unless a filter removes it.
struct not_compiled {
  template <class Point>
  static constexpr void add_name(mmm::point_name& name) {
    name.add("none");
  }
};

template <index Count>
void is_sorted(mmm::space_ranking<Count> const& all) {
  for (index k = 1; k < Count; ++k) {
    rated_point const &a = all.at(k - 1), &b = all.at(k);
    CHECK(static_cast<int>(a.removed()) <= static_cast<int>(b.removed()));
    bool const equal = (a.removed() && b.removed()) || a.time.microseconds == b.time.microseconds;
    if (a.removed() == b.removed() && equal)
      CHECK(all.order[k - 1] < all.order[k]);
    else if (!b.removed())
      CHECK(a.time.microseconds < b.time.microseconds);
  }
  std::vector<index> numbers(all.order, all.order + Count);
  std::sort(numbers.begin(), numbers.end());
  for (index k = 0; k < Count; ++k) CHECK(numbers[static_cast<std::size_t>(k)] == k);
}

//! The message of an exception.
template <class F>
std::string message(F const& f) {
  try {
    f();
  } catch (std::exception const& e) {
    return e.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("transposes are filtered and ranked as by hand") {
  gpu::for_each_device([&](char const* gpu_name, auto device) {
    constexpr gpu::device_facts facts = decltype(device)::facts;
    auto const timing = gpu::timing_of(facts);
    index const reserved = facts.compute_capability >= 80 ? 1024 : 0;
    for (index const n : {0, 32, 64, 96, 1024, 4096}) {
      CAPTURE(gpu_name, n);
      auto const all = mmm::rank(facts, mmm::spaces::transposes, mmm::size(n));
      CHECK(all.count == 24);
      is_sorted(all);
      index k = 0;
      for (index const side : {32, 64, 128})
        for (auto const& [blocks, threads] :
             {std::pair<index, index>{4, 256}, {2, 256}, {2, 512}, {1, 1024}})
          for (bool const swizzled : {true, false}) {
            rated_point const& point = all.points[k++];
            CAPTURE(point.name);
            index const bytes = side * side * 4;
            bool const fits = bytes <= facts.shared_bytes_per_block &&
                              blocks * (bytes + reserved) <= timing.shared_bytes_per_sm;
            std::string expected;
            if (!fits)
              expected = "fits the shared memory";
            else if (n % side != 0)
              expected = "divides the problem";
            else if (48 * threads > timing.registers_per_sm)
              expected = "runs on the GPU";
            else if (!swizzled && n > 0)
              expected = "conflict free";
            CHECK((point.filter == nullptr ? "" : point.filter) == expected);
            if (expected == "conflict free") {
              // 32 threads write four words each down a column: 32 stages instead of 4
              CHECK(point.unmet.needed == 28 * (n * n / 128));
              CHECK(point.unmet.available == 0);
            }
            if (expected == "runs on the GPU") {
              CHECK(std::string(point.unmet.quantity) == "registers of a block");
              CHECK(point.unmet.needed == 48 * threads);
            }
          }
    }
  });
}

TEST_CASE("the space of transposes has a point as quick as the library's choice, and its name") {
  for (index const n : {1024, 4096}) {
    auto const known = mmm::best<gpu::h200>(mmm::known::transposes, mmm::size(n));
    auto const found = mmm::best(gpu::h200::facts, mmm::spaces::transposes, mmm::size(n));
    CHECK(found.time.microseconds <= known.time.microseconds);
  }
  CHECK(std::string(mmm::best(gpu::h200::facts, mmm::spaces::transposes, mmm::size(4096)).name) ==
        "64 x 64, swizzled, 4 blocks of 256");
}

TEST_CASE("the space of products has the library's kernels with register tiles, and no other") {
  gpu::for_each_device([&](char const* gpu_name, auto device) {
    constexpr gpu::device_facts facts = decltype(device)::facts;
    for (index const n : {64, 1000, 1024}) {
      CAPTURE(gpu_name, n);
      double least = 1e30;
      mmm::known::products.for_each([&](index, auto const& one) {
        if (std::string(one.name).rfind("matrix_multiply_in_", 0) != 0) return;
        auto const found = one.predict(facts, one.plan, mmm::size(n));
        if (found.possible) least = std::min(least, found.time.microseconds);
      });
      auto const all = mmm::rank(facts, mmm::spaces::products, mmm::size(n));
      is_sorted(all);
      CHECK(all.remaining() <= 7);
      if (all.remaining() == 0) continue;
      CHECK(all.at(0).time.microseconds == least);
      for (index k = 0; k < all.remaining(); ++k) CHECK(all.at(k).time.counted);
    }
  });
}

TEST_CASE("products: the filters remove what their numbers say") {
  auto const all = mmm::rank(gpu::v100::facts, mmm::spaces::products, mmm::size(1024));
  CHECK(all.count == 3 * 3 * 3 * 3 * 2);
  index counts[5] = {};
  for (rated_point const& point : all.points) {
    if (!point.removed()) continue;
    CAPTURE(point.name, point.filter);
    CHECK(point.unmet.needed > point.unmet.available);
    std::string const filter = point.filter;
    ++counts[filter == "threads of the tile"      ? 0
             : filter == "instructions counted"   ? 1
             : filter == "fits the shared memory" ? 2
             : filter == "fits the registers"     ? 3
                                                  : 4];
  }
  index matching = 0;  // tiles of threads and launches with as many threads
  for (index const area : {64 * 64, 128 * 128, 256 * 128})
    for (index const elements : {8 * 4, 8 * 8, 16 * 8})
      for (index const threads : {128, 256, 256}) matching += area / elements == threads ? 1 : 0;
  CHECK(counts[0] == (27 - matching) * 6);  // each with 3 numbers of stages and 2 variants
  CHECK(counts[1] + counts[2] + counts[3] == matching * 6 - all.remaining());
  CHECK(counts[4] == 0);
}

TEST_CASE("convolutions take their taps after the size, and only counted kernels remain") {
  auto const all =
      mmm::rank(gpu::h200::facts, mmm::spaces::convolutions, mmm::size(1 << 22), mmm::taps(64));
  CHECK(all.remaining() == 4);
  is_sorted(all);
  auto const known =
      mmm::best<gpu::h200>(mmm::known::convolutions(mmm::taps(64)), mmm::size(1 << 22));
  CHECK(all.at(0).time.microseconds == known.time.microseconds);
}

TEST_CASE("a filter that reads types keeps the kernels that it removes from being compiled") {
  auto const two = mmm::space(mmm::types<mmm::blocks<3, 256>>, mmm::types<not_compiled>) +
                   mmm::space(mmm::types<mmm::blocks<1, 256>>,
                              mmm::types<mmm::kernel<"sum_wide", mmm::sum_wide>>);
  auto const all = mmm::rank(gpu::h200::facts, two.where(few_blocks<2>{}), mmm::size(1 << 20));
  CHECK(all.remaining() == 1);
  CHECK(all.points[0].unmet.needed == 3);
  CHECK(all.points[0].unmet.available == 2);
  CHECK(all.order[0] == 1);
}

TEST_CASE("an empty space and one that nothing passes are refused, with the last filter") {
  auto const none = mmm::space(mmm::types<>, mmm::types<mmm::kernel<"sum", mmm::sum>>);
  CHECK(message([&] { static_cast<void>(mmm::best(gpu::h200::facts, none, mmm::size(9))); }) ==
        "mmm: the number of points of a space is 0; accepted: 1 or more");
  CHECK(mmm::rank(gpu::h200::facts, none, mmm::size(9)).remaining() == 0);
  // the first point is removed by the first filter, the last one by the second
  auto const filtered = wide_sums.where(few_blocks<1>{}, mmm::thread_limit{});
  gpu::device_facts small = gpu::h200::facts;
  small.max_threads_per_block = 1000;
  CHECK(message([&] { static_cast<void>(mmm::best(small, filtered, mmm::size(9))); }) ==
        "mmm: no point of the space fits the problem: the last one, sum_wide, 1 block of 1024, was "
        "removed by the filter \"thread limit\": threads of a block, 1024 needed, 1000 available");
  CHECK(message([&] {
          static_cast<void>(mmm::best(gpu::h100::facts, wide_sums, mmm::size(index{1} << 36)));
        }).find("fits the global memory") != std::string::npos);
}

TEST_CASE("equal points: the first one is the best") {
  auto const twice = wide_sums + wide_sums;
  auto const all = mmm::rank(gpu::h200::facts, twice, mmm::size(1 << 20));
  CHECK(all.at(0).time.microseconds == all.at(1).time.microseconds);
  CHECK(all.order[0] + 2 == all.order[1]);
}

TEST_CASE("a candidate that cannot run names the condition") {
  auto const unmet = [](gpu::device_facts const& facts, mmm::grid_plan plan, auto const& algorithm,
                        index n, auto const&... more) {
    auto const found =
        mmm::candidate_of("", plan, algorithm, more...).predict(facts, plan, mmm::size(n));
    CHECK(!found.possible);
    return std::string(found.unmet.quantity) + " " + std::to_string(found.unmet.needed) + " " +
           std::to_string(found.unmet.available);
  };
  auto const& old = gpu::gtx580::facts;
  CHECK(unmet(old, {1, 2048}, mmm::sum_wide, 100) == "threads of a block 2048 1024");
  CHECK(unmet(old, {1, 1024}, mmm::sum, 100) == "registers of a block 40960 32768");
  CHECK(unmet(old, {1, 256}, mmm::matrix_multiply_on_tensor_cores, 128) == "tensor cores 1 0");
  CHECK(unmet(old, {1, 1024}, mmm::matrix_multiply, 128, mmm::tile(128)) ==
        "bytes of shared memory of a block 131072 49152");
  CHECK(unmet(old, {1, 256}, mmm::matrix_multiply, 31, mmm::tile(32)) ==
        "rows or columns of the matrices 32 31");
  CHECK(unmet(old, {1, 256, true}, mmm::sum_wide, 100) == "programs for one memory 1 0");
  gpu::device_facts one_block = gpu::h200::facts;
  one_block.max_threads_per_sm = 1024;
  CHECK(unmet(one_block, {2, 1024}, mmm::prefix_sums, 1 << 20) == "resident blocks 264 132");
}
