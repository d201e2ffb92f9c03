// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/check/reader_lists.hpp>

#include <limits>

namespace device::check {

reader_list reader_lists::made(entry const& e) {
  std::uint32_t const hash = (e.earlier * 0x9e37'79b1U) ^ (e.lanes * 0x85eb'ca6bU);
  reader_list& known = latest_[hash >> 26];
  if (knows(known) && at(known) == e) return known;
  if (next_ == std::numeric_limits<std::uint32_t>::max()) return 0;
  if (entries_.size() < max_reads)
    entries_.push_back(e);
  else
    entries_[(next_ - 1) % max_reads] = e;
  return known = next_++;
}

//! The later half of a list that has become long.
reader_list reader_lists::trimmed(reader_list l) {
  if (l == trimmed_from_) return trimmed_to_;
  std::vector<entry> newest;
  for (reader_list k = l; knows(k) && newest.size() < max_depth / 2; k = at(k).earlier)
    newest.push_back(at(k));
  reader_list shorter = 0;
  std::uint8_t depth = 0;
  for (auto e = newest.rbegin(); e != newest.rend(); ++e) {
    bool const one_block = shorter == 0 || is_within_block(shorter, e->warp);
    shorter = made({shorter, e->warp, e->time, e->lanes, e->site, ++depth, e->shift, one_block});
  }
  trimmed_from_ = l;
  trimmed_to_ = shorter;
  return shorter;
}

reader_list reader_lists::add(entry e) {
  reader_list l = knows(e.earlier) ? e.earlier : 0;
  // Earlier reads by the same lanes happened before this one.
  if (l != 0 && same_warp(at(l).warp, e.warp) && at(l).shift == e.shift &&
      (at(l).lanes & ~e.lanes) == 0)
    l = knows(at(l).earlier) ? at(l).earlier : 0;
  if (l != 0 && at(l).depth >= max_depth) l = trimmed(l);
  e.earlier = l;
  e.depth = static_cast<std::uint8_t>(l == 0 ? 1 : at(l).depth + 1);
  e.one_block = is_within_block(l, e.warp);
  return made(e);
}

}  // namespace device::check
