// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Races within a warp and within a block: each is reported, and its synchronized twin is not.
#include "check_events.hpp"

using namespace check_events;

namespace {

constexpr lane_mask low = 0x0000ffff;
constexpr lane_mask high = 0xffff0000;

//! Lane t reads the word that lane t + 1 wrote.
void exchange(kernel& k, lane_mask lanes = all_lanes) {
  k.by(0, 0, lanes, shared_load, 2, [](std::uint32_t t) { return 4 * ((t & 16) + (t + 1) % 16); });
}

}  // namespace

TEST_CASE("lanes of a warp race without __syncwarp") {
  kernel k;
  k.by(0, 0, all_lanes, shared_store, 1, words(0));
  SECTION("nothing between") {
    exchange(k);
    REQUIRE(k.findings.size() == 1);
    device::finding const& f = k.findings.front();
    CHECK(f.check == device::check_kind::race);
    CHECK(f.kernel == "kernel()");
    CHECK(f.file == "kernel.cu");
    CHECK(f.line == 2);
    CHECK(f.message == "read after write of 4 bytes of shared memory at offset 0x4, by thread (0, "
                       "0, 0) of block (0, 0, 0)\n"
                       "write at kernel.cu:1 by thread (1, 0, 0) of block (0, 0, 0); between them "
                       "there is no __syncwarp()");
  }
  SECTION("__syncwarp()") {
    k.sync_warp(0, 0);
    exchange(k);
    CHECK(k.races() == 0);
  }
  SECTION("a shuffle orders no memory") {
    k.sync_warp(0, 0, all_lanes, false);
    exchange(k);
    CHECK(k.races() == 1);
  }
  SECTION("__syncwarp() of half a warp") {
    k.sync_warp(0, 0, low);
    exchange(k, low);
    CHECK(k.races() == 0);
    exchange(k, high);
    CHECK(k.races() == 1);
  }
  SECTION("both halves") {
    k.sync_warp(0, 0, low);
    k.sync_warp(0, 0, high);
    exchange(k);
    CHECK(k.races() == 0);
    k.one(0, 0, 0, shared_load, 3, 4 * 31);
    CHECK(k.races() == 1);
  }
  SECTION("halves, then lanes of both: order is transitive") {
    k.sync_warp(0, 0, low);
    k.sync_warp(0, 0, high);
    k.sync_warp(0, 0, 0x00010001);
    k.one(0, 0, 0, shared_load, 3, 4 * 31);
    CHECK(k.races() == 0);
    k.one(0, 0, 1, shared_load, 4, 4 * 31);
    CHECK(k.races() == 1);
  }
  SECTION("a barrier") {
    k.sync_block(0);
    exchange(k);
    CHECK(k.races() == 0);
  }
  SECTION("the same lane") {
    k.by(0, 0, all_lanes, shared_load, 2, words(0));
    CHECK(k.races() == 0);
  }
}

TEST_CASE("lanes that have ended are not waited for") {
  kernel k(1, 20);
  k.by(0, 0, 0xfffff, shared_store, 1, words(0));
  k.sync_warp(0, 0, 0xfffff);
  k.by(0, 0, 0xfffff, shared_load, 2, [](std::uint32_t t) { return 4 * ((t + 1) % 20); });
  CHECK(k.races() == 0);
}

TEST_CASE("a lane writes what others read before") {
  kernel k;
  k.by(0, 0, all_lanes, shared_load, 1, place(64));
  SECTION("nothing between") {
    std::uint32_t const lane = GENERATE(0U, 15U, 31U);
    k.one(0, 0, lane, shared_store, 2, 64);
    REQUIRE(k.races() == 1);
    CHECK(k.findings.front().message.find("write after read") != std::string::npos);
  }
  SECTION("__syncwarp()") {
    k.sync_warp(0, 0);
    k.one(0, 0, 0, shared_store, 2, 64);
    CHECK(k.races() == 0);
  }
  SECTION("reads again, by one lane") {
    k.one(0, 0, 0, shared_load, 2, 64);
    k.one(0, 0, 0, shared_store, 3, 64);
    CHECK(k.races() == 1);
  }
}

