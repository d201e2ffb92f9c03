// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Races between blocks, and the operations that order blocks: fences with flags, releases and
// acquires, barriers of the grid.
#include "check_events.hpp"

using namespace check_events;

namespace {

constexpr std::uint64_t data = arena;
constexpr std::uint64_t flag = arena + 4096;
constexpr request store_release = ordered(volatile_store, strength::release, scope::gpu);
constexpr request load_acquire = ordered(volatile_load, strength::acquire, scope::gpu);
constexpr request store_relaxed = ordered(volatile_store, strength::relaxed, scope::gpu);
constexpr request load_relaxed = ordered(volatile_load, strength::relaxed, scope::gpu);

}  // namespace

TEST_CASE("blocks race in one launch, not over launches") {
  kernel k(2, 32);
  k.by(0, 0, all_lanes, global_store, 1, words(data));
  SECTION("one launch") {
    k.by(1, 0, all_lanes, global_load, 2, words(data));
    REQUIRE(k.races() == 1);
    CHECK(k.findings.front().message.find("fence with a flag that orders the blocks") !=
          std::string::npos);
  }
  SECTION("two launches") {
    k.next();
    k.by(1, 0, all_lanes, global_load, 2, words(data));
    k.by(0, 0, all_lanes, global_store, 3, words(data + 4096));
    CHECK(k.races() == 0);
  }
  SECTION("a block that has ended") {
    k.end_block(0);
    k.by(1, 0, all_lanes, global_store, 2, words(data));
    CHECK(k.races() == 1);
  }
  SECTION("outside of the device's memory") {
    k.by(0, 0, all_lanes, global_store, 1, words(256));
    k.by(1, 0, all_lanes, global_load, 2, words(256));
    CHECK(k.races() == 1);
  }
}

TEST_CASE("a fence, then a flag") {
  kernel k(2, 32);
  bool const first_fence = GENERATE(true, false);
  bool const second_fence = GENERATE(true, false);
  scope const reach = GENERATE(scope::gpu, scope::system, scope::cta);
  request const set = GENERATE(volatile_store, store_relaxed, relaxed_add);
  k.one(0, 0, 0, global_store, 1, data);
  if (first_fence) k.fence(0, 0, 1, reach);
  k.one(0, 0, 0, set, 2, flag);
  k.one(1, 0, 0, volatile_load, 3, flag);
  if (second_fence) k.fence(1, 0, 1, reach);
  k.one(1, 0, 0, global_load, 4, data);
  bool const good = first_fence && second_fence && reach != scope::cta;
  CHECK(k.races() == (good ? 0 : 1));
}

TEST_CASE("a fence after the flag is too late") {
  kernel k(2, 32);
  k.one(0, 0, 0, global_store, 1, data);
  k.one(0, 0, 0, volatile_store, 2, flag);
  k.fence(0, 0, 1);
  k.one(1, 0, 0, volatile_load, 3, flag);
  k.fence(1, 0, 1);
  k.one(1, 0, 0, global_load, 4, data);
  CHECK(k.races() == 1);
}

TEST_CASE("a plain flag is a race itself") {
  kernel k(2, 32);
  k.one(0, 0, 0, global_store, 2, flag);
  k.one(1, 0, 0, volatile_load, 3, flag);
  CHECK(k.races() == 1);
}

TEST_CASE("within a block, narrow fences do") {
  kernel k(1, 64);
  k.one(0, 0, 0, global_store, 1, data);
  k.fence(0, 0, 1, scope::cta);
  k.one(0, 0, 0, volatile_store, 2, flag);
  k.one(0, 1, 0, volatile_load, 3, flag);
  k.fence(0, 1, 1, scope::cta);
  k.one(0, 1, 0, global_load, 4, data);
  CHECK(k.races() == 0);
  k.one(0, 1, 1, global_load, 5, data);  // in another lane
  CHECK(k.races() == 1);
}

