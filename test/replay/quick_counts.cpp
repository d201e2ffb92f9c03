// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counts of mmm-replay for some processors are the library's.
#include "catch.hpp"
#include "processors.hpp"

#include <replay/quick_counts.hpp>

#include <random>

using namespace replay;

namespace {

//! Requests of random addresses that the library accepts: near each other or not, of many strides,
//! with equal ones among them.
request random_request(std::mt19937_64& random) {
  auto const below = [&](std::uint64_t n) { return static_cast<index>(random() % n); };
  request r;
  r.space = below(2) == 0 ? memory_space::shared : memory_space::global;
  r.access.bytes = 1 << below(5);
  switch (below(4)) {
    case 0:
      r.active = static_cast<std::uint32_t>(random());
      break;
    case 1:
      r.active = mmm::gpu::all_lanes(static_cast<int>(below(33)));
      break;
    default:
      r.active = mmm::gpu::all_lanes(32);
  }
  index const kind = below(5);
  index const base = static_cast<index>(random() >> (1 + below(60)));
  index const stride = (below(2) == 0 ? index{1} << below(16) : below(300)) - below(3);
  std::uint64_t const range = std::uint64_t{1} << (1 + below(30));
  for (std::size_t lane = 0; lane < r.address.size(); ++lane) {
    auto const t = static_cast<index>(lane);
    index const near = base / 2 / 64;
    index address = 4 * below(range);
    if (kind == 0) address = near + stride * t * r.access.bytes;
    if (kind == 1) address = near + below(range);
    if (kind == 2) address = (base >> below(2)) ^ (below(2) << below(40));
    if (kind == 3) address = near + 128 * below(4) + 4 * below(range % 97 + 1);
    if (address < 0) address = ~address;
    r.address[lane] = address / r.access.bytes * r.access.bytes;
  }
  return r;
}

//! True where the request is counted quickly; the count must be the library's then.
template <class Cost>
bool counted(request const& r, Cost const& expected) {
  Cost cost;
  if (!count_quickly(r, cost)) return false;
  CAPTURE(r.access.bytes, r.active, r.address);
  CHECK(cost == expected);
  return true;
}

}  // namespace

TEST_CASE("requests are counted by AVX-512 as the library counts them") {
  SKIP_BEFORE(quick_counts_from);
  std::mt19937_64 random(3);
  int shared = 0;
  int global = 0;
  for (int k = 0; k < 20000; ++k) {
    request const r = random_request(random);
    if (r.space == memory_space::shared)
      shared += counted(r, mmm::gpu::shared_request_cost(r.access, r.address, r.active)) ? 1 : 0;
    else
      global += counted(r, mmm::gpu::global_request_cost(r.access, r.address, r.active)) ? 1 : 0;
  }
  CHECK(shared > 4000);
  CHECK(global > 8000);
}

TEST_CASE("requests that need a closer look are not counted by AVX-512") {
  SKIP_BEFORE(quick_counts_from);
  request r;
  mmm::gpu::shared_cost in_banks;
  mmm::gpu::global_cost in_sectors;
  auto const is_counted = [&] {
    return count_quickly(r, in_sectors) || count_quickly(r, in_banks);
  };
  CHECK_FALSE(is_counted());  // no lane is active
  r.active = mmm::gpu::all_lanes(32);
  CHECK(count_quickly(r, in_banks));
  CHECK(in_banks == mmm::gpu::shared_cost{1, 1, 1});
  CHECK(count_quickly(r, in_sectors));
  CHECK(in_sectors == mmm::gpu::global_cost{1, 1, 1});
  for (index const refused : {index{-4}, index{2}, INT64_MIN, INT64_MAX}) {
    for (std::size_t const lane : {0U, 7U, 31U}) {
      r.address.fill(4);
      r.address[lane] = refused;
      CHECK_FALSE(is_counted());
      r.active = ~(mmm::gpu::lane_mask{1} << lane) & mmm::gpu::all_lanes(32);
      CHECK(count_quickly(r, in_banks));  // the lane is not looked at
      CHECK(count_quickly(r, in_sectors));
      r.active = mmm::gpu::all_lanes(32);
    }
  }
  r.address.fill(0);
  r.address[9] = index{1} << 34;
  CHECK_FALSE(count_quickly(r, in_banks));
  CHECK(count_quickly(r, in_sectors));
  r.address[9] = index{1} << 37;
  CHECK_FALSE(is_counted());
  r.address.fill(0);
  r.access = mmm::gpu::matrix_access_of(mmm::gpu::instruction::load_matrix, 1);
  CHECK_FALSE(is_counted());
  r.access = mmm::gpu::access_of(mmm::gpu::instruction::load, 8);
  CHECK_FALSE(count_quickly(r, in_banks));
  CHECK(count_quickly(r, in_sectors));
}
