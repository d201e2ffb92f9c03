// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace device {

//! The parts of a range of addresses that nobody has. Not thread-safe. Time: logarithmic in the
//! number of parts.
class places {
 public:
  places(std::uint64_t begin, std::uint64_t bytes) : next_(begin), end_(begin + bytes) {}

  //! `bytes` of them at a multiple of `align`: of the smallest part that was given back and
  //! suffices; of what has never been used if there is none.
  [[nodiscard]] std::optional<std::uint64_t> take(std::uint64_t bytes, std::uint64_t align) {
    // A part may be long enough, but not once its beginning is aligned; after a few of them, fresh
    // addresses are as good.
    int tries = 8;
    for (auto p = by_bytes_.lower_bound({bytes, 0}); p != by_bytes_.end() && tries > 0;
         ++p, --tries) {
      auto const [part, begin] = *p;
      std::uint64_t const place = aligned(begin, align);
      if (place - begin + bytes > part) continue;
      remove(begin, part);
      if (place > begin) add(begin, place - begin);
      if (place + bytes < begin + part) add(place + bytes, begin + part - place - bytes);
      return place;
    }
    std::uint64_t const place = aligned(next_, align);
    if (place < next_ || place > end_ || bytes > end_ - place) return std::nullopt;
    if (place > next_) add(next_, place - next_);
    next_ = place + bytes;
    return place;
  }

  //! Parts that touch each other become one.
  void give_back(std::uint64_t begin, std::uint64_t bytes) {
    auto after = by_begin_.lower_bound(begin);
    if (after != by_begin_.end() && after->first == begin + bytes) {
      std::uint64_t const more = after->second;
      remove(after->first, more);
      bytes += more;
    }
    after = by_begin_.lower_bound(begin);
    if (after != by_begin_.begin()) {
      auto const [before, before_bytes] = *std::prev(after);
      if (before + before_bytes == begin) {
        remove(before, before_bytes);
        begin = before;
        bytes += before_bytes;
      }
    }
    if (begin + bytes == next_)
      next_ = begin;
    else
      add(begin, bytes);
  }

 private:
  static std::uint64_t aligned(std::uint64_t n, std::uint64_t align) {
    return (n + align - 1) & ~(align - 1);
  }
  void add(std::uint64_t begin, std::uint64_t bytes) {
    by_begin_.emplace(begin, bytes);
    by_bytes_.emplace(bytes, begin);
  }
  void remove(std::uint64_t begin, std::uint64_t bytes) {
    by_begin_.erase(begin);
    by_bytes_.erase({bytes, begin});
  }

  std::uint64_t next_;  // from here on, nothing was ever taken
  std::uint64_t end_;
  std::map<std::uint64_t, std::uint64_t> by_begin_;             // begin -> bytes
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_bytes_;  // (bytes, begin)
};

}  // namespace device
