// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catch.hpp"
#include "count_made.hpp"

#include <algorithm>
#include <random>

using namespace device;
using namespace device::count;
using checks::counted;
using checks::made_kernel;

namespace {

constexpr auto row = [](unsigned t) { return std::uint64_t{4} * t; };
constexpr auto column = [](unsigned t) { return std::uint64_t{128} * t; };

}  // namespace

TEST_CASE("requests are counted by operation, memory and kind") {
  made_kernel k;
  std::uint32_t const load = k.operation(instruction_kind::load);
  std::uint32_t const copy = k.operation(instruction_kind::load);
  std::uint32_t const idle = k.operation(instruction_kind::integer);
  counter c(bank_policy::nvidia);
  for (int n = 0; n < 3; ++n) k.access(c, load, space::shared, access_kind::read, 4, row);
  k.access(c, load, space::shared, access_kind::read, 4, column);
  k.access(c, copy, space::global, access_kind::read, 16, [](unsigned t) { return 1024 + 16 * t; });
  k.access(c, copy, space::shared, access_kind::write, 16, [](unsigned t) { return 16 * t; });
  k.access(c, idle, space::param, access_kind::read, 4, row);      // parameters are not counted
  k.access(c, idle, space::global, access_kind::read, 4, row, 0);  // no active lane
  auto const all = counted(c);
  REQUIRE(all.size() == 3);
  CHECK((all[0].operation == load && all[0].where == space::shared &&
         all[0].kind == access_kind::read));
  CHECK(all[0].sum == request_figures{4, 35, 4, 0, 0});
  CHECK((all[1].operation == copy && all[1].where == space::global));
  CHECK(all[1].sum == request_figures{1, 16, 16, 4, 0});
  CHECK((all[2].operation == copy && all[2].where == space::shared &&
         all[2].kind == access_kind::write));
  CHECK(all[2].sum == request_figures{1, 4, 4, 0, 0});
  CHECK(counted(c).empty());  // its contents have been moved
}

TEST_CASE("the worst request is kept, the first of equals") {
  made_kernel k;
  std::uint32_t const op = k.operation(instruction_kind::load);
  counter c(bank_policy::nvidia);
  k.set_warp(7, 3);
  k.access(c, op, space::shared, access_kind::read, 4, row);
  k.set_warp(5, 2);
  k.access(c, op, space::shared, access_kind::read, 4, column, 0xffff);
  k.set_warp(9, 0);
  k.access(c, op, space::shared, access_kind::read, 4, column);
  k.set_warp(6, 4);
  k.access(c, op, space::shared, access_kind::read, 4, column);
  k.set_warp(6, 1);
  k.access(c, op, space::shared, access_kind::read, 4, column);
  k.set_warp(8, 0);
  k.access(c, op, space::shared, access_kind::read, 4, column);
  costed_request const worst = counted(c).at(0).worst;
  CHECK(worst.block == 6);
  CHECK(worst.warp == 1);
  CHECK(worst.block_index.x == 6);
  CHECK(worst.active == all_lanes);
  CHECK(worst.bytes == 4);
  CHECK(worst.address[3] == 3 * 128);
  CHECK(worst.cost.transfers == 32);
}

TEST_CASE("workers are merged, whatever each has seen") {
  made_kernel k;
  std::uint32_t const first = k.operation(instruction_kind::load);
  std::uint32_t const second = k.operation(instruction_kind::store);
  std::uint32_t const barrier = k.operation(instruction_kind::barrier);
  counter a(bank_policy::nvidia);
  counter b(bank_policy::nvidia);
  k.set_warp(4, 0);
  k.access(a, second, space::global, access_kind::write, 4, row);
  k.access(a, first, space::global, access_kind::read, 4, column);
  k.arrive(a, barrier);
  k.set_warp(2, 0);
  k.access(b, first, space::global, access_kind::read, 4, column);
  k.arrive(b, barrier);
  k.arrive(b, barrier);
  std::vector<program_accesses> sum;
  a.move_into(sum);
  b.move_into(sum);
  REQUIRE(sum.size() == 1);
  CHECK(sum[0].code == &k.code());
  REQUIRE(sum[0].accesses.size() == 2);
  CHECK(sum[0].accesses[0].operation == first);
  CHECK(sum[0].accesses[0].sum == request_figures{2, 64, 8, 64, 0});
  CHECK(sum[0].accesses[0].worst.block == 2);
  CHECK(sum[0].accesses[1].sum == request_figures{1, 4, 4, 1, 0});
  CHECK(sum[0].barriers.at(barrier) == 3);
}

