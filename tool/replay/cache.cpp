// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cache.hpp"

#include <common/failure.hpp>
#include <common/text.hpp>

#include <algorithm>
#include <array>

namespace replay {

namespace {

constexpr char const* accepted =
    "; accepted: SIZE or SIZE,LINE,SECTOR in bytes, as in 50M or 50M,128,32, a line of 1 to 64 "
    "sectors";

//! A number of bytes such as 64, 48K, 50M or 1G; -1 if it is none.
index bytes_of(std::string_view text) {
  int shift = 0;
  if (!text.empty()) {
    constexpr std::string_view units = "KMG";
    if (auto const at = units.find(text.back()); at != std::string_view::npos) {
      shift = 10 * (static_cast<int>(at) + 1);
      text.remove_suffix(1);
    }
  }
  index value = 0;
  if (!tool::read_whole(text, value) || value > INT64_MAX >> shift) return -1;
  return value << shift;
}

}  // namespace

cache_choice cache_named(std::string_view text) {
  auto const refuse = [&] {
    throw tool::failure("--cache is " + tool::in_quotes(text) + accepted);
  };
  std::array<index, 3> value{0, 128, 32};
  std::size_t count = 0;
  for (std::string_view rest = text;; ++count) {
    std::size_t const comma = rest.find(',');
    if (count == value.size()) refuse();
    value[count] = bytes_of(rest.substr(0, comma));
    if (value[count] < 0) refuse();
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (count == 1) refuse();
  cache_choice const found{value[0], {value[1], value[2]}};
  if (value[2] < 1 || value[1] < value[2] || value[1] % value[2] != 0 || value[1] / value[2] > 64)
    refuse();
  return found;
}

void cache_record::add(request const& r) {
  sectors_.clear();
  for (std::size_t lane = 0; lane < r.address.size(); ++lane)
    if ((r.active >> lane & 1) != 0)
      sectors_.add(r.address[lane], r.access.bytes, choice_.units.sector_bytes);
  auto const& sectors = sectors_.sorted();
  if (sectors.empty()) return;
  bool const writes = r.access.writes();
  by_block_.begin_request(r.block);
  index misses = 0;
  for (index const sector : sectors) {
    by_block_.add(sector, writes);
    misses +=
        recorded_.access(sector, writes).hits(choice_.bytes / choice_.units.line_bytes) ? 0 : 1;
  }
  if (!r.counter) return;
  sector_misses& own = by_counter_[*r.counter];
  own.sectors += static_cast<index>(sectors.size());
  own.misses += misses;
}

cache_figures cache_record::figures(std::optional<std::size_t> resident) const {
  cache_figures found;
  found.blocks = by_block_.blocks();
  found.resident =
      std::max(std::size_t{1}, std::min(resident.value_or(found.blocks), found.blocks));
  mmm::gpu::ordered_traffic const recorded{{mmm::gpu::block_order::as_recorded},
                                           recorded_.traffic(choice_.bytes)};
  if (found.blocks > 1) {
    found.interval = mmm::gpu::traffic_over_orders(by_block_, choice_.units, choice_.bytes,
                                                   {.resident = found.resident});
  } else {
    found.interval.must_read = recorded_.read_only_sectors();
    found.interval.must_write = recorded_.sectors_written();
  }
  found.interval.orders.insert(found.interval.orders.begin(), recorded);
  found.by_counter = by_counter_;
  return found;
}

}  // namespace replay
