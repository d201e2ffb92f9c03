// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check_events.hpp"

#include <device/check/defined_bits.hpp>

#include <random>

using namespace check_events;

namespace {

device::allocation memory_at(std::uint64_t begin, std::uint64_t bytes,
                             device::allocation_kind kind = device::allocation_kind::device) {
  device::allocation a;
  a.begin = begin;
  a.bytes = bytes;
  a.kind = kind;
  return a;
}

}  // namespace

TEST_CASE("global memory that was never written") {
  kernel k(1, 64, true, false);
  auto& check = k.written;
  check.allocated(memory_at(arena, 4096));
  SECTION("read") {
    k.by(0, 0, all_lanes, global_load, 3, words(arena));
    REQUIRE(k.findings.size() == 1);
    CHECK(k.findings.front().check == device::check_kind::uninitialized);
    CHECK(k.findings.front().line == 3);
    CHECK(k.findings.front().message ==
          "4 bytes of global memory at 0x100000 are read by thread (0, 0, 0) of block (0, 0, 0) "
          "and 31 "
          "threads more of its warp\nthey were never written since the memory was allocated");
  }
  SECTION("written by a kernel") {
    k.by(0, 0, all_lanes, global_store, 1, words(arena));
    k.by(0, 1, all_lanes, global_load, 2, words(arena));
    CHECK(k.findings.empty());
    k.by(0, 1, all_lanes, global_load, 2, words(arena + 4));
    REQUIRE(k.findings.size() == 1);
    CHECK(k.findings.front().message.find("thread (63, 0, 0)") != std::string::npos);
  }
  SECTION("written by the host") {
    check.host_wrote(arena + 8, 100);
    k.one(0, 0, 2, global_load, 1, arena + 8);
    k.one(0, 0, 2, global_load, 1, arena + 104);
    CHECK(k.findings.empty());
    k.one(0, 0, 2, of_bytes(global_load, 8), 2, arena + 104);
    REQUIRE(k.findings.size() == 1);
    CHECK(k.findings.front().message.find("bytes 4 to 7 of them were never written") !=
          std::string::npos);
    k.one(0, 0, 2, of_bytes(global_load, 1), 2, arena + 7);
    CHECK(k.findings.size() == 2);
  }
  SECTION("copied") {
    check.host_wrote(arena, 64);
    check.host_copied(arena + 1024, arena + 32, 64);
    k.one(0, 0, 0, of_bytes(global_load, 16), 1, arena + 1024 + 16);
    CHECK(k.findings.empty());
    k.one(0, 0, 0, of_bytes(global_load, 16), 1, arena + 1024 + 32);
    CHECK(k.findings.size() == 1);
  }
  SECTION("freed and allocated again") {
    check.host_wrote(arena, 4096);
    check.freed(memory_at(arena, 4096));
    check.allocated(memory_at(arena, 4096));
    k.one(0, 0, 0, global_load, 1, arena);
    CHECK(k.findings.size() == 1);
  }
  SECTION("read by an atomic operation, which also writes") {
    k.one(0, 0, 0, relaxed_add, 1, arena + 64);
    CHECK(k.findings.size() == 1);
    k.one(0, 0, 1, relaxed_add, 1, arena + 64);
    CHECK(k.findings.size() == 1);
  }
  SECTION("over launches") {
    k.by(0, 0, all_lanes, global_store, 1, words(arena));
    k.next();
    k.by(0, 0, all_lanes, global_load, 1, words(arena));
    CHECK(k.findings.empty());
  }
}

TEST_CASE("memory that the host may write counts as written") {
  kernel k(1, 64, true, false);
  auto& check = k.written;
  check.allocated(memory_at(arena, 256, device::allocation_kind::managed));
  check.allocated(memory_at(arena + 256, 256, device::allocation_kind::pinned));
  check.allocated(memory_at(arena + 512, 256, device::allocation_kind::module_variable));
  for (std::uint64_t at : {arena, arena + 256, arena + 512, std::uint64_t{4096}})
    k.one(0, 0, 0, global_load, 1, at);
  CHECK(k.findings.empty());
}

TEST_CASE("shared memory that was never written") {
  kernel k(1, 64, true, false);
  k.by(0, 0, all_lanes, shared_store, 1, words(0));
  k.by(0, 1, all_lanes, shared_load, 2, words(0));
  CHECK(k.findings.empty());
  k.by(0, 1, all_lanes, of_bytes(shared_load, 16), 3, words(64, 16));
  REQUIRE(k.findings.size() == 1);
  CHECK(k.findings.front().message ==
        "16 bytes of shared memory at offset 0x80 are read by thread (36, 0, 0) of block (0, 0, 0) "
        "and "
        "27 threads more of its warp\nthey were never written since the block began");
  k.end_block(0);
  k.one(0, 1, 0, shared_load, 4, 0);
  CHECK(k.findings.size() == 2);
  k.one(0, 1, 0, shared_load, 4, 4092);  // the last bytes
  CHECK(k.findings.size() == 3);
}