TEST_CASE("release and acquire") {
  kernel k(2, 64);
  k.by(0, 0, all_lanes, global_store, 1, words(data));
  SECTION("of one lane lets others know that lane's accesses only") {
    k.one(0, 0, 0, store_release, 2, flag);
    k.one(1, 0, 0, load_acquire, 3, flag);
    k.one(1, 0, 0, global_load, 4, data);
    CHECK(k.races() == 0);
    k.one(1, 0, 0, global_load, 4, data + 4);
    CHECK(k.races() == 1);
  }
  SECTION("after __syncwarp(), those of all lanes") {
    k.sync_warp(0, 0);
    k.one(0, 0, 0, store_release, 2, flag);
    k.one(1, 0, 0, load_acquire, 3, flag);
    k.one(1, 0, 0, global_load, 4, data + 4);
    CHECK(k.races() == 0);
    k.one(1, 0, 1, global_load, 4, data + 4);
    CHECK(k.races() == 1);
  }
  SECTION("then __syncthreads(): all threads know") {
    k.sync_block(0);
    k.one(0, 1, 5, store_release, 2, flag);
    k.one(1, 0, 7, load_acquire, 3, flag);
    k.sync_block(1);
    k.by(1, 1, all_lanes, global_load, 4, words(data));
    CHECK(k.races() == 0);
  }
  SECTION("the acquire is missing") {
    k.one(0, 0, 0, store_release, 2, flag);
    k.one(1, 0, 0, load_relaxed, 3, flag);
    k.one(1, 0, 0, global_load, 4, data);
    CHECK(k.races() == 1);
  }
  SECTION("the release is missing") {
    k.one(0, 0, 0, store_relaxed, 2, flag);
    k.one(1, 0, 0, load_acquire, 3, flag);
    k.one(1, 0, 0, global_load, 4, data);
    CHECK(k.races() == 1);
  }
  SECTION("a scope that does not reach") {
    k.one(0, 0, 0, ordered(volatile_store, strength::release, scope::cta), 2, flag);
    k.one(1, 0, 0, load_acquire, 3, flag);
    CHECK(k.races() == 1);  // on the flag
    k.one(1, 0, 0, global_load, 4, data);
    CHECK(k.races() == 2);
  }
  SECTION("another location") {
    k.one(0, 0, 0, store_release, 2, flag);
    k.one(1, 0, 0, load_acquire, 3, flag + 4);
    k.one(1, 0, 0, global_load, 4, data);
    CHECK(k.races() == 1);
  }
  SECTION("overwritten by who knows nothing") {
    k.one(0, 0, 0, store_release, 2, flag);
    k.one(1, 1, 0, store_relaxed, 3, flag);
    k.one(1, 0, 0, load_acquire, 4, flag);
    k.one(1, 0, 0, global_load, 5, data);
    CHECK(k.races() == 1);
  }
  SECTION("changed by an atomic operation of who knows nothing") {
    k.one(0, 0, 0, store_release, 2, flag);
    k.one(1, 1, 0, relaxed_add, 3, flag);
    k.one(1, 0, 0, load_acquire, 4, flag);
    k.one(1, 0, 0, global_load, 5, data);
    CHECK(k.races() == 0);
  }
  SECTION("a compare-and-swap that fails writes nothing") {
    request cas = ordered(relaxed_add, strength::acquire_release, scope::gpu);
    cas.changes = false;
    k.one(0, 0, 0, cas, compare_and_swap, flag);
    k.one(1, 0, 0, load_acquire, 3, flag);
    k.one(1, 0, 0, global_load, 4, data);
    CHECK(k.races() == 1);
  }
  SECTION("an addition of nothing writes") {
    request add = ordered(relaxed_add, strength::acquire_release, scope::gpu);
    add.changes = false;
    k.one(0, 0, 0, add, 2, flag);
    k.one(1, 0, 0, add, 3, flag);
    k.one(1, 0, 0, global_load, 4, data);
    CHECK(k.races() == 0);
  }
  SECTION("a reduction tells nothing to who executes it") {
    k.one(0, 0, 0, store_release, 2, flag);
    k.one(1, 0, 0, ordered(relaxed_add, strength::acquire_release, scope::gpu), without_result,
          flag);
    k.one(1, 0, 0, global_load, 4, data);
    CHECK(k.races() == 1);
  }
}

