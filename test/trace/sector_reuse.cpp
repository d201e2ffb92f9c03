// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reuse distances beside a cache as a list of lines.
#include <mmm/trace/sector_reuse.hpp>

#include "catch.hpp"
#include "support/naive_cache.hpp"

#include <algorithm>
#include <random>
#include <stdexcept>
#include <vector>

using namespace mmm::gpu;

namespace {

using mmm::index;

struct access {
  index sector;
  bool writes;
};

//! A sequence of accesses: random ones among few sectors or many, runs, and returns to recent ones.
std::vector<access> random_accesses(std::mt19937_64& random, std::size_t count, index sectors) {
  auto const below = [&](index n) {
    return static_cast<index>(random() % static_cast<std::uint64_t>(n));
  };
  std::vector<access> all;
  while (all.size() < count) {
    bool const writes = below(3) == 0;
    index const first = below(sectors);
    index const kind = all.empty() ? 0 : below(4);
    if (kind == 3)
      all.push_back({all[all.size() - 1 -
                         static_cast<std::size_t>(
                             below(static_cast<index>(std::min<std::size_t>(all.size(), 12))))]
                         .sector,
                     writes});
    else if (kind == 2)
      for (index k = 0; k < 9; ++k) all.push_back({(first + k) % sectors, writes});
    else
      all.push_back({first, writes});
  }
  return all;
}

void agrees(std::vector<access> const& all, cache_units units, index bytes) {
  index const lines = bytes / units.line_bytes;
  index const sectors = units.line_bytes / units.sector_bytes;
  naive_cache::cache naive(lines, sectors);
  sector_reuse reuse(units);
  bool same = true;
  for (access const& a : all)
    same =
        (reuse.access(a.sector, a.writes).hits(lines) == naive.access(a.sector, a.writes)) && same;
  CAPTURE(units.line_bytes, units.sector_bytes, bytes);
  CHECK(same);
  cache_traffic const found = reuse.traffic(bytes);
  CHECK(found.reads == naive.reads);
  CHECK(found.writes == naive.writes);
  CHECK(found.read_misses == naive.read_misses);
  CHECK(found.write_misses == naive.write_misses);
  CHECK(found.write_backs == naive.write_backs);
  CHECK(found.left == naive.left());
}

}  // namespace

TEST_CASE("reuse distances give the traffic of a cache of any size") {
  std::mt19937_64 random(38);
  for (cache_units const units : {cache_units{128, 32}, {32, 32}, {64, 32}, {1, 1}, {2048, 32}})
    for (mmm::index const sectors : {1, 7, 40, 3000})
      for (int repetition = 0; repetition < 4; ++repetition) {
        auto const all = random_accesses(random, repetition == 3 ? 3000 : 300, sectors);
        for (mmm::index const lines : {0, 1, 2, 3, 10, 75, 4000})
          agrees(all, units, lines * units.line_bytes + (lines % 2) * (units.line_bytes - 1));
      }
}

TEST_CASE("reuse distances of a few accesses") {
  sector_reuse none;
  CHECK(none.traffic(1 << 20) == cache_traffic{});
  CHECK(none.lines_touched() == 0);

  sector_reuse reuse;
  CHECK(reuse.access(0, false).lines == reuse_distance::never);
  CHECK(reuse.access(0, false).lines == 0);
  CHECK(reuse.access(1, false).lines == reuse_distance::never);  // of the same line
  CHECK(reuse.access(4, true).lines == reuse_distance::never);
  CHECK(reuse.access(8, false).lines == reuse_distance::never);
  CHECK(reuse.access(1, false).lines == 2);
  CHECK(reuse.access(0, false).lines == 2);  // its line came back, but not the sector itself
  CHECK(reuse.traffic(3 * 128) == cache_traffic{6, 1, 3, 1, 0, 1});
  CHECK(reuse.traffic(2 * 128) == cache_traffic{6, 1, 5, 1, 1, 0});
  CHECK(reuse.traffic(127) == cache_traffic{6, 1, 6, 1, 1, 0});
  CHECK(reuse.first_reads() == 3);
  CHECK(reuse.read_only_sectors() == 3);
  CHECK(reuse.sectors_written() == 1);
  CHECK(reuse.traffic(256).moved() == 6);
  CHECK(reuse.traffic(256).misses() == 6);
}

TEST_CASE("caches that cannot be are refused") {
  CHECK_THROWS_AS(sector_reuse({128, 0}), std::invalid_argument);
  CHECK_THROWS_AS(sector_reuse({16, 32}), std::invalid_argument);
  CHECK_THROWS_AS(sector_reuse({80, 32}), std::invalid_argument);
  CHECK_THROWS_AS(sector_reuse({65 * 32, 32}), std::invalid_argument);
  CHECK_THROWS_AS(sector_reuse().traffic(-1), std::invalid_argument);
}