TEST_CASE("a message is about a thread that reads nothing written") {
  kernel k(1, 32, true, false);
  k.written.host_wrote(arena, 4);
  k.by(0, 0, 3, of_bytes(global_load, 8), 1, words(arena, 8));
  REQUIRE(k.findings.size() == 1);
  CHECK(k.findings.front().message.find("thread (1, 0, 0)") != std::string::npos);
  CHECK(k.findings.front().message.find("they were never written") != std::string::npos);
}

TEST_CASE("CUB and Thrust may read past the end of shared memory's data, and padding") {
  kernel k(1, 32, true, false);
  k.written.host_wrote(arena, 4);
  std::size_t const expected = GENERATE(std::size_t{0}, std::size_t{2});
  k.in_file(expected == 0 ? "/usr/local/cuda/include/cccl/cub/block/block_merge_sort.cuh"
                          : "/home/me/cub/mine.cuh");
  k.one(0, 0, 0, shared_load, 1, 0);
  k.one(0, 0, 0, of_bytes(global_load, 8), 2, arena);
  CHECK(k.findings.size() == expected);
  k.one(0, 0, 0, of_bytes(global_load, 8), 3, arena + 8);  // the program gave values to these bytes
  CHECK(k.findings.size() == expected + 1);
}

TEST_CASE("bits of bytes, against one bool for each") {
  constexpr std::uint64_t begin = 0x7000'0040;
  constexpr std::uint64_t size = 300'000;
  device::check::defined_bits bits(begin, begin + size);
  std::vector<char> expected(size, 0);
  std::mt19937_64 random(5);
  auto const below = [&](std::uint64_t n) { return random() % n; };
  for (int turn = 0; turn < 400; ++turn) {
    std::uint64_t const n = below(4) == 0 ? below(size) : below(200);
    std::uint64_t const at = below(size - n);
    switch (below(4)) {
      case 0:
        bits.set(begin + at, n);
        std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(at), n, char{1});
        break;
      case 1:
        bits.clear(begin + at, n);
        std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(at), n, char{0});
        break;
      case 2: {
        std::uint64_t const from = below(size - n);
        bits.copy(begin + at, begin + from, n);
        std::vector<char> const aside(expected.begin() + static_cast<std::ptrdiff_t>(from),
                                      expected.begin() + static_cast<std::ptrdiff_t>(from + n));
        std::copy(aside.begin(), aside.end(), expected.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      }
      default:
        std::uint64_t const few = 1 + below(64);
        std::uint64_t const here = below(size - few);
        bits.mark(begin + here, few);
        std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(here), few, char{1});
    }
  }
  bool same = true;
  for (std::uint64_t k = 0; k < size; ++k) same = same && bits.one(begin + k) == (expected[k] != 0);
  CHECK(same);
  bool same_ranges = true;
  for (int turn = 0; turn < 20'000; ++turn) {
    std::uint64_t const n = 1 + below(64);
    std::uint64_t const at = below(size - n);
    bool all = true;
    for (std::uint64_t k = 0; k < n; ++k) all = all && expected[at + k] != 0;
    same_ranges = same_ranges && bits.all(begin + at, n) == all;
  }
  CHECK(same_ranges);
}

TEST_CASE("local memory that was never written") {
  kernel k(1, 64, true, false);
  request const load{access_kind::read, device::space::local, 4};
  request const store{access_kind::write, device::space::local, 4};
  k.one(0, 1, 3, store, 1, 64);
  k.one(0, 1, 3, load, 2, 64);
  k.one(0, 1, 3, load, 2, 66);  // half of it: padding
  CHECK(k.findings.empty());
  k.one(0, 1, 4, load, 3, 64);  // each thread has its own
  REQUIRE(k.findings.size() == 1);
  CHECK(k.findings.front().line == 3);
  CHECK(k.findings.front().message.find("local memory at offset 0x40") != std::string::npos);
  k.one(0, 1, 3, load, 4, 68);
  CHECK(k.findings.size() == 2);
}

TEST_CASE("memory that was never written is copied to the host") {
  device::global_memory memory(std::uint64_t{1} << 20, 1);
  std::uint64_t const begin = memory.allocate(256, device::allocation_kind::device, 0);
  device::check::uninitialized_check check(memory.arena_begin(), memory.arena_end());
  check.allocated(*memory.find(begin));
  check.host_wrote(begin, 100);
  CHECK(!check.host_reads(memory, begin, 256));
  CHECK(!check.host_reads(memory, begin + 99, 70));
  auto const found = check.host_reads(memory, begin + 100, 70);
  REQUIRE(found);
  CHECK(found->message ==
        "70 bytes are copied to the host of which none was written since the memory was allocated\n"
        "they begin at byte 100 of an allocation of 256 bytes");
}