TEST_CASE("lanes write to one place in the same instruction") {
  kernel k;
  std::array<std::uint32_t, 32> values{};
  request r = shared_store;
  SECTION("the same value") {
    values.fill(7);
    r.values = reinterpret_cast<std::byte const*>(values.data());
    k.by(0, 0, all_lanes, r, 1, place(8));
    CHECK(k.races() == 0);
  }
  SECTION("different values") {
    values[5] = 1;
    r.values = reinterpret_cast<std::byte const*>(values.data());
    k.by(0, 0, all_lanes, r, 1, place(8));
    REQUIRE(k.races() == 1);
    CHECK(k.findings.front().message.find("another value in the same instruction") !=
          std::string::npos);
  }
  SECTION("different values to different places with the same hash") {
    for (std::uint32_t t = 0; t < 32; ++t) values[t] = t;
    r.values = reinterpret_cast<std::byte const*>(values.data());
    k.by(0, 0, 7, r, 1, [](std::uint32_t t) { return 1024 * t; });
    CHECK(k.races() == 0);
  }
  SECTION("unknown values") {
    k.by(0, 0, all_lanes, r, 1, place(8));
    CHECK(k.races() == 0);
    k.by(0, 0, all_lanes, r, 1, place(8));  // the next iteration of a loop
    CHECK(k.races() == 1);
  }
}

TEST_CASE("warps of a block race without a barrier") {
  kernel k(1, 128);
  for (std::uint32_t w = 0; w < 4; ++w) k.by(0, w, all_lanes, shared_store, 1, words(128 * w));
  auto const read_next = [&] {
    for (std::uint32_t w = 0; w < 4; ++w)
      k.by(0, w, all_lanes, shared_load, 2, words(128 * ((w + 1) % 4)));
  };
  SECTION("nothing between") {
    read_next();
    CHECK(k.races() == 4);
    CHECK(k.findings.front().message.find("there is no __syncthreads(), nor a fence with a flag") !=
          std::string::npos);
  }
  SECTION("__syncwarp() is not enough") {
    for (std::uint32_t w = 0; w < 4; ++w) k.sync_warp(0, w);
    read_next();
    CHECK(k.races() == 4);
  }
  SECTION("__syncthreads()") {
    k.sync_block(0);
    read_next();
    CHECK(k.races() == 0);
    for (std::uint32_t w = 0; w < 4; ++w) k.by(0, w, all_lanes, shared_store, 3, words(128 * w));
    CHECK(k.races() == 4);  // the word is written again while others may still read it
  }
  SECTION("twice") {
    k.sync_block(0);
    read_next();
    k.sync_block(0);
    for (std::uint32_t w = 0; w < 4; ++w) k.by(0, w, all_lanes, shared_store, 3, words(128 * w));
    CHECK(k.races() == 0);
  }
  SECTION("a fence alone is not enough") {
    for (std::uint32_t w = 0; w < 4; ++w) k.fence(0, w, all_lanes, scope::cta);
    read_next();
    CHECK(k.races() == 4);
  }
}

TEST_CASE("a named barrier orders the warps that take part") {
  kernel k(1, 128);
  for (std::uint32_t w = 0; w < 4; ++w) k.by(0, w, all_lanes, shared_store, 1, words(128 * w));
  k.arrive(0, 0, 1);
  k.arrive(0, 1, 1);
  k.complete(0, 1);
  k.by(0, 0, all_lanes, shared_load, 2, words(128));
  k.by(0, 1, all_lanes, shared_load, 2, words(0));
  CHECK(k.races() == 0);
  k.by(0, 0, all_lanes, shared_load, 3, words(256));
  CHECK(k.races() == 1);
  k.by(0, 2, all_lanes, shared_load, 4, words(0));
  CHECK(k.races() == 2);
  // Then a barrier of warps 1 and 2: warp 2 is ordered after warp 0 through warp 1, and warp 0 is
  // not ordered after warp 2.
  k.arrive(0, 1, 2);
  k.arrive(0, 2, 2);
  k.complete(0, 2);
  k.by(0, 2, all_lanes, shared_load, 5, words(0));
  CHECK(k.races() == 2);
  k.by(0, 0, all_lanes, shared_load, 6, words(256));
  CHECK(k.races() == 3);
}

