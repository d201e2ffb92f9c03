// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catch.hpp"

#include <device/memory/memory.hpp>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <thread>
#include <vector>

using namespace device;

namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

//! The resident memory of this process, in bytes.
std::uint64_t resident_bytes() {
  std::ifstream f("/proc/self/statm");
  std::uint64_t all = 0;
  std::uint64_t resident = 0;
  f >> all >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

TEST_CASE("an allocation holds its bytes and no others", "[memory]") {
  global_memory m(256 * mebibyte, 1);
  for (std::uint64_t const bytes :
       {1ULL, 255ULL, 256ULL, 257ULL, 100'000ULL, 1048576ULL, 3'000'001ULL, 50'000'000ULL}) {
    INFO(bytes << " bytes");
    std::uint64_t const a = m.allocate(bytes, allocation_kind::device, 0);
    REQUIRE(a % 256 == 0);
    REQUIRE(m.holds(a, 1));
    REQUIRE(m.holds(a, bytes));
    REQUIRE(m.holds(a + bytes - 1, 1));
    REQUIRE(m.holds(a + bytes / 2, bytes - bytes / 2));
    REQUIRE_FALSE(m.holds(a + bytes, 1));
    REQUIRE_FALSE(m.holds(a, bytes + 1));
    REQUIRE_FALSE(m.holds(a - 1, 1));
    REQUIRE_FALSE(m.holds(a - 1, 2));
    REQUIRE_FALSE(m.holds(a + bytes / 2, ~std::uint64_t{0}));
    known_range const r = m.range_of(a + bytes - 1);
    REQUIRE(r.begin == a);
    REQUIRE(r.end == a + bytes);
    REQUIRE(r.generation == m.generation());
    known_range const none = m.range_of(a + bytes);
    REQUIRE(none.begin > none.end);
  }
  REQUIRE_FALSE(m.holds(0, 1));
  REQUIRE_FALSE(m.holds(~std::uint64_t{0}, 1));
  REQUIRE_FALSE(m.holds(m.arena_end(), 1));
}

TEST_CASE("freed memory is known as such and is not used again soon", "[memory]") {
  global_memory m(256 * mebibyte, 1);
  std::uint64_t const a = m.allocate(1000, allocation_kind::device, 0);
  std::uint64_t const generation = m.generation();
  REQUIRE(m.free(a));
  REQUIRE(m.generation() != generation);
  REQUIRE_FALSE(m.free(a));
  REQUIRE_FALSE(m.free(a + 1));
  REQUIRE_FALSE(m.holds(a, 1));
  REQUIRE(m.find(a + 999)->freed);
  for (int k = 0; k < 1000; ++k) {
    std::uint64_t const b = m.allocate(1000, allocation_kind::device, 0);
    REQUIRE(b != a);
    REQUIRE(m.free(b));
  }
  REQUIRE(m.find(a)->freed);
  REQUIRE(m.used(0) == 0);
}

TEST_CASE("what is near an address is found", "[memory]") {
  global_memory m(256 * mebibyte, 1);
  std::uint64_t const a = m.allocate(1000, allocation_kind::device, 0);
  std::uint64_t const v = m.allocate(64, allocation_kind::module_variable, 0, 256, "counter");
  REQUIRE(m.find(a)->number == 1);
  REQUIRE(m.find(a + 1000)->begin == a);
  REQUIRE(m.find(v - 1)->begin == v);
  REQUIRE(m.find(v - 1)->name == "counter");
  REQUIRE(m.find(v + 64 + 4000)->begin == v);
  REQUIRE_FALSE(m.find(v + 64 + 4096));
  REQUIRE(m.live().size() == 2);
}

TEST_CASE("the capacity of a device bounds what it gives", "[memory]") {
  global_memory m(8 * mebibyte, 2);
  std::uint64_t const a = m.allocate(6 * mebibyte, allocation_kind::device, 0);
  REQUIRE(a != 0);
  REQUIRE(m.allocate(3 * mebibyte, allocation_kind::device, 0) == 0);
  REQUIRE(m.allocate(3 * mebibyte, allocation_kind::device, 1) != 0);
  REQUIRE(m.allocate(30 * mebibyte, allocation_kind::pinned, 0) != 0);
  REQUIRE(m.used(0) == 6 * mebibyte);
  REQUIRE(m.used(1) == 3 * mebibyte);
  REQUIRE(m.free(a));
  REQUIRE(m.allocate(8 * mebibyte, allocation_kind::device, 0) != 0);
  REQUIRE(m.allocate(~std::uint64_t{0}, allocation_kind::device, 0) == 0);
}

TEST_CASE("memory is mapped into reserved addresses", "[memory]") {
  global_memory m(8 * mebibyte, 2);
  std::uint64_t const a = m.reserve(4 * mebibyte, 2 * mebibyte);
  REQUIRE(a != 0);
  REQUIRE(a % (2 * mebibyte) == 0);
  REQUIRE_FALSE(m.holds(a, 1));
  REQUIRE(m.used(0) == 0);
  REQUIRE(m.map(a, mebibyte, 0));
  REQUIRE_FALSE(m.map(a + mebibyte / 2, mebibyte, 0));   // meets the first
  REQUIRE_FALSE(m.map(a + 4 * mebibyte - 256, 512, 0));  // ends outside
  REQUIRE_FALSE(m.map(a + 8 * mebibyte, 256, 0));
  REQUIRE(m.holds(a, mebibyte));
  REQUIRE_FALSE(m.holds(a, mebibyte + 1));
  REQUIRE(m.map(a + mebibyte, 2 * mebibyte, 1));
  REQUIRE(m.holds(a + 5, 3 * mebibyte - 5));  // both, without a gap
  REQUIRE_FALSE(m.holds(a + 5, 3 * mebibyte - 4));
  REQUIRE(m.find(a + mebibyte)->device == 1);
  *reinterpret_cast<char*>(a) = 7;
  REQUIRE_FALSE(m.free(a));
  REQUIRE_FALSE(m.unreserve(a, 4 * mebibyte));
  REQUIRE(m.unmap(a));
  REQUIRE_FALSE(m.unmap(a));
  REQUIRE_FALSE(m.holds(a, 1));
  REQUIRE(m.holds(a + mebibyte, 1));
  REQUIRE(m.map(a, mebibyte, 0));
  REQUIRE(*reinterpret_cast<char*>(a) == 0);
  REQUIRE(m.unmap(a));
  REQUIRE(m.unmap(a + mebibyte));
  REQUIRE_FALSE(m.unreserve(a, mebibyte));
  REQUIRE(m.unreserve(a, 4 * mebibyte));
  REQUIRE_FALSE(m.map(a, mebibyte, 0));
  REQUIRE(m.take_bytes(0, 8 * mebibyte));
  REQUIRE_FALSE(m.take_bytes(0, 1));
  m.give_back_bytes(0, 8 * mebibyte);
  REQUIRE(m.used(0) == 0);
}

TEST_CASE("registered host memory", "[memory]") {
  global_memory m(8 * mebibyte, 1);
  std::vector<char> host(10'000);
  auto const at = reinterpret_cast<std::uint64_t>(host.data());
  REQUIRE_FALSE(m.holds(at, 1));
  REQUIRE(m.add_registered(at, host.size()));
  REQUIRE_FALSE(m.add_registered(at + 10, 10));
  REQUIRE(m.holds(at, host.size()));
  REQUIRE_FALSE(m.holds(at, host.size() + 1));
  REQUIRE_FALSE(m.holds(at - 1, 1));
  REQUIRE(m.find(at + 5)->kind == allocation_kind::registered);
  REQUIRE_FALSE(m.remove_registered(at + 1));
  REQUIRE(m.remove_registered(at));
  REQUIRE_FALSE(m.holds(at, 1));
}

TEST_CASE("random allocations never overlap and keep a distance", "[memory]") {
  global_memory m(64 * mebibyte, 1);
  std::mt19937 random(7);
  std::map<std::uint64_t, std::uint64_t> live;
  std::vector<std::uint64_t> begins;
  for (int step = 0; step < 20'000; ++step) {
    if (begins.size() > 200 || (!begins.empty() && random() % 3 == 0)) {
      std::size_t const k = random() % begins.size();
      REQUIRE(m.free(begins[k]));
      live.erase(begins[k]);
      begins[k] = begins.back();
      begins.pop_back();
      continue;
    }
    std::uint64_t const bytes =
        1 + (random() % 10 == 0 ? random() % (2 * mebibyte) : random() % 20'000);
    std::uint64_t const align = std::uint64_t{1} << random() % 13;
    std::uint64_t const a = m.allocate(bytes, allocation_kind::managed, 0, align);
    REQUIRE(a != 0);
    REQUIRE(a % align == 0);
    auto const after = live.lower_bound(a);
    if (after != live.end()) REQUIRE(a + bytes + 256 <= after->first);
    if (after != live.begin())
      REQUIRE(std::prev(after)->first + std::prev(after)->second + 256 <= a);
    live.emplace(a, bytes);
    begins.push_back(a);
    if (step % 16 == 0)
      for (auto const& [begin, n] : live)
        if (!m.holds(begin, n) || m.holds(begin, n + 1) || m.holds(begin - 1, 2))
          FAIL("bounds at step " << step);
  }
}

TEST_CASE("freed memory does not pile up", "[memory]") {
  global_memory m(1024 * mebibyte, 1);
  std::uint64_t const before = resident_bytes();
  auto const churn = [&](std::uint64_t bytes, int times) {
    for (int k = 0; k < times; ++k) {
      std::uint64_t const a = m.allocate(bytes, allocation_kind::device, 0);
      REQUIRE(a != 0);
      for (std::uint64_t b = 0; b < bytes; b += 512) *reinterpret_cast<char*>(a + b) = 1;
      REQUIRE(m.free(a));
    }
  };
  churn(1024, 200'000);
  churn(8 * mebibyte, 100);
#if defined(__SANITIZE_ADDRESS__)
  constexpr std::uint64_t most = 512 * mebibyte;  // under a sanitizer, which keeps deleted memory
#else
  constexpr std::uint64_t most = 64 * mebibyte;
#endif
  REQUIRE(resident_bytes() < before + most);
}

TEST_CASE("host threads allocate, free and ask at the same time", "[memory]") {
  global_memory m(256 * mebibyte, 1);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int n = 0; n < 4; ++n)
    threads.emplace_back([&, n] {
      for (int k = 0; k < 3000; ++k) {
        auto const bytes = static_cast<std::uint64_t>(100 + n * 1000 + k % 3 * 700'000);
        std::uint64_t const a = m.allocate(bytes, allocation_kind::heap, 0);
        if (a == 0 || !m.holds(a, bytes) || m.holds(a, bytes + 1) || !m.find(a)) ++wrong;
        if (!m.free(a) || m.holds(a, 1)) ++wrong;
      }
    });
  for (std::thread& t : threads) t.join();
  REQUIRE(wrong == 0);
  REQUIRE(m.used(0) == 0);
}

TEST_CASE("kernels of a device access what they have a right to", "[memory]") {
  global_memory m(256 * mebibyte, 3);
  std::uint64_t const a = m.allocate(100, allocation_kind::device, 1);
  std::uint64_t const pinned = m.allocate(100, allocation_kind::pinned, 1);
  auto const access = [&](std::uint64_t address) {
    std::vector<int> devices;
    for (int d = 0; d < 3; ++d) {
      bool const holds = m.holds(d, address, 100);
      known_range const r = m.range_of(d, address);
      REQUIRE(holds == (r.begin <= address && address + 100 <= r.end));
      if (holds) devices.push_back(d);
    }
    return devices;
  };
  REQUIRE(access(a) == std::vector{1});
  REQUIRE(access(pinned) == std::vector{0, 1, 2});
  std::uint64_t const known = m.generation();
  m.set_peer_access(0, 1, true);
  REQUIRE(m.generation() != known);
  std::uint64_t const later = m.allocate(100, allocation_kind::device, 1);
  REQUIRE(access(a) == std::vector{0, 1});
  REQUIRE(access(later) == std::vector{0, 1});
  m.set_devices(later, device_bit(2));
  REQUIRE(access(later) == std::vector{2});
  m.set_peer_access(0, 1, false);
  REQUIRE(access(a) == std::vector{1});
  REQUIRE(access(later) == std::vector{2});
  REQUIRE(m.holds(a, 100));
}