TEST_CASE("warps meet at a word of shared memory, of which lane 0 tells the others") {
  kernel k(1, 64);
  strength const order =
      GENERATE(strength::acquire_release, strength::release, strength::acquire, strength::relaxed);
  scope const reach = GENERATE(scope::cta, scope::gpu);
  bool const fences = GENERATE(false, true);
  bool const synchronizes = GENERATE(false, true);
  std::uint64_t const word = 1024;
  request const meet = ordered(shared_add, order, reach);
  for (std::uint32_t w = 0; w < 2; ++w) {
    k.by(0, w, all_lanes, shared_store, 1, words(128 * w));
    k.sync_warp(0, w);
    if (fences) k.fence(0, w, 1, reach);
    k.one(0, w, 0, meet, 2, word);
    if (fences) k.fence(0, w, 1, reach);
  }
  k.sync_warp(0, 1, all_lanes, synchronizes);  // without memory: a shuffle
  bool const good = fences || order == strength::acquire_release;
  k.one(0, 1, 0, shared_load, 3, 4);
  CHECK(k.races() == (good ? 0 : 1));
  k.findings.clear();
  k.one(0, 1, 1, shared_load, 4, 8);
  REQUIRE(k.races() == (good && synchronizes ? 0 : 1));
  if (k.races() == 0) return;
  std::string const& says = k.findings.front().message;
  bool const names_lane =
      says.find("no __syncwarp() after lane 0 of warp 1 has synchronized") != std::string::npos;
  CHECK(names_lane == good);
  CHECK((says.find("__syncthreads()") == std::string::npos) == good);
}

TEST_CASE("a plain store gives no order, whatever fences are around it") {
  kernel k(1, 64);
  k.one(0, 0, 0, shared_store, 1, 0);
  k.fence(0, 0, 1, scope::cta);
  k.one(0, 0, 0, shared_store, 2, 1024);
  k.one(0, 1, 0, ordered(shared_load, strength::is_volatile, scope::none), 3, 1024);
  k.fence(0, 1, 1, scope::cta);
  CHECK(k.races() == 1);  // on the flag
  k.one(0, 1, 0, shared_load, 4, 0);
  CHECK(k.races() == 2);
}

TEST_CASE("lanes learn by a shuffle of a flag of another block that one of them has acquired") {
  kernel k(2, 32);
  k.one(0, 0, 0, global_store, 1, data);
  k.one(0, 0, 0, store_release, 2, flag);
  k.one(1, 0, 3, load_acquire, 3, flag);
  SECTION("a shuffle") {
    k.sync_warp(1, 0, all_lanes, false);
    k.one(1, 0, 4, global_load, 4, data);
    REQUIRE(k.races() == 1);
    CHECK(k.findings.front().message.find("__syncwarp() after lane 3 of warp 0") !=
          std::string::npos);
  }
  SECTION("__syncwarp()") {
    k.sync_warp(1, 0);
    k.one(1, 0, 4, global_load, 4, data);
    CHECK(k.races() == 0);
  }
}

TEST_CASE("a warp fences together, one lane sets the flag") {
  kernel k(2, 64);
  k.by(0, 0, all_lanes, global_store, 1, words(data));
  k.fence(0, 0, all_lanes);
  SECTION("__syncthreads() between") {
    k.by(0, 1, all_lanes, global_store, 1, words(data + 128));
    k.fence(0, 1, all_lanes);
    k.sync_block(0);
    k.one(0, 1, 3, volatile_store, 2, flag);
    k.one(1, 0, 0, volatile_load, 3, flag);
    k.fence(1, 0, 1);
    k.one(1, 0, 0, global_load, 4, data + 4);
    k.one(1, 0, 0, global_load, 4, data + 132);
    CHECK(k.races() == 0);
  }
  SECTION("no __syncwarp() between") {
    k.one(0, 0, 0, volatile_store, 2, flag);
    k.one(1, 0, 0, volatile_load, 3, flag);
    k.fence(1, 0, 1);
    k.one(1, 0, 0, global_load, 4, data);
    CHECK(k.races() == 0);
    k.one(1, 0, 0, global_load, 4, data + 4);
    CHECK(k.races() == 1);
  }
}