TEST_CASE("who only arrives at a barrier gives order, and gets none") {
  kernel k(1, 64);
  k.by(0, 0, all_lanes, shared_store, 1, words(0));
  k.by(0, 1, all_lanes, shared_store, 2, words(128));
  k.arrive(0, 0, 1, false);
  k.by(0, 0, all_lanes, shared_store, 3, words(256));  // the producer continues
  k.arrive(0, 1, 1, true);
  k.complete(0, 1);
  k.by(0, 1, all_lanes, shared_load, 4, words(0));
  CHECK(k.races() == 0);
  SECTION("after it") {
    k.by(0, 1, all_lanes, shared_load, 5, words(256));
    CHECK(k.races() == 1);
  }
  SECTION("the other way") {
    k.by(0, 0, all_lanes, shared_load, 6, words(128));
    CHECK(k.races() == 1);
  }
}

TEST_CASE("lanes of a warp arrive at a barrier apart") {
  kernel k(1, 64);
  k.by(0, 0, all_lanes, shared_store, 1, words(0));
  k.by(0, 1, all_lanes, shared_store, 1, words(128));
  SECTION("all of them") {
    k.arrive(0, 0, 0, true, low);
    k.arrive(0, 1, 0, true, all_lanes);
    k.arrive(0, 0, 0, true, high);
    k.complete(0, 0);
    k.by(0, 0, all_lanes, shared_load, 2, words(128));
    k.by(0, 1, all_lanes, shared_load, 2, words(0));
    CHECK(k.races() == 0);
  }
  SECTION("half a warp and another one") {
    k.arrive(0, 0, 1, true, low);
    k.arrive(0, 1, 1, true, all_lanes);
    k.complete(0, 1);
    k.by(0, 0, low, shared_load, 2, words(128));
    k.by(0, 1, low, shared_load, 2, words(0));
    CHECK(k.races() == 0);
    k.by(0, 0, high, shared_load, 3, words(128));
    CHECK(k.races() == 1);
    k.by(0, 1, high, shared_load, 4, words(0));
    CHECK(k.races() == 2);
  }
}

TEST_CASE("atomic operations race with plain accesses only") {
  kernel k(1, 64);
  k.by(0, 0, all_lanes, shared_add, 1, place(0));
  k.by(0, 1, all_lanes, shared_add, 1, place(0));
  CHECK(k.races() == 0);
  SECTION("a plain read") {
    k.one(0, 1, 31, shared_load, 2, 0);
    REQUIRE(k.races() == 0);  // this thread's own addition was the last
    k.one(0, 0, 3, shared_load, 2, 0);
    REQUIRE(k.races() == 1);
    CHECK(k.findings.front().message.find("read after atomic") != std::string::npos);
  }
  SECTION("a plain write") {
    k.one(0, 0, 3, shared_store, 2, 0);
    CHECK(k.races() == 1);
  }
  SECTION("after a barrier") {
    k.sync_block(0);
    k.one(0, 0, 3, shared_load, 2, 0);
    CHECK(k.races() == 0);
    k.by(0, 1, all_lanes, shared_add, 3, place(0));
    CHECK(k.races() == 1);
    CHECK(k.findings.front().message.find("atomic after read") != std::string::npos);
  }
  SECTION("initialized without a barrier") {
    k.one(0, 0, 0, shared_store, 2, 400);
    k.one(0, 1, 0, shared_add, 3, 400);
    CHECK(k.races() == 1);
    CHECK(k.findings.front().message.find("atomic after write") != std::string::npos);
  }
}

