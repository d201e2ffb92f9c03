// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pictures.hpp"

#include <mmm/report/explanation.hpp>

#include "table.hpp"

#include <algorithm>
#include <bit>
#include <map>

namespace device::report {

namespace {

using mmm::report::detail::counted;
using mmm::report::detail::drawing;
using mmm::report::detail::palette;

std::string place_of(count::costed_request const& r) {
  return "block (" + std::to_string(r.block_index.x) + ", " + std::to_string(r.block_index.y) +
         ", " + std::to_string(r.block_index.z) + "), warp " + std::to_string(r.warp);
}

//! The banks of shared memory, by the library.
void explain_banks(memory_sum const& m, count::bank_policy policy, request_picture& to) {
  count::costed_request const& r = m.worst;
  std::array<std::uint64_t, lanes> places = r.address;
  if (m.kind == access_kind::update)
    count::separate_words(r.address.data(), r.active, places.data());
  std::vector<index> addresses;
  for (std::uint64_t const a : places) addresses.push_back(static_cast<index>(a));
  mmm::gpu::warp_access const access = count::access_of(m.kind, r.bytes, r.matrices);
  std::string const title = name_of(m.where, m.kind) + ", " + place_of(r);
  for (int t = 0; t < lanes; ++t)  // what inactive lanes hold may be no address at all
    if ((r.active >> t & 1) == 0) addresses[static_cast<std::size_t>(t)] = 0;
  mmm::report::explanation const why =
      policy == count::bank_policy::nvidia
          ? mmm::report::explain<mmm::gpu::nvidia>(access, addresses, r.active, title)
          : mmm::report::explain<mmm::gpu::nvidia_merging>(access, addresses, r.active, title);
  to.text = why.text;
  to.svg = why.svg;
}

//! The lines of global memory that a request touches, each with its four sectors and their words.
void explain_sectors(memory_sum const& m, request_picture& to) {
  count::costed_request const& r = m.worst;
  constexpr index cell = 19;
  constexpr index left = 110;
  constexpr std::size_t max_rows = 33;
  std::map<std::uint64_t, std::vector<std::pair<int, int>>>
      rows;  // line -> words of it and the lanes that ask for them
  for (int t = 0; t < lanes; ++t) {
    if ((r.active >> t & 1) == 0) continue;
    std::uint64_t const first = r.address[static_cast<std::size_t>(t)];
    for (std::uint64_t byte = first; byte < first + static_cast<std::uint64_t>(r.bytes); byte += 4)
      rows[byte / 128].emplace_back(static_cast<int>(byte % 128 / 4), t);
  }
  drawing out;
  index y = 24;
  std::string const title = name_of(m.where, m.kind) + ", " + place_of(r);
  out.text(left, y, title, {15, palette::ink, "start", true});
  y += 22;
  y += out.paragraph(left, y, 4 * (8 * cell + 6), to.sentence, {12, palette::quiet});
  std::uint64_t const begin = rows.begin()->first;
  std::uint64_t before = begin;
  std::size_t shown = 0;
  for (auto const& [line, words] : rows) {
    if (++shown > max_rows) break;
    y += line > before + 1 ? 10 : 4;
    before = line;
    out.text(left - 8, y + 14, "byte +" + std::to_string((line - begin) * 128),
             {11, palette::quiet, "end"});
    lane_mask asked = 0;
    for (auto const& [word, lane] : words) asked |= lane_mask{1} << word;
    for (index sector = 0; sector < 4; ++sector) {
      bool const fetched = (asked >> (sector * 8) & 0xff) != 0;
      out.rectangle(left + sector * (8 * cell + 6), y, 8 * cell, cell,
                    fetched ? palette::fetched : palette::cell, palette::rule);
    }
    for (int word = 0; word < 32; ++word) {
      if ((asked >> word & 1) == 0) continue;
      index const x = left + word / 8 * (8 * cell + 6) + word % 8 * cell;
      std::vector<index> lanes;
      for (auto const& [w, lane] : words)
        if (w == word && (lanes.empty() || lanes.back() != lane)) lanes.push_back(lane);
      out.rectangle(x + 1, y + 1, cell - 2, cell - 2, palette::good, "none",
                    "lane " + mmm::report::detail::lane_list(lanes) + ", address " +
                        std::to_string(line * 128 + static_cast<std::uint64_t>(word) * 4));
      out.text(x + cell / 2, y + 13, std::to_string(lanes.front()) + (lanes.size() > 1 ? "+" : ""),
               {10, palette::paper, "middle", true});
    }
    y += cell;
  }
  if (rows.size() > max_rows) {
    y += 18;
    out.text(left, y, "and " + std::to_string(rows.size() - max_rows) + " more lines",
             {12, palette::quiet});
  }
  y += 24;
  y += out.paragraph(left, y, 4 * (8 * cell + 6),
                     "A row is a line of 128 bytes, a box a sector of 32; tinted ones are moved as "
                     "a whole. A mark is a word "
                     "that a lane asks for; t+: further lanes ask for it.",
                     {12, palette::quiet});
  to.svg = out.svg(left + 4 * (8 * cell + 6) + 24, y + 14, title, to.sentence);
}

}  // namespace

request_picture picture_of(memory_sum const& m, count::bank_policy policy) {
  count::costed_request const& r = m.worst;
  request_picture made;
  std::string const subject = place_of(r) + ": " + counted(std::popcount(r.active), "lane") +
                              " of " + std::to_string(r.bytes) +
                              (r.bytes == 1 ? " byte" : " bytes");
  bool const shared = m.where == space::shared;
  made.sentence = subject + " take " + counted(r.cost.transfers, shared ? "wavefront" : "sector");
  if (r.cost.excessive() != 0)
    made.sentence += " where " + std::to_string(r.cost.ideal) + " would do";
  if (r.cost.serialized > 1)
    made.sentence += "; " + std::to_string(r.cost.serialized) + " lanes update one address in turn";
  if (shared && m.kind == access_kind::update)
    made.sentence += ". A bank makes one lane's update at a time: each is shown as a word of its "
                     "own in its bank";
  if (m.where == space::local)
    made.sentence += ". Word k of a thread lies beside word k of its neighbours: lanes that access "
                     "the same words share sectors";
  if (shared)
    explain_banks(m, policy, made);
  else if (m.where == space::global)
    explain_sectors(m, made);
  return made;
}

}  // namespace device::report