TEST_CASE("a barrier of the grid") {
  kernel k(8, 64);
  for (int turn = 0; turn < 3; ++turn) {
    for (std::uint64_t b = 0; b < 8; ++b)
      for (std::uint32_t w = 0; w < 2; ++w)
        k.by(b, w, all_lanes, global_store, 1, words(data + 256 * b + 128 * w));
    k.sync_grid(flag);
    for (std::uint64_t b = 0; b < 8; ++b)
      for (std::uint32_t w = 0; w < 2; ++w)
        k.by(b, w, all_lanes, global_load, 2, words(data + 256 * ((b + 3) % 8) + 128 * (1 - w)));
    k.sync_grid(flag);
  }
  CHECK(k.races() == 0);
  k.by(3, 0, all_lanes, global_store, 3, words(data));
  CHECK(k.races() == 0);
  k.by(4, 0, all_lanes, global_load, 4, words(data));
  CHECK(k.races() == 1);
}

TEST_CASE("look-back over blocks is transitive") {
  kernel k(5, 32);
  bool const fences = GENERATE(true, false);
  // Each block adds to its predecessor's sum, in two words guarded by a flag.
  for (std::uint64_t b = 0; b < 5; ++b) {
    k.by(b, 0, all_lanes, global_store, 1, words(data + 128 * b));
    if (b != 0) {
      k.one(b, 0, 0, load_relaxed, 2, flag + 4 * (b - 1));
      if (fences) k.fence(b, 0, 1);
      k.one(b, 0, 0, of_bytes(global_load, 16), 3, data + 8192 + 16 * (b - 1));
    }
    k.sync_warp(b, 0);
    k.one(b, 0, 0, of_bytes(global_store, 16), 4, data + 8192 + 16 * b);
    if (fences) k.fence(b, 0, 1);
    k.one(b, 0, 0, store_relaxed, 5, flag + 4 * b);
  }
  CHECK(k.races() == (fences ? 0 : 4));
  // The last block is ordered after everything that the other blocks have done.
  std::uint64_t const before = k.races();
  k.one(4, 0, 0, global_load, 6, data + 4 * 9);
  CHECK(k.races() == before + (fences ? 0 : 1));
  // The first block is not ordered with the others.
  k.one(0, 0, 0, global_load, 7, data + 128 * 3);
  CHECK(k.races() == before + (fences ? 1 : 2));
}

TEST_CASE("look-back by packed words needs no fence") {
  kernel k(5, 32);
  for (std::uint64_t b = 0; b < 5; ++b) {
    k.one(b, 0, 0, of_bytes(store_relaxed, 8), 1, flag + 8 * b);
    if (b == 0) continue;
    k.by(b, 0, all_lanes, of_bytes(load_relaxed, 8), 2,
         [&](std::uint32_t t) { return flag + 8 * (t % b); });
    k.one(b, 0, 0, of_bytes(store_relaxed, 8), 3, flag + 8 * b);
  }
  CHECK(k.races() == 0);
}

TEST_CASE("look-back over blocks that write over their input") {
  kernel k(2, 32);
  k.by(0, 0, all_lanes, global_load, 1, words(data));
  k.sync_block(0);
  SECTION("a word tells that the block has read") {
    k.one(0, 0, 0, of_bytes(store_relaxed, 8), 2, flag);
    k.one(1, 0, 0, of_bytes(load_relaxed, 8), 3, flag);
    k.by(1, 0, all_lanes, global_store, 4, words(data));
    CHECK(k.races() == 0);
  }
  SECTION("it was told before") {
    k.one(0, 0, 0, of_bytes(store_relaxed, 8), 2, flag);
    k.one(1, 0, 0, of_bytes(load_relaxed, 8), 3, flag);
    k.by(0, 0, all_lanes, global_load, 5, words(data));
    k.by(1, 0, all_lanes, global_store, 4, words(data));
    CHECK(k.races() == 1);
  }
  SECTION("nobody looks") {
    k.one(0, 0, 0, of_bytes(store_relaxed, 8), 2, flag);
    k.by(1, 0, all_lanes, global_store, 4, words(data));
    CHECK(k.races() == 1);
  }
  SECTION("a word without a fence tells nothing of stores") {
    k.by(0, 0, all_lanes, global_store, 5, words(data));
    k.one(0, 0, 0, of_bytes(store_relaxed, 8), 2, flag);
    k.one(1, 0, 0, of_bytes(load_relaxed, 8), 3, flag);
    k.by(1, 0, all_lanes, global_store, 4, words(data));
    CHECK(k.races() == 1);
  }
}