TEST_CASE("bytes of a word belong to different threads") {
  kernel k(1, 64);
  SECTION("bytes") {
    k.by(0, 0, all_lanes, of_bytes(shared_store, 1), 1, words(0, 1));
    k.by(0, 1, all_lanes, of_bytes(shared_store, 1), 1, words(32, 1));
    k.by(0, 0, all_lanes, of_bytes(shared_load, 1), 2, words(0, 1));
    CHECK(k.races() == 0);
    k.by(0, 0, all_lanes, of_bytes(shared_load, 1), 2, words(1, 1));
    CHECK(k.races() == 1);
  }
  SECTION("half words of lanes, then a word") {
    k.by(0, 0, all_lanes, of_bytes(shared_store, 2), 1, words(0, 2));
    CHECK(k.races() == 0);
    k.one(0, 0, 0, shared_load, 2, 0);
    CHECK(k.races() == 1);
  }
  SECTION("words, then a byte of one") {
    k.by(0, 0, all_lanes, shared_store, 1, words(0));
    k.one(0, 0, 2, of_bytes(shared_load, 1), 2, 4 * 2 + 3);
    CHECK(k.races() == 0);
    k.one(0, 0, 2, of_bytes(shared_load, 1), 2, 4 * 3);
    CHECK(k.races() == 1);
  }
}

TEST_CASE("accesses of different widths overlap") {
  kernel k(1, 64);
  SECTION("8 bytes written, 4 read") {
    k.one(0, 0, 0, of_bytes(shared_store, 8), 1, 64);
    k.one(0, 1, 0, shared_load, 2, 60);
    k.one(0, 1, 0, shared_load, 2, 72);
    CHECK(k.races() == 0);
    k.one(0, 1, 0, shared_load, 2, 68);
    CHECK(k.races() == 1);
  }
  SECTION("4 bytes written, 16 read") {
    k.one(0, 0, 0, shared_store, 1, 76);
    k.one(0, 1, 0, of_bytes(shared_load, 16), 2, 80);
    CHECK(k.races() == 0);
    k.one(0, 1, 0, of_bytes(shared_load, 16), 2, 64);
    CHECK(k.races() == 1);
  }
}

TEST_CASE("a block's shared memory begins anew") {
  kernel k(2, 32);
  k.by(0, 0, all_lanes, shared_store, 1, words(0));
  k.by(1, 0, all_lanes, shared_load, 2, words(4));
  CHECK(k.races() == 0);
  k.end_block(0);
  k.end_block(1);
  for (std::uint64_t b = 0; b < 2; ++b) k.by(b, 0, all_lanes, shared_load, 2, words(4));
  CHECK(k.races() == 0);
}

TEST_CASE("pages with accesses of bytes become pages of words in the next block") {
  kernel k(2, 64);
  k.by(0, 0, all_lanes, of_bytes(shared_store, 1), 1, words(0, 1));
  k.by(0, 0, all_lanes, shared_add, 1, words(512));
  k.end_block(0);
  k.by(1, 0, all_lanes, shared_store, 2, words(0));
  k.by(1, 0, all_lanes, of_bytes(shared_store, 2), 3, words(256, 2));
  k.by(1, 0, all_lanes, shared_store, 4, words(512));
  CHECK(k.races() == 0);
  k.one(1, 1, 0, of_bytes(shared_load, 1), 5, 3);
  k.one(1, 1, 0, of_bytes(shared_load, 1), 5, 256 + 63);
  CHECK(k.races() == 2);
  k.next();
  k.by(0, 0, all_lanes, of_bytes(global_store, 1), 1, words(arena, 1));
  k.next();
  k.by(0, 0, all_lanes, global_load, 1, words(arena));
  CHECK(k.races() == 2);
  k.one(0, 1, 0, global_store, 2, arena + 4);
  CHECK(k.races() == 3);
}
