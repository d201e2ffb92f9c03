// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An independent implementation of the hardware's rules, byte by byte, from their published
// sources. It uses nothing of the library.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace naive_gpu {

using address = std::int64_t;
using lanes = std::map<int, address>;  // active lanes and their addresses

struct figures {
  address wavefronts = 0;
  address ideal = 0;
  friend bool operator==(figures const&, figures const&) = default;
};

//! The largest number of distinct words in one bank, for accesses of `bytes` bytes per lane.
inline address longest(lanes const& phase, int bytes, int banks) {
  std::map<address, std::set<address>> words;
  for (auto const& [lane, first] : phase)
    for (address b = first; b < first + bytes; ++b) words[b / 4 % banks].insert(b / 4);
  std::size_t most = 0;
  for (auto const& [bank, list] : words) most = std::max(most, list.size());
  return static_cast<address>(most);
}

inline figures by_phases(lanes const& active, int bytes, int banks,
                         std::vector<std::vector<int>> const& phases) {
  figures sum;
  for (auto const& phase : phases) {
    lanes here;
    for (int const lane : phase)
      if (active.contains(lane)) here[lane] = active.at(lane);
    if (here.empty()) continue;
    ++sum.ideal;
    sum.wavefronts += longest(here, bytes, banks);
  }
  return sum;
}

//! The lanes from first to last.
inline std::vector<int> range(int first, int last) {
  std::vector<int> list;
  for (int lane = first; lane <= last; ++lane) list.push_back(lane);
  return list;
}

inline std::vector<std::vector<int>> nvidia_phases(int bytes) {
  if (bytes == 8) return {range(0, 15), range(16, 31)};
  if (bytes == 16) return {range(0, 7), range(8, 15), range(16, 23), range(24, 31)};
  return {range(0, 31)};
}

inline figures nvidia(lanes const& active, int bytes) {
  return by_phases(active, bytes, 32, nvidia_phases(bytes));
}

inline figures matrices(lanes const& active, int count) {
  std::vector<std::vector<int>> phases;
  for (int m = 0; m < count; ++m) phases.push_back(range(8 * m, 8 * m + 7));
  return by_phases(active, 16, 32, phases);
}

//! Loads of 8 or 16 bytes whose lanes agree in pairs, i with i ^ 1 or i with i ^ 2, over the whole
//! warp.
inline figures merging(lanes const& active, int bytes) {
  for (int const distance : {1, 2}) {
    bool agree = bytes > 4;
    for (auto const& [lane, where] : active)
      if (active.contains(lane ^ distance) && active.at(lane ^ distance) != where) agree = false;
    if (agree)
      return by_phases(active, bytes, 32,
                       bytes == 8 ? std::vector<std::vector<int>>{range(0, 31)}
                                  : std::vector<std::vector<int>>{range(0, 15), range(16, 31)});
  }
  return nvidia(active, bytes);
}

inline figures cdna3(lanes const& active, int bytes, bool writes) {
  if (bytes <= 4) return by_phases(active, bytes, 32, {range(0, 31), range(32, 63)});
  if (bytes == 8)
    return by_phases(active, bytes, 32,
                     {range(0, 15), range(16, 31), range(32, 47), range(48, 63)});
  if (writes) {
    std::vector<std::vector<int>> phases;
    for (int p = 0; p < 64; p += 8) phases.push_back(range(p, p + 7));
    return by_phases(active, bytes, 32, phases);
  }
  return by_phases(active, bytes, 32,
                   {{0, 1, 2, 3, 20, 21, 22, 23},
                    {4, 5, 6, 7, 16, 17, 18, 19},
                    {8, 9, 10, 11, 28, 29, 30, 31},
                    {12, 13, 14, 15, 24, 25, 26, 27},
                    {32, 33, 34, 35, 52, 53, 54, 55},
                    {36, 37, 38, 39, 48, 49, 50, 51},
                    {40, 41, 42, 43, 60, 61, 62, 63},
                    {44, 45, 46, 47, 56, 57, 58, 59}});
}

inline figures cdna4(lanes const& active, int bytes, bool writes) {
  if (bytes <= 4) return by_phases(active, bytes, 64, {range(0, 63)});
  if (bytes == 8) return by_phases(active, bytes, 64, {range(0, 31), range(32, 63)});
  if (writes)
    return by_phases(active, bytes, 64,
                     {range(0, 15), range(16, 31), range(32, 47), range(48, 63)});
  return by_phases(active, bytes, 64,
                   {{0, 1, 2, 3, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25, 26, 27},
                    {4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 28, 29, 30, 31},
                    {32, 33, 34, 35, 44, 45, 46, 47, 52, 53, 54, 55, 56, 57, 58, 59},
                    {36, 37, 38, 39, 40, 41, 42, 43, 48, 49, 50, 51, 60, 61, 62, 63}});
}

//! Waves of 32 lanes: NVIDIA's phases, except that RDNA3 loads 16 bytes in groups of its own.
inline figures rdna(lanes const& active, int bytes, bool writes, bool rdna3) {
  if (bytes < 16 || writes || !rdna3) return nvidia(active, bytes);
  return by_phases(active, bytes, 32,
                   {{0, 1, 2, 3, 20, 21, 22, 23},
                    {4, 5, 6, 7, 16, 17, 18, 19},
                    {8, 9, 10, 11, 28, 29, 30, 31},
                    {12, 13, 14, 15, 24, 25, 26, 27}});
}

//! The number of distinct aligned blocks of `unit` bytes.
inline address blocks(lanes const& active, int bytes, int unit) {
  std::set<address> touched;
  for (auto const& [lane, first] : active)
    for (address b = first; b < first + bytes; ++b) touched.insert(b / unit);
  return static_cast<address>(touched.size());
}

}  // namespace naive_gpu