TEST_CASE("several programs are counted apart") {
  made_kernel one;
  made_kernel two;
  counter c(bank_policy::nvidia);
  std::uint32_t const a = one.operation(instruction_kind::load);
  std::uint32_t const b = two.operation(instruction_kind::load);
  for (int n = 0; n < 2; ++n) {
    one.access(c, a, space::shared, access_kind::read, 4, row);
    two.access(c, b, space::shared, access_kind::read, 4, column);
  }
  std::vector<program_accesses> sum;
  c.move_into(sum);
  REQUIRE(sum.size() == 2);
  CHECK(sum[0].accesses.at(0).sum.transfers + sum[1].accesses.at(0).sum.transfers == 2 + 64);
}

TEST_CASE("a request like the one before costs what it would cost anyway") {
  // Requests are repeated, with addresses moved by multiples of 128 bytes, of a word and of the
  // width, and with other masks and widths.
  std::mt19937_64 r(21);
  made_kernel k;
  std::uint32_t const op = k.operation(instruction_kind::load);
  counter c(bank_policy::nvidia);
  std::array<std::uint64_t, lanes> address{};
  request_figures wanted_shared;
  request_figures wanted_global;
  request_figures wanted_local;
  request_figures wanted_updates;
  int bytes = 4;
  for (int n = 0; n < 20000; ++n) {
    if (r() % 4 == 0)
      for (auto& a : address) a = r() % 1024 * 16;
    if (r() % 4 == 0) bytes = 1 << r() % 5;
    auto const wide = static_cast<std::uint64_t>(bytes);
    for (auto& a : address) a = a / wide * wide;
    std::uint64_t const steps[] = {128, 4, 1};
    std::uint64_t const moved = r() % 64 * std::max(steps[r() % 3], wide);
    lane_mask const active = r() % 3 == 0 ? static_cast<lane_mask>(r() | 1) : all_lanes;
    // consecutive, uniform, or with a stride of its own, one of 128 bytes or not
    if (std::uint64_t const strides[] = {0, 1, 2, 33, 128}; r() % 3 != 0) {
      std::uint64_t const stride = strides[r() % 5] * wide;
      for (unsigned t = 1; t < lanes; ++t) address[t] = address[0] + t * stride;
    }
    for (auto& a : address) a += moved;
    if (r() % 8 == 0) address[r() % 32] += r() % 2 == 0 ? 16 : wide;
    auto const at = [&](unsigned t) { return address[t]; };
    k.access(c, op, space::shared, access_kind::read, bytes, at, active);
    k.access(c, op, space::global, access_kind::read, bytes, at, active);
    k.access(c, op, space::local, access_kind::read, bytes, at, active);
    k.access(c, op, space::shared, access_kind::update, bytes, at, active);
    wanted_updates +=
        shared_request(bank_policy::nvidia, access_kind::update, bytes, 0, address.data(), active);
    wanted_shared +=
        shared_request(bank_policy::nvidia, access_kind::read, bytes, 0, address.data(), active);
    wanted_global += global_request(access_kind::read, bytes, address.data(), active);
    wanted_local += local_request(bytes, address.data(), active);
  }
  auto const all = counted(c);
  REQUIRE(all.size() == 4);
  CHECK(all[0].sum == wanted_global);
  CHECK(all[1].sum == wanted_shared);
  CHECK(all[2].sum == wanted_updates);
  CHECK(all[3].sum == wanted_local);
}

TEST_CASE("matrices are known by their operation, pieces of bulk copies count") {
  made_kernel k;
  std::uint32_t const matrix = k.operation(instruction_kind::load);
  k.at(matrix).flags = 128;
  k.at(matrix).list_size = 2;
  std::uint32_t const bulk = k.operation(instruction_kind::load);
  counter c(bank_policy::nvidia);
  k.access(
      c, matrix, space::shared, access_kind::read, 16, [](unsigned t) { return 256 * t; }, 0xffff);
  k.access(
      c, bulk, space::global, access_kind::read, 16, [](unsigned t) { return 16 + 16 * t; },
      device::all_lanes, 0);
  k.access(
      c, bulk, space::shared, access_kind::update, 8, [](unsigned) { return 64; }, 1, 0, false);
  auto const all = counted(c);
  REQUIRE(all.size() == 2);
  CHECK(all[0].sum == request_figures{1, 16, 2, 0, 0});
  CHECK(all[0].worst.matrices == 2);
  CHECK(all[1].sum.requests == 1);
  CHECK(all[1].sum.transfers == 17);  // 512 bytes from the middle of a sector on
}