TEST_CASE("the last block to come reads what all have written") {
  kernel k(4, 32);
  bool const second_fence = GENERATE(true, false);
  for (std::uint64_t b = 0; b < 4; ++b) {
    k.one(b, 0, 0, global_store, 1, data + 4 * b);
    k.fence(b, 0, 1);
    k.one(b, 0, 0, relaxed_add, 2, flag);
    if (b == 3 && second_fence) k.fence(b, 0, 1);
    k.sync_block(b);
  }
  k.by(3, 0, 0xf, global_load, 3, words(data));
  k.one(3, 0, 0, global_store, 4, flag);  // reset for the next launch
  CHECK(k.races() == (second_fence ? 0 : 1));
}

TEST_CASE("more blocks than a clock has entries") {
  std::uint64_t const blocks = 3000;
  kernel k(blocks, 32);
  // A barrier of the grid: no race is reported after it.
  for (std::uint64_t b = 0; b < blocks; ++b) {
    k.by(b, 0, all_lanes, global_store, 1, words(data + 0x10000 + 128 * b));
    k.sync_block(b);
    k.fence(b, 0, 1);
    k.one(b, 0, 0, relaxed_add, 2, flag);
  }
  k.one(7, 0, 0, load_acquire, 3, flag);
  k.sync_block(7);
  for (std::uint64_t b = 0; b < blocks; b += 100)
    k.by(7, 0, all_lanes, global_load, 4, words(data + 0x10000 + 128 * b));
  CHECK(k.races() == 0);
  k.by(8, 0, all_lanes, global_load, 5, words(data + 0x10000));
  CHECK(k.races() == 1);
}

TEST_CASE("a counter to which very many add") {
  kernel k(4, 32);
  for (int turn = 0; turn < 400; ++turn)
    for (std::uint64_t b = 0; b < 4; ++b) {
      k.one(b, 0, 0, global_store, 1, data + 4 * b);
      k.fence(b, 0, 1);
      k.one(b, 0, 0, relaxed_add, 2, flag);
    }
  k.one(2, 0, 0, load_acquire, 3, flag);
  k.by(2, 0, 1, global_load, 4, words(data));
  k.one(2, 0, 0, global_load, 4, data + 12);
  CHECK(k.races() == 0);
  k.one(1, 0, 0, global_store, 5, data + 4);
  k.one(2, 0, 0, global_load, 6, data + 4);
  CHECK(k.races() == 1);
}

TEST_CASE("a write waits for readers of several blocks") {
  kernel k(3, 32);
  for (std::uint64_t b = 0; b < 3; ++b) k.by(b, 0, all_lanes, global_load, 1, place(data));
  k.one(2, 0, 0, global_store, 2, data);
  CHECK(k.races() == 1);
}

TEST_CASE("a flag may be read and reset plainly by who has seen it set") {
  for (bool const after_a_fence : {false, true}) {
    CAPTURE(after_a_fence);
    kernel k(2, 64);
    if (after_a_fence) {
      k.fence(0, 0, 1);
      k.one(0, 0, 0, volatile_store, 1, flag);
    } else {
      k.one(0, 0, 0, store_release, 1, flag);
    }
    k.one(1, 0, 0, load_acquire, 2, flag);
    k.one(1, 0, 0, global_load, 3, flag);
    k.sync_block(1);
    k.one(1, 1, 0, global_store, 4, flag);
    CHECK(k.races() == 0);
  }
}

TEST_CASE("a relaxed arrival at the cluster's barrier passes on what was fenced") {
  for (bool const fences : {false, true})
    for (bool const releases : {false, true}) {
      CAPTURE(fences, releases);
      kernel k(1, 64);
      k.one(0, 0, 0, shared_store, 1, 16);
      if (fences) k.fence(0, 0, 1);
      for (std::uint32_t w = 0; w < 2; ++w)
        k.checker.cluster_arrive(k.block(0).warps[w], all_lanes, releases);
      for (std::uint32_t w = 0; w < 2; ++w) k.checker.cluster_wait(k.block(0).warps[w], all_lanes);
      k.one(0, 1, 0, shared_load, 2, 16);
      CHECK(k.races() == (fences || releases ? 0 : 1));
    }
}
